import { z } from 'zod';
import { type Language, t } from '../core/language.ts';
import { type AnswerType, answerMembers, answerTypeOf, writeAnswer } from '../schema/answer.ts';
import type { Fields } from '../schema/field.ts';
import { harmlessAnswer, tellingAnswer, unshownAnswer } from '../schema/judge-answer.ts';
import { listOf } from '../schema/page.ts';

/** A JSON Schema, as an OpenAPI 3.1 document holds it. */
export type JsonSchema = Record<string, unknown>;

/** The description of a member; undefined where there is none. */
type Describe = (member: string) => string | undefined;

/** Names a record in the document; returns a reference to it. */
export type NameRecord = (record: z.ZodType, schema: () => JsonSchema) => JsonSchema;

/** Members as the program reads them: as a number, as text, or null (interface 2.5). */
const LENIENT: Readonly<Record<AnswerType, JsonSchema>> = {
  int: { type: ['integer', 'string', 'null'] },
  float: { type: ['number', 'string', 'null'] },
  bool: { type: ['boolean', 'integer', 'string', 'null'] },
  string: { type: ['string', 'number', 'boolean', 'null'] },
  datetime: { type: ['string', 'null'], examples: ['2027-04-28 11:30:00.000'] },
  unknown: {},
};

/** A nested record is described in place. */
const INLINE: NameRecord = (_, schema) => schema();

/** The answer to a write (interface 7). */
const WRITTEN: JsonSchema = {
  type: ['object', 'null'],
  properties: {
    id: LENIENT.int,
    ProductID: LENIENT.int,
    success: LENIENT.bool,
    succes: LENIENT.bool,
    message: LENIENT.string,
  },
};

const WRITE_ANSWERS: readonly z.ZodType[] = [writeAnswer, tellingAnswer, harmlessAnswer, unshownAnswer];

/** The parts of a zod definition that are read here. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly out?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** The lenient JSON Schema of an answer: every member of a record, of any type that the program reads. */
export function answerSchema(answer: z.ZodType, named: NameRecord, describe: Describe): JsonSchema {
  if (WRITE_ANSWERS.includes(answer)) return WRITTEN;
  const list = listOf(answer);
  if (list !== undefined) {
    const record = answerSchema(list.record, named, describe);
    return list.inPages ? pageSchema(record) : { type: 'array', items: record };
  }
  const members = answerMembers(answer);
  if (members !== undefined) return named(answer, () => recordSchema(members, describe));
  const of = (inner: z.ZodType): JsonSchema => answerSchema(inner, named, describe);
  const { type, shape, innerType, element, out, options } = answer.def as unknown as Definition;
  if (shape !== undefined) return { type: 'object', properties: propertiesOf(shape, of) };
  if (out !== undefined) return of(out);
  if (element !== undefined) return { type: 'array', items: of(element) };
  if (type === 'nullable' && innerType !== undefined) return { anyOf: [of(innerType), { type: 'null' }] };
  if (innerType !== undefined) return of(innerType);
  if (options !== undefined) return { anyOf: options.map(of) };
  return type === 'record' ? { type: 'object' } : {};
}

function propertiesOf<T>(
  shape: Readonly<Record<string, T>>,
  of: (inner: T, name: string) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, of(inner, name)]));
}

function recordSchema(
  members: NonNullable<ReturnType<typeof answerMembers>>,
  describe: Describe,
): JsonSchema {
  const properties = propertiesOf(members, (read, name) => {
    const description = describe(name);
    const schema =
      typeof read === 'function'
        ? LENIENT[answerTypeOf(read) ?? 'unknown']
        : answerSchema(read, INLINE, () => undefined);
    return description === undefined ? schema : { ...schema, description };
  });
  return { type: 'object', properties };
}

/** A page, alone or in a list of one; or the records themselves (interface 4.3). */
function pageSchema(record: JsonSchema): JsonSchema {
  const link = { type: ['string', 'null'] };
  const count = LENIENT.int;
  const page = {
    type: 'object',
    required: ['data'],
    properties: {
      data: { type: 'array', items: record },
      links: { type: 'object', properties: { first: link, last: link, prev: link, next: link } },
      meta: {
        type: 'object',
        properties: {
          ...{ current_page: count, from: count, last_page: count, path: link },
          ...{ per_page: count, to: count, total: count },
        },
      },
    },
  };
  return { anyOf: [{ type: 'array', items: { anyOf: [page, record] } }, page] };
}

const FILE = t('The file itself: its bytes, with its name', 'Het bestand zelf: de bytes, met de naam');

const UNTOLD = (names: string) =>
  t(
    `No table of the interface has ${names} here; a service may take it all the same`,
    `Geen tabel van de interface heeft ${names} hier; een systeem kan het wel aannemen`,
  );

/**
 * The strict JSON Schema of a body, with its fields described. `untold`: fields that the interface names for
 * no such request, though a service may take them.
 */
export function bodyJsonSchema(
  body: z.ZodType,
  fields: Fields,
  language: Language,
  untold: readonly string[] = [],
): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(body, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The only custom type is a file.
      if (zodSchema._zod.def.type === 'custom')
        Object.assign(jsonSchema, { type: 'string', contentMediaType: 'application/octet-stream' });
      // The bounds of safe integers tell nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
      }
    },
  }) as JsonSchema;
  const { properties: all = {} } = schema as { properties?: Readonly<Record<string, JsonSchema>> };
  const properties = Object.fromEntries(Object.entries(all).filter(([name]) => !untold.includes(name)));
  const described = propertiesOf(properties, (member, name) => {
    const field = fields[name];
    if (field === undefined) return member;
    // The field's own help speaks of a path.
    if (member.contentMediaType !== undefined) return { ...member, description: FILE[language] };
    const examples = field.example === undefined ? {} : { examples: [wireExample(member, field.example)] };
    return { ...member, description: field.help[language], ...examples };
  });
  const { additionalProperties: _others, ...open } = schema;
  const strict = untold.length === 0 ? schema : { ...open, ...takenToo(untold, all, language) };
  return { ...strict, properties: described, ...oneOfThem(body) };
}

/** A field's example as it is sent: a moment with its seconds. */
function wireExample(member: JsonSchema, example: string | number | boolean): string | number | boolean {
  if (typeof example !== 'string' || !JSON.stringify(member).includes('pattern')) return example;
  return /^\d{4}-\d{2}-\d{2}$/.test(example) ? `${example} 00:00:00` : example.padEnd(19, ':00');
}

/** Takes fields without offering them, in a way that leaves the types of generated clients exact. */
const takenToo = (
  names: readonly string[],
  all: Readonly<Record<string, JsonSchema>>,
  language: Language,
) => ({
  description: UNTOLD(names.join(', '))[language],
  propertyNames: { enum: [...Object.keys(all).filter((name) => !names.includes(name)), ...names] },
});

/** What a body that needs one of some fields says of that; null is no value. */
function oneOfThem(body: z.ZodType): JsonSchema {
  const { checks = [] } = body._zod.def;
  const groups = checks.flatMap((check) => {
    const { params } = (check as { _zod: { def: { params?: { oneOf?: readonly string[] } } } })._zod.def;
    return params?.oneOf === undefined ? [] : [params.oneOf];
  });
  const [names] = groups;
  if (names === undefined) return {};
  const given = (name: string) => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } });
  return { anyOf: names.map(given) };
}
