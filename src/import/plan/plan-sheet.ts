import { stopsRow } from '../../core/issue.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { readOpenConflicts } from '../../records/plan-on-baseline.ts';
import type { PlannerSetup, ResourcePlanning, UnplacedRow } from '../../records/planning.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { type ReadEvidence, takeEvidence } from '../baseline/result-evidence.ts';
import { columnHabits } from '../map/column-habits.ts';
import { createCompletion } from '../map/complete-rows.ts';
import type { ColumnHabits, MapOptions } from '../map/map-row.ts';
import { isNoRecord, readRows, type SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { holding, type Rules } from '../rules/rules.ts';

interface SheetToPlan extends Omit<PlannerSetup, 'conflicts' | 'held'> {
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  readonly options: MapOptions;
  readonly reading: SheetReading;
  readonly planning: ResourcePlanning;
  readonly resolveNames: (row: MappedRow) => Promise<void>;
  /** How the sheet's columns are written, where its rows here don't tell. */
  readonly habitsOf?: ((mapping: SheetMapping) => Promise<ColumnHabits>) | undefined;
  /** The next free `seq` in the plan. */
  readonly nextSeq: () => number;
  readonly sheetRules: Rules;
  /** What an earlier result says of the rows. */
  readonly evidence: ReadEvidence;
  readonly onPlanned: (row: PlannedRow) => void;
  /** Told of each batch that is planned, or kept back. */
  readonly onRead: (rows: number) => void;
}

/** Plans a sheet's rows as they are read, and saves them. */
export async function planSheet(work: SheetToPlan): Promise<void> {
  const { context, mapping, sheet } = work;
  const { ledger, signal } = context;
  const conflicts = await readOpenConflicts(context, mapping.resource.name);
  const held = holding(work.sheetRules.get(mapping.resource.name) ?? [], mapping.resource, work);
  const planner = work.planning.openSheet({ ...work, conflicts, held });
  const vain = createVainRows();
  const complete = createCompletion(work);
  const habits =
    (await work.habitsOf?.(mapping)) ?? (await columnHabits(sheet, mapping, work.options.locale, signal));
  const options = { ...work.options, ...habits };
  let saving = Promise.resolve();
  // Resolves when the rows before these are saved, so that these are packed while the next are read.
  const save = async (rows: readonly UnplacedRow[]): Promise<void> => {
    await saving;
    if (rows.length === 0) return;
    saving = ledger.savePlan(work.run, placeRows(work, rows));
    // A failure is thrown where it is awaited.
    saving.catch(() => {});
  };
  // Its own function, so that nothing holds the rows while the next ones are read.
  const plan = async (records: readonly MappedRow[]): Promise<void> => {
    vain.read(records);
    for (const row of records) if (row.names.length > 0) await work.resolveNames(row);
    takeEvidence(work.context, work.evidence, records);
    const planned = await planner.add(records);
    vain.planned(planned);
    await complete(planned);
    await save(planned);
    work.onRead(records.length);
  };
  for await (const batch of readRows(sheet, mapping, options, work.reading)) {
    signal?.throwIfAborted();
    await plan(batch);
    if (vain.areEnough()) work.reading.unreadAfter ??= work.reading.lastRow;
  }
  const last = await planner.finish();
  await complete(last);
  await save(last);
  await saving;
}

function placeRows(work: SheetToPlan, rows: readonly UnplacedRow[]): PlannedRow[] {
  // In place: the rows are the planner's own, and copying a million of them takes as long as planning them.
  const placed = rows as (UnplacedRow & { seq: number })[];
  for (const row of placed) {
    row.seq = work.nextSeq();
    work.onPlanned(row);
  }
  return placed;
}

/** So many rows in vain, and ten for each other one, end the reading of a sheet. */
const MOST_IN_VAIN = 20_000;

/**
 * Counts rows that send nothing: invalid ones, and those that are no records. A sheet of hardly anything else
 * is not the one that is meant, or has one fault all over: a million tell no more than the first of them.
 */
function createVainRows() {
  let [unreadable, invalid, noRecords, others] = [0, 0, 0, 0];
  return {
    read(records: readonly MappedRow[]): void {
      for (const { issues } of records) if (issues.length > 0 && stopsRow(issues)) unreadable++;
    },
    planned(rows: readonly UnplacedRow[]): void {
      // One answer makes the records that are not named.
      for (const { action, issues, message } of rows)
        if (isNoRecord(message)) noRecords++;
        else if (action === 'invalid' && !issues.some(({ code }) => code === 'key-not-given')) invalid++;
        else others++;
    },
    /** A row that can't be read may still be kept back. */
    areEnough: (): boolean =>
      Math.max(unreadable, invalid) + noRecords >= Math.max(MOST_IN_VAIN, 10 * others),
  };
}
