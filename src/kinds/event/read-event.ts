import {
  DETAILED,
  type ExistingRecord,
  mayBeMissing,
  nullIfMissing,
  numberIn,
  readExisting,
} from '../../records/existing-record.ts';
import { lateDoubles } from '../../records/late-doubles.ts';
import type { ContextOf } from '../../records/planning.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { ofKind } from '../kind.ts';

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
  if (existing !== null) (await lateDoubles(context)).saw(existing);
  return existing;
}

/** Whether there is an event with this id, for rows that are about one. */
export async function isEvent(context: Context, id: number): Promise<boolean> {
  const [resource] = ofKind(context.resources, 'event');
  return resource !== undefined && (await readEvent({ ...context, resource }, id)) !== null;
}

const MARGIN_DAYS = 45;
const DAY_MS = 86_400_000;

/** The events around today, read once by who asks whether the service answers for others. */
const around = new WeakMap<object, Promise<readonly number[]>>();

/**
 * Whether the service answers for another event, so that what went wrong is about this one; null where no
 * other is known.
 */
async function othersAnswer(context: EventContext, ID: number): Promise<boolean | null> {
  const { service, resource } = context;
  const listed = around.get(service) ?? eventsAround(context);
  around.set(service, listed);
  const ids = await listed;
  if (ids.includes(ID)) return false;
  const [other] = ids;
  if (other === undefined) return null;
  try {
    return (await service.send(resource.requests.find, { params: { ID: other } })) !== null;
  } catch (error) {
    if (mayBeMissing(error)) return false;
    throw error;
  }
}

async function eventsAround(context: EventContext): Promise<number[]> {
  const { service, resource, dialect } = context;
  const { id, requests } = resource;
  const now = context.clock().getTime();
  const [from, to] = [-MARGIN_DAYS, MARGIN_DAYS].map((days) =>
    wallClock(new Date(now + days * DAY_MS)).slice(0, 10),
  );
  const body = { EnkelEvenement: dialect.enkelEvenement, DatumVan: from ?? '', DatumTot: to ?? '' };
  const records = await listRecords(service, requests.all, { body, id });
  return records.flatMap((record) => numberIn(record, id) ?? []);
}
