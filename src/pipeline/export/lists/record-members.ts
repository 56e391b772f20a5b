import type { AnswerRecord } from '../../../schema/answer.ts';
import { parseIso } from '../../../schema/codecs/datetime.ts';
import { integerCodec } from '../../../schema/codecs/integer.ts';

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
