import { expect, it } from 'vitest';
import { endAndGoOn, WAYS } from './end-and-go-on.ts';
import { undisturbed } from './seven-sheets.ts';

const MOMENTS = Number(process.env.MOMENTS ?? 50);
// The sandbox has 60 trips: two rows on one would contradict each other.
const ROWS = Number(process.env.ROWS ?? 60);
const LATENCY = 10;

it(`ended at ${MOMENTS} random moments of a run over all seven sheets (${ROWS} rows each), and continued`, async () => {
  const whole = await undisturbed(ROWS, LATENCY);
  console.log('undisturbed', Math.round(whole.ms), 'ms', whole.counts);
  const tally = { planning: 0, sending: 0, finished: 0, unknown: 0 };
  for (let moment = 0; moment < MOMENTS; moment++) {
    // By what the service has seen rather than by time: a busy machine must not move all moments to one end.
    const after = 1 + Math.floor(Math.random() * whole.requests);
    const way = WAYS[moment % WAYS.length] ?? WAYS[0];
    const ended = await endAndGoOn(whole, { rows: ROWS, latency: LATENCY, after, way });
    tally[ended.while]++;
    tally.unknown += ended.unknown;
  }
  console.log('ended while', tally);
  expect(tally.sending).toBeGreaterThan(MOMENTS / 3);
});
