import type { PlannedRow } from '../../schema/plan.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import type { Context } from '../context.ts';
import type { MapOptions, MappedRow } from '../map/map-row.ts';
import { readRows, type SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { createEarlierRows, type EarlierRows } from './earlier-rows.ts';
import { locate } from './locate.ts';
import { type PlanRules, planRow, recordKey } from './plan-row.ts';
import type { RecordSource } from './record-source.ts';
import type { SourcePicker } from './source-picker.ts';

/** So many rows are planned and saved together. */
const WINDOW = 500;

export interface SheetToPlan {
  readonly context: Context;
  readonly run: string;
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  readonly options: MapOptions;
  readonly rules: PlanRules;
  readonly reading: SheetReading;
  readonly picker: SourcePicker;
  readonly resolveNames: (row: MappedRow) => Promise<void>;
  /** The next free place in the plan. */
  readonly nextSeq: () => number;
  readonly onPlanned: (row: PlannedRow) => void;
}

/** Plans a sheet's rows as they are read and saves them; rows wait only until it is clear how to look them up. */
export async function planSheet(work: SheetToPlan): Promise<void> {
  const { context, mapping, picker } = work;
  const earlier = createEarlierRows(context, work.run, mapping.resource.name);
  let waiting: MappedRow[] = [];
  let keyed = 0;
  for await (const batch of readRows(work.sheet, mapping, work.options, work.reading)) {
    context.signal?.throwIfAborted();
    for (const row of batch) {
      if (row.names.length > 0) await work.resolveNames(row);
      if (hasKey(row)) keyed++;
      waiting.push(row);
    }
    if (waiting.length < WINDOW && picker.chosen.has(mapping.resource.name)) continue;
    const source = await picker.decide(mapping, keyed);
    if (source === undefined) continue;
    await planWaiting(work, waiting, source, earlier);
    waiting = [];
  }
  const source = (await picker.decide(mapping, keyed)) ?? picker.settle(mapping);
  await planWaiting(work, waiting, source, earlier);
}

function hasKey(row: MappedRow): boolean {
  const { id, external } = row.mapping.resource;
  return row.values[id] !== undefined || row.values[external] !== undefined;
}

async function planWaiting(
  work: SheetToPlan,
  rows: MappedRow[],
  source: RecordSource,
  earlier: EarlierRows,
): Promise<void> {
  for (let start = 0; start < rows.length; start += WINDOW) {
    await planWindow(work, rows.slice(start, start + WINDOW), source, earlier);
  }
}

async function planWindow(
  work: SheetToPlan,
  rows: MappedRow[],
  source: RecordSource,
  earlier: EarlierRows,
): Promise<void> {
  const { context, mapping, rules } = work;
  const { resource } = mapping;
  const externals = rows.flatMap((row) => {
    const external = row.values[resource.external];
    return typeof external === 'number' ? [external] : [];
  });
  const remembered = await context.ledger.findKeys(context.serviceKey, resource.name, externals);
  const targets = await Promise.all(
    rows.map((row) => locate(row, source, remembered.get(row.values[resource.external] as number))),
  );
  const planned: PlannedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const target = targets[index] ?? { existing: null, clash: null };
    const key = recordKey(row, target.existing);
    const existing = await earlier.after(key, target.existing);
    const placed = { ...planRow(row, { ...target, existing }, rules, key), seq: work.nextSeq() };
    logDecision(context, work.run, placed);
    earlier.add(placed);
    work.onPlanned(placed);
    planned.push(placed);
  }
  await context.ledger.savePlan(work.run, planned);
  earlier.saved();
}

/** What was decided and where; never what stands in the cells. */
function logDecision({ log }: Context, run: string, { sheet, row, id, action, issues }: PlannedRow): void {
  const found = issues.map(({ code, address }) => `${address ?? '-'} ${code}`);
  log.debug({ run, sheet, row, id, issues: found }, action);
}
