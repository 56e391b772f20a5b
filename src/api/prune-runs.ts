import { type Bilingual, same, t, withFlag } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { writeFailureReason } from '../files/write-aside.ts';
import { planDetails } from '../import/plan/saved-plan.ts';
import { kindOf } from '../kinds/kinds.ts';
import { compact } from '../ledger/copies.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { openQueuedRuns } from '../queue/run-queue.ts';
import { allSheets } from '../resources/registry.ts';
import { wallClock } from '../run/context.ts';
import { findOldRuns, pruneOldRuns, rememberAtWork, removePlans, UNSENT_DAYS } from '../run/runs.ts';
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

/** What is kept whatever is pruned: what is found in stock again must be known for as long as anybody may count it. */
const POSTED = allSheets.filter((one) => kindOf(one).undoPosted !== undefined).map(({ name }) => name);

/** Finds the old runs, and does work with them while their ledger is open. */
export async function withOldRuns<T>(
  options: OptionsOf<'pruneRuns'>,
  work: (found: FoundOld) => Promise<T>,
): Promise<T> {
  const { olderThan = YEAR, signal } = options;
  const { ledger: file, onWait = () => {} } = resolveSettings(options);
  const { ledger, lock } = await openAnyLedger(file, systemTime);
  const opened: (() => unknown)[] = [ledger.close];
  const find = async () => {
    const now = systemTime.now();
    const before = wallClock(now - olderThan * DAY);
    const theirs = await workersHave(file);
    const ages = { done: before, unsent: wallClock(now - Math.min(olderThan, UNSENT_DAYS) * DAY) };
    const old = await findOldRuns(ledger, ages, (run) => theirs.has(run));
    const updated = new Set<string>();
    // A workbook that was exported is read with what its own runs changed since.
    for (const { run } of old.done)
      if (((await planDetails(ledger, run))?.lineage ?? null) !== null) updated.add(run);
    const pruning = { at: null, since: before, posted: POSTED, updated };
    const rows = await pruneOldRuns(ledger, old.done, pruning);
    const done = old.done.filter(({ run }) => (rows.get(run)?.removed ?? 0) > 0);
    const documentOf = (gone: typeof rows): PruneDocument => ({
      ...{ dryRun: true, before },
      runs: done.map(({ run, file: of, startedAt }) => {
        const { removed = 0, kept = 0 } = gone.get(run) ?? {};
        return { run, file: of, startedAt, removed, kept };
      }),
      plans: old.unsent.map(({ run }) => run),
      open: old.open.map(({ run }) => run),
    });
    return { done, unsent: old.unsent, pruning, rows, documentOf };
  };
  try {
    const { documentOf, rows } = await find();
    const prune: FoundOld['prune'] = async (tell) => {
      const right = await lock({ signal, onWait: async () => onWait(WAITING) });
      opened.push(() => right.release());
      await rememberAtWork(ledger);
      // Something may have been begun since it was looked.
      const found = await find();
      await removePlans(ledger, found.unsent);
      const pruning = { ...found.pruning, at: wallClock(systemTime.now()) };
      const gone = await pruneOldRuns(ledger, found.done, pruning, (runs) => tell?.(runs, found.done.length));
      if (found.done.length + found.unsent.length > 0 && !isDatabase(file)) tryCompact(file, onWait);
      return { ...found.documentOf(gone), dryRun: false };
    };
    return await work({ document: documentOf(rows), prune });
  } finally {
    for (const close of opened) await close();
  }
}

/** The runs that workers have. */
async function workersHave(ledger: string): Promise<ReadonlyMap<string, unknown>> {
  if (!isDatabase(ledger)) return new Map();
  const queued = await openQueuedRuns(ledger);
  return await queued.list().finally(queued.close);
}

/** What was removed stays so where its room can't be given back now. */
function tryCompact(file: string, tell: (words: Bilingual) => void): void {
  tell(COMPACTING);
  try {
    compact(file);
  } catch (error) {
    const { en, nl } = writeFailureReason(error) ?? same(String(error));
    tell(
      t(
        `The file of the ledger could not be made smaller: ${en}. Later runs use the room in it.`,
        `Het bestand van het register kon niet kleiner worden: ${nl}. Latere runs gebruiken de ruimte erin.`,
      ),
    );
  }
}

const COMPACTING = t(
  'The file of the ledger is made smaller; other programs wait for it meanwhile.',
  'Het bestand van het register wordt kleiner gemaakt; andere programma’s wachten er zolang op.',
);
const WAITING = withFlag(
  t(
    'Another catersheet is at work with this ledger; waiting until it is done.',
    'Een andere catersheet is bezig met dit register; er wordt gewacht tot die klaar is.',
  ),
  'stop: Ctrl-C',
);
