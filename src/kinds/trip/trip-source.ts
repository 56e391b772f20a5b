import type { MappedRow } from '../../import/map/map-row.ts';
import type { Context } from '../../run/context.ts';
import { isDaily, type TripResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import type { SourceSummary } from '../kind.ts';
import { secondBefore } from '../moved.ts';
import { EPOCH, type ListedTrip, tripsBetween, tripsSince } from './trip-records.ts';

type Row = MappedRow<TripResource>;

/** Where a plan reads trips: a few lists for all rows, as there is no reading one trip. */
export interface TripSource {
  /** Reads what the rows need and is not there yet: by their days or their LMT, and all there is for what is still missing. */
  load(rows: readonly Row[]): Promise<void>;
  /** Null for a trip that is not there, or is deleted. */
  byId(id: number): Existing | null;
  summary(): SourceSummary;
}

/** One source serves all sheets of trips in a run. */
export function createTripSource(context: Context, resource: TripResource): TripSource {
  const byDays = new Map<number, Existing | null>();
  const byLmt = new Map<number, Existing | null>();
  let newest: string | null = null;
  let all = false;
  const keep = (known: Map<number, Existing | null>, trips: readonly ListedTrip[]): void => {
    for (const { id, lmt, existing } of trips) {
      known.set(id, existing);
      if (lmt !== null && (newest === null || lmt > newest)) newest = lmt;
    }
  };
  const since = async (lmt: string): Promise<void> => keep(byLmt, await tripsSince(context, resource, lmt));
  return {
    async load(rows) {
      const whole = needsWhole(rows);
      const lacking = (): Row[] =>
        rows.filter(({ values }) => {
          const id = values[resource.id];
          return typeof id === 'number' && !byLmt.has(id) && (whole || !byDays.has(id));
        });
      const wanted = lacking();
      if (wanted.length === 0 || all) return;
      const moments = shownIn(wanted, resource.modified);
      const days = isDaily(resource) ? shownIn(wanted, resource.date).map((day) => day.slice(0, 10)) : [];
      if (!whole && isDaily(resource) && days[0] !== undefined) {
        const range = [days[0], days.at(-1) ?? days[0]] as const;
        keep(byDays, await tripsBetween(context, resource, range));
      } else if (moments[0] !== undefined) await since(secondBefore(moments[0]));
      if (lacking().length === 0) return;
      all = true;
      await since(EPOCH);
    },
    byId: (id) => (byLmt.has(id) ? byLmt.get(id) : byDays.get(id)) ?? null,
    summary: () => ({ strategy: 'list', newest }),
  };
}

/** Whether a column is used that only the list by LMT returns. */
function needsWhole(rows: readonly Row[]): boolean {
  return rows.some(({ values, mapping }) =>
    Object.keys(values).some((name) => mapping.resource.fields[name]?.reads === 'list'),
  );
}

/** What the rows show in a column, in order. */
function shownIn(rows: readonly Row[], field: string): string[] {
  const texts = rows.map(({ shown }) => shown[field]);
  return texts.filter((text) => typeof text === 'string').sort();
}
