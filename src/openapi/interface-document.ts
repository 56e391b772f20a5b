import type { z } from 'zod';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { Fields } from '../schema/field.ts';
import { listOf } from '../schema/page.ts';
import type { Resource } from '../schema/resource.ts';
import { answerSchema, bodyJsonSchema, type JsonSchema, type NameRecord } from './json-schemas.ts';
import { groupOf, groupWords, requestWords } from './request-words.ts';

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
  const names = new Map<z.ZodType, string>();
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
  const { name, section, effect, body, sends } = endpoint;
  const resource = resources.find(({ requests }) => Object.values(requests).includes(endpoint));
  const fields: Fields = resource?.fields ?? {};
  const type = sends === 'multipart' ? 'multipart/form-data' : 'application/json';
  const content = body && {
    [type]: { schema: bodyJsonSchema(body, fields, language, untoldIn(resource, endpoint)) },
  };
  return {
    operationId: name,
    summary: requestWords(endpoint, resources)[language],
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
  const all = listOf(endpoint.answer)?.inPages !== true ? inPath : [...inPath, page];
  return all.length === 0 ? {} : { parameters: all };
}
