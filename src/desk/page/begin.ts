import type { Run } from '../contract/answers.ts';
import type { AskedOf } from '../contract/asked.ts';
import { call } from './call.ts';
import { doJob, planNow } from './live.ts';
import { goTo, type Place, route } from './router.ts';

/** Whether a file's own screen is shown. */
const isAt = (file: string): boolean => {
  const now = route.peek();
  return now.page === 'file' && now.file === file;
};

/** Plans a file, and shows its plan where its own screen is still shown then; rejects with CallError. */
export async function planFile(file: string, of?: string): Promise<void> {
  const { state, run } = await doJob(
    call('makePlan', { file, of }),
    ({ source }) => source === file && !isAt(file) && goTo({ page: 'file', file }),
  );
  if (state === 'done' && run !== null && isAt(file)) showPlan(file, run);
}

/** Goes on to the plan of a file; who comes back to how it is read takes its corrections along. */
export function showPlan(file: string, run: string, query: Place['query'] = {}): void {
  goTo({ page: 'file', file, query: { run } }, true);
  goTo({ page: 'run', run, query });
}

/** Plans a file anew in the place of a plan of it, and shows what comes of it; rejects with CallError. */
export async function planAnew(
  { run: of, source }: Run,
  more: Omit<AskedOf<'makePlan'>, 'file'> = {},
  step?: 'send',
): Promise<void> {
  const { state, run } = await doJob(call('makePlan', { file: source ?? '', of, ...more }));
  const shown = route.peek();
  if (state !== 'done' || run === null || shown.page !== 'run' || planNow(shown.run) !== run) return;
  goTo({ ...shown, run }, true);
  if (step !== undefined) goTo({ page: 'run', run, step });
}

/** Goes on with a file that was brought: to its plan where nothing is to be decided, else to its reading. */
export async function goOnWith(file: string): Promise<void> {
  const { exact } = await call('sheets', { file });
  // What stops its plan is told on its own screen.
  if (exact) void planFile(file).catch(() => {});
  else goTo({ page: 'file', file });
}
