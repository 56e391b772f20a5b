import {
  DETAILED,
  type ExistingRecord,
  mayBeMissing,
  nullIfMissing,
  numberIn,
  readExisting,
} from '../../records/existing-record.ts';
import type { ContextOf } from '../../records/planning.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';
import { ALL_DAYS } from './all-days.ts';
import { eventsOfDays } from './read-days.ts';

type EventContext = ContextOf<EventResource>;

/** One event by its id; null when the service has none, however it says so. */
export async function readEvent(context: EventContext, ID: number): Promise<ExistingRecord | null> {
  const { service, resource } = context;
  const read = () => service.send(resource.requests.find, { params: { ID } });
  const record = await nullIfMissing(read, async (error) => {
    const isMissing = await othersAnswer(context, ID);
    // No other event is known: a refusal is about this one, as the request holds nothing else.
    if (isMissing ?? error.kind === 'refused') return null;
    throw error;
  });
  const existing = record === null ? null : readExisting(resource, record, DETAILED);
  if (existing !== null) answered.set(service, ID);
  return existing;
}

/** Whether there is an event with this id, for rows that are about one. */
export async function isEvent(context: Context, id: number): Promise<boolean> {
  const [resource] = ofKind(context.resources, 'event');
  return resource !== undefined && (await readEvent({ ...context, resource }, id)) !== null;
}

const MARGIN_DAYS = 45;
const DAY_MS = 86_400_000;

/** The event that a service answered for last. */
const answered = new WeakMap<object, number>();
/** The events of a list, read once by who asks whether the service answers for others. */
const listed = new WeakMap<object, Promise<readonly number[]>>();

/**
 * Whether the service answers for another event, so that what went wrong is about this one; null where no
 * other is known.
 */
async function othersAnswer(context: EventContext, ID: number): Promise<boolean | null> {
  const { service, resource } = context;
  const last = answered.get(service);
  const reading = listed.get(service) ?? someEvents(context, last !== undefined);
  listed.set(service, reading);
  const ids = await reading;
  if (last === ID || ids.includes(ID)) return false;
  const other = last ?? ids[0];
  if (other === undefined) return null;
  try {
    return (await service.send(resource.requests.find, { params: { ID: other } })) !== null;
  } catch (error) {
    if (mayBeMissing(error)) return false;
    throw error;
  }
}

/** The events around today; those of all days where there are none, and no other is known (`enough`). */
async function someEvents(context: EventContext, enough: boolean): Promise<number[]> {
  const now = context.time.now();
  const [from = '', to = ''] = [-MARGIN_DAYS, MARGIN_DAYS].map((days) =>
    wallClock(new Date(now + days * DAY_MS)).slice(0, 10),
  );
  const near = await eventsOfDays(context, { from, to });
  const records = near.length > 0 || enough ? near : await eventsOfDays(context, ALL_DAYS);
  return records.flatMap((record) => numberIn(record, context.resource.id) ?? []);
}
