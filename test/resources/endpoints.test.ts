import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { endpoints, lookups, resources } from '../../src/resources/registry.ts';
import { formOf } from '../../src/schema/answer.ts';
import { type Endpoint, pathParameters } from '../../src/schema/endpoint.ts';
import {
  type AnswerFact,
  bodyFacts,
  type EndpointFact,
  endpointFacts,
  lookupFacts,
  membersOf,
} from '../openapi/facts.ts';
import { bodyProblems, smallestBody } from './shapes.ts';

/** No facts let these take ExternalID; some services do. */
const DIALECT = ['packages.create', 'recipes.create', 'recipes.update'];

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
});

type Named = readonly [title: string, fact: EndpointFact];

const title = ({ method, path }: Pick<EndpointFact, 'method' | 'path'>): string => `${method} ${path}`;
const all: readonly Named[] = endpointFacts.map((fact) => [title(fact), fact]);
const answering = (kind: keyof AnswerFact): readonly Named[] =>
  all.filter(([, { answer }]) => answer?.[kind] !== undefined);
const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name).sort();

describe('the facts about the interface', () => {
  test('are of the same endpoints in the same order, in the section that describes them', () => {
    expect(endpoints.map((one) => `${one.section} ${title(one)}`)).toEqual(
      endpointFacts.map((fact) => `${fact.section} ${title(fact)}`),
    );
  });

  test('are of the same lookups', () => {
    expect(lookups.map(({ path }) => path).sort()).toEqual(lookupFacts.map(({ path }) => path).sort());
  });
});

test.each(all)('%s has the path segments of the facts, each text or a whole number', (_, fact) => {
  const endpoint = found(fact.method, fact.path);
  const { segments = [] } = fact;
  expect(pathParameters(endpoint)).toEqual(segments.map(({ name }) => name));
  for (const { name, type } of segments)
    if (type !== undefined) expect(endpoint.texts?.includes(name) ?? false).toBe(type === 'string');
});

test.each(all)('%s takes the body of the facts, field by field, and nothing else', (_, fact) => {
  const endpoint = found(fact.method, fact.path);
  const fields = bodyFacts(fact);
  expect(endpoint.body !== undefined).toBe(fields !== undefined);
  if (fields === undefined) return;
  const own = DIALECT.includes(endpoint.name) ? [{ name: 'ExternalID' }] : [];
  expect(Object.keys((endpoint.body as z.ZodObject | undefined)?.shape ?? {}).sort()).toEqual(
    names([...fields, ...own]),
  );
  const { oneOf = [] } = fact.body !== undefined && 'oneOf' in fact.body ? fact.body : {};
  const smallest = smallestBody(fields);
  if (oneOf.length === 0) expect(bodyProblems(endpoint, fields, smallest)).toEqual([]);
  // One of several: each of them will do, none of them won't, and null is none.
  for (const name of oneOf) expect(bodyProblems(endpoint, fields, { ...smallest, [name]: 0 })).toEqual([]);
  const nulls = Object.fromEntries(oneOf.map((name) => [name, null]));
  for (const body of [smallest, { ...smallest, ...nulls }])
    expect(endpoint.body?.safeParse(body).success).toBe(oneOf.length === 0);
});

test.each(answering('write'))('%s has its answer understood, its flag in its own spelling', (_, fact) => {
  const members = Object.keys(fact.answer?.write ?? {});
  const flag = members.find((name) => /^success?$/.test(name)) ?? '';
  const id = members.find((name) => name !== flag);
  const { answer } = found(fact.method, fact.path);
  const parse = (said: unknown) => answer.parse({ ...(id === undefined ? {} : { [id]: '7' }), [flag]: said });
  const expected = { id: id === undefined ? null : 7, message: null };
  expect(parse(true)).toEqual({ ...expected, success: true });
  expect(parse('0')).toEqual({ ...expected, success: false });
});

test.each(answering('record'))('%s answers every member of its record, and no others', (_, fact) => {
  const { answer } = found(fact.method, fact.path);
  expect(Object.keys(formOf(answer)?.members ?? {}).sort()).toEqual(
    names(membersOf(fact.answer?.record ?? '')),
  );
});

test.each([...answering('list'), ...answering('recordOrList')])(
  '%s answers a list of its records, and one alone is understood',
  (_, fact) => {
    const { answer } = found(fact.method, fact.path);
    const members = membersOf(fact.answer?.list ?? fact.answer?.recordOrList ?? '');
    expect(Object.keys(formOf(answer)?.members ?? {}).sort()).toEqual(names(members));
    const ids = { PartijID: '7', ArrangementID: '7', RitID: '7' };
    const one = Object.fromEntries(members.flatMap(({ name }) => (name in ids ? [[name, '7']] : [])));
    const read = Object.fromEntries(Object.keys(one).map((name) => [name, 7]));
    expect(answer.parse([one, one])).toMatchObject({ data: [read, read] });
    expect(answer.parse(one)).toMatchObject({ data: [read] });
  },
);

test.each(answering('pages'))('%s answers pages of its records, with what is told around them', (_, fact) => {
  const { answer } = found(fact.method, fact.path);
  expect(Object.keys(formOf(answer)?.members ?? {}).sort()).toEqual(
    names(membersOf(fact.answer?.pages ?? '')),
  );
  const around = (record: string, value: unknown): Record<string, unknown> =>
    Object.fromEntries(
      membersOf(record).map(({ name }) => [name, value === null ? `https://systeem/${name}` : value]),
    );
  const page = {
    data: [{ ProductID: '7' }],
    links: around('page links', null),
    meta: around('page meta', '3'),
  };
  expect(Object.keys(page)).toEqual(membersOf('page').map(({ name }) => name));
  expect(answer.parse([page])).toEqual({
    data: [{ ProductID: 7 }],
    links: { next: 'https://systeem/next', first: 'https://systeem/first' },
    meta: { current: 3, last: 3, perPage: 3, total: 3, more: false },
    missing: false,
  });
});

test.each(answering('total'))('%s answers every member of a total in the type it has', (_, fact) => {
  const { answer } = found(fact.method, fact.path);
  const typed = membersOf(fact.answer?.total ?? '');
  const element = Object.fromEntries(typed.map(({ name }) => [name, '2.50']));
  const read = Object.fromEntries(typed.map(({ name, type }) => [name, type === 'float' ? 2.5 : '2.50']));
  expect(answer.parse({ total: [element], success: true })).toMatchObject({ total: [read] });
  expect(answer.parse({ total: element, success: '1' })).toMatchObject({ total: [read] });
  expect(answer.safeParse({ total: null, success: true }).success).toBe(false);
});

test.each(answering('empty'))('%s is done when it answers an empty object', (_, fact) => {
  const { answer } = found(fact.method, fact.path);
  expect(answer.parse({})).toEqual({ id: null, success: true, message: null });
});

test('dropdown lists have the numbers of the facts, and no others', () => {
  const numbered = Object.assign({}, ...lookupFacts.map(({ dropdowns }) => dropdowns)) as Record<
    string,
    number
  >;
  const used = resources.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { lookup }]) =>
      lookup?.dropdown === undefined ? [] : [[name, lookup.dropdown] as const],
    ),
  );
  expect(Object.fromEntries(used)).toEqual(numbered);
});
