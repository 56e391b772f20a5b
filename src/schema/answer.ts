import { z } from 'zod';
import { type Codec, unlessFlag } from '../core/codec.ts';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { decimalCodec } from '../core/codecs/decimal.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import { type Bilingual, t } from '../core/language.ts';
import { checkWords, outline } from '../core/shape-words.ts';
import type { Field, Fields } from './field.ts';

/** Reads a member of an answer; what it does not understand stays as it is. */
type ReadMember = (answer: unknown) => unknown;

const READERS = {
  int: unlessFlag(integerCodec.read),
  float: unlessFlag(decimalCodec.read),
  bool: booleanCodec.read,
  string: textCodec.read,
  datetime: datetimeCodec.read,
  /** "Exact type not shown": stays as it is, but for empty text, which is null. */
  unknown: (answer) => (answer === '' ? null : answer),
} as const satisfies Record<string, ReadMember>;

/** The type that a member is read as. */
export type AnswerType = keyof typeof READERS;
/** One record of an answer, by the interface’s own names. */
export type AnswerRecord = Record<string, unknown>;

/**
 * The members of a record, by the interface’s own names and in its order: the type of each, or the members of
 * a nested record or null; `many` may be a list of them.
 */
export type Members = Readonly<
  Record<
    string,
    | AnswerType
    | { readonly one: Members }
    /** `flat`: there is usually one, so that an export shows the first in the row of its parent. */
    | { readonly many: Members; readonly flat?: boolean }
  >
>;

/** The value at a path in a record; a list on the way stands for its first item. */
export function memberAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (let at = 0; at < path.length; at++) {
    if (Array.isArray(value)) value = value[0];
    if (typeof value !== 'object' || value === null) return null;
    value = (value as AnswerRecord)[path[at] as string];
  }
  return value;
}

/**
 * Reads records by a plain loop: a list has thousands of records of a hundred members. No record is refused,
 * and one that needs no change is returned as it came; what is no record is undefined.
 */
export function recordReader(members: Members): (answer: unknown) => AnswerRecord | undefined {
  const reads = Object.entries(members).map(([name, member]) => [name, memberReader(member)] as const);
  return (answer) => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
    let record = answer as AnswerRecord;
    for (const [name, readMember] of reads) {
      const value = record[name];
      if (value === undefined) continue;
      const found = readMember(value);
      if (found === value) continue;
      if (record === answer) record = { ...record };
      record[name] = found;
    }
    return record;
  };
}

/** A nested record that is something else stays. */
function memberReader(member: Members[string]): ReadMember {
  if (typeof member === 'string') return READERS[member];
  const one = recordReader('one' in member ? member.one : member.many);
  const read = 'one' in member ? one : (answer: unknown) => readSome(one, answer);
  return (value) => {
    const found = read(value);
    if (found !== undefined) return found;
    if (isNothing(value)) return null;
    return Array.isArray(value) && value.length === 1 ? (read(value[0]) ?? value) : value;
  };
}

function readSome(read: ReadMember, answer: unknown): unknown {
  if (!Array.isArray(answer)) return read(answer);
  const records = answer.map(read);
  if (records.includes(undefined)) return undefined;
  return records.every((record, at) => record === answer[at]) ? answer : records;
}

/** What stands for no record: PHP writes an empty object as an empty list. */
const isNothing = (value: unknown): boolean =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Whether an answer stands for a missing record: null, `{}`, `[]`, or `success` false. */
export function isMissing(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (Array.isArray(answer)) return answer.length === 0;
  if (typeof answer !== 'object') return false;
  const { length } = Object.keys(answer);
  return length === 0 || (length <= 4 && saysFalse(answer));
}

/** Whether an answer is `{success: false}` or the like. */
export function isRefusal(answer: unknown): boolean {
  return isMissing(answer) && typeof answer === 'object' && answer !== null && saysFalse(answer);
}

/** Whether the flag of a write is false, in either spelling (interface 7), also as text. */
function saysFalse(answer: object): boolean {
  return Object.entries(answer).some(
    ([name, value]) => /^success?$/i.test(name) && booleanCodec.read(value) === false,
  );
}

interface AnswerForm {
  /** One record, a list of them, one page of a list, or the places of a total. */
  readonly form: 'detail' | 'list' | 'pages' | 'total';
  /** The members of its records. */
  readonly members: Members;
}

const forms = new WeakMap<z.ZodType, AnswerForm>();

/** What the schema of an answer with records describes; undefined for any other. */
export const formOf = (schema: z.ZodType): AnswerForm | undefined => forms.get(schema);

/** Refuses an answer: for what our own words say, or for a part of it that is something else. */
type Refuse = (
  wrong:
    | Bilingual
    | { readonly expected: 'array' | 'object'; readonly input: unknown; readonly path: (string | number)[] },
) => never;

/** The schema of an answer with records, which a description of the interface is made from too. */
export function recordAnswer<T>(
  { form, members }: AnswerForm,
  read: (answer: unknown, refuse: Refuse) => T,
): z.ZodType<T> {
  const schema = z.unknown().transform(
    (answer, { issues }): T =>
      read(answer, (wrong) => {
        if ('en' in wrong) issues.push({ code: 'custom', input: answer, ...checkWords(wrong) });
        else issues.push({ code: 'invalid_type', ...wrong });
        return z.NEVER;
      }),
  );
  forms.set(schema, { form, members });
  return schema;
}

/**
 * The schema of a detail read: the record, alone or as the one element of a list or of what services wrap
 * answers in; null when there is none. A record has its `id`: the member of that name, else any whose name
 * ends in ID. What has none is no record, as its absent fields would be read as empty.
 */
export function detailAnswer(members: Members = {}, id?: string): z.ZodType<AnswerRecord | null> {
  const read = recordReader(members);
  return recordAnswer({ form: 'detail', members }, (answer, refuse) => {
    // No body at all is what a failing service answers too: it is no word on the record.
    const found = answer === undefined ? undefined : unwrap(answer, (one) => hasId(one, id));
    if (found === undefined) return refuse(noRecord(answer));
    return found === null ? null : (read(found) as AnswerRecord);
  });
}

const noRecord = (answer: unknown) =>
  t(
    `no record that is understood: ${outline(answer)}`,
    `geen record dat te begrijpen is: ${outline(answer)}`,
  );

const ID_MEMBER = /(?:ID|Id|_id)$|^id$/;

/** Whether a record has the id of that name, else any. */
function hasId(record: object, id: string | undefined): boolean {
  if (id !== undefined) return isId((record as AnswerRecord)[id]);
  return Object.entries(record).some(([name, value]) => ID_MEMBER.test(name) && isId(value));
}

const isId = (value: unknown): boolean => Number.isSafeInteger(integerCodec.read(value));

/** What services wrap an answer in. */
export const WRAPPING = /^(?:data|result|resultaat|response|record|item|0)$/i;

/** The record in an answer, null where it says that there is none, undefined for anything else. */
function unwrap(answer: unknown, isRecord: (one: object) => boolean): object | null | undefined {
  if (isMissing(answer)) return null;
  if (typeof answer !== 'object' || answer === null) return undefined;
  if (Array.isArray(answer)) return answer.length === 1 ? unwrap(answer[0], isRecord) : undefined;
  if (isRecord(answer)) return answer;
  const members = Object.entries(answer).filter(([name]) => WRAPPING.test(name));
  const [[, inner] = []] = members;
  const wraps = members.length === 1 && typeof inner === 'object' && Object.keys(answer).length <= 4;
  return wraps ? unwrap(inner, isRecord) : undefined;
}

/** What a write answers (interface 7): the affected id, under any name, and the flag, in either spelling. */
export interface WriteAnswer {
  readonly id: number | null;
  readonly success: boolean;
  /** The service's own message, if any. */
  readonly message: string | null;
}

const ID_NAMES = ['ProductID', 'id', 'ID', 'Id', 'PartijID', 'RitID', 'ArrangementID'];

/**
 * Understands `{ProductID, success}`, `{id, succes}`, `{}` and the same with text values, in a list or in
 * `data`. A missing flag is success, unless there is a list of errors; an empty body tells nothing.
 */
export const writeAnswer: z.ZodType<WriteAnswer> = z.preprocess(
  (answer) => {
    if (answer === undefined) return undefined;
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

/** Neighbouring members of one type, in their order. */
export const typed = <T extends AnswerType, N extends string>(
  type: T,
  ...names: N[]
): Readonly<Record<N, T>> => Object.fromEntries(names.map((name) => [name, type])) as Record<N, T>;

/** The type of an answer that each type of field is read as. */
export const ANSWERED: Readonly<Record<Codec['type'], AnswerType>> = {
  integer: 'int',
  decimal: 'float',
  text: 'string',
  boolean: 'bool',
  datetime: 'datetime',
};

/** The name of a field in lists; null for one that lists don’t return. */
export function listedName(name: string, { reads, listName }: Field): string | null {
  return reads === 'both' || reads === 'list' ? (listName ?? name) : null;
}

/**
 * The members of a list’s records: those of the interface’s record, then the fields that lists return
 * besides, so that a new field is read, described and exported by its one line.
 */
export function listedMembers(fields: Fields, members: Members = {}): Members {
  const others = Object.entries(fields).flatMap(([name, field]): [string, AnswerType][] => {
    const member = listedName(name, field);
    return member === null || Object.hasOwn(members, member) ? [] : [[member, ANSWERED[field.codec.type]]];
  });
  return others.length === 0 ? members : { ...members, ...Object.fromEntries(others) };
}

/** The members of the record of a detail read, from the fields that it returns. */
export const detailMembers = (fields: Fields): Members =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { reads }]) => reads === 'both' || reads === 'detail')
      .map(([name, { codec }]) => [name, ANSWERED[codec.type]]),
  );

/** The schema of an answer of which the interface shows nothing. */
export const openAnswer = z.object({
  /** Its JSON, or its text. */
  content: z.unknown(),
  /** Its words in one short line, fit to show; null where it has none. */
  words: z.string().nullable(),
});
/** An answer of which the interface shows nothing. */
export type OpenAnswer = Readonly<z.infer<typeof openAnswer>>;

/** The schema of a file that was asked for, or of what came in its place. */
export const fileAnswer = z.object({
  bytes: z.instanceof(Uint8Array<ArrayBufferLike>),
  /** Its text in one short line, fit to show; null for any other content. */
  words: z.string().nullable(),
});
/** A file that was asked for, or what came in its place. */
export type FileAnswer = Readonly<z.infer<typeof fileAnswer>>;
