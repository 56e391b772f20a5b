import { describe, expect, it } from 'vitest';
import { interfaceDocument } from '../../src/index.ts';
import { endpoints, lookups } from '../../src/resources/registry.ts';
import type { Endpoint } from '../../src/schema/endpoint.ts';
import { runCli } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
import { tryable } from './tryable.ts';

type Json = Record<string, unknown>;

interface PublicValidator {
  readonly version: string;
  validate(document: Json): Promise<{ readonly valid: boolean }>;
}

// Loaded without its types: what is needed of it stands above.
const { Validator } = (await import('@seriousme/openapi-schema-validator' as string)) as {
  readonly Validator: new () => PublicValidator;
};

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema: Json }> }>>;
}

const table: readonly Endpoint[] = [...endpoints, ...lookups];
const document = interfaceDocument() as Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json };
};

const operation = ({ path, method }: Pick<Endpoint, 'path' | 'method'>): Operation => {
  const found = document.paths[`/${path}`]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`no ${method} ${path}`);
  return found;
};

describe('the OpenAPI document', () => {
  it('is valid to a public validator, which does find faults', async () => {
    const said = await runCli(['interface', '--lang', 'nl', '--json']);
    expect(said.code).toBe(0);
    const dutch = JSON.parse(said.stdout) as Json & { info: Json };
    const validator = new Validator();
    expect(await validator.validate(dutch)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(said.stdout).toContain('Verkoopprijs');
    expect(JSON.stringify(document)).toContain('Sales price');
    const { title: _, ...info } = dutch.info;
    expect((await new Validator().validate({ ...dutch, info })).valid).toBe(false);
  });

  it('holds every endpoint once, with its parameters, body and answer', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      table.map(({ name }) => name).sort(),
    );
    for (const endpoint of table) {
      const { parameters = [], requestBody, responses } = operation(endpoint);
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(inPath).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      expect(requestBody !== undefined).toBe(endpoint.body !== undefined);
      expect(Object.keys(responses)).toEqual(['200', '401', 'default']);
    }
    const paged = table.filter((one) => operation(one).parameters?.some(({ name }) => name === 'page'));
    expect(paged.map(({ name }) => name)).toEqual(['packages.allModified', 'recipes.allModified']);
    const upload = operation({ path: 'api/v1/event/uploaddocument', method: 'POST' });
    expect(Object.keys(upload.requestBody?.content ?? {})).toEqual(['multipart/form-data']);
    expect(upload.requestBody?.content['multipart/form-data']?.schema).toHaveProperty('properties.Document', {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'The file itself: its bytes, with its name',
    });
    const file = operation({ path: 'api/v1/invoice/file/{id}/{extension}', method: 'GET' });
    expect(file.parameters?.map(({ schema }) => schema.type)).toEqual(['string', 'string']);
  });

  it('offers ExternalID only where a table of the interface has it, and refuses it nowhere that it may be taken', () => {
    const fieldsOf = (path: string, method: Endpoint['method']) => {
      const { schema } = operation({ path, method }).requestBody?.content['application/json'] ?? {};
      return Object.keys((schema?.properties ?? {}) as Json);
    };
    expect(fieldsOf('api/v1/product/pakket/create', 'PUT')).not.toContain('ExternalID');
    expect(fieldsOf('api/v1/product/pakket/update', 'POST')).toContain('ExternalID');
    expect(fieldsOf('api/v1/product/recept/create', 'PUT')).not.toContain('ExternalID');
    expect(fieldsOf('api/v1/product/recept/update', 'POST')).not.toContain('ExternalID');
    expect(fieldsOf('api/v1/event', 'PUT')).toContain('ExternalID');
    const created = { path: 'api/v1/product/pakket/create', method: 'PUT' } as const;
    const body = operation(created).requestBody?.content['application/json']?.schema ?? {};
    expect([body.additionalProperties, body.description]).toEqual([
      undefined,
      expect.stringContaining('ExternalID'),
    ]);
  });

  it('accepts what the sandbox answers, also numbers as text', async () => {
    const service = await openTestService({ dialect: { types: 'mixed' } });
    const period = { DatumVan: '2020-01-01', DatumTot: '2035-01-01' };
    const asked: readonly [string, string, (string | number | undefined)?, object?][] = [
      ['POST', 'api/v1/product/pakket/allModified', undefined, { LMT: '1970-01-01 00:00:00' }],
      ['GET', 'api/v1/product/pakket/detail/{ID}', 5001],
      ['POST', 'api/v1/event/all', undefined, { EnkelEvenement: false, ...period }],
      ['GET', 'api/v1/event/{ID}', 9001],
      [
        'POST',
        'api/v1/ritten/all',
        undefined,
        { DatumVan: '2020-01-01 00:00:00', DatumTot: '2035-01-01 00:00:00' },
      ],
      ['GET', 'api/v1/unit/all'],
    ];
    for (const [method, path, id, body] of asked) {
      const answer = await service.request(method, path.replace(/\{\w+\}/, String(id)), body);
      const content = operation({ path, method: method as Endpoint['method'] }).responses['200']?.content;
      const read = tryable(content?.['application/json']?.schema ?? {}).safeParse(answer);
      expect([path, read.error?.message]).toEqual([path, undefined]);
      expect(JSON.stringify(answer).length).toBeGreaterThan(20);
    }
  });
});
