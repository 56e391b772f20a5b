import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { arrangementEndpoints } from '../../src/resources/arrangements.ts';
import { eventEndpoints } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { tripEndpoints } from '../../src/resources/trips.ts';
import type { AnswerRecord } from '../../src/schema/answer.ts';
import { listOf } from '../../src/schema/page.ts';
import { membersOf } from '../openapi/facts.ts';
import { shapeOf } from './shapes.ts';

const present = <T>(found: T | undefined): T => {
  if (found === undefined) throw new Error('answers no such records');
  return found;
};

const productPage = packages.requests.list.answer;
const productRecord = present(listOf(productPage)?.record);
const eventRecord = present(listOf(eventEndpoints.all.answer)?.record);
const tripRecord = present(listOf(tripEndpoints.all.answer)?.record);
const arrangementRecord = present(listOf(arrangementEndpoints.list.answer)?.record);

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

/** What a schema of a record knows and the facts do not, or the other way round; down into what is nested in it. */
function differences(record: string, schema: z.ZodType | undefined): string[] {
  const known = shapeOf(schema);
  const facts = membersOf(record);
  const names = facts.map(({ name }) => name);
  const apart = [
    ...Object.keys(known).filter((name) => !names.includes(name)),
    ...names.filter((name) => !(name in known)),
  ];
  const nested = facts.flatMap(({ name, one, many }) => {
    const inner = one ?? many;
    const member = known[name];
    return inner === undefined || typeof member !== 'object' ? [] : differences(inner, member);
  });
  const loose = facts.filter(
    ({ name, one, many }) => (one ?? many) !== undefined && typeof known[name] !== 'object',
  );
  return [...apart, ...loose.map(({ name }) => name), ...nested].map((name) => `${record}: ${name}`);
}

const tripMembers = shapeOf(tripRecord);
const productMembers = shapeOf(productRecord);

/** Every record of the facts with what reads it here, and what reads one of its members. */
const RECORDS: readonly (readonly [
  record: string,
  count: number,
  schema: z.ZodType | undefined,
  parse: (answer: AnswerRecord) => unknown,
])[] = [
  [
    'package detail',
    15,
    packages.requests.findById.answer,
    (one) => packages.requests.findById.answer.parse({ ProductID: 1, ...one }),
  ],
  [
    'recipe detail',
    27,
    recipes.requests.findById.answer,
    (one) => recipes.requests.findById.answer.parse({ ProductID: 1, ...one }),
  ],
  ['product', 77, productRecord, (one) => productRecord.parse({ ProductID: 1, ...one })],
  ['product type', 3, productMembers.productType, (one) => productMembers.productType?.parse(one)],
  [
    'stock location',
    6,
    productMembers.productStockLocation,
    (one) => productMembers.productStockLocation?.parse(one),
  ],
  ['product link', 11, productMembers.productLinks, (one) => productMembers.productLinks?.parse(one)],
  ['product link', 11, productMembers.productActions, (one) => productMembers.productActions?.parse(one)],
  ['event', 67, eventRecord, (one) => eventRecord.parse(one)],
  ['arrangement', 8, arrangementRecord, (one) => arrangementRecord.parse(one)],
  ['trip', 48, tripRecord, (one) => tripRecord.parse(one)],
  ['contact', 30, tripMembers.contact, (one) => tripMembers.contact?.parse(one)],
  ['relation', 39, tripMembers.relation, (one) => tripMembers.relation?.parse(one)],
  ['demand', 15, tripMembers.demand, (one) => tripMembers.demand?.parse(one)],
  [
    'planning',
    18,
    shapeOf(tripMembers.demand).planning,
    (one) => shapeOf(tripMembers.demand).planning?.parse(one),
  ],
];

describe.each(RECORDS)('the %s by the facts about the interface', (record, count, schema, parse) => {
  test('knows every member of the facts, and no others', () => {
    expect(membersOf(record)).toHaveLength(count);
    expect(differences(record, schema)).toEqual([]);
  });

  test('reads every member whose type is shown in that type', () => {
    expect(misread(record, parse)).toEqual([]);
  });
});

test('the trip holds the event record', () => {
  expect(Object.keys(shapeOf(tripMembers.event))).toEqual(Object.keys(shapeOf(eventRecord)));
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
