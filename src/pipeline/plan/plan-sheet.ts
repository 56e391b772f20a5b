import type { PlannedRow } from '../../schema/plan.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import type { Base } from '../base/open-base.ts';
import { readOpenConflicts } from '../base/open-conflicts.ts';
import type { Context } from '../context.ts';
import type { Planning, PlanRules, References, Unplaced } from '../kinds/kind.ts';
import type { LookupLists } from '../lookups.ts';
import { watchColumns } from '../map/column-watch.ts';
import { watchDates } from '../map/date-order.ts';
import type { MapOptions, MappedRow } from '../map/map-row.ts';
import { watchNumbers } from '../map/number-habit.ts';
import { type ReadBatch, readRows, type SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { createIdCheck } from './check-ids.ts';
import { createPassedOver } from './passed-over.ts';

export interface SheetToPlan {
  readonly context: Context;
  readonly run: string;
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  readonly base: Base;
  readonly options: MapOptions;
  readonly rules: PlanRules;
  readonly reading: SheetReading;
  readonly planning: Planning;
  readonly references: References;
  readonly resolveNames: (row: MappedRow) => Promise<void>;
  readonly lists: LookupLists;
  /** The next free place in the plan. */
  readonly nextSeq: () => number;
  readonly onPlanned: (row: PlannedRow) => void;
}

/** Plans a sheet's rows as they are read and saves them. */
export async function planSheet(work: SheetToPlan): Promise<void> {
  const conflicts = await readOpenConflicts(work.context, work.mapping.resource.name);
  const planner = work.planning.openSheet({ ...work, conflicts });
  const others = createPassedOver(work.mapping);
  const { signal } = work.context;
  const checkIds = createIdCheck(work.lists, work.mapping);
  const dates = watchDates(work.mapping);
  const numbers = watchNumbers(work.mapping, work.options.locale);
  await watchColumns(work.sheet, work.mapping.headerRow, [dates, numbers], signal);
  const options = { ...work.options, orders: dates.orders(), others: numbers.others() };
  const saver = createSaver(work);
  const batches = readRows(work.sheet, work.mapping, options, work.reading);
  // A function of its own, so that nothing holds the rows while the next ones are read.
  const plan = async ({ records, passedOver }: ReadBatch): Promise<void> => {
    others.add(passedOver);
    for (const row of records) if (row.names.length > 0) await work.resolveNames(row);
    const planned = await planner.add(records);
    await checkIds(planned);
    await saver.save(others.among(planned));
  };
  for await (const batch of batches) {
    signal?.throwIfAborted();
    await plan(batch);
  }
  const last = await planner.finish();
  await checkIds(last);
  await saver.save(others.among(last));
  await saver.save(others.rest());
  await saver.finish();
}

interface Saver {
  /** Resolves when the rows before these are saved, so that these are packed while the next ones are read. */
  save(rows: readonly Unplaced[]): Promise<void>;
  finish(): Promise<void>;
}

function createSaver(work: SheetToPlan): Saver {
  let saving = Promise.resolve();
  return {
    async save(rows) {
      if (rows.length === 0) return;
      await saving;
      saving = work.context.ledger.savePlan(work.run, placeRows(work, rows));
      // What goes wrong is thrown where it is waited for.
      saving.catch(() => {});
    },
    finish: () => saving,
  };
}

function placeRows(work: SheetToPlan, rows: readonly Unplaced[]): PlannedRow[] {
  // In place: the rows are the planner's own, and copying a million of them takes as long as planning them.
  const placed = rows as (Unplaced & { seq: number })[];
  for (const row of placed) {
    row.seq = work.nextSeq();
    if (row.issues.length > 0 || row.action === 'conflict') logProblem(work.context, work.run, row);
    work.onPlanned(row);
  }
  return placed;
}

/** What was decided and where; never what stands in the cells. What went well is in the ledger. */
function logProblem({ log }: Context, run: string, { sheet, row, id, action, issues }: PlannedRow): void {
  const found = issues.map(({ code, address }) => `${address ?? '-'} ${code}`);
  log.debug({ run, sheet, row, id, issues: found }, action);
}
