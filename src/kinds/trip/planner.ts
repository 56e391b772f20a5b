import { stopsRow } from '../../core/issue.ts';
import type { Base } from '../../import/baseline/open-base.ts';
import { planOnBase } from '../../import/baseline/plan-on-base.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { TripResource } from '../../schema/resource.ts';
import type { EarlierRows } from '../earlier-rows.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { besideOf, noteTwice } from '../note-twice.ts';
import { planTrip, tripKey, tripOf } from './plan-trip.ts';
import type { TripSource } from './trip-source.ts';

/** So many rows share a list: a season's trips, so that a sheet of them takes one. */
const WINDOW = 5_000;

type Row = MappedRow<TripResource>;

/** Rows wait until the days and moments of many are known, as one list answers for all of them. */
export function openTripPlanner(setup: PlannerSetup, source: TripSource, earlier: EarlierRows): RowPlanner {
  const { rules } = setup;
  let waiting: Row[] = [];
  const planWaiting = async (): Promise<Unplaced[]> => {
    const rows = waiting;
    waiting = [];
    earlier.saved();
    await source.load(rows.filter((row) => isRead(row, setup.base)));
    const sharing = besideOf(setup.base, rows, tripKey);
    const planned: Unplaced[] = [];
    for (const row of rows) {
      const id = tripOf(row);
      const key = tripKey(row);
      const service = id === null ? null : source.byId(id);
      const existing = await earlier.after(key, service);
      await noteTwice(row, row.mapping.resource.id, key, { ...setup, earlier, beside: sharing.get(key) });
      const subject = { row, key, service };
      planned.push(earlier.add(await planOnBase(subject, setup, (held) => planTrip(held, existing, rules))));
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

/** Whether it matters what the row's trip is like: of a workbook of ours, cells that can't be read may be as they were written. */
const isRead = ({ action, issues }: Row, { at }: Base): boolean =>
  action !== 'skip' && (at !== '' || !stopsRow(issues));
