import type { Ledger, PrunedRows, RunRecord } from '../ledger/ledger.ts';
import { wallClock } from './context.ts';

/**
 * Days that a plan of which nothing was sent is kept in a file: longer than the page keeps a file that nobody
 * touches.
 */
export const UNSENT_DAYS = 100;

/** Runs that are older than a moment, the newest first. */
export interface OldRuns {
  /** At their end: their rows can be removed. */
  readonly done: readonly RunRecord[];
  /** Plans of which nothing was sent. */
  readonly unsent: readonly RunRecord[];
  /** Not at their end, or with rows of which nobody knows what became: they stay as they are. */
  readonly open: readonly RunRecord[];
}

/** Moments before which runs are old, wall clock; none are where it is empty. */
interface Ages {
  readonly done: string;
  readonly unsent: string;
}

const DAY = 86_400_000;

/** Runs that are listed, and pruned, together. */
const BATCH = 50;

/** The old runs of a ledger; `isOthers`: those that workers have. */
export async function findOldRuns(
  ledger: Pick<Ledger, 'listRuns'>,
  ages: Ages,
  isOthers: (run: string) => boolean = () => false,
): Promise<OldRuns> {
  const older = async (states: RunRecord['state'][], before: string): Promise<RunRecord[]> => {
    if (before === '') return [];
    const found: RunRecord[] = [];
    for (let offset = 0; ; offset += BATCH) {
      const page = await ledger.listRuns(BATCH, { states, offset });
      found.push(...page.filter(({ startedAt, run }) => startedAt < before && !isOthers(run)));
      if (page.length < BATCH) return found;
    }
  };
  const done = await older(['done'], ages.done);
  const isOpen = ({ counts }: RunRecord): boolean => (counts?.unknown ?? 0) > 0;
  return {
    done: done.filter((run) => !isOpen(run)),
    unsent: await older(['planned', 'planning'], ages.unsent),
    open: [...(await older(['applying', 'interrupted'], ages.done)), ...done.filter(isOpen)],
  };
}

/** Removes what is kept of old runs, and tells after each batch how many of them are done with. */
export async function pruneOldRuns(
  ledger: Pick<Ledger, 'pruneRuns' | 'removeRuns'>,
  { done, unsent }: Pick<OldRuns, 'done' | 'unsent'>,
  moments: { readonly at: string; readonly since: string },
  tell: (done: number, total: number) => void = () => {},
): Promise<{ readonly pruned: ReadonlyMap<string, PrunedRows>; readonly removed: number }> {
  const total = done.length + unsent.length;
  const pruned = new Map<string, PrunedRows>();
  let removed = 0;
  for (const runs of batches(unsent)) {
    removed += await ledger.removeRuns(runs);
    tell(runs.length, total);
  }
  for (let at = 0; at < done.length; at += BATCH) {
    const runs = done.slice(at, at + BATCH).map(({ run }) => run);
    for (const [run, rows] of await ledger.pruneRuns(runs, moments)) pruned.set(run, rows);
    tell(unsent.length + at + runs.length, total);
  }
  return { pruned, removed };
}

/** Removes plans of which nothing was sent for longer than they are kept; `now`: by this machine's clock. */
export async function removeOldPlans(
  ledger: Pick<Ledger, 'listRuns' | 'pruneRuns' | 'removeRuns'>,
  now: Date,
): Promise<void> {
  const before = wallClock(new Date(now.getTime() - UNSENT_DAYS * DAY));
  const { unsent } = await findOldRuns(ledger, { done: '', unsent: before });
  await pruneOldRuns(ledger, { done: [], unsent }, { at: before, since: before });
}

function* batches(runs: readonly RunRecord[]): Generator<string[]> {
  for (let at = 0; at < runs.length; at += BATCH) yield runs.slice(at, at + BATCH).map(({ run }) => run);
}
