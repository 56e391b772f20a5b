import { parseIso } from '../../core/codecs/datetime.ts';
import { integerCodec } from '../../core/codecs/integer.ts';
import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { DailyResource, TripResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { type Existing, LISTED, type Returned, readValues } from '../catalogue/existing.ts';

/** Before any trip was written: a list by LMT from here on holds them all. */
export const EPOCH = '1970-01-01 00:00:00';

/** A trip of a list; `existing` is null for one that is deleted, which lists by LMT still hold. */
export interface ListedTrip {
  readonly id: number;
  readonly lmt: string | null;
  readonly existing: Existing | null;
}

/** What the list by days returns: less than the one by LMT (interface 2.9). */
export const BY_DAYS: Returned = ['both'];

/** The trips of some days, both included (`YYYY-MM-DD`); SubtypeRitID is not among what it returns (interface 2.9). */
export async function tripsBetween(
  { service }: Context,
  resource: DailyResource,
  [from, to]: readonly [string, string],
): Promise<ListedTrip[]> {
  const body = { DatumVan: `${from} 00:00:00`, DatumTot: `${to} 23:59:59` };
  return toTrips(
    resource,
    await listRecords(service, resource.requests.all, { body, id: resource.id }),
    BY_DAYS,
  );
}

/** The trips written after a moment, deleted ones too. */
export async function tripsSince(
  { service }: Context,
  resource: TripResource,
  LMT: string,
): Promise<ListedTrip[]> {
  const input = { body: { LMT }, id: resource.id };
  return toTrips(resource, await listRecords(service, resource.requests.allByLmt, input), LISTED);
}

function toTrips(resource: TripResource, records: readonly AnswerRecord[], returned: Returned): ListedTrip[] {
  return records.flatMap((record) => toTrip(resource, record, returned) ?? []);
}

function toTrip(resource: TripResource, record: AnswerRecord, returned: Returned): ListedTrip | null {
  const id = integerCodec.read(record[resource.id]);
  if (typeof id !== 'number') return null;
  const moment = record[resource.modified];
  const lmt = typeof moment === 'string' ? (parseIso(moment) ?? null) : null;
  if (record.DEL === true) return { id, lmt, existing: null };
  const values = readValues(resource, record, returned);
  return { id, lmt, existing: { id, external: null, lmt, values } };
}
