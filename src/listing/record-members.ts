import { parseIso } from '../core/codecs/datetime.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import type { AnswerRecord } from '../schema/answer.ts';

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

/** Whether a record is deleted, and only listed so that others hear of it. */
export const isDeleted = ({ DEL }: AnswerRecord): boolean => DEL === true;

/**
 * The records of one list, each once, where it first stands: of those that are there more than once, the one that was written last. What
 * has no id can't be told from others, and stays.
 */
export function newestOf(records: readonly AnswerRecord[], id: string, modified: string): AnswerRecord[] {
  const known = new Map<number | AnswerRecord, AnswerRecord>();
  for (const record of records) {
    const key = numberIn(record, id) ?? record;
    const other = known.get(key);
    if (other === undefined || (momentIn(record, modified) ?? '') > (momentIn(other, modified) ?? ''))
      known.set(key, record);
  }
  return [...known.values()];
}
