import { recordTookEffect } from '../../records/doubts.ts';
import { sameValue } from '../../records/existing-record.ts';
import { changedSince, createFreshness, type ListedRecord, secondBefore } from '../../records/freshness.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import type { TripResource } from '../../schema/resource.ts';
import { EPOCH, tripsSince } from './trip-source.ts';

/** Guards trips by LMT, and settles lost answers, by the list of what was written since. */
export function tripGuard({ context, summary }: GuardSetup, resource: TripResource): RowGuard {
  const freshness = createFreshness(
    changedSince(context, summary.newest, async (lmt) =>
      (await tripsSince(context, resource, lmt)).map(withMoment),
    ),
  );
  return {
    ...UNGUARDED,
    check: freshness.check,
    wrote: async ({ id }) => freshness.wrote(id),
    tookEffect: (doubt) =>
      recordTookEffect(context, resource, doubt, {
        async read(id) {
          const { lmt } = doubt.planned;
          const trips = await tripsSince(context, resource, lmt === null ? EPOCH : secondBefore(lmt));
          return trips.find((trip) => trip.id === id)?.existing ?? null;
        },
        shows: ({ values }) => doubt.planned.changes.every(({ field, to }) => sameValue(values[field], to)),
      }),
  };
}

/** A list by LMT without an LMT: the trip is there, and no longer what it was. */
const withMoment = (trip: ListedRecord): ListedRecord =>
  trip.existing === null ? trip : { ...trip, existing: { ...trip.existing, lmt: trip.lmt ?? '' } };
