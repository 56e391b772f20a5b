import type { PlannedRow } from '../../core/plan.ts';
import type { Context } from '../../run/context.ts';
import type { TripResource } from '../../schema/resource.ts';
import type { SourceSummary } from '../kind.ts';
import { gone, type Moved, movedSince, secondBefore } from '../moved.ts';
import { type ListedTrip, tripsSince } from './trip-records.ts';

/** How old the list of moved trips may be before it is read anew, ms: the window in which a change goes unseen. */
const MAX_AGE = 1_000;

/** Tells whether a trip changed after the plan read it: one list of what moved since answers for all rows. */
interface TripFreshness {
  /** Why the row may not be sent, or null. */
  check(planned: PlannedRow): Promise<Moved | null>;
  /** To be told of a trip this run writes itself: its own change is no conflict. */
  wrote(id: number): void;
}

/** Each list begins where the last one ended, so that in all it costs one look at what changed meanwhile. */
export function createTripFreshness(
  context: Context,
  resource: TripResource,
  { newest }: SourceSummary,
): TripFreshness {
  const own = new Set<number>();
  const moved = new Map<number, ListedTrip>();
  let since = newest;
  let reading = Promise.resolve();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (from: string): Promise<void> => {
    for (const trip of await tripsSince(context, resource, secondBefore(from))) {
      const { id, lmt } = trip;
      moved.set(id, trip);
      if (lmt !== null && (since === null || lmt > since)) since = lmt;
    }
  };
  return {
    wrote: (id) => void own.add(id),
    async check({ id, lmt }) {
      if (id === null || lmt === null || since === null || own.has(id)) return null;
      const now = context.clock().getTime();
      if (now - readAt > MAX_AGE) {
        readAt = now;
        reading = read(since);
      }
      await reading;
      const trip = moved.get(id);
      if (trip === undefined) return null;
      if (trip.existing === null) return gone();
      return trip.lmt === lmt ? null : movedSince(lmt, trip.lmt ?? '', trip.existing.values);
    },
  };
}
