import { z } from 'zod';
import { type Codec, unlessFlag } from '../core/codec.ts';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { decimalCodec } from '../core/codecs/decimal.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { textCodec } from '../core/codecs/text.ts';
import type { Field, Fields } from './field.ts';

/** Reads a member; what it does not understand it keeps as it is. */
type ReadMember = (answer: unknown) => unknown;

const ofType = {
  int: unlessFlag(integerCodec.read),
  float: unlessFlag(decimalCodec.read),
  bool: booleanCodec.read,
  string: textCodec.read,
  datetime: datetimeCodec.read,
  /** "Exact type not shown": kept as it came, but for empty text, which is null. */
  unknown: (answer) => (answer === '' ? null : answer),
} as const satisfies Record<string, ReadMember>;

/** How a member of an answer is read. */
export type AnswerType = keyof typeof ofType;
/** One record of an answer, by the interface’s own names. */
export type AnswerRecord = Record<string, unknown>;

/** A record of an answer from `Name: type` pairs; absent members are allowed, unknown extra ones are kept. */
export function answerRecord(
  members: Readonly<Record<string, AnswerType | z.ZodType>>,
): z.ZodType<AnswerRecord> {
  return recordOf(
    Object.entries(members).map(([name, type]) => [name, typeof type === 'string' ? ofType[type] : type]),
  );
}

const typeOf = new Map<unknown, AnswerType>(
  Object.entries(ofType).map(([type, read]) => [read, type as AnswerType]),
);

/** The type that a member's reader reads; undefined for a reader of something else. */
export function answerTypeOf(read: ReadMember): AnswerType | undefined {
  return typeOf.get(read);
}

const known = new WeakMap<z.ZodType, Readonly<Record<string, ReadMember | z.ZodType>>>();

/** The members that a record of an answer knows, each with what reads it; undefined for any other schema. */
export function answerMembers(
  schema: z.ZodType,
): Readonly<Record<string, ReadMember | z.ZodType>> | undefined {
  return known.get(schema);
}

/** The record that a detail read returns, from the fields that it returns. */
export function detailRecord(fields: Fields): z.ZodType<AnswerRecord> {
  const returned = Object.entries(fields).filter(([, { reads }]) => reads === 'both' || reads === 'detail');
  return recordOf(returned.map(([name, { codec }]) => [name, codec.read]));
}

/** Reads one record, or whatever holds some; undefined for what holds none. What needs no change is answered as it came. */
type ReadRecord = (answer: unknown) => unknown;

const readers = new WeakMap<z.ZodType, ReadRecord>();

/**
 * Read by a plain loop: a list has thousands of records of a hundred members each, and none of them is refused. A member that should be a
 * record and is something else stays as it came, as a value does that is not understood.
 */
function recordOf(members: readonly (readonly [string, ReadMember | z.ZodType])[]): z.ZodType<AnswerRecord> {
  const reads = members.map(
    ([name, read]) => [name, typeof read === 'function' ? read : nestedReader(read)] as const,
  );
  const read = (answer: unknown): AnswerRecord | undefined => {
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
  const schema = z.unknown().transform((answer, context): AnswerRecord => {
    const record = read(answer);
    if (record !== undefined) return record;
    context.issues.push({ code: 'invalid_type', expected: 'object', input: answer });
    return z.NEVER;
  });
  known.set(schema, Object.fromEntries(members));
  readers.set(schema, read);
  return schema;
}

/** A member that is a record, or with `many` a list of them or one alone; or nothing. */
function nestedRecord(record: z.ZodType<AnswerRecord>, { many = false } = {}): z.ZodType {
  const schema = (many ? record.or(record.array()) : record).nullable().optional();
  const read = readers.get(record);
  if (read !== undefined) readers.set(schema, many ? (answer) => readSome(read, answer) : read);
  return schema;
}

function readSome(read: ReadRecord, answer: unknown): unknown {
  if (!Array.isArray(answer)) return read(answer);
  const records = answer.map(read);
  if (records.includes(undefined)) return undefined;
  return records.every((record, at) => record === answer[at]) ? answer : records;
}

function nestedReader(schema: z.ZodType): ReadMember {
  const read = readers.get(schema) ?? ((answer: unknown) => schema.safeParse(answer).data);
  return (value) => {
    if (value === null) return null;
    const found = read(value);
    if (found !== undefined) return found;
    if (isNothing(value)) return null;
    return Array.isArray(value) && value.length === 1 ? (read(value[0]) ?? value) : value;
  };
}

/** What stands for no record at all: an empty object of PHP's is an empty list in JSON. */
const isNothing = (value: unknown): boolean =>
  value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** An answer that may be nothing: null, `{}`, `[]`, or `success` false all stand for a missing record (design: Dialect). */
export function isMissing(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (Array.isArray(answer)) return answer.length === 0;
  if (typeof answer !== 'object') return false;
  const { length } = Object.keys(answer);
  return length === 0 || (length <= 4 && saysFalse(answer));
}

/** `{success: false}` and the like, in place of what was asked for. */
export function isRefusal(answer: unknown): boolean {
  return isMissing(answer) && typeof answer === 'object' && answer !== null && saysFalse(answer);
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

/** A list with what stands around it kept, such as how many pages there are: one object then, that holds it. */
export function wholeAnswer(record: z.ZodType<AnswerRecord>): z.ZodType<AnswerRecord[]> {
  const whole = (answer: unknown): unknown[] => (Array.isArray(answer) ? answer : [answer]);
  return z.preprocess((answer) => (isMissing(answer) ? [] : whole(answer)), z.array(record));
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

/** What a record holds, by the interface's own names and in its order. */
export type Members = Readonly<Record<string, Member>>;

/** A member's type; of a nested record its members, with whether there is one or may be a list of them. Either may be null. */
export type Member =
  | AnswerType
  | { readonly one: Members }
  /** `flat`: there is one as a rule, so that the first of them can stand in the row of what it is nested in. */
  | { readonly many: Members; readonly flat?: boolean };

/** A field's type as answers tell it. */
export const ANSWERED: Readonly<Record<Codec['type'], AnswerType>> = {
  integer: 'int',
  decimal: 'float',
  text: 'string',
  boolean: 'bool',
  datetime: 'datetime',
};

/** What a list calls a field; null for one that lists don't return. */
export function listedName(name: string, { reads, listName }: Field): string | null {
  return reads === 'both' || reads === 'list' ? (listName ?? name) : null;
}

/**
 * What the records of a list hold: the members of the interface's record, then the fields that lists return and it does not name,
 * so that a new field is read, described and exported by its one line.
 */
export function listedMembers(fields: Fields, members: Members = {}): Members {
  const others = Object.entries(fields).flatMap(([name, field]): [string, AnswerType][] => {
    const member = listedName(name, field);
    return member === null || Object.hasOwn(members, member) ? [] : [[member, ANSWERED[field.codec.type]]];
  });
  return others.length === 0 ? members : { ...members, ...Object.fromEntries(others) };
}

const records = new WeakMap<Members, z.ZodType<AnswerRecord>>();

/** The lenient schema of a record with these members, one and the same for each of them; those it doesn't know are kept. */
export function membersRecord(members: Members): z.ZodType<AnswerRecord> {
  const known = records.get(members);
  if (known !== undefined) return known;
  const shape = Object.entries(members).map(([name, member]) => [name, schemaOf(member)]);
  const record = answerRecord(Object.fromEntries(shape));
  records.set(members, record);
  return record;
}

function schemaOf(member: Member): AnswerType | z.ZodType {
  if (typeof member === 'string') return member;
  return 'one' in member
    ? nestedRecord(membersRecord(member.one))
    : nestedRecord(membersRecord(member.many), { many: true });
}

/** An answer of which the interface shows nothing. */
export interface OpenAnswer {
  /** The JSON that it is, or its text. */
  readonly content: unknown;
  /** What it says in words: one short line, fit to show; null where it says nothing. */
  readonly words: string | null;
}

/** A file that was asked for, or what came in its place. */
export interface FileAnswer {
  readonly bytes: Uint8Array;
  /** The media type that the service gives it, in lower case and without parameters; null where it gives none. */
  readonly type: string | null;
  /** What it says where it is a text: one short line, fit to show; null for any other content. */
  readonly words: string | null;
}

/** Reads an answer of which nothing is shown. */
export const openAnswer: z.ZodType<OpenAnswer> = z.object({
  content: z.unknown(),
  words: z.string().nullable(),
});

/** Reads a file. */
export const fileAnswer: z.ZodType<FileAnswer> = z.object({
  bytes: z.instanceof(Uint8Array),
  type: z.string().nullable(),
  words: z.string().nullable(),
});
