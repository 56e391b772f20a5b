import type { CatalogueResource } from '../../../schema/resource.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { createEarlierRows } from '../earlier-rows.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { locate } from './locate.ts';
import { planRow, recordKey } from './plan-row.ts';
import type { RecordSource } from './record-source.ts';
import type { SourcePicker } from './source-picker.ts';

/** So many rows are looked up together. */
const WINDOW = 500;

type Row = MappedRow<CatalogueResource>;

/** Plans rows against what the service holds; they wait only until it is clear how to look them up. */
export function openCataloguePlanner(
  setup: PlannerSetup,
  resource: CatalogueResource,
  picker: SourcePicker,
): RowPlanner {
  const { context, mapping, rules } = setup;
  const earlier = createEarlierRows(context, setup.run, resource.name);
  let waiting: Row[] = [];
  let keyed = 0;

  const planWindow = async (rows: readonly Row[], source: RecordSource): Promise<Unplaced[]> => {
    const externals = rows
      .map((row) => row.values[resource.external])
      .filter((value) => typeof value === 'number');
    const remembered = await context.ledger.findKeys(context.serviceKey, resource.name, externals);
    const targets = await Promise.all(
      rows.map((row) => locate(row, source, remembered.get(row.values[resource.external] as number))),
    );
    const planned: Unplaced[] = [];
    for (const [index, row] of rows.entries()) {
      const target = targets[index] ?? { existing: null, clash: null };
      const key = recordKey(row, target.existing);
      const existing = await earlier.after(key, target.existing);
      planned.push(earlier.add(planRow(row, { ...target, existing }, rules, key)));
    }
    return planned;
  };

  const planWaiting = async (source: RecordSource): Promise<Unplaced[]> => {
    const rows = waiting;
    waiting = [];
    earlier.saved();
    const planned: Unplaced[] = [];
    for (let start = 0; start < rows.length; start += WINDOW) {
      for (const row of await planWindow(rows.slice(start, start + WINDOW), source)) planned.push(row);
    }
    return planned;
  };

  return {
    async add(rows) {
      for (const row of rows as readonly Row[]) {
        if (row.values[resource.id] !== undefined || row.values[resource.external] !== undefined) keyed++;
        waiting.push(row);
      }
      if (waiting.length < WINDOW && picker.chosen() !== undefined) return [];
      const source = await picker.decide(mapping, keyed);
      return source === undefined ? [] : await planWaiting(source);
    },
    async finish() {
      return await planWaiting((await picker.decide(mapping, keyed)) ?? picker.settle());
    },
  };
}
