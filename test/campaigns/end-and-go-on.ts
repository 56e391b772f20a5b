import { expect } from 'vitest';
import { openTestService, type TestService } from '../helpers/test-service.ts';
import {
  difference,
  newestRun,
  requestsSeen,
  resendMissing,
  sevenSheets,
  stateOf,
  type undisturbed,
} from './seven-sheets.ts';

/** How a run ends before its end, and how it goes on; the short form is in test/long/cli/killed.test.ts. */
export const WAYS = [
  { signal: 'SIGKILL', by: 'apply' },
  { signal: 'SIGKILL', by: 'import' },
  { signal: 'SIGINT', by: 'apply' },
] as const;

/** Starts an import and ends it once the service has seen so many requests, or lets it end. */
async function endAfter(
  service: TestService,
  file: string,
  requests: number,
  signal: NodeJS.Signals,
): Promise<void> {
  let kill: (signal: NodeJS.Signals) => void = () => {};
  let ended = false;
  const running = service
    .run(['import', file, '--yes', '--concurrency', '16', '--out', 'r.xlsx'], {
      onStart: (send) => {
        kill = send;
      },
    })
    .finally(() => {
      ended = true;
    });
  while (!ended && (await requestsSeen(service)) < requests)
    await new Promise((resolve) => setTimeout(resolve, 2));
  kill(signal);
  await running;
}

/** What came of one run that was ended. */
export interface Ended {
  readonly while: 'planning' | 'sending' | 'finished';
  readonly unknown: number;
}

/** Ends a run over all seven sheets after so many requests, lets it go on, and holds what is there against an undisturbed one. */
export async function endAndGoOn(
  whole: Awaited<ReturnType<typeof undisturbed>>,
  {
    rows,
    latency,
    after,
    way,
  }: {
    readonly rows: number;
    readonly latency: number;
    readonly after: number;
    readonly way: (typeof WAYS)[number];
  },
): Promise<Ended> {
  const told = `${way.signal} after ${after} requests, ${way.by}`;
  const service = await openTestService({ faults: { latencyMs: latency } });
  const file = await sevenSheets(`${service.folder}/a.xlsx`, rows);
  await endAfter(service, file, after, way.signal);
  const first = await newestRun(service);
  const planned = first !== undefined && first.state !== 'planning';
  const again = planned && way.by === 'apply' ? ['apply', first.run] : ['import', file];
  const { code, document } = await service.runJson([
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
  expect(wrong.slice(0, 5), told).toEqual([]);
  expect([0, 6], told).toContain(code);
  // A mutation in doubt is sent again in the run that sent it, wherever it was found to be in doubt.
  const sentBy = planned ? first.run : ((await newestRun(service))?.run ?? '');
  const unknown = await resendMissing(service, document.rows, sentBy);
  expect(difference(await stateOf(service), whole.state), told).toEqual([]);
  return { while: !planned ? 'planning' : first.state === 'done' ? 'finished' : 'sending', unknown };
}
