import type { Value, Values } from '../../core/value.ts';
import type { EventResource } from '../../schema/resource.ts';
import { type Existing, sameValue } from '../catalogue/existing.ts';

const MIDNIGHT = '00:00:00';

/** Equal for the user: as elsewhere, and a day without a time is the same day at any time. */
export function sameField(
  resource: EventResource,
  name: string,
  from: Value | undefined,
  to: Value,
): boolean {
  if (name !== resource.date || typeof from !== 'string' || typeof to !== 'string')
    return sameValue(from, to);
  const daysOnly = [from, to].some((moment) => moment.slice(11) === MIDNIGHT || moment.length === 10);
  return daysOnly ? from.slice(0, 10) === to.slice(0, 10) : from === to;
}

/** Whether an event holds what a request sent, as far as this read can tell; ExternalID apart. */
export function holds(
  resource: EventResource,
  existing: Existing,
  body: Values,
  read: 'list' | 'detail',
): boolean {
  return Object.entries(body).every(([name, value]) => {
    if (name === resource.external || name === resource.id) return true;
    const reads = resource.fields[name]?.reads;
    return (reads !== 'both' && reads !== read) || sameField(resource, name, existing.values[name], value);
  });
}
