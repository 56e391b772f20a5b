import { it } from 'vitest';
import { endAndGoOn, WAYS } from '../../campaigns/end-and-go-on.ts';
import { undisturbed } from '../../campaigns/seven-sheets.ts';

/** The short form of the kill campaign: few rows, and one moment in the middle for each way to end and go on. */
it('a run over all seven sheets that is ended in the middle goes on to the same records', async () => {
  const [rows, latency] = [6, 4];
  const whole = await undisturbed(rows, latency);
  const ended = WAYS.map((way, at) => {
    const after = Math.floor((whole.requests * (at + 2)) / (WAYS.length + 2));
    return endAndGoOn(whole, { rows, latency, after, way });
  });
  await Promise.all(ended);
});
