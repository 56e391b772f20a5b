import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InputMark } from '../../core/header.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SheetColumns } from '../../records/mapped-row.ts';
import type { ConflictDecision, SourceSummary } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { refuseFromCopy, refuseUnsendable, unknownRun } from '../../run/runs.ts';
import type { ReadOptions } from '../../workbook/read-workbook.ts';
import type { KeptCorrection } from '../correct/corrected-workbook.ts';
import type { SheetReading } from '../map/read-rows.ts';
import { isMissed } from '../map/recognise.ts';
import type { ImportOptions, Plan } from './plan-import.ts';

/** How the user says that a CSV is written. */
export type CsvWishes = Pick<ReadOptions, 'delimiter' | 'encoding' | 'columns'>;

/** What the sending of a plan needs of it: all of it is in the ledger, its file may be on another machine. */
export interface SentPlan
  extends Pick<Plan, 'run' | 'sheets' | 'sources' | 'locale' | 'lineage' | 'corrections'> {
  /** The file that was planned. */
  readonly file: string;
  /** Where the fields of each imported sheet stand; of a plan of an earlier version nothing. */
  readonly columns: ReadonlyMap<string, Pick<SheetColumns, 'columnOf' | 'marks'>>;
}

/** What of a plan its sending needs. */
export const sentPlanOf = (plan: Plan): SentPlan => ({
  ...plan,
  file: plan.workbook.file,
  columns: new Map(
    plan.recognised.flatMap((entry) =>
      entry.kind === 'import' ? [[entry.sheet.name, entry.mapping] as const] : [],
    ),
  ),
});

const KEPT = [
  ...(['sheets', 'groups', 'warned', 'notes', 'requests'] as const),
  ...(['estimateMs', 'lineage', 'left', 'locale', 'corrections', 'comesTo'] as const),
];
type KeptOfPlan = Pick<Plan, (typeof KEPT)[number]>;

export const keptOf = (plan: KeptOfPlan): KeptOfPlan =>
  Object.fromEntries(KEPT.map((name) => [name, plan[name]])) as unknown as KeptOfPlan;

/** What the ledger keeps of a plan beside its rows, so that another process can send it. Plain data. */
export interface PlanDetails extends KeptOfPlan {
  readonly serviceName: string;
  /** Sheets that are not imported, the program's own aside; absent in plans of earlier versions. */
  readonly leftOut?: readonly string[];
  readonly sources: readonly (readonly [string, SourceSummary])[];
  readonly readings: readonly (readonly [string, SheetReading])[];
  /** What the user said that other addresses are; absent where that was not said. */
  readonly elsewhere?: Context['elsewhere'] | undefined;
  /** The columns of fields and of marks, by sheet; absent in plans of earlier versions. */
  readonly columns?: readonly (readonly [
    sheet: string,
    columnOf: readonly (readonly [string, number])[],
    marks: readonly (readonly [InputMark, number])[],
  ])[];
  readonly options: NonNullable<Plan['given']> &
    Pick<ImportOptions, 'names' | 'columns' | 'choices' | 'decisions'> & { readonly command: string | null };
  readonly file: FileMark;
}

/** Tells whether a file is still the one that was planned. */
interface FileMark {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export function markOf(file: string): FileMark {
  const { size, mtimeMs } = statSync(file);
  return { path: resolve(file), size, mtimeMs };
}

/** What the user said of the file, in plain data. */
export function givenReading(options: ImportOptions & CsvWishes): NonNullable<Plan['given']> {
  const { as, only, set, headerRow = null, delimiter = null, encoding = null } = options;
  return { as: as?.name ?? null, only, set, headerRow, delimiter, encoding };
}

/** Saves what is needed to send a plan later, or to go on with it after a crash. */
export async function savePlanDetails(
  context: Context,
  plan: Plan,
  options: ImportOptions & CsvWishes,
): Promise<void> {
  const { command = null, columns, choices, decisions, names = [] } = options;
  const details: PlanDetails = {
    serviceName: plan.service,
    ...keptOf(plan),
    leftOut: plan.recognised.filter(isMissed).map(({ sheet }) => sheet.name),
    sources: [...plan.sources].map(([name, { readAt: _, ...source }]) => [name, source] as const),
    readings: [...plan.readings],
    elsewhere: context.elsewhere,
    columns: [...sentPlanOf(plan).columns].map(([sheet, { columnOf, marks }]) => [
      sheet,
      [...columnOf],
      [...marks],
    ]),
    options: { ...givenReading(options), command, names, columns, choices, decisions },
    file: markOf(plan.workbook.file),
  };
  // From here on it can be sent.
  await context.ledger.updateRun(plan.run, { details, state: 'planned', counts: plan.counts });
}

/** What is kept of a plan; undefined for one that was not finished. */
export async function planDetails(
  ledger: Pick<Ledger, 'findRun'>,
  run: string,
): Promise<PlanDetails | undefined> {
  return (await ledger.findRun(run))?.details as PlanDetails | undefined;
}

/** What is kept of a plan that is to be sent. Throws StopError as `reopenPlan` does. */
export async function sendableDetails(context: Context, run: string) {
  const record = await context.ledger.findRun(run);
  if (record === undefined) throw await unknownRun(context, run);
  refuseUnsendable(context, record);
  await refuseFromCopy(context, run);
  return { record, plan: record.details as PlanDetails };
}

/**
 * Reopens of a saved plan what its sending needs, and reads neither its file nor its rows. Throws StopError
 * as `reopenPlan` does.
 */
export async function reopenSentPlan(context: Context, run: string): Promise<SentPlan> {
  const { plan } = await sendableDetails(context, run);
  const columns = plan.columns?.map(
    ([sheet, columnOf, marks]) => [sheet, { columnOf: new Map(columnOf), marks: new Map(marks) }] as const,
  );
  return {
    ...{ run, ...keptOf(plan), file: plan.file.path },
    ...{ sources: new Map(plan.sources), columns: new Map(columns) },
  };
}

/** All that the user corrected and decided of a file. */
export interface Corrected {
  readonly corrections: readonly KeptCorrection[];
  readonly decisions: readonly ConflictDecision[];
}

/**
 * Keeps with a plan what the user corrected and decided since: its file has to be planned anew before anything of
 * it is sent, so the plan counts as one that is being made. False where its sending was begun meanwhile.
 */
export async function keepCorrected(
  ledger: Pick<Ledger, 'findRun' | 'updateRun'>,
  run: string,
  { corrections, decisions }: Corrected,
): Promise<boolean> {
  const details = await planDetails(ledger, run);
  if (details === undefined) throw new Error(`the plan of run ${run} was never completed`);
  const kept = { ...details, corrections, options: { ...details.options, decisions } };
  return await ledger.updateRun(run, { state: 'planning', details: kept }, ['planning', 'planned']);
}
