import { existsSync } from 'node:fs';
import { type Counts, type ShownCounts, shownTotal } from '../core/counts.ts';
import type { Language } from '../core/language.ts';
import type { RowResult } from '../core/plan.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import { findFinishedBy } from '../import/apply/close-runs.ts';
import { rowsNow } from '../import/apply/rows-now.ts';
import { type RowDocument, rowDocuments } from '../import/import-document.ts';
import type { SheetCounts } from '../import/plan/plan-report.ts';
import { sheetsOfPlan } from '../import/plan/saved-plan.ts';
import { findTakenBack } from '../import/undo/taken-back-run.ts';
import { eachRow, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { tryLock } from '../ledger/lock.ts';
import { openLedger } from '../ledger/sqlite-ledger.ts';
import { checkArgument, checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { allSheets } from '../resources/registry.ts';
import { findAtWork } from '../run/at-work.ts';
import { unknownRun } from '../run/runs.ts';
import { madeIn } from '../schema/made.ts';
import { resolveSettings } from '../session/settings.ts';

/** An earlier run, as `catersheet runs --json` prints it. */
export interface RunDocument extends RunRecord {
  /** Another program is at it now: plans or sends it. */
  readonly busy: boolean;
  /** The run that took it back, if any. */
  readonly takenBack?: string;
  /** It was cut off, and this run finished what was left of it. */
  readonly finishedBy?: string;
}

/** A run to show: `shown` has its counts under the words for people. */
export interface ShownRun extends RunDocument {
  readonly shown: ShownCounts | null;
}

/** A run with its rows, read from the ledger while it is open. */
interface OpenedRun {
  readonly record: ShownRun;
  /** Nothing of it was sent: its rows show what would become of them. */
  readonly dryRun: boolean;
  readonly rows: AsyncIterable<RowResult>;
  /** The same as plain data. */
  readonly documents: AsyncIterable<RowDocument>;
}

/** The runs in the ledger, while it is open. */
export interface Runs {
  readonly language: Language;
  /** The newest runs in the ledger, the last one first; asks no service. Throws StopError. */
  list(): Promise<readonly ShownRun[]>;
  /** Throws StopError with EXIT.usage for an unknown run. */
  open(run: string): Promise<OpenedRun>;
}

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
  const given = checkOptions('readRun', options);
  checkArgument('readRun', 'run', run);
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
    if (!existsSync(file)) return [];
    const ledger = openLedger(file);
    const newest = await ledger.listRuns(NEWEST).finally(() => ledger.close());
    return newest.map(({ run }) => run);
  } catch {
    return [];
  }
}

/** Opens the runs in the ledger for work, and closes it again. */
export async function withRuns<T>(
  options: OptionsOf<'listRuns'>,
  work: (runs: Runs) => Promise<T>,
): Promise<T> {
  const settings = resolveSettings(options);
  const ledger = openLedger(settings.ledger);
  const lock = tryLock(settings.ledger);
  lock?.release();
  const atWork = lock === null ? await findAtWork(ledger) : undefined;
  const list = async (): Promise<readonly ShownRun[]> =>
    await Promise.all((await ledger.listRuns(NEWEST)).map((one) => currentState(ledger, one, atWork)));
  const open = async (run: string): Promise<OpenedRun> => {
    const found = await ledger.findRun(run);
    if (found === undefined) throw await unknownRun(ledger, run);
    const record = await currentState(ledger, found, atWork);
    const dryRun = record.state === 'planned' || record.state === 'planning';
    const rows = record.busy ? eachRow(ledger, run) : rowsNow(ledger, run);
    const documents = rowDocuments(rows, { dryRun, language: settings.lang, all: true });
    return { record, dryRun, rows, documents };
  };
  try {
    return await work({ language: settings.lang, list, open });
  } finally {
    await ledger.close();
  }
}

/** A run as plain data. */
export function runDocument({ shown, ...plain }: ShownRun): RunDocument {
  return plain;
}

/**
 * A run with its counts; those of an unfinished run are counted anew, as the ledger has those of its plan.
 */
async function currentState(
  ledger: Ledger,
  record: RunRecord,
  atWork: string | undefined,
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
  const counts = isUnsettled ? await countNow(ledger, record.run) : record.counts;
  const shown = counts === null ? null : await shownOf(ledger, record, counts);
  if (!isUnsettled) return { ...known, shown, busy: busy && record.state === 'planning' };
  // One that was killed is told as one that was stopped: both can go on.
  return { ...known, state: busy ? 'applying' : 'interrupted', counts, shown, busy };
}

const madeBy = madeIn(allSheets);

/** A run's counts as people read them: creates of a sheet that make no record have a word of their own. */
async function shownOf(
  ledger: Ledger,
  { run, state }: Pick<RunRecord, 'run' | 'state'>,
  counts: Counts,
): Promise<ShownCounts> {
  const planned = await sheetsOfPlan(ledger, run);
  const named = planned.map((one) => ({ ...one, made: madeBy(one.resource) }));
  const words = new Set(named.map(({ made }) => made));
  if (counts.created === 0 || words.size < 2) return shownTotal([{ counts, made: [...words][0] }]);
  const now = async (one: SheetCounts): Promise<Counts> =>
    state === 'planned' ? one.counts : await countNow(ledger, run, one);
  return shownTotal(
    await Promise.all(named.map(async (one) => ({ counts: await now(one), made: one.made }))),
  );
}
