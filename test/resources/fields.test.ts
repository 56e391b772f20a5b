import { describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { resources } from '../../src/resources/registry.ts';
import type { Field } from '../../src/schema/field.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { interfaceText, names, section, table } from './interface-text.ts';
import { bodyProblems, shapeOf } from './shapes.ts';

const TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'decimal',
  bool: 'boolean',
  string: 'text',
  datetime: 'datetime',
};

/** Where this program differs from the interface's tables on purpose, and why. */
const OWN: Readonly<Record<string, Partial<Pick<Field, 'create' | 'update'>>>> = {
  // No table lets a create take it; some services may (design: Dialect).
  'packages.ExternalID': { create: 'dialect' },
  'recipes.ExternalID': { create: 'dialect', update: 'dialect' },
  // The interface takes it; it is the service's to set, and never sent (design: Sheets and columns).
  'packages.LMT': { create: 'unsent', update: 'unsent' },
};

/** Columns by which a record is found are no choice from a list. */
const NO_CHOICE = ['ProductID'];

const statusOf = (cell: string | undefined): string => (cell === 'n/a' ? 'none' : (cell ?? 'none'));

describe.skipIf(interfaceText === null).each([
  ['packages', '2.1', '2.2', packages],
  ['recipes', '2.3', '2.4', recipes],
] as const)('%s against the interface’s own text', (name, inputs, details, declared) => {
  const resource: Resource = declared;
  const rows = interfaceText === null ? [] : table(section(inputs), 'Field', 'Type', 'Create', 'Update');

  test.each(rows)('%s: %s, %s to create, %s to update', (field, type, create, update) => {
    const own = OWN[`${name}.${field}`];
    expect(resource.fields[field]).toMatchObject({
      codec: { type: TYPES[type] },
      create: own?.create ?? statusOf(create),
      update: own?.update ?? statusOf(update),
    });
  });

  test('its lookups are those of the table', () => {
    const expected = rows.flatMap(([field = '', , , , meaning = '']) => {
      const path = /api\/v1\/[\w/{}]+/.exec(meaning)?.[0];
      return path === undefined || NO_CHOICE.includes(field) ? [] : [[field, path]];
    });
    const actual = rows.flatMap(([field = '']) => {
      const path = resource.fields[field]?.lookup?.endpoint?.path;
      return path === undefined ? [] : [[field, path]];
    });
    expect(actual).toEqual(expected);
  });

  test('nothing is sent that the table does not have', () => {
    const known = new Set(rows.map(([field]) => field));
    const sent = Object.entries(resource.fields).filter(
      ([, { create, update }]) => create !== 'none' || update !== 'none',
    );
    expect(
      sent
        .map(([field]) => field)
        .filter((field) => !known.has(field) && OWN[`${name}.${field}`] === undefined),
    ).toEqual([]);
  });

  test('a detail returns what the interface says it does', () => {
    const text = section(details);
    const expected = names(text.slice(text.indexOf(': ')));
    const returned = Object.entries(resource.fields).filter(
      ([, { reads }]) => reads === 'both' || reads === 'detail',
    );
    expect(returned.map(([field]) => field).sort()).toEqual(expected.sort());
  });

  test.each([
    ['create', 2],
    ['update', 3],
  ] as const)('the body of %s is as the table says', (kind, column) => {
    const fields = rows
      .filter((row) => row[column] !== 'n/a')
      .map((row) => ({ name: row[0] ?? '', type: row[1] ?? '', required: row[column] === 'required' }));
    const endpoint = resource.requests[kind];
    const extra = Object.keys(shapeOf(endpoint.body)).filter(
      (field) => !fields.some((one) => one.name === field),
    );
    expect(extra).toEqual(OWN[`${name}.ExternalID`]?.[kind] === 'dialect' ? ['ExternalID'] : []);
    const required = fields.filter((field) => field.required);
    const base = Object.fromEntries(
      required.map(({ name: field, type }) => [field, type === 'string' ? 'Soep' : 7]),
    );
    // A package's update names it by one of its two keys.
    const keyed = kind === 'update' ? { ...base, ProductID: 7 } : base;
    expect(bodyProblems(endpoint as never, fields, keyed)).toEqual([]);
  });
});

test('a package’s update names it by ProductID or ExternalID (interface 2.1)', () => {
  const { body } = packages.requests.update;
  const base = { ProductTypeID: 1, OmschrijvingIntern: 'Buffet', Verkoopprijs: 34.5 };
  const accepts = (keys: object): boolean | undefined => body?.safeParse({ ...base, ...keys }).success;
  expect(accepts({ ProductID: 5012 })).toBe(true);
  expect(accepts({ ExternalID: 31002 })).toBe(true);
  expect(accepts({ ProductID: null, ExternalID: 31002 })).toBe(true);
  expect(accepts({})).toBe(false);
  expect(accepts({ ProductID: null, ExternalID: null })).toBe(false);
});

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_, resource) => {
  test.each(Object.entries(resource.fields))(
    '%s has help in both languages and an example that fits',
    (_name, field) => {
      expect(field.help.en).not.toBe('');
      expect(field.help.nl).not.toBe('');
      const { example, codec } = field;
      if (example === undefined) {
        expect(field.create === 'required' || field.update === 'required').toBe(false);
        return;
      }
      const type = typeof example === 'number' ? 'number' : typeof example === 'boolean' ? 'boolean' : 'text';
      for (const locale of ['nl', 'en'] as const) {
        const decoded = codec.decode({ column: 1, type, value: example } as never, locale);
        expect(decoded).toMatchObject({ ok: true });
        expect(decoded).not.toHaveProperty('warning');
      }
    },
  );

  test('is plain data', () => {
    const seen = JSON.stringify(resource.fields, (key, value) =>
      key === 'codec' || key === 'endpoint' ? undefined : value,
    );
    expect(Object.keys(JSON.parse(seen))).toEqual(Object.keys(resource.fields));
  });
});

test('names and sheets of resources are told apart', () => {
  for (const role of ['name', 'sheet'] as const) {
    const told = resources.map((resource) => resource[role].toLowerCase());
    expect(new Set(told).size).toBe(resources.length);
  }
  expect(resources.map(({ name }) => name)).toEqual(expect.arrayContaining(['packages', 'trips']));
});
