import { describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { resources } from '../../src/resources/registry.ts';
import type { Field } from '../../src/schema/field.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { type FactStatus, type FieldFact, fieldFacts, membersOf } from '../openapi/facts.ts';

const TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'decimal',
  bool: 'boolean',
  string: 'text',
  datetime: 'datetime',
};

/** Where this program differs from the interface's tables on purpose, and why. */
const OWN: Readonly<Record<string, Partial<Pick<Field, 'create' | 'update'>>>> = {
  // No table lets a create take it; some services may.
  'packages.ExternalID': { create: 'dialect' },
  'recipes.ExternalID': { create: 'dialect', update: 'dialect' },
  // The interface takes it; it is the service's to set, and never sent.
  'packages.LMT': { create: 'unsent', update: 'unsent' },
};

/** The lookups that list what a column may hold; the others read the one record that a number names. */
const LISTS = ['producttype', 'productcategory', 'unit', 'department'].map((name) => `api/v1/${name}/all`);
LISTS.push('api/v1/dropdownvalue/{id}');

const declared = Object.entries(fieldFacts).map(([name, { fields }]) => {
  const resource = resources.find((one) => one.name === name);
  if (resource === undefined) throw new Error(`no resource ${name}`);
  return [name, resource, fields] as const;
});

/** What the program says of a field by the facts: of several of which one has to be there, none is required by itself. */
const expected = (name: string, { name: field, create, update, type }: FieldFact): object => {
  const status = (fact: FactStatus): string => (fact === 'one of' ? 'optional' : fact);
  const statuses = { create: status(create), update: status(update), ...OWN[`${name}.${field}`] };
  return { codec: { type: TYPES[type] }, ...statuses };
};

describe.each(declared)('%s by the facts about the interface', (name, resource, facts) => {
  test.each(facts.map((fact) => [fact.name, fact] as const))(
    '%s has its type and is sent where it says',
    (field, fact) => {
      expect(resource.fields[field]).toMatchObject(expected(name, fact));
    },
  );

  test('takes values from the lists of the facts', () => {
    // Columns that name a record are no choice from a list; of these people know the number.
    const lists = facts.flatMap(({ name: field, lookup }) => {
      const path = typeof lookup === 'object' ? lookup.create : lookup;
      const read = path?.replace(/\/\d+$/, '/{id}');
      return read === undefined || !LISTS.includes(read) ? [] : [[field, read]];
    });
    const actual = facts.flatMap(({ name: field }) => {
      const path = resource.fields[field]?.lookup?.endpoint?.path;
      return path === undefined ? [] : [[field, path]];
    });
    expect(actual).toEqual(lists);
  });

  test('takes the values of an update from its own list where it has one', () => {
    const own = Object.entries(resource.fields).flatMap(([field, { updateLookup }]) =>
      updateLookup === undefined ? [] : [[field, updateLookup.endpoint?.path]],
    );
    const apart = facts.flatMap(({ name: field, lookup }) =>
      typeof lookup === 'object' ? [[field, lookup.update]] : [],
    );
    expect(own).toEqual(apart);
  });

  test('sends nothing that the facts do not have', () => {
    const known = new Set(facts.map(({ name: field }) => field));
    const sent = Object.entries(resource.fields).filter(
      ([, { create, update }]) => create !== 'none' || update !== 'none',
    );
    const unknown = sent.map(([field]) => field).filter((field) => !known.has(field));
    expect(unknown.filter((field) => OWN[`${name}.${field}`] === undefined)).toEqual([]);
  });
});

test.each([
  ['packages', packages, 'package detail'],
  ['recipes', recipes, 'recipe detail'],
] as const)(
  'the detail of %s returns what the facts say, and no more',
  (_, declaration: Resource, record) => {
    const returned = Object.entries(declaration.fields).filter(
      ([, { reads }]) => reads === 'both' || reads === 'detail',
    );
    expect(returned.map(([field]) => field).sort()).toEqual(
      membersOf(record)
        .map(({ name }) => name)
        .sort(),
    );
  },
);

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
});
