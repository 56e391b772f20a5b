import { parseIso } from '../../core/codecs/datetime.ts';
import { integerCodec } from '../../core/codecs/integer.ts';
import type { Value } from '../../core/value.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { FieldReads } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import type { KeyedResource } from '../keyed-resource.ts';

/** A record as the service holds it, in the resource's own fields; `id` is null for one that an earlier row creates. */
export interface Existing {
  readonly id: number | null;
  readonly external: number | null;
  readonly lmt: string | null;
  readonly values: Readonly<Record<string, Value>>;
}

const asNumber = (value: Value): number | null => (typeof value === 'number' ? value : null);

/** Fields that a read returns, by what they say of themselves: one that it leaves out is empty, one that it never returns is not known. */
export type Returned = readonly FieldReads[];
export const LISTED: Returned = ['both', 'list'];
export const DETAILED: Returned = ['both', 'detail'];

/** Reads a record of a detail or list answer; null when it holds no id. List spellings are translated. */
export function readExisting(
  resource: KeyedResource,
  record: AnswerRecord,
  returned: Returned,
): Existing | null {
  const id = asNumber(integerCodec.read(record[resource.id]));
  if (id === null) return null;
  return {
    id,
    external: asNumber(integerCodec.read(record[resource.external])),
    lmt: typeof record.LMT === 'string' ? (parseIso(record.LMT) ?? null) : null,
    values: readValues(resource, record, returned),
  };
}

/**
 * The resource's own fields of a record: null where it is empty, be it that some services leave out what is, and absent where
 * the read does not tell. Whoever took the one for the other would overwrite what someone emptied or filled in.
 */
export function readValues(
  { fields }: Pick<Resource, 'fields'>,
  record: AnswerRecord,
  returned: Returned,
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, { codec, reads, listName }] of Object.entries(fields)) {
    const answer = record[name] ?? (listName === undefined ? undefined : record[listName]);
    if (answer != null) values[name] = codec.read(answer);
    else if (returned.includes(reads) || (answer === null && reads !== 'none')) values[name] = null;
  }
  return values;
}

/** Equal for the user: numbers as a spreadsheet shows them, text without its outer blanks. */
export function sameValue(a: Value | undefined, b: Value): boolean {
  const left = a ?? null;
  if (typeof left === 'number' && typeof b === 'number') {
    return Math.abs(left - b) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(b));
  }
  // A flag that was cleared comes back as false from some services.
  if (b === null && left === false) return true;
  return left === b;
}
