import { describe, expect, test } from 'vitest';
import { endpoints, lookups } from '../../src/resources/endpoints.ts';
import type { Endpoint } from '../../src/schema/endpoint.ts';
import { pathParameters } from '../../src/schema/endpoint.ts';
import { between, interfaceText, section, table } from './interface-text.ts';
import { bodyProblems, type InputField, shapeOf } from './shapes.ts';

const found = (method: string, path: string): Endpoint => {
  const endpoint = endpoints.find((one) => one.method === method && one.path === path);
  if (endpoint === undefined) throw new Error(`no ${method} ${path}`);
  return endpoint;
};

describe('the table', () => {
  test('holds 34 endpoints and 11 lookups, each once', () => {
    const all = [...endpoints, ...lookups];
    expect(endpoints).toHaveLength(34);
    expect(lookups).toHaveLength(11);
    expect(new Set(all.map(({ name }) => name)).size).toBe(45);
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(45);
  });

  test('lookups are reads without a body', () => {
    for (const { method, effect, body } of lookups)
      expect([method, effect, body]).toEqual(['GET', 'none', undefined]);
  });

  test('what takes place anew each time is never taken for anything milder', () => {
    const each = endpoints.filter(({ effect }) => effect === 'each').map(({ name }) => name);
    expect(each.sort()).toEqual([
      'arrangements.create',
      'events.create',
      'events.uploaddocument',
      'orders.send',
      'orders.sendAll',
      'packages.create',
      'recipes.create',
      'stock.create',
    ]);
    for (const { method, effect } of endpoints) if (method === 'PUT') expect(effect).toBe('each');
    for (const { method, effect } of endpoints) if (method === 'DELETE') expect(effect).toBe('same');
  });

  test('only a file comes back as bytes, only a document goes as multipart', () => {
    expect(endpoints.filter(({ returns }) => returns === 'binary').map(({ name }) => name)).toEqual([
      'invoices.file',
    ]);
    expect(endpoints.filter(({ sends }) => sends === 'multipart').map(({ name }) => name)).toEqual([
      'events.uploaddocument',
    ]);
  });

  test('names the segments of its paths', () => {
    expect(pathParameters(found('GET', 'api/v1/invoice/file/{id}/{extension}'))).toEqual(['id', 'extension']);
    expect(pathParameters(found('POST', 'api/v1/ritten'))).toEqual([]);
  });
});

describe.skipIf(interfaceText === null)('against the interface’s own text', () => {
  const sections = ['4.1', '4.2', '4.4', '4.5', '4.6', '4.7'];
  const rows =
    interfaceText === null
      ? []
      : sections.flatMap((number) =>
          table(section(number), 'Method', 'Path').map(
            ([method = '', path = '', input = '', output = '']) => ({
              number,
              method,
              path,
              input,
              output,
            }),
          ),
        );

  test('the same endpoints in the same order, in the section that describes them', () => {
    expect(endpoints.map(({ section: number, method, path }) => `${number} ${method} ${path}`)).toEqual(
      rows.map(({ number, method, path }) => `${number} ${method} ${path}`),
    );
  });

  test('the lookups of section 2', () => {
    const paths = section('2').match(/api\/v1\/[\w/{}]+/g) ?? [];
    const distinct = new Set(paths.map((path) => path.replace(/\/\d+$/, '/{id}')));
    expect(lookups.map(({ path }) => path).sort()).toEqual([...distinct].sort());
  });

  test.each(rows)('$method $path takes a body where the interface says so', ({ method, path, input }) => {
    expect(found(method, path).body !== undefined).toBe(/body|\(file/.test(input));
  });

  /** The fields of a body that is described in the table's own cell. */
  const inline = (input: string): InputField[] => {
    const braces = [...input.matchAll(/\{(\w+): (\w+), (required|optional)\}/g)].map(
      ([, name = '', type = '', status]) => ({
        name,
        type,
        required: status === 'required',
      }),
    );
    const said = [
      ...input.matchAll(
        /((?:\w+, )*\w+) \((?:both )?(int|bool|string|datetime|date|file|format)\b([^()]*)\)/g,
      ),
    ];
    const listed = said.flatMap(([, names = '', type = '', rest = '']) =>
      names.split(', ').map((name) => ({
        name,
        type: type === 'format' ? 'minute' : type,
        required: rest.includes('required'),
      })),
    );
    return [...braces, ...listed];
  };

  const described = rows.filter(({ input }) => /body:|body \{|\(file/.test(input));

  test('describes thirteen bodies in place', () => {
    expect(described.map(({ method, path }) => `${method} ${path}`)).toHaveLength(13);
  });

  test.each(described)('$method $path: every field is as described', ({ method, path, input }) => {
    const fields = inline(input);
    const endpoint = found(method, path);
    expect(Object.keys(shapeOf(endpoint.body)).sort()).toEqual(fields.map(({ name }) => name).sort());
    expect(bodyProblems(endpoint, fields)).toEqual([]);
  });

  const fieldRows = (text: string, status: number): InputField[] =>
    table(text, 'Field', 'Type').flatMap((cells) =>
      (cells[0] ?? '')
        .split(', ')
        .map((name) => ({ name, type: cells[1] ?? '', required: cells[status] === 'required' })),
    );

  test.each([
    ['PUT', 'Event create (PUT) body:', 'Event update (POST) body:'],
    ['POST', 'Event update (POST) body:', '\n### '],
  ])('%s api/v1/event: every field is as described', (method, from, to) => {
    const fields = fieldRows(between(section('4.4'), from, to), 2);
    const endpoint = found(method, 'api/v1/event');
    expect(Object.keys(shapeOf(endpoint.body)).sort()).toEqual(fields.map(({ name }) => name).sort());
    expect(bodyProblems(endpoint, fields)).toEqual([]);
  });

  test('voorraadmutatie/create: every field is as described, one of the two amounts at least', () => {
    const fields = fieldRows(section('2.6'), 2);
    const endpoint = found('PUT', 'api/v1/product/voorraadmutatie/create');
    expect(Object.keys(shapeOf(endpoint.body)).sort()).toEqual(fields.map(({ name }) => name).sort());
    const required = fields.filter((field) => field.required);
    const base = Object.fromEntries(
      required.map(({ name, type }) => [
        name,
        { int: 7, datetime: '2027-03-31 07:45:00', string: 'Telling' }[type],
      ]),
    );
    const refuses = (body: object): boolean => endpoint.body?.safeParse(body).success === false;
    expect(refuses(base)).toBe(true);
    expect(refuses({ ...base, AantalRekeneenheid: null, AantalProducteenheid: null })).toBe(true);
    for (const amount of ['AantalRekeneenheid', 'AantalProducteenheid']) {
      expect(bodyProblems(endpoint, fields, { ...base, [amount]: 0 })).toEqual([]);
    }
  });

  test('allModified: every field of 4.3, for packages and recipes', () => {
    const fields = table(section('4.3'), 'Field', 'Type').map(([name = '', type = '', status = '']) => ({
      name,
      type,
      required: status.startsWith('required'),
    }));
    for (const kind of ['pakket', 'recept']) {
      const endpoint = found('POST', `api/v1/product/${kind}/allModified`);
      expect(Object.keys(shapeOf(endpoint.body)).sort()).toEqual(fields.map(({ name }) => name).sort());
      expect(bodyProblems(endpoint, fields)).toEqual([]);
    }
  });

  const writes = rows.filter(({ output }) => /\{.*succes/.test(output) && !output.includes('total'));

  test('describes fourteen answers of a write', () => {
    expect(writes).toHaveLength(14);
  });

  test.each(writes)('$method $path: the answer $output is understood', ({ method, path, output }) => {
    const flag = /success/.test(output) ? 'success' : 'succes';
    const id = /\{(\w+): int/.exec(output)?.[1];
    const members = id === undefined ? {} : { [id]: '7' };
    const parse = (said: unknown) => found(method, path).answer.parse({ ...members, [flag]: said });
    const expected = { id: id === undefined ? null : 7, message: null };
    expect(parse(true)).toEqual({ ...expected, success: true });
    expect(parse('0')).toEqual({ ...expected, success: false });
  });

  test('the current total: every member of 2.6, in the type it has', () => {
    const text = between(section('2.6'), 'Current total element (total list): ', '\n');
    const typed = [...text.matchAll(/(\w+) \((number|string)\)/g)].map(
      ([, name = '', type = '']) => [name, type] as const,
    );
    expect(typed).toHaveLength(6);
    const { answer } = found('GET', 'api/v1/product/voorraadmutatie/currenttotal/{id}');
    const element = Object.fromEntries(typed.map(([name]) => [name, '2.50']));
    const read = Object.fromEntries(typed.map(([name, type]) => [name, type === 'number' ? 2.5 : '2.50']));
    expect(answer.parse({ total: [element], success: true })).toEqual({ total: [read], success: true });
    expect(answer.parse({ total: element, success: '1' })).toMatchObject({ total: [read] });
    expect(answer.parse({ total: null, success: true })).toMatchObject({ total: [] });
  });
});
