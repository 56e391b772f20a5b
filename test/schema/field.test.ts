import { describe, expect, test } from 'vitest';
import { bodySchema, boolean, datetime, decimal, integer, readOnly, text } from '../../src/schema/field.ts';

const help = { en: '', nl: '' };
const fields = {
  PartijID: integer({ update: 'required', help }),
  ExternalID: integer({ create: 'dialect', update: 'optional', help }),
  Naam: text({ create: 'required', update: 'required', help }),
  Prijs: decimal({ create: 'optional', update: 'optional', help }),
  Actief: boolean({ create: 'optional', help }),
  Datum: datetime({ create: 'optional', help }),
  LMT: datetime({ create: 'unsent', update: 'unsent', help }),
  Kostprijs: decimal({ help }),
};

const create = bodySchema(fields, 'create');
const update = bodySchema(fields, 'update');

describe('a body that is as declared', () => {
  test.each([
    [create, { Naam: 'Soep' }],
    [create, { Naam: 'Soep', Prijs: 3.95, Actief: false, Datum: '2027-04-28 00:00:00', ExternalID: 7 }],
    [update, { PartijID: 1, Naam: 'Soep' }],
    // null clears an optional field.
    [update, { PartijID: 1, Naam: 'Soep', Prijs: null, ExternalID: null }],
    // The interface takes it, though this program never sends it.
    [update, { PartijID: 1, Naam: 'Soep', LMT: '2027-04-28 00:00:00.000' }],
  ])('%# is sent as it is', (schema, body) => {
    expect(schema.parse(body)).toStrictEqual(body);
  });
});

describe('a body that is not', () => {
  test.each([
    ['a required field is missing', create, {}],
    ['a required field is null', create, { Naam: null }],
    ['a required key is missing', update, { Naam: 'Soep' }],
    ['a field of reads alone', create, { Naam: 'Soep', Kostprijs: 1 }],
    ['a field that nobody knows', create, { Naam: 'Soep', naam: 'Soep' }],
    ['a field that only create takes', update, { PartijID: 1, Naam: 'Soep', Actief: true }],
    ['text for a number', create, { Naam: 'Soep', Prijs: '3.95' }],
    ['1 for true', create, { Naam: 'Soep', Actief: 1 }],
    ['a day that does not exist', create, { Naam: 'Soep', Datum: '2027-02-30 00:00:00' }],
    ['no object', create, [{ Naam: 'Soep' }]],
  ])('%s: refused', (_, schema, body) => {
    expect(schema.safeParse(body).success).toBe(false);
  });
});

test.each([
  ['Kostprijs', true],
  ['LMT', true],
  ['ExternalID', false],
  ['PartijID', false],
  ['Actief', false],
] as const)('%s is for reading only: %s', (name, expected) => {
  expect(readOnly(fields[name])).toBe(expected);
});
