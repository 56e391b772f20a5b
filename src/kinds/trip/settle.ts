import type { Context } from '../../run/context.ts';
import type { TripResource } from '../../schema/resource.ts';
import { sameValue } from '../catalogue/existing.ts';
import type { Doubt, Verdict } from '../kind.ts';
import { secondBefore } from '../moved.ts';
import { EPOCH, tripsSince } from './trip-records.ts';

/** Whether a request took effect: the list from the trip's own LMT on holds it, deleted or changed. */
export async function tookEffect(context: Context, resource: TripResource, doubt: Doubt): Promise<Verdict> {
  const { planned, step, id } = doubt;
  try {
    const from = planned.lmt === null ? EPOCH : secondBefore(planned.lmt);
    const trip = (await tripsSince(context, resource, from)).find((listed) => listed.id === id);
    const existing = trip?.existing ?? null;
    if (step.purpose === 'delete') return existing === null ? { id } : 'no';
    if (existing === null) return null;
    return planned.changes.every(({ field, to }) => sameValue(existing.values[field], to)) ? { id } : 'no';
  } catch (error) {
    context.log.warn(
      { resource: resource.name, row: planned.row, error: String(error) },
      'cannot tell whether it took effect',
    );
    return null;
  }
}
