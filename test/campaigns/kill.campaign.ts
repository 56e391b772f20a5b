import { expect, it } from 'vitest';
import { type Kitchen, openKitchen } from '../helpers/kitchen.ts';
import {
  difference,
  newestRun,
  requestsSeen,
  resendMissing,
  sevenSheets,
  stateOf,
  undisturbed,
} from './seven-sheets.ts';

const MOMENTS = Number(process.env.MOMENTS ?? 50);
const ROWS = Number(process.env.ROWS ?? 200);
const LATENCY = 10;

/** How a run ends before its end, and how it goes on. */
const WAYS = [
  { signal: 'SIGKILL', by: 'apply' },
  { signal: 'SIGKILL', by: 'import' },
  { signal: 'SIGINT', by: 'apply' },
] as const;

/** Starts an import and ends it once the service has seen so many requests, or lets it end. */
async function endAfter(
  kitchen: Kitchen,
  file: string,
  requests: number,
  signal: NodeJS.Signals,
): Promise<void> {
  let kill: (signal: NodeJS.Signals) => void = () => {};
  let ended = false;
  const running = kitchen
    .run(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx'], {
      onStart: (send) => {
        kill = send;
      },
    })
    .finally(() => {
      ended = true;
    });
  while (!ended && (await requestsSeen(kitchen)) < requests)
    await new Promise((resolve) => setTimeout(resolve, 2));
  kill(signal);
  await running;
}

it(`ended at ${MOMENTS} random moments of a run over all seven sheets (${ROWS} rows each), and continued`, async () => {
  const whole = await undisturbed(ROWS, LATENCY);
  console.log('undisturbed', Math.round(whole.ms), 'ms', whole.counts);
  const tally = { planning: 0, sending: 0, finished: 0, unknown: 0 };
  for (let moment = 0; moment < MOMENTS; moment++) {
    const kitchen = await openKitchen({ faults: { latencyMs: LATENCY } });
    const file = await sevenSheets(`${kitchen.folder}/a.xlsx`, ROWS);
    // By what the service has seen rather than by time: a busy machine must not move all moments to one end.
    const after = 1 + Math.floor(Math.random() * whole.requests);
    const way = WAYS[moment % WAYS.length] ?? WAYS[0];
    await endAfter(kitchen, file, after, way.signal);
    const first = await newestRun(kitchen);
    const planned = first !== undefined && first.state !== 'planning';
    tally[!planned ? 'planning' : first.state === 'done' ? 'finished' : 'sending']++;
    const again = planned && way.by === 'apply' ? ['apply', first.run] : ['import', file];
    const { code, document } = await kitchen.runJson([
      ...again,
      '--yes',
      '--concurrency',
      '16',
      '--out',
      'r.xlsx',
    ]);
    const wrong = document.rows.filter(
      ({ status }) => !['created', 'updated', 'unchanged', 'unknown'].includes(status),
    );
    expect(wrong.slice(0, 5), `moment ${moment}, ${way.signal} after ${after} requests, ${way.by}`).toEqual(
      [],
    );
    expect([0, 6]).toContain(code);
    // A mutation in doubt is sent again in the run that sent it, wherever it was found to be in doubt.
    const sentBy = planned ? first.run : ((await newestRun(kitchen))?.run ?? '');
    tally.unknown += await resendMissing(kitchen, document.rows, sentBy);
    expect(
      difference(await stateOf(kitchen), whole.state),
      `moment ${moment}, ${way.signal} after ${after} requests, ${way.by}`,
    ).toEqual([]);
  }
  console.log('ended while', tally);
  expect(tally.sending).toBeGreaterThan(MOMENTS / 3);
});
