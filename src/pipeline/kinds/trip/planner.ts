import { stopsRow } from '../../../schema/issue.ts';
import type { TripResource } from '../../../schema/resource.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { type EarlierRows, noteTwice } from '../earlier-rows.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { planTrip, tripKey, tripOf } from './plan-trip.ts';
import type { TripSource } from './trip-source.ts';

/** So many rows share a list: a season's trips, so that a sheet of them takes one. */
const WINDOW = 5_000;

type Row = MappedRow<TripResource>;

/** Rows wait until the days and moments of many are known, as one list answers for all of them. */
export function openTripPlanner(
  { rules }: PlannerSetup,
  source: TripSource,
  earlier: EarlierRows,
): RowPlanner {
  let waiting: Row[] = [];
  const planWaiting = async (): Promise<Unplaced[]> => {
    const rows = waiting;
    waiting = [];
    earlier.saved();
    await source.load(rows.filter(isRead));
    const planned: Unplaced[] = [];
    for (const row of rows) {
      const id = tripOf(row);
      const key = tripKey(row);
      const existing = await earlier.after(key, id === null ? null : source.byId(id));
      await noteTwice(row, row.mapping.resource.id, key, { earlier, strict: rules.strict });
      planned.push(earlier.add(planTrip(row, existing, rules)));
    }
    return planned;
  };
  return {
    async add(rows) {
      for (const row of rows as readonly Row[]) waiting.push(row);
      return waiting.length < WINDOW ? [] : await planWaiting();
    },
    finish: planWaiting,
  };
}

/** Whether it matters what the row's trip is like. */
const isRead = (row: Row): boolean => row.action !== 'skip' && !stopsRow(row.issues);
