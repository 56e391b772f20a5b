import { z } from 'zod';
import type { Codec } from './codec.ts';
import { booleanCodec } from './codecs/boolean.ts';
import { datetimeCodec } from './codecs/datetime.ts';
import { decimalCodec } from './codecs/decimal.ts';
import { integerCodec } from './codecs/integer.ts';
import { textCodec } from './codecs/text.ts';
import type { Fields } from './field.ts';
import type { Value } from './value.ts';

/** A lenient member of an answer: read by its codec, absent allowed, what is not understood kept as it is. */
const member = (codec: Codec) =>
  z
    .unknown()
    .transform((answer): Value => codec.read(answer))
    .optional();

const ofType = {
  int: () => member(integerCodec),
  float: () => member(decimalCodec),
  bool: () => member(booleanCodec),
  string: () => member(textCodec),
  datetime: () => member(datetimeCodec),
  /** "Exact type not shown": kept as it came, but for empty text, which is null. */
  unknown: () =>
    z
      .unknown()
      .transform((answer): unknown => (answer === '' ? null : answer))
      .optional(),
} as const;

/** How a member of an answer is read. */
export type AnswerType = keyof typeof ofType;
/** One record of an answer, by the interface’s own names. */
export type AnswerRecord = Record<string, unknown>;

/** A record of an answer from `Name: type` pairs; unknown extra members are kept. */
export function answerRecord(
  members: Readonly<Record<string, AnswerType | z.ZodType>>,
): z.ZodType<AnswerRecord> {
  const shape = Object.entries(members).map(([name, type]) => [
    name,
    typeof type === 'string' ? ofType[type]() : type,
  ]);
  return z.looseObject(Object.fromEntries(shape));
}

/** The record that a detail read returns, from the fields that it returns. */
export function detailRecord(fields: Fields): z.ZodType<AnswerRecord> {
  const shape = Object.entries(fields)
    .filter(([, field]) => field.reads === 'both' || field.reads === 'detail')
    .map(([name, field]) => [name, member(field.codec)]);
  return z.looseObject(Object.fromEntries(shape));
}

/** An answer that may be nothing: null, `{}`, `[]`, or `success` false all stand for a missing record (design: Dialect). */
export function isMissing(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (Array.isArray(answer)) return answer.length === 0;
  if (typeof answer !== 'object') return false;
  const { length } = Object.keys(answer);
  return length === 0 || (length <= 4 && saysFalse(answer));
}

/** The flag of a write in either of its spellings (interface 7), be it as text. */
function saysFalse(answer: object): boolean {
  return Object.entries(answer).some(
    ([name, value]) => /^success?$/i.test(name) && booleanCodec.read(value) === false,
  );
}

/** A detail read: the record, alone or as the one element of a list or of `data`; null when there is none. */
export function detailAnswer(record: z.ZodType<AnswerRecord>): z.ZodType<AnswerRecord | null> {
  return z.preprocess((answer) => unwrap(answer), record.nullable());
}

function unwrap(answer: unknown): unknown {
  if (isMissing(answer)) return null;
  if (Array.isArray(answer)) return unwrap(answer[0]);
  const { data } = answer as { data?: unknown };
  const wrapped = typeof data === 'object' && Object.keys(answer as object).length <= 4;
  return wrapped ? unwrap(data) : answer;
}

/** A list read: a list, a single record, or either inside `data` (interface 4.4: whether a list is returned is not shown). */
export function listAnswer(record: z.ZodType<AnswerRecord>): z.ZodType<AnswerRecord[]> {
  return z.preprocess((answer) => toList(answer), z.array(record));
}

function toList(answer: unknown): unknown[] {
  if (isMissing(answer)) return [];
  if (Array.isArray(answer)) return answer;
  const { data } = answer as { data?: unknown };
  return data !== undefined && typeof data === 'object' ? toList(data) : [answer];
}

/** What a write answers (interface 7): the affected id, under whatever name, and the flag, in either spelling. */
export interface WriteAnswer {
  readonly id: number | null;
  readonly success: boolean;
  /** The service's own words, when it gave any. */
  readonly message: string | null;
}

const ID_NAMES = ['ProductID', 'id', 'ID', 'Id', 'PartijID', 'RitID', 'ArrangementID'];

/**
 * Understands `{ProductID, success}`, `{id, succes}`, `{}` and the same with text values, in a list or in `data`.
 * A missing flag is success, unless there is a list of errors.
 */
export const writeAnswer: z.ZodType<WriteAnswer> = z.preprocess(
  (answer) => {
    const members = membersOf(answer);
    const id = ID_NAMES.map((name) => integerCodec.read(members[name])).find(Number.isSafeInteger);
    const failed = saysFalse(members) || answer === false || !isMissing(members.errors);
    return { id: id ?? null, success: !failed, message: textCodec.read(members.message) };
  },
  z.object({ id: z.number().nullable(), success: z.boolean(), message: z.string().nullable() }),
);

function membersOf(answer: unknown): AnswerRecord {
  if (Array.isArray(answer)) return membersOf(answer[0]);
  if (typeof answer !== 'object' || answer === null) return {};
  const members = answer as AnswerRecord;
  const { data } = members;
  return typeof data === 'object' && data !== null ? { ...members, ...membersOf(data) } : members;
}
