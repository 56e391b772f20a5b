import { z } from 'zod';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { type AnswerType, formOf, type Members, writeAnswer } from '../schema/answer.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { Fields } from '../schema/field.ts';
import { harmlessAnswer, tellingAnswer, unshownAnswer } from '../schema/judge-answer.ts';
import type { Resource } from '../schema/resource.ts';

/** A JSON Schema, as an OpenAPI 3.1 document holds it. */
type JsonSchema = Record<string, unknown>;

/** The description of a member; undefined where there is none. */
type Describe = (member: string) => string | undefined;

/** Names a record in the document; returns a reference to it. */
type NameRecord = (members: Members, schema: () => JsonSchema) => JsonSchema;

/** The effect of a repeated request, for authors of other clients. */
const EFFECT_TEXTS: Readonly<Record<Endpoint['effect'], Bilingual>> = {
  none: t('Reads only.', 'Leest alleen.'),
  same: t(
    'Sent twice it leaves the same as sent once.',
    'Twee keer versturen laat hetzelfde achter als één keer.',
  ),
  each: t(
    'Takes place anew each time it is sent: never repeat it blindly after a lost answer.',
    'Gebeurt elke keer opnieuw als het verstuurd wordt: herhaal het nooit blind na een verloren antwoord.',
  ),
};

interface InterfaceParts {
  readonly endpoints: readonly Endpoint[];
  /** Their fields describe the members of bodies and records. */
  readonly resources: readonly Resource[];
  readonly language: Language;
}

/** An OpenAPI 3.1 document of the service, made from the program's own endpoints. Plain data. */
export function interfaceDocument(parts: InterfaceParts): JsonSchema {
  const { endpoints, language } = parts;
  const schemas: Record<string, JsonSchema> = {};
  const named = recordNames(schemas);
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const path = `/${endpoint.path}`;
    const operation = operationOf(endpoint, parts, named(endpoint));
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  const groups = [...new Set(endpoints.map(groupOf))];
  const tags = groups.map((name) => ({ name, description: groupWords(name, parts.resources)[language] }));
  return {
    openapi: '3.1.0',
    info: {
      ...{
        title: t('Catering and event management', 'Catering en evenementen')[language],
        description: t(
          'Bodies are strict: what is not named is refused. Answers are as the service may give them: a member may come as a number, as text or as null, may be absent, and others may stand beside it; a list of one may come as the one record, and a list or a record within data. Where two paths fit, the one with the most fixed parts counts: event/package/{ID} before event/{ID}/processevent.',
          'Verzoeken zijn streng: wat niet genoemd is, wordt geweigerd. Antwoorden zijn zoals het systeem ze kan geven: een lid kan als getal, als tekst of als null komen, kan ontbreken, en er kunnen andere naast staan; een lijst van één kan als dat ene record komen, en een lijst of record binnen data. Waar twee paden passen, geldt dat met de meeste vaste delen: event/package/{ID} vóór event/{ID}/processevent.',
        )[language],
        version: 'v1',
      },
      license: {
        name: t(
          'MIT, as catersheet: this description, not the service itself',
          'MIT, zoals catersheet: deze beschrijving, niet het systeem zelf',
        )[language],
        identifier: 'MIT',
      },
    },
    servers: [
      {
        url: 'http://127.0.0.1:{port}',
        description: 'catersheet sandbox --port 4010',
        variables: { port: { default: '4010' } },
      },
      {
        url: '{base_url}',
        description: t(
          'Your own service, up to and not including api/v1',
          'Je eigen systeem, tot en zonder api/v1',
        )[language],
        variables: { base_url: { default: 'https://catering.example' } },
      },
    ],
    security: [{ token: [] }],
    tags,
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        Unauthenticated: {
          description: t('The token is missing or refused', 'Het token ontbreekt of wordt geweigerd')[
            language
          ],
          content: json(UNAUTHENTICATED),
        },
        Other: {
          description: t(
            'Any other answer; what it holds is not described',
            'Elk ander antwoord; wat erin staat is niet beschreven',
          )[language],
        },
      },
      schemas,
    },
  };
}

const UNAUTHENTICATED = {
  type: 'object',
  properties: { message: { type: 'string' }, errors: { type: 'string' } },
};

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

/** Describes a record that several endpoints answer once, under the name of the first. */
function recordNames(schemas: Record<string, JsonSchema>): (endpoint: Endpoint) => NameRecord {
  const names = new Map<Members, string>();
  return ({ name }) =>
    (record, schema) => {
      const known = names.get(record) ?? freeName(schemas, name);
      if (!names.has(record)) {
        names.set(record, known);
        // Takes its name before records nested in it take theirs.
        schemas[known] = {};
        schemas[known] = schema();
      }
      return { $ref: `#/components/schemas/${known}` };
    };
}

function freeName(schemas: Readonly<Record<string, JsonSchema>>, endpoint: string): string {
  const stem = endpoint.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  let name = stem;
  for (let number = 2; schemas[name] !== undefined; number++) name = `${stem}${number}`;
  return name;
}

function operationOf(endpoint: Endpoint, parts: InterfaceParts, named: NameRecord): JsonSchema {
  const { language, resources } = parts;
  const { name, section, effect, body, sends, summary = same(name) } = endpoint;
  const resource = resources.find(({ requests }) => Object.values(requests).includes(endpoint));
  const fields: Fields = resource?.fields ?? {};
  const type = sends === 'multipart' ? 'multipart/form-data' : 'application/json';
  const content = body && {
    [type]: { schema: bodyJsonSchema(body, fields, language, untoldIn(resource, endpoint)) },
  };
  return {
    operationId: name,
    summary: summary[language],
    tags: [groupOf(endpoint)],
    description: `${t('Interface', 'Interface')[language]} ${section}. ${EFFECT_TEXTS[effect][language]}`,
    ...parametersOf(endpoint, language),
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      200: {
        description: t('Done, unless success is false', 'Gelukt, tenzij success false is')[language],
        content: answerContent(endpoint, named, (member) => helpOf(fields, member, language)),
      },
      401: { $ref: '#/components/responses/Unauthenticated' },
      default: { $ref: '#/components/responses/Other' },
    },
  };
}

/** Fields of a resource that no table names for this request of its. */
function untoldIn(resource: Resource | undefined, endpoint: Endpoint): string[] {
  const { create, update } = (resource?.requests ?? {}) as Readonly<Record<string, unknown>>;
  if (endpoint !== create && endpoint !== update) return [];
  const of = endpoint === create ? 'create' : 'update';
  const fields = Object.entries(resource?.fields ?? {});
  return fields.flatMap(([name, field]) => (field[of] === 'dialect' ? [name] : []));
}

/** The help of a field, by its own name or its name in lists. */
function helpOf(fields: Fields, member: string, language: Language): string | undefined {
  const field = fields[member] ?? Object.values(fields).find(({ listName }) => listName === member);
  return field?.help[language];
}

function answerContent(
  { returns, answer }: Endpoint,
  named: NameRecord,
  describe: (member: string) => string | undefined,
): JsonSchema {
  if (returns === 'binary') return { '*/*': { schema: { contentMediaType: 'application/octet-stream' } } };
  if (returns === 'any') return { '*/*': {} };
  const schema = answerSchema(answer, named, describe);
  // A list of one record may come as that record (interface 4.4).
  return json(schema.type === 'array' ? { anyOf: [schema, schema.items] } : schema);
}

function parametersOf(endpoint: Endpoint, language: Language): JsonSchema {
  const whole = { type: 'integer' };
  const inPath = pathParameters(endpoint).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: endpoint.texts?.includes(name) === true ? { type: 'string' } : whole,
  }));
  const page = {
    name: 'page',
    in: 'query',
    description: t('The page, counted from 1', 'De pagina, geteld vanaf 1')[language],
    schema: whole,
  };
  const all = formOf(endpoint.answer)?.form === 'pages' ? [...inPath, page] : inPath;
  return all.length === 0 ? {} : { parameters: all };
}

/** The group of a request, by which the document has it: the first part of its name. */
const groupOf = ({ name }: Endpoint): string => name.split('.')[0] ?? name;

const GROUPS: Readonly<Record<string, Bilingual>> = {
  stock: t('Mutations of stock, and what there is', 'Voorraadmutaties, en wat er is'),
  orders: t('Purchase orders', 'Inkooporders'),
  lookups: t(
    'Lists and records whose numbers other requests take',
    'Lijsten en records waarvan andere verzoeken de nummers aannemen',
  ),
};

/** What a group of requests is about. */
const groupWords = (group: string, resources: readonly Resource[]): Bilingual =>
  GROUPS[group] ?? resources.find(({ name }) => name === group)?.about ?? same(group);

/** Members as the program reads them: as a number, as text, or null (interface 2.5). */
const LENIENT: Readonly<Record<AnswerType, JsonSchema>> = {
  int: { type: ['integer', 'string', 'null'] },
  float: { type: ['number', 'string', 'null'] },
  bool: { type: ['boolean', 'integer', 'string', 'null'] },
  string: { type: ['string', 'number', 'boolean', 'null'] },
  datetime: { type: ['string', 'null'], examples: ['2027-04-28 11:30:00.000'] },
  unknown: {},
};

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

/** The lenient JSON Schema of an answer: every member of a record, of any type that the program reads. */
function answerSchema(answer: z.ZodType, named: NameRecord, describe: Describe): JsonSchema {
  if (WRITE_ANSWERS.includes(answer)) return WRITTEN;
  const { form, members } = formOf(answer) ?? {};
  if (members === undefined) return {};
  const record =
    Object.keys(members).length === 0
      ? { type: 'object' }
      : named(members, () => recordSchema(members, describe));
  const list = { type: 'array', items: record };
  if (form === 'list') return list;
  if (form === 'pages') return pageSchema(record);
  const total = { type: 'object', properties: { total: list, success: LENIENT.bool } };
  return { anyOf: [form === 'total' ? total : record, NOTHING] };
}

const NOTHING = { type: 'null' };

function recordSchema(members: Members, describe: Describe): JsonSchema {
  const properties = Object.entries(members).map(([name, member]) => {
    const description = describe(name);
    const schema = memberSchema(member);
    return [name, description === undefined ? schema : { ...schema, description }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** A nested record is described in place. */
function memberSchema(member: Members[string]): JsonSchema {
  if (typeof member === 'string') return LENIENT[member];
  const record = recordSchema('one' in member ? member.one : member.many, () => undefined);
  return { anyOf: [record, ...('one' in member ? [] : [{ type: 'array', items: record }]), NOTHING] };
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
function bodyJsonSchema(
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
  const described = (name: string, member: JsonSchema): JsonSchema => {
    const field = fields[name];
    if (field === undefined) return member;
    // The field's own help speaks of a path.
    if (member.contentMediaType !== undefined) return { ...member, description: FILE[language] };
    const examples = field.example === undefined ? {} : { examples: [wireExample(member, field.example)] };
    return { ...member, description: field.help[language], ...examples };
  };
  const properties = Object.entries(all).flatMap(([name, member]) =>
    untold.includes(name) ? [] : [[name, described(name, member)]],
  );
  const { additionalProperties: _others, ...open } = schema;
  // Taken without being offered: the types of generated clients stay exact.
  const strict = untold.length === 0 ? schema : { ...open, description: UNTOLD(untold.join(', '))[language] };
  return { ...strict, properties: Object.fromEntries(properties), ...oneOfThem(body) };
}

/** A field's example as it is sent: a moment with its seconds. */
function wireExample(member: JsonSchema, example: string | number | boolean): string | number | boolean {
  if (typeof example !== 'string' || !JSON.stringify(member).includes('pattern')) return example;
  return /^\d{4}-\d{2}-\d{2}$/.test(example) ? `${example} 00:00:00` : example.padEnd(19, ':00');
}

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
