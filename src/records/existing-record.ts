import { parseIso } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { sameNumber } from '../core/codecs/number.ts';
import type { FieldChange, Step } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { Field } from '../schema/field.ts';
import type { CatalogueResource, EventResource, Resource, TripResource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import type { MappedRow } from './mapped-row.ts';

/** A resource whose records have an id of the service's and may have an ExternalID of the user's. */
export type KeyedResource = CatalogueResource | EventResource;
/** A resource whose records have an id of the service's. */
export type RecordResource = KeyedResource | TripResource;

/** A record as the service holds it; `id` is null for one that an earlier row creates. */
export interface ExistingRecord {
  readonly id: number | null;
  readonly external: number | null;
  readonly lmt: string | null;
  readonly values: Readonly<Record<string, Value>>;
  /** It is deleted, where lists still hold such. */
  readonly gone?: boolean;
  /** What it was sent last, in fields that hold still what the service made of that. */
  readonly applied?: Values;
  /** The LMT that the row that wrote it last showed, where nobody changed it since. */
  readonly shownLmt?: string;
}

/** Whether two values of a field are the same, where that depends on which field it is. */
export type SameField = (field: string, held: Value | undefined, said: Value) => boolean;

/**
 * Whether a field of a record is as someone says: it holds that, or it was sent that and holds still what it
 * held then.
 */
export const sameIn =
  (record: Pick<ExistingRecord, 'values' | 'applied'> | null): SameField =>
  (field, held, said) => {
    if (sameValue(held, said)) return true;
    const sent = record?.applied?.[field];
    return sent !== undefined && sameValue(sent, said) && sameValue(record?.values[field], held ?? null);
  };

/** A record's id, or another number in it; null where there is none. */
export function numberIn(record: AnswerRecord, member: string): number | null {
  const value = integerCodec.read(record[member]);
  return typeof value === 'number' ? value : null;
}

/** A moment in a record, in the one shape that can be compared as text; null where there is none. */
export function momentIn(record: AnswerRecord, member: string): string | null {
  const value = record[member];
  return typeof value === 'string' ? (parseIso(value) ?? null) : null;
}

/** Which fields a read returns: of those an absent one is empty, any other is unknown. */
type ReturnedFields = readonly Field['reads'][];
/** What a list returns. */
export const LISTED: ReturnedFields = ['both', 'list'];
/** What a read of one record returns. */
export const DETAILED: ReturnedFields = ['both', 'detail'];

/** Reads a record of a detail or list answer; null when it holds no id. List spellings are translated. */
export function readExisting(
  resource: KeyedResource,
  record: AnswerRecord,
  returned: ReturnedFields,
): ExistingRecord | null {
  const id = numberIn(record, resource.id);
  if (id === null) return null;
  // None, as some services say it.
  const external = numberIn(record, resource.external) || null;
  return { id, external, lmt: momentIn(record, 'LMT'), values: readValues(resource, record, returned) };
}

/** A record's own fields: null where empty, absent where the read does not tell, which is not empty. */
export function readValues(
  resource: Resource,
  record: AnswerRecord,
  returned = LISTED,
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, { codec, reads, listName }] of Object.entries(resource.fields)) {
    const answer = record[name] ?? (listName === undefined ? undefined : record[listName]);
    if (answer != null) values[name] = codec.read(answer);
    else if (returned.includes(reads) || (answer === null && reads !== 'none')) values[name] = null;
  }
  if ('external' in resource && values[resource.external] === 0) values[resource.external] = null;
  return values;
}

/** Equal for the user: numbers as decimals, text without its outer blanks and in either form of its accents. */
export function sameValue(a: Value | undefined, b: Value): boolean {
  if (a === b) return true;
  const left = a ?? null;
  if (typeof left === 'number' && typeof b === 'number') return sameNumber(left, b);
  // A flag that was cleared comes back as false from some services.
  if (left === b || (b === null && left === false)) return true;
  // An accent may be a sign of its own: nobody sees a change from one form to the other.
  return typeof left === 'string' && typeof b === 'string' && left.normalize() === b.normalize();
}

/** What a record holds in a field, its ExternalID too; undefined where it is not known. */
export const heldIn = (
  resource: Resource,
  { external, values }: Pick<ExistingRecord, 'external' | 'values'>,
  field: string,
): Value | undefined => ('external' in resource && field === resource.external ? external : values[field]);

/** Whether a record holds what a request sent, but for its keys, as far as a read that returns these fields tells. */
export const holdsSent = (
  { keys, fields }: Resource,
  { values }: Pick<ExistingRecord, 'values'>,
  body: Step['body'],
  same: SameField = sameIn(null),
  returned = LISTED,
): boolean =>
  Object.entries(plainValues(body)).every(
    ([name, value]) =>
      keys.includes(name) ||
      !returned.includes(fields[name]?.reads ?? 'none') ||
      same(name, values[name], value),
  );

/** What is larger a service that keeps smaller numbers shows as another one. */
const LARGEST_KEPT = 2 ** 31 - 1;

/** Whether a record made with an ExternalID may show this one: none, or what is left of a large one. */
export const mayShow = (external: number | null, shown: number | null): boolean =>
  shown === null || shown === external || (external !== null && external > LARGEST_KEPT);

/** Whether a record is flagged as no longer in use. */
export const isOff = (resource: Resource, existing: Pick<ExistingRecord, 'values'> | null): boolean =>
  'active' in resource && existing?.values[resource.active] === false;

/** What a row changes in these fields of its record; a field that the row leaves out is no change. */
export function changesTo(
  existing: Pick<ExistingRecord, 'external' | 'values' | 'applied'>,
  { values, mapping: { resource } }: MappedRow,
  fields: readonly string[],
  same: SameField = sameIn(existing),
): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const field of fields) {
    const to = values[field];
    if (to === undefined) continue;
    const from = heldIn(resource, existing, field) ?? null;
    const sent = existing.applied?.[field];
    if (!same(field, from, to)) changes.push({ field, from, to, ...(sent !== undefined && { sent }) });
  }
  return changes;
}

/** The values of a body, without references to records that have no id yet. */
export function plainValues(body: Step['body']): Record<string, Value> {
  const plain = Object.entries(body).filter(
    (entry): entry is [string, Value] => typeof entry[1] !== 'object' || entry[1] === null,
  );
  return Object.fromEntries(plain);
}

/**
 * What a read answers; null where the service has no such record, however it says so. `look` finds out what
 * an answer means that may say so too.
 */
export async function nullIfMissing<T>(
  read: () => Promise<T>,
  look?: (error: RequestError) => Promise<T | null>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!mayBeMissing(error) || (look === undefined && error.kind !== 'missing')) throw error;
    return error.kind === 'missing' || look === undefined ? null : await look(error);
  }
}

/** Refused for what it asks, whoever asks: the token, the method, the whole endpoint. */
const NOT_ABOUT_IT: ReadonlySet<number | null> = new Set([403, 405, 501]);

/**
 * Whether a failed read may be the service's way of saying that there is no such record, which the interface
 * does not show (7): a refusal, a breakdown, or an answer that holds no record.
 */
export function mayBeMissing(error: unknown): error is RequestError {
  if (!(error instanceof RequestError)) return false;
  const { kind, status } = error;
  if (kind === 'lost') return status === 500;
  return kind === 'missing' || kind === 'malformed' || (kind === 'refused' && !NOT_ABOUT_IT.has(status));
}

/** Whether two moments of a record are the same: some reads give them to the second only. */
export function sameMoment(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) === other.slice(0, length);
}

/** The moment a second earlier: a service may round its LMT, so a list from the LMT could miss a change. */
export const secondBefore = (lmt: string): string => later(lmt, -1000);

/** A wall-clock moment so many milliseconds later. */
export const later = (moment: string, milliseconds: number): string =>
  utcClock(Math.floor(Date.parse(`${moment.replace(' ', 'T')}Z`) + milliseconds));

/** A moment as a wall clock in UTC shows it. */
export const utcClock = (time: number): string =>
  new Date(time).toISOString().replace('T', ' ').replace('Z', '');

/** Whether a field holds nothing: services say none as zero, off or an empty text too. */
export const isNothing = (value: Value | undefined): boolean => !value;
