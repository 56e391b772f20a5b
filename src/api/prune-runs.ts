import { type Bilingual, t } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { writeFailureReason } from '../files/write-failure.ts';
import { planDetails } from '../import/plan/saved-plan.ts';
import { kindOf } from '../kinds/kinds.ts';
import { type Compacted, compact, freeShare } from '../ledger/copies.ts';
import { isDatabase } from '../ledger/database-address.ts';
import type { Ledger, PrunedRows, Pruning } from '../ledger/ledger.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { openQueuedRuns } from '../queue/queued-runs.ts';
import { allSheets } from '../resources/registry.ts';
import { rememberAtWork } from '../run/at-work.ts';
import { wallClock } from '../run/context.ts';
import { findOldRuns, type OldRuns, pruneOldRuns, removePlans, UNSENT_DAYS } from '../run/old-runs.ts';
import { resolveSettings } from '../session/settings.ts';
import type { PruneDocument } from './documents.ts';

/** Old runs that were found, to be shown and pruned. */
interface FoundOld {
  /** What would be removed. */
  readonly document: PruneDocument;
  /** Removes it, once no other program sends with the ledger; hears how far it is, in runs. */
  prune(tell?: (done: number, total: number) => void): Promise<PruneDocument>;
}

const DAY = 86_400_000;
/** Days. */
const YEAR = 365;

/**
 * Removes the rows of runs that began more than `olderThan` days ago, of all services of the ledger, and
 * plans of which nothing was sent. Runs stay listed with their counts. Records, ExternalIDs and what was
 * posted stay known, so that nothing goes twice, and so do the rows that later imports ask for: those that
 * wrote a record last, counts and mutations, and changes of an exported workbook. A pruned run can't be taken
 * back.
 * Throws StopError for a ledger that can't be used.
 */
export async function pruneRuns(options: OptionsOf<'pruneRuns'> = {}): Promise<PruneDocument> {
  const given = checkOptions('pruneRuns', options);
  return await withOldRuns(given, async ({ document, prune }) =>
    given.dryRun === true ? document : await prune(),
  );
}

/** Finds the old runs, and does work with them while their ledger is open. */
export async function withOldRuns<T>(
  options: OptionsOf<'pruneRuns'>,
  work: (found: FoundOld) => Promise<T>,
): Promise<T> {
  const { olderThan = YEAR, signal } = options;
  const { ledger: file, onWait = () => {} } = resolveSettings(options);
  const opening = await openAnyLedger(file, systemTime);
  const opened: (() => unknown)[] = [opening.ledger.close];
  const setup = { ledger: opening.ledger, file, olderThan, onWait };
  const lock = async (): Promise<void> => {
    const right = await opening.lock({ signal, onWait: async () => onWait(WAITING) });
    opened.push(() => right.release());
    await rememberAtWork(opening.ledger);
  };
  try {
    const shown = await findOld(setup);
    const prune: FoundOld['prune'] = async (tell) => {
      await lock();
      // Something may have been begun since it was looked.
      return await removeOld(setup, await findOld(setup), tell);
    };
    return await work({ document: documentOf(shown), prune });
  } finally {
    for (const close of opened) await close();
  }
}

interface Setup {
  readonly ledger: Ledger;
  readonly file: string;
  /** Days. */
  readonly olderThan: number;
  readonly onWait: (words: Bilingual) => void;
}

interface Found extends OldRuns {
  readonly before: string;
  readonly pruning: Pruning;
  /** By run, what goes of it. */
  readonly rows: ReadonlyMap<string, PrunedRows>;
}

/** What is found in stock again must be known for as long as anybody may count it. */
const POSTED = allSheets.filter((one) => kindOf(one).undoPosted !== undefined).map(({ name }) => name);

async function findOld({ ledger, file, olderThan }: Setup): Promise<Found> {
  const now = systemTime.now();
  const ago = (days: number): string => wallClock(now - days * DAY);
  const before = ago(olderThan);
  const theirs = await workersHave(file);
  const ages = { done: before, unsent: ago(Math.min(olderThan, UNSENT_DAYS)) };
  const old = await findOldRuns(ledger, ages, (run) => theirs.has(run));
  const updated = new Set<string>();
  // A workbook that was exported is read with what its own runs changed since.
  for (const { run } of old.done) if (await hasLineage(ledger, run)) updated.add(run);
  const pruning = { at: null, since: before, posted: POSTED, updated };
  const rows = await pruneOldRuns(ledger, old.done, pruning);
  return {
    ...old,
    done: old.done.filter(({ run }) => (rows.get(run)?.removed ?? 0) > 0),
    before,
    pruning,
    rows,
  };
}

const hasLineage = async (ledger: Ledger, run: string): Promise<boolean> =>
  ((await planDetails(ledger, run))?.lineage ?? null) !== null;

async function removeOld(
  { ledger, file, onWait }: Setup,
  found: Found,
  tell: (done: number, total: number) => void = () => {},
): Promise<PruneDocument> {
  await removePlans(ledger, found.unsent);
  const pruning = { ...found.pruning, at: wallClock(systemTime.now()) };
  const total = found.done.length;
  const rows = await pruneOldRuns(ledger, found.done, pruning, (runs) => tell(runs, total));
  const size = isDatabase(file) || file === ':memory:' ? null : tryCompact(file, onWait);
  return { ...documentOf({ ...found, rows }), dryRun: false, size };
}

function documentOf({ before, done, unsent, open, rows }: Found): PruneDocument {
  return {
    ...{ dryRun: true, before },
    runs: done.map(({ run, file, startedAt }) => {
      const { removed = 0, kept = 0 } = rows.get(run) ?? {};
      return { run, file, startedAt, removed, kept };
    }),
    plans: unsent.map(({ run }) => run),
    open: open.map(({ run }) => run),
    size: null,
  };
}

/** The runs that workers have. */
async function workersHave(ledger: string): Promise<ReadonlyMap<string, unknown>> {
  if (!isDatabase(ledger)) return new Map();
  const queued = await openQueuedRuns(ledger);
  return await queued.list().finally(queued.close);
}

/** What was removed stays so where its room can't be given back now. */
function tryCompact(file: string, tell: (words: Bilingual) => void): Compacted | null {
  if (freeShare(file) < WORTH) return null;
  tell(COMPACTING);
  try {
    return compact(file);
  } catch (error) {
    const { en, nl } = writeFailureReason(error) ?? t(String(error), String(error));
    tell(
      t(
        `The file of the ledger could not be made smaller: ${en}. Later runs use the room in it.`,
        `Het bestand van het register kon niet kleiner worden: ${nl}. Latere runs gebruiken de ruimte erin.`,
      ),
    );
    return null;
  }
}

/** The share of a file that must be free for it to be made smaller: all that is left is written anew. */
const WORTH = 0.1;

const COMPACTING = t(
  'The file of the ledger is made smaller; other programs wait for it meanwhile.',
  'Het bestand van het register wordt kleiner gemaakt; andere programma’s wachten er zolang op.',
);
const WAITING = t(
  'Another catersheet is at work with this ledger; waiting until it is done. Ctrl-C stops waiting.',
  'Een andere catersheet is bezig met dit register; er wordt gewacht tot die klaar is. Ctrl-C stopt het wachten.',
  t(
    'Another catersheet is at work with this ledger; waiting until it is done.',
    'Een andere catersheet is bezig met dit register; er wordt gewacht tot die klaar is.',
  ),
);
