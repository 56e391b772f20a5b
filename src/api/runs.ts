import type { Language } from '../core/language.ts';
import type { RowResult } from '../core/plan.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import { type RowDocument, rowDocuments } from '../import/import-document.ts';
import { findTakenBack } from '../import/undo/taken-back-run.ts';
import { eachRow, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { tryLock } from '../ledger/lock.ts';
import { openLedger } from '../ledger/sqlite-ledger.ts';
import { checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { unknownRun } from '../run/runs.ts';
import { resolveSettings } from '../session/settings.ts';

/** An earlier run, as `catersheet runs --json` prints it. */
export interface RunDocument extends RunRecord {
  /** The run that took it back. */
  readonly takenBack?: string;
}

/** A run to show; `busy` while another program is at work with this ledger. */
export interface ShownRun extends RunDocument {
  readonly busy: boolean;
}

/** A run with its rows, read from the ledger while it is open. */
interface OpenedRun {
  readonly record: ShownRun;
  /** Nothing of it was sent: its rows are what would become of them. */
  readonly dryRun: boolean;
  readonly rows: AsyncIterable<RowResult>;
}

/** What the ledger remembers, while it is open. */
export interface Runs {
  readonly language: Language;
  /** The newest of them, the last one first. */
  list(): Promise<readonly ShownRun[]>;
  /** Throws StopError with EXIT.usage for a run that is not known. */
  open(run: string): Promise<OpenedRun>;
}

/** So many of the newest runs are listed. */
const NEWEST = 50;

/** The newest runs that the ledger remembers, the last one first; no service is asked. Throws StopError. */
export async function listRuns(options: OptionsOf<'listRuns'> = {}): Promise<readonly RunDocument[]> {
  return await withRuns(checkOptions('listRuns', options), async (runs) =>
    (await runs.list()).map(runDocument),
  );
}

/** One run with all its rows. Throws StopError for a run that is not known. */
export async function readRun(
  run: string,
  options: OptionsOf<'readRun'> = {},
): Promise<RunDocument & { readonly rows: readonly RowDocument[] }> {
  return await withRuns(checkOptions('readRun', options), async ({ open, language }) =>
    runWithRows(await open(run), language),
  );
}

/** Opens what the ledger remembers of runs, and closes it again. */
export async function withRuns<T>(
  options: OptionsOf<'listRuns'>,
  work: (runs: Runs) => Promise<T>,
): Promise<T> {
  const settings = resolveSettings(options);
  const ledger = openLedger(settings.ledger);
  const lock = tryLock(settings.ledger);
  lock?.release();
  const busy = lock === null;
  const list = async (): Promise<readonly ShownRun[]> =>
    await Promise.all((await ledger.listRuns(NEWEST)).map((one) => asItStands(ledger, one, busy)));
  const open = async (run: string): Promise<OpenedRun> => {
    const found = await ledger.findRun(run);
    if (found === undefined) throw unknownRun(run);
    const record = await asItStands(ledger, found, busy);
    const dryRun = record.state === 'planned' || record.state === 'planning';
    return { record, dryRun, rows: eachRow(ledger, run) };
  };
  try {
    return await work({ language: settings.lang, list, open });
  } finally {
    await ledger.close();
  }
}

/** A run as plain data. */
export function runDocument({ busy, ...plain }: ShownRun): RunDocument {
  return plain;
}

/** A run and all its rows as plain data. */
export async function runWithRows(
  { record, dryRun, rows }: OpenedRun,
  language: Language,
): Promise<RunDocument & { readonly rows: readonly RowDocument[] }> {
  const shown: RowDocument[] = [];
  for await (const row of rowDocuments(rows, { dryRun, language, all: true })) shown.push(row);
  return { ...runDocument(record), rows: shown };
}

/**
 * A run that was not brought to its end has the counts of its plan: what became of its rows by now is counted
 * anew.
 */
async function asItStands(ledger: Ledger, record: RunRecord, busy: boolean): Promise<ShownRun> {
  const takenBack = await findTakenBack({ ledger, serviceKey: record.service }, record.run);
  const known = takenBack === undefined ? record : { ...record, takenBack };
  if (record.state !== 'applying') return { ...known, busy: busy && record.state === 'planning' };
  return { ...known, busy, counts: await countNow(ledger, record.run) };
}
