import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { arrangementEndpoints } from '../../src/resources/arrangements.ts';
import { eventEndpoints } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { tripEndpoints } from '../../src/resources/trips.ts';
import { type AnswerRecord, formOf, type Members, recordReader } from '../../src/schema/answer.ts';
import { membersOf } from '../openapi/facts.ts';

const present = <T>(found: T | undefined): T => {
  if (found === undefined) throw new Error('answers no such records');
  return found;
};

const productPage = packages.requests.list.answer;
const read = (answer: z.ZodType): Members => present(formOf(answer)).members;
const [product, event] = [read(productPage), read(eventEndpoints.all.answer)];
const [trip, arrangement] = [read(tripEndpoints.all.answer), read(arrangementEndpoints.list.answer)];

/** The members of a record that is nested in another. */
function nested(members: Members, name: string): Members {
  const member = members[name];
  if (typeof member !== 'object') throw new Error(`${name} is no record`);
  return 'one' in member ? member.one : member.many;
}

/** What a member of the given type makes of text. */
const READS: Readonly<Record<string, readonly [given: unknown, read: unknown]>> = {
  int: ['12', 12],
  float: ['12.50', 12.5],
  bool: ['1', true],
  string: [12, '12'],
  datetime: ['2027-04-28T11:30:00Z', '2027-04-28 11:30:00'],
};

/** The members of a record whose type is shown and that are not read in it. */
function misread(record: string, parse: (answer: AnswerRecord) => unknown): string[] {
  return membersOf(record).flatMap(({ name, type }) => {
    if (type === undefined) return [];
    const [given, read] = READS[type] ?? [];
    const member = (parse({ [name]: given }) as AnswerRecord | undefined)?.[name];
    return member === read ? [] : [`${name}: ${type} reads ${given} as ${member}`];
  });
}

/** What is read of a record and the facts do not know, or the other way round; down into what is nested in it. */
function differences(record: string, members: Members): string[] {
  const facts = membersOf(record);
  const names = facts.map(({ name }) => name);
  const apart = [
    ...Object.keys(members).filter((name) => !names.includes(name)),
    ...names.filter((name) => !(name in members)),
  ];
  const within = facts.flatMap(({ name, one, many }) => {
    const inner = one ?? many;
    return inner === undefined || !(name in members) ? [] : differences(inner, nested(members, name));
  });
  return [...apart, ...within].map((name) => `${record}: ${name}`);
}

/** Every record of the facts with what is read of it here. */
const RECORDS: readonly (readonly [record: string, count: number, members: Members])[] = [
  ['package detail', 15, read(packages.requests.findById.answer)],
  ['recipe detail', 27, read(recipes.requests.findById.answer)],
  ['product', 77, product],
  ['product type', 3, nested(product, 'productType')],
  ['stock location', 6, nested(product, 'productStockLocation')],
  ['product link', 11, nested(product, 'productLinks')],
  ['product link', 11, nested(product, 'productActions')],
  ['event', 67, event],
  ['arrangement', 8, arrangement],
  ['trip', 48, trip],
  ['contact', 30, nested(trip, 'contact')],
  ['relation', 39, nested(trip, 'relation')],
  ['demand', 15, nested(trip, 'demand')],
  ['planning', 18, nested(nested(trip, 'demand'), 'planning')],
];

describe.each(RECORDS)('the %s by the facts about the interface', (record, count, members) => {
  test('knows every member of the facts, and no others', () => {
    expect(membersOf(record)).toHaveLength(count);
    expect(differences(record, members)).toEqual([]);
  });

  test('reads every member whose type is shown in that type', () => {
    expect(misread(record, recordReader(members))).toEqual([]);
  });
});

test('the trip holds the event record', () => {
  expect(Object.keys(nested(trip, 'event'))).toEqual(Object.keys(event));
});

test('a record is the same in all the types it comes in, with its links as they come', () => {
  const plain = {
    ...{ ProductID: 5012, ProductTypeID: 1, Actief: true, OmschrijvingIntern: 'Kerstbuffet Luxe' },
    ...{ Verkoopprijs: 34.5, Volume: null, ExternalID: 31002, LMT: '2027-04-28 11:30:00.123' },
  };
  for (const other of [
    {},
    { ProductID: '5012', ProductTypeID: ' 1', Actief: '1', Verkoopprijs: '34.50', ExternalID: '31002' },
    { Volume: '', OmschrijvingIntern: 'Kerstbuffet Luxe ', ProductID: '5012.0' },
  ])
    expect(productPage.parse([{ data: [{ ...plain, ...other }] }]).data).toEqual([plain]);
  const odd = { ProductID: 1, productLinks: { StickersPrinten: '0' }, nieuw: { diep: ['', '1'] } };
  const [record] = productPage.parse([{ data: [odd] }]).data;
  expect(record).toEqual({ ...odd, productLinks: { StickersPrinten: false } });
});
