import { expect, it } from 'vitest';
import { openKitchen } from '../helpers/kitchen.ts';
import { difference, newestRun, resendMissing, sevenSheets, stateOf, undisturbed } from './seven-sheets.ts';

const MOMENTS = Number(process.env.MOMENTS ?? 50);
const ROWS = Number(process.env.ROWS ?? 200);
const LATENCY = 10;

it(`killed at ${MOMENTS} random moments of a run over all seven sheets (${ROWS} rows each), and continued`, async () => {
  const whole = await undisturbed(ROWS, LATENCY);
  console.log('undisturbed', Math.round(whole.ms), 'ms', whole.counts);
  const tally = { planning: 0, sending: 0, finished: 0, unknown: 0 };
  for (let moment = 0; moment < MOMENTS; moment++) {
    const kitchen = await openKitchen({ faults: { latencyMs: LATENCY } });
    const file = await sevenSheets(`${kitchen.folder}/a.xlsx`, ROWS);
    const after = 300 + Math.random() * (whole.ms - 300);
    let timer: NodeJS.Timeout | undefined;
    await kitchen.run(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx'], {
      onStart: (kill) => {
        timer = setTimeout(() => kill('SIGKILL'), after);
      },
    });
    clearTimeout(timer);
    const first = await newestRun(kitchen);
    const planned = first !== undefined && first.state !== 'planning';
    tally[!planned ? 'planning' : first.state === 'done' ? 'finished' : 'sending']++;
    const again = planned ? ['apply', first.run] : ['import', file];
    const { code, stderr } = await kitchen.run([...again, '--yes', '--concurrency', '16', '--out', 'r.xlsx']);
    expect([0, 6], `moment ${moment}, ${Math.round(after)} ms: ${stderr}`).toContain(code);
    const run = (await newestRun(kitchen))?.run ?? '';
    tally.unknown += await resendMissing(kitchen, run);
    expect(
      difference(await stateOf(kitchen), whole.state),
      `moment ${moment}, ${Math.round(after)} ms`,
    ).toEqual([]);
  }
  console.log('killed while', tally);
  expect(tally.sending).toBeGreaterThan(MOMENTS / 3);
});
