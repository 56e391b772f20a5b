import {
  DETAILED,
  type ExistingRecord,
  LISTED,
  nullIfMissing,
  numberIn,
  readExisting,
} from '../records/existing-record.ts';
import { type DayLists, type Days, EPOCH, inFewerDays } from '../records/listing.ts';
import type { ContextOf } from '../records/planning.ts';
import { askedOnce } from '../records/shared-reading.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { EventResource } from '../schema/resource.ts';
import { listRecords } from '../service/pages.ts';
import { ofKind } from './kind.ts';

/** What reading events works with. */
type EventContext = ContextOf<EventResource>;

/** Days around all events: the list by LMT takes a period too (interface 4.4). */
export const ALL_DAYS: Days = { from: '1970-01-01', to: '2069-12-31' };

/**
 * Reads events by their ids; null for one that the service has not. Where it says so in a way of its own, the list
 * of all days tells, once for all that are read.
 */
export function createEventRead(context: EventContext): (id: number) => Promise<ExistingRecord | null> {
  const { service, resource } = context;
  const listed = askedOnce(async (_: 'all') => {
    const records = await readDays(context, ALL_DAYS);
    return new Set(records.map((record) => numberIn(record, resource.id)));
  });
  return async (ID) => {
    const read = () => service.send(resource.requests.find, { params: { ID } });
    const record = await nullIfMissing(read, async (error) => {
      if ((await listed('all')).has(ID)) throw error;
      return null;
    });
    return record === null ? null : readExisting(resource, record, DETAILED);
  };
}

/** Whether there is an event with an id, for rows that are about one. */
export function createEventCheck(context: Context): (id: number) => Promise<boolean> {
  const [resource] = ofKind(context.resources, 'event');
  const read = resource === undefined ? null : createEventRead({ ...context, resource });
  return async (id) => read !== null && (await read(id)) !== null;
}

/** The events of some days. */
function readDays(
  { service, dialect, resource: { requests, id } }: EventContext,
  days: Days,
): Promise<AnswerRecord[]> {
  return inFewerDays(days, ({ from: DatumVan, to: DatumTot }) => {
    const body = { EnkelEvenement: dialect.enkelEvenement, DatumVan, DatumTot };
    return listRecords(service, requests.all, { body, id });
  });
}

/** Those of some days that were written since a moment, to the minute. */
function changedSince(
  { service, dialect, resource: { requests, id } }: EventContext,
  moment: string,
  days: Days = ALL_DAYS,
): Promise<AnswerRecord[]> {
  const fixed = { EnkelEvenement: dialect.enkelEvenement, LMT: moment.slice(0, 16) };
  return inFewerDays(days, ({ from: DatumVan, to: DatumTot }) =>
    listRecords(service, requests.allByLmt, { body: { ...fixed, DatumVan, DatumTot }, id }),
  );
}

const existingIn = ({ resource }: EventContext, records: readonly AnswerRecord[]): ExistingRecord[] =>
  records.flatMap((record) => readExisting(resource, record, LISTED) ?? []);

/** The events of some days. Throws RequestError for no list: known rows would look new. */
export const readOn = async (context: EventContext, days: Days): Promise<ExistingRecord[]> =>
  existingIn(context, await readDays(context, days));

/** The events that were written since a moment; EPOCH for all. */
export async function readSince(context: EventContext, moment: string): Promise<ExistingRecord[]> {
  const byLmt = () => changedSince(context, moment);
  // Not every event has an LMT, and not every service lists all days.
  const all = () => readDays(context, ALL_DAYS);
  const records = moment === EPOCH ? await nullIfMissing(all, byLmt) : null;
  return existingIn(context, records ?? (await byLmt()));
}

/** How the service lists events, or the definitive ones (interface 4.4). */
export const eventLists = (context: EventContext, definitive: boolean): DayLists => ({
  modified: 'LMT',
  read: (days) => (definitive ? readDefinitive : readDays)(context, days),
  changedSince: (moment, days) => changedSince(context, moment, days),
});

/** The definitive events of some days, with what their own list leaves out (interface 2.7). */
export async function readDefinitive(context: EventContext, days: Days): Promise<AnswerRecord[]> {
  const { service, dialect, resource } = context;
  const { id, requests } = resource;
  const definitive = await inFewerDays(days, ({ from: DatumVan, to: DatumTot }) => {
    const body = { EnkelEvent: dialect.enkelEvenement, DatumVan, DatumTot };
    return listRecords(service, requests.allDefinitive, { body, id });
  });
  if (definitive.length === 0) return [];
  const all = await readDays(context, days);
  const known = new Map(all.map((record) => [numberIn(record, id), record]));
  return definitive.map((record) => ({ ...known.get(numberIn(record, id)), ...record }));
}
