import { type Bilingual, t } from '../core/language.ts';
import { writeFailureReason } from '../files/write-failure.ts';
import { type Compacted, compact } from '../ledger/copies.ts';
import { isDatabase } from '../ledger/database-address.ts';
import type { Ledger, PrunedRows } from '../ledger/ledger.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { openQueuedRuns } from '../queue/queued-runs.ts';
import { rememberAtWork } from '../run/at-work.ts';
import { wallClock } from '../run/context.ts';
import { findOldRuns, type OldRuns, pruneOldRuns, UNSENT_DAYS } from '../run/old-runs.ts';
import { resolveSettings } from '../session/settings.ts';

/** What was removed of old runs, or in a dry run would be; what `catersheet runs prune --json` prints. */
export interface PruneDocument {
  /** Nothing was removed. */
  readonly dryRun: boolean;
  /** Runs that began before this moment are old, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly before: string;
  /** Runs whose rows are removed, the newest first. */
  readonly runs: readonly {
    /** Its name. */
    readonly run: string;
    /** The file that it imported. */
    readonly file: string;
    /** When it began, wall clock. */
    readonly startedAt: string;
    /** Rows that it had. */
    readonly rows: number;
    /** Rows that are removed; null in a dry run. */
    readonly removed: number | null;
    /** Rows that stay: they wrote their records last, or may still arrive; null in a dry run. */
    readonly kept: number | null;
  }[];
  /** Plans that are removed whole, as nothing of them was sent. */
  readonly plans: readonly string[];
  /** Old runs that stay as they are: they can go on, or nobody knows what became of rows of theirs. */
  readonly open: readonly string[];
  /** Bytes of a ledger in a file; null in a dry run, for a database, and where nothing was removed. */
  readonly size: Compacted | null;
}

/** Old runs that were found, to be shown and pruned. */
export interface FoundOld {
  /** Runs that began before this moment are old, wall clock. */
  readonly before: string;
  /** Those whose rows were not removed yet. */
  readonly fresh: OldRuns['done'];
  readonly plans: OldRuns['unsent'];
  readonly open: OldRuns['open'];
  /** What would be removed. */
  document(): PruneDocument;
  /** Removes it; hears how far it is, in runs. */
  prune(tell?: (done: number, total: number) => void): Promise<PruneDocument>;
}

const DAY = 86_400_000;
/** Days. */
const YEAR = 365;

/**
 * Removes the rows of runs that began more than `olderThan` days ago, and plans of which nothing was sent.
 * Runs stay listed with their counts. Records, ExternalIDs and what was posted stay known, so that nothing
 * goes twice, and so does the row that wrote a record last. Such a run can't be taken back any more, nor
 * shown row by row. Throws StopError for a ledger that can't be used.
 */
export async function pruneRuns(options: OptionsOf<'pruneRuns'> = {}): Promise<PruneDocument> {
  const given = checkOptions('pruneRuns', options);
  return await withOldRuns(given, async (found) =>
    given.dryRun === true ? found.document() : await found.prune(),
  );
}

/** Finds the old runs, once no other program sends with the ledger, and does work with them. */
export async function withOldRuns<T>(
  options: OptionsOf<'pruneRuns'>,
  work: (found: FoundOld) => Promise<T>,
): Promise<T> {
  const { olderThan = YEAR, signal } = options;
  const { ledger: file, onWait = () => {} } = resolveSettings(options);
  const opening = await openAnyLedger(file);
  const opened: (() => unknown)[] = [opening.ledger.close];
  try {
    const right = await opening.lock({ signal, onWait: async () => onWait(WAITING) });
    opened.push(() => right.release());
    await rememberAtWork(opening.ledger);
    return await work(await findOld(opening.ledger, { file, olderThan, onWait }));
  } finally {
    for (const close of opened) await close();
  }
}

interface Finding {
  readonly file: string;
  /** Days. */
  readonly olderThan: number;
  readonly onWait: (words: Bilingual) => void;
}

async function findOld(ledger: Ledger, { file, olderThan, onWait }: Finding): Promise<FoundOld> {
  const now = Date.now();
  const ago = (days: number): string => wallClock(new Date(now - days * DAY));
  const before = ago(olderThan);
  const theirs = await workersHave(file);
  const ages = { done: before, unsent: ago(Math.min(olderThan, UNSENT_DAYS)) };
  const { done, unsent: plans, open } = await findOldRuns(ledger, ages, (run) => theirs.has(run));
  const fresh = done.filter(({ prunedAt }) => prunedAt === null);
  const document = (pruned?: ReadonlyMap<string, PrunedRows>, size: Compacted | null = null) => ({
    ...{ dryRun: pruned === undefined, before },
    runs: fresh.map(({ run, file: of, startedAt, counts }) => {
      const { removed = null, kept = null } = pruned?.get(run) ?? {};
      return { run, file: of, startedAt, rows: counts?.read ?? 0, removed, kept };
    }),
    plans: plans.map(({ run }) => run),
    open: open.map(({ run }) => run),
    size,
  });
  return {
    ...{ before, fresh, plans, open, document },
    async prune(tell) {
      const moments = { at: wallClock(new Date(now)), since: before };
      const { pruned, removed } = await pruneOldRuns(ledger, { done, unsent: plans }, moments, tell);
      const gone = [...pruned.values()].reduce((sum, rows) => sum + rows.removed, removed);
      return document(pruned, gone === 0 || isDatabase(file) ? null : tryCompact(file, onWait));
    },
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

const WAITING = t(
  'Another catersheet is at work with this ledger; waiting until it is done. Ctrl-C stops waiting.',
  'Een andere catersheet is bezig met dit register; er wordt gewacht tot die klaar is. Ctrl-C stopt het wachten.',
  t(
    'Another catersheet is at work with this ledger; waiting until it is done.',
    'Een andere catersheet is bezig met dit register; er wordt gewacht tot die klaar is.',
  ),
);
