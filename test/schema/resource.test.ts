import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { normaliseHeader } from '../../src/core/header.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { packages } from '../../src/resources/packages.ts';
import { allSheets } from '../../src/resources/registry.ts';
import { listedMembers, recordReader } from '../../src/schema/answer.ts';
import { defineEndpoint } from '../../src/schema/endpoint.ts';
import { bodySchema, decimal, type Fields, text } from '../../src/schema/field.ts';
import { defineResource, type Resource } from '../../src/schema/resource.ts';

const help = { en: 'Quality mark', nl: 'Keurmerk' };
const { fields, requests } = packages;

/** Packages with a field more, whose requests take it. */
function withField(more: Fields, listed = packages.listed): Resource {
  const all: Fields = { ...fields, ...more };
  const create = defineEndpoint({ ...requests.create, body: bodySchema(all, 'create') });
  const update = defineEndpoint({ ...requests.update, body: bodySchema(all, 'update') });
  return { ...packages, fields: all, listed, requests: { ...requests, create, update } };
}

const mark = text({ create: 'optional', update: 'optional', help });

describe('a resource is refused when it', () => {
  const cases: readonly (readonly [why: string, resource: unknown, told: RegExp])[] = [
    ['has a key that is no field', { ...packages, keys: ['Ontbreekt'] }, /packages has no field Ontbreekt/],
    ['has a field that its list lacks', withField({ Keurmerk: mark }), /Keurmerk, which is not listed/],
    [
      'has a field whose type is another in its list',
      withField({ Gewicht: text({ create: 'optional', help }) }),
      /Gewicht as string, which is listed as float/,
    ],
    [
      'has a field that no create takes',
      { ...packages, fields: { ...fields, Gewicht: decimal({ create: 'optional', help }) } },
      /Gewicht, which does not go with packages.create/,
    ],
    [
      'has a request whose body takes what is no field',
      {
        ...arrangements,
        requests: {
          ...arrangements.requests,
          create: {
            ...arrangements.requests.create,
            body: z.strictObject({ PartijID: z.int(), Zaal: z.int() }),
          },
        },
      },
      /no field for Zaal of arrangements.create/,
    ],
  ];

  test.each(cases)('%s', (_, resource, told) => {
    expect(() => defineResource(resource as Resource)).toThrow(told);
    expect(() => defineResource(resource as Resource)).toThrow(TypeError);
  });
});

describe('a resource is taken', () => {
  test.each(allSheets.map((resource) => [resource.name, resource] as const))(
    'as it is: %s',
    (_, resource) => {
      expect(defineResource(resource)).toBe(resource);
    },
  );

  test.each(allSheets.map((resource) => [resource.name, resource] as const))(
    'whose headers are apart, and which has a day where it is listed by days: %s',
    (_, { fields, requests, ...resource }) => {
      const headers = Object.entries(fields).flatMap(([name, { listName = name }]) => [
        ...new Set([name, listName].map(normaliseHeader)),
      ]);
      expect(headers).toEqual([...new Set(headers)]);
      expect('date' in resource).toBe('all' in requests);
    },
  );

  test('when its new field is listed by what the field says', () => {
    const all = { ...fields, Keurmerk: mark };
    const resource = withField({ Keurmerk: mark }, listedMembers(all, packages.listed));
    expect(defineResource(resource)).toBe(resource);
  });
});

describe('what a list holds', () => {
  const members = { PartijID: 'int', OfferteTekst: 'string' } as const;

  test('has the other fields behind it, by the names and in the types that lists have them in', () => {
    const told = { Budget: decimal({ help }), Thema: text({ reads: 'list', listName: 'ThemaTekst', help }) };
    const listed = listedMembers(told, members);
    expect(Object.entries(listed)).toEqual([
      ...Object.entries(members),
      ['Budget', 'float'],
      ['ThemaTekst', 'string'],
    ]);
    expect(recordReader(listed)({ Budget: '12.50', ThemaTekst: 7 })).toEqual({
      Budget: 12.5,
      ThemaTekst: '7',
    });
  });
});
