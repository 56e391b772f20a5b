import { existsSync } from 'node:fs';
import { type Counts, type ShownCounts, shownTotal } from '../core/counts.ts';
import type { RowResult } from '../core/plan.ts';
import type { SheetCounts } from '../core/plan-report.ts';
import { systemTime } from '../core/time.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import { rowsNow } from '../import/apply/outcomes.ts';
import { findTakenBack } from '../import/baseline/open-baseline.ts';
import { findFinishedBy } from '../import/earlier-runs.ts';
import { planDetails } from '../import/plan/saved-plan.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { eachRow, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { type AtWorkers, openQueuedRuns } from '../queue/run-queue.ts';
import { allSheets } from '../resources/registry.ts';
import { findAtWork, unknownRun } from '../run/runs.ts';
import { madeIn } from '../schema/resource.ts';
import { resolveSettings } from '../session/settings.ts';
import type { RowDocument, RunDocument } from './documents.ts';
import { rowDocuments } from './make-documents.ts';

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
 * Opens the runs in the ledger, to be looked at for as long as they are open. `count`: counts what became of the rows
 * of a run. What is wrong with the ledger is told by each look. Throws StopError for wrong settings.
 */
export function openRuns(options: OptionsOf<'listRuns'>, count: typeof countNow = countNow) {
  const { ledger: file, lang: language } = resolveSettings(options);
  const opening = openAnyLedger(file, systemTime);
  opening.catch(() => {});
  const atWork = async (): Promise<string | undefined> => {
    const { ledger, isLocked } = await opening;
    return (await isLocked()) ? await findAtWork(ledger) : undefined;
  };
  const { theirs, closeQueued } = queuedOf(file);
  const stateOf = async (record: RunRecord, busy: string | undefined, at: AtWorkers | undefined) => {
    const { ledger } = await opening;
    const now = await currentState(ledger, record, busy, (run, sheet) =>
      count(ledger, run, { sheet, busy: run === busy }),
    );
    return { ...now, ...(at !== undefined && { workers: at }) };
  };
  /** The newest 50 runs in the ledger, or those wanted, the last one first. Throws StopError. */
  const list = async (
    limit = NEWEST,
    wanted?: Parameters<Ledger['listRuns']>[1],
  ): Promise<readonly ShownRun[]> => {
    const { ledger } = await opening;
    const busy = await atWork();
    const at = await theirs();
    const found = await ledger.listRuns(limit, wanted);
    return await Promise.all(found.map((one) => stateOf(one, busy, at.get(one.run))));
  };
  /** Its state as it is now. Throws StopError with EXIT.usage for an unknown run. */
  const state = async (run: string): Promise<ShownRun> => {
    const { ledger } = await opening;
    const found = await ledger.findRun(run);
    if (found === undefined) throw await unknownRun({ ledger }, run);
    const { details: _, ...record } = found;
    return await stateOf(record, await atWork(), (await theirs()).get(run));
  };
  /**
   * A run with its rows; where nothing of it was sent (`dryRun`) they show what would become of them. Throws
   * StopError with EXIT.usage for an unknown run.
   */
  const open = async (run: string) => {
    const { ledger } = await opening;
    const found = await state(run);
    const dryRun = isUnsent(found);
    const { comesTo = [] } = (found.state === 'planned' && (await planDetails(ledger, run))) || {};
    const record: ShownRun = comesTo.length === 0 ? found : { ...found, comesTo };
    const rows: AsyncIterable<RowResult> = record.busy ? eachRow(ledger, run) : rowsNow(ledger, run);
    const documents = rowDocuments(rows, { dryRun, language, all: true });
    return { record, dryRun, rows, documents };
  };
  const close = async (): Promise<void> => {
    const opened = await opening.catch(() => undefined);
    await opened?.ledger.close();
    await closeQueued();
  };
  return { ledger: async () => (await opening).ledger, list, open, state, close };
}

/** The runs of a ledger that workers have, opened once they are asked for. */
function queuedOf(ledger: string) {
  let opened: ReturnType<typeof openQueuedRuns> | undefined;
  const queued = () => {
    if (isDatabase(ledger)) opened ??= openQueuedRuns(ledger);
    return opened;
  };
  return {
    theirs: async () => (await (await queued())?.list()) ?? new Map<string, AtWorkers>(),
    closeQueued: async () => await (await opened)?.close(),
  };
}

/** Nothing of a run was sent. */
export const isUnsent = ({ state }: Pick<RunRecord, 'state'>): boolean =>
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
