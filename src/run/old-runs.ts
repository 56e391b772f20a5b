import type { Ledger, PrunedRows, Pruning, RunRecord } from '../ledger/ledger.ts';
import { wallClock } from './context.ts';

/**
 * Days that a plan of which nothing was sent is kept in a file: longer than the page keeps a file that nobody
 * touches.
 */
export const UNSENT_DAYS = 100;

/** Runs that are older than a moment, the newest first. */
export interface OldRuns {
  /** At their end: rows of theirs can be removed. */
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

/** Removes rows of old runs, or counts what would be, and tells how many runs are done with. */
export async function pruneOldRuns(
  ledger: Pick<Ledger, 'pruneRuns'>,
  done: readonly RunRecord[],
  pruning: Pruning,
  tell: (done: number) => void = () => {},
): Promise<ReadonlyMap<string, PrunedRows>> {
  const pruned = new Map<string, PrunedRows>();
  let at = 0;
  for (const runs of batches(done)) {
    for (const [run, rows] of await ledger.pruneRuns(runs, pruning)) pruned.set(run, rows);
    at += runs.length;
    tell(at);
  }
  return pruned;
}

/** Removes plans of which nothing was sent. */
export async function removePlans(
  ledger: Pick<Ledger, 'removeRuns'>,
  plans: readonly RunRecord[],
): Promise<void> {
  for (const runs of batches(plans)) await ledger.removeRuns(runs);
}

/** Removes those that are older than they are kept; `now`: by this machine's clock, ms since 1970. */
export async function removeOldPlans(
  ledger: Pick<Ledger, 'listRuns' | 'removeRuns'>,
  now: number,
): Promise<void> {
  const before = wallClock(now - UNSENT_DAYS * DAY);
  await removePlans(ledger, (await findOldRuns(ledger, { done: '', unsent: before })).unsent);
}

function* batches(runs: readonly RunRecord[]): Generator<string[]> {
  for (let at = 0; at < runs.length; at += BATCH) yield runs.slice(at, at + BATCH).map(({ run }) => run);
}
