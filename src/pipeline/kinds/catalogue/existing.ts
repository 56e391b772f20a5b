import type { AnswerRecord } from '../../../schema/answer.ts';
import { parseIso } from '../../../schema/codecs/datetime.ts';
import { integerCodec } from '../../../schema/codecs/integer.ts';
import type { Value } from '../../../schema/value.ts';
import type { KeyedResource } from '../keyed-resource.ts';

/** A record as the service holds it, in the resource's own fields; `id` is null for one that an earlier row creates. */
export interface Existing {
  readonly id: number | null;
  readonly external: number | null;
  readonly lmt: string | null;
  readonly values: Readonly<Record<string, Value>>;
}

const asNumber = (value: Value): number | null => (typeof value === 'number' ? value : null);

/** Reads a record of a detail or list answer; null when it holds no id. List spellings are translated. */
export function readExisting(resource: KeyedResource, record: AnswerRecord): Existing | null {
  const id = asNumber(integerCodec.read(record[resource.id]));
  if (id === null) return null;
  const values: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const answer = record[name] ?? (field.listName === undefined ? undefined : record[field.listName]);
    if (answer !== undefined) values[name] = field.codec.read(answer);
  }
  return {
    id,
    external: asNumber(integerCodec.read(record[resource.external])),
    lmt: typeof record.LMT === 'string' ? (parseIso(record.LMT) ?? null) : null,
    values,
  };
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
