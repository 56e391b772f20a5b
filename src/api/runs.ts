import { existsSync } from 'node:fs';
import { type Counts, type ShownCounts, shownTotal } from '../core/counts.ts';
import type { Language } from '../core/language.ts';
import type { PlannedRow, RowResult } from '../core/plan.ts';
import type { SheetCounts } from '../core/plan-report.ts';
import { systemTime } from '../core/time.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import { rowsNow } from '../import/apply/rows-now.ts';
import { findTakenBack } from '../import/baseline/lineage.ts';
import { findFinishedBy } from '../import/close-runs.ts';
import { type Corrected, keepCorrected } from '../import/keep-corrected.ts';
import { type PlanDetails, planDetails } from '../import/plan/saved-plan.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { eachRow, type Ledger, type RunRecord, type RunsWanted } from '../ledger/ledger.ts';
import { placeOf } from '../ledger/mark.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { type AtWorkers, openQueuedRuns, type QueuedRuns } from '../queue/queued-runs.ts';
import { allSheets } from '../resources/registry.ts';
import { findAtWork } from '../run/at-work.ts';
import { unknownRun } from '../run/runs.ts';
import { madeIn } from '../schema/made.ts';
import { resolveSettings } from '../session/settings.ts';
import type { RowDocument, RunDocument } from './documents.ts';
import { rowDocuments } from './make-documents.ts';
import { RunTable } from './run-table.ts';

/** A run to show: `shown` has its counts under the words for people. */
export interface ShownRun extends RunDocument {
  readonly shown: ShownCounts | null;
}

/** The runs in the ledger, to be closed. */
export type OpenRuns = ReturnType<typeof openRuns>;

/** The number of runs that are listed. */
const NEWEST = 50;

/** The newest 50 runs that the ledger remembers, the last one first; asks no service. Throws StopError. */
export async function listRuns(options: OptionsOf<'listRuns'> = {}): Promise<readonly RunDocument[]> {
  return await withRuns(checkOptions('listRuns', options), async ({ list }) =>
    (await list()).map(runDocument),
  );
}

/** One run with all its rows. Throws StopError for an unknown run. */
export async function readRun(
  run: string,
  options: OptionsOf<'readRun'> = {},
): Promise<RunDocument & { readonly rows: readonly RowDocument[] }> {
  const given = checkOptions('readRun', options, { run });
  return await withRuns(given, async ({ open }) => {
    const { record, documents } = await open(run);
    const rows: RowDocument[] = [];
    for await (const row of documents) rows.push(row);
    return { ...runDocument(record), rows };
  });
}

/** The names of the newest runs, the last one first; none where there is no ledger, or it can't be read. */
export async function runNames(): Promise<readonly string[]> {
  try {
    const { ledger: file } = resolveSettings({});
    if (!isDatabase(file) && !existsSync(file)) return [];
    const { ledger } = await openAnyLedger(file, systemTime);
    const newest = await ledger.listRuns(NEWEST).finally(() => ledger.close());
    return newest.map(({ run }) => run);
  } catch {
    return [];
  }
}

/** Opens the runs in the ledger for work, and closes it again. */
export async function withRuns<T>(
  options: OptionsOf<'listRuns'>,
  work: (runs: OpenRuns) => Promise<T>,
): Promise<T> {
  const runs = openRuns(options);
  return await work(runs).finally(runs.close);
}

/**
 * Opens the runs in the ledger, to be looked at for as long as they are open. `watched`: again and again, also while
 * they are sent, so that what was read of such a run is kept for a moment. What is wrong with the ledger is told by
 * each look. Throws StopError for wrong settings.
 */
export function openRuns(options: OptionsOf<'listRuns'>, watched = false) {
  const { ledger: file, lang: language } = resolveSettings(options);
  const opening = openAnyLedger(file, systemTime);
  opening.catch(() => {});
  const atWork = async (): Promise<string | undefined> => {
    const { ledger, isLocked } = await opening;
    return (await isLocked()) ? await findAtWork(ledger) : undefined;
  };
  const begun = watched ? opening.then(({ ledger }) => watchedTables(ledger, language)) : undefined;
  begun?.catch(() => {});
  const { theirs, closeQueued } = queuedOf(file);
  const stateOf = async (record: RunRecord, busy: string | undefined, at: AtWorkers | undefined) => {
    const { ledger } = await opening;
    const isBusy = record.run === busy;
    const now = await currentState(ledger, record, busy, async (run, sheet) =>
      begun === undefined
        ? await countNow(ledger, run, { sheet, busy: isBusy })
        : await (await (await begun)(run, isBusy)).counts(sheet),
    );
    return { ...now, ...(at !== undefined && { workers: at }) };
  };
  /** The newest 50 runs in the ledger, or those wanted, the last one first. Throws StopError. */
  const list = async (wanted?: RunsWanted & { readonly limit: number }): Promise<readonly ShownRun[]> => {
    const { ledger } = await opening;
    const busy = await atWork();
    const at = await theirs();
    const found = await ledger.listRuns(wanted?.limit ?? NEWEST, wanted);
    return await Promise.all(found.map((one) => stateOf(one, busy, at.get(one.run))));
  };
  /** Its state as it is now. Throws StopError with EXIT.usage for an unknown run. */
  const state = async (run: string): Promise<ShownRun> => {
    const { ledger } = await opening;
    const found = await ledger.findRun(run);
    if (found === undefined) throw await unknownRun({ ledger, time: systemTime }, run);
    const { details: _, ...record } = found;
    return await stateOf(record, await atWork(), (await theirs()).get(run));
  };
  /**
   * A run with its rows; where nothing of it was sent (`dryRun`) they show what would become of them. Throws
   * StopError with EXIT.usage for an unknown run.
   */
  const open = async (run: string) => {
    const { ledger } = await opening;
    const record = await state(run);
    const dryRun = isUnsent(record);
    const rows: AsyncIterable<RowResult> = record.busy ? eachRow(ledger, run) : rowsNow(ledger, run);
    const documents = rowDocuments(rows, { dryRun, language, all: true });
    return { record, dryRun, rows, documents };
  };
  /** What is kept of its plan beside its rows; undefined where that was not finished. */
  const plan = async (run: string): Promise<PlanDetails | undefined> =>
    await planDetails((await opening).ledger, run);
  /** Its rows, to filter, sort and page through. Throws StopError with EXIT.usage for an unknown run. */
  const table = async (run: string, shownIn: Language): Promise<RunTable> => {
    const { ledger } = await opening;
    const known = await state(run);
    if (begun !== undefined && isBegun(known)) return await (await begun)(run, known.busy, shownIn);
    const { busy, prunedAt } = known;
    const found = { language: shownIn, dryRun: isUnsent(known), busy, pruned: prunedAt !== null };
    return new RunTable(ledger, run, found);
  };
  /** Another file stands in the ledger's place since it was opened, such as a copy that was put back. */
  const isReplaced = watchPlace(file, opening);
  const close = async (): Promise<void> => {
    const opened = await opening.catch(() => undefined);
    await opened?.ledger.close();
    await closeQueued();
  };
  return { language, list, open, state, plan, ...lookUps(opening), table, isReplaced, close };
}

/** The runs of a ledger that workers have, opened once they are asked for. */
function queuedOf(ledger: string) {
  let opened: Promise<QueuedRuns | null> | undefined;
  const queued = (): Promise<QueuedRuns | null> => {
    opened ??= isDatabase(ledger) ? openQueuedRuns(ledger) : Promise.resolve(null);
    return opened;
  };
  return {
    theirs: async () => (await (await queued())?.list()) ?? new Map<string, AtWorkers>(),
    closeQueued: async () => await (await opened)?.close(),
  };
}

/** Tells whether another file stands in a ledger's place since it was opened. */
function watchPlace(file: string, opening: Promise<unknown>): () => boolean {
  let place: bigint | undefined;
  opening.then(
    () => {
      place = placeOf(file);
    },
    () => {},
  );
  return () => place !== undefined && placeOf(file) !== place;
}

/** What is asked of the ledger alone. */
function lookUps(opening: ReturnType<typeof openAnyLedger>) {
  return {
    /** How many runs are in one of these states. */
    count: async (states: RunsWanted['states']): Promise<number> =>
      await (await opening).ledger.countRuns(states),
    /**
     * Keeps what was corrected and decided since it was planned: it can't be sent until its file is planned anew.
     * False where its sending was begun meanwhile.
     */
    correct: async (run: string, corrected: Corrected): Promise<boolean> =>
      await keepCorrected((await opening).ledger, run, corrected),
    /** Replaces rows of a plan that was corrected, each in its place. */
    replaceRows: async (run: string, rows: readonly PlannedRow[]): Promise<void> =>
      await (await opening).ledger.replaceRows(run, rows),
    /** Removes a run of which nothing was sent; another stays. */
    remove: async (run: string): Promise<void> => await (await opening).ledger.removeRuns([run]),
    /** How many of its rows delete and have no outcome yet. */
    async deletesLeft(run: string): Promise<number> {
      let left = 0;
      for await (const { planned } of eachRow((await opening).ledger, run, { pending: true }))
        if (planned.action === 'delete') left++;
      return left;
    },
  };
}

/** Runs that were begun, of which what was read is kept. */
const MOST_WATCHED = 4;
/** How long what was read of one is new, ms; longer where it takes longer to read. */
const FRESH = 1000;

/** The tables of runs that were begun and have not ended, as they were a moment ago. */
function watchedTables(ledger: Ledger, usual: Language) {
  const tables = new Map<string, { until: number; readonly table: RunTable }>();
  return async (run: string, busy: boolean, language = usual): Promise<RunTable> => {
    const key = JSON.stringify([run, busy, language]);
    const began = performance.now();
    const known = tables.get(key);
    const isNew = known !== undefined && began < known.until;
    const now = isNew
      ? known
      : {
          until: Number.POSITIVE_INFINITY,
          table: new RunTable(ledger, run, { language, dryRun: false, busy }),
        };
    tables.delete(key);
    tables.set(key, now);
    if (tables.size > MOST_WATCHED) tables.delete(tables.keys().next().value as string);
    if (isNew) return now.table;
    try {
      await now.table.counts();
    } finally {
      const read = performance.now();
      now.until = read + FRESH + 10 * (read - began);
    }
    return now.table;
  };
}

/** Sending it was begun, and has not come to its end. */
export const isBegun = ({ state }: Pick<RunRecord, 'state'>): boolean =>
  state === 'applying' || state === 'interrupted';

const isUnsent = ({ state }: Pick<RunRecord, 'state'>): boolean =>
  state === 'planned' || state === 'planning';

/** A run as plain data. */
export function runDocument({ shown, ...plain }: ShownRun): RunDocument {
  return plain;
}

/** Counts what became of a run's rows by now, or of those of one sheet. */
type CountNow = (run: string, sheet?: string) => Promise<Counts>;

/**
 * A run with its counts; those of an unfinished run are counted anew, as the ledger has those of its plan.
 */
async function currentState(
  ledger: Ledger,
  record: RunRecord,
  atWork: string | undefined,
  count: CountNow,
): Promise<ShownRun> {
  const busy = record.run === atWork;
  const place = { ledger, serviceKey: record.service };
  const takenBack = await findTakenBack(place, record.run);
  const finishedBy = await findFinishedBy(place, record.run);
  const known = {
    ...record,
    // What follows tells one embedded sandbox from the next.
    service: record.service.replace(/^sandbox .*/, 'sandbox'),
    ...(takenBack !== undefined && { takenBack }),
    ...(finishedBy !== undefined && { finishedBy }),
  };
  const isUnsettled = record.state === 'applying';
  const counts = isUnsettled ? await count(record.run) : record.counts;
  const shown = counts === null ? null : await shownOf(ledger, record, counts, count);
  if (!isUnsettled) return { ...known, shown, busy: busy && record.state === 'planning' };
  // One that was killed is told as one that was stopped: both can go on.
  return { ...known, state: busy ? 'applying' : 'interrupted', counts, shown, busy };
}

const madeBy = madeIn(allSheets);

/** A run's counts as people read them: creates of a sheet that make no record have a word of their own. */
async function shownOf(
  ledger: Ledger,
  { run, state, prunedAt }: Pick<RunRecord, 'run' | 'state' | 'prunedAt'>,
  counts: Counts,
  count: CountNow,
): Promise<ShownCounts> {
  const { sheets: planned = [] } = (await planDetails(ledger, run)) ?? {};
  const named = planned.map((one) => ({ ...one, made: madeBy(one.resource) }));
  const words = new Set(named.map(({ made }) => made));
  // Of rows that are gone nobody can tell which were made in which sheet.
  if (counts.created === 0 || words.size < 2 || prunedAt !== null)
    return shownTotal([{ counts, made: words.size < 2 ? [...words][0] : undefined }]);
  const now = async (one: SheetCounts): Promise<Counts> =>
    state === 'planned' ? one.counts : await count(run, one.sheet);
  return shownTotal(
    await Promise.all(named.map(async (one) => ({ counts: await now(one), made: one.made }))),
  );
}
