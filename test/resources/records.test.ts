import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { arrangementEndpoints } from '../../src/resources/arrangements.ts';
import { eventRecord } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { productPage } from '../../src/resources/product-record.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { tripRecord } from '../../src/resources/trips.ts';
import type { AnswerRecord } from '../../src/schema/answer.ts';
import { between, interfaceText, names, section } from './interface-text.ts';
import { shapeOf } from './shapes.ts';

const productRecord: z.ZodType<AnswerRecord> = {
  parse: (answer: unknown) => productPage.parse([answer]).data[0],
} as never;

/** What a member of the given type makes of text. */
const READS: Readonly<Record<string, readonly [given: unknown, read: unknown]>> = {
  int: ['12', 12],
  float: ['12.50', 12.5],
  bool: ['1', true],
  string: [12, '12'],
  datetime: ['2027-04-28T11:30:00Z', '2027-04-28 11:30:00'],
};

/** Names with a type in brackets. */
const typed = (text: string): [name: string, type: string][] =>
  [...text.matchAll(/(\w+) \((int|float|bool|string|datetime)\b[^)]*\)/g)].map(([, name = '', type = '']) => [
    name,
    type,
  ]);

/** The members of a record that are not read in the type that the interface gives them. */
function misread(text: string, parse: (answer: AnswerRecord) => unknown): string[] {
  return typed(text).flatMap(([name, type]) => {
    const [given, read] = READS[type] ?? [];
    const member = (parse({ [name]: given }) as AnswerRecord | undefined)?.[name];
    return member === read ? [] : [`${name}: ${type} reads ${given} as ${member}`];
  });
}

describe.skipIf(interfaceText === null)('against the interface’s own text', () => {
  const known = (schema: z.ZodType | undefined, nested: readonly string[] = []): string[] =>
    Object.keys(shapeOf(schema))
      .filter((name) => !nested.includes(name))
      .sort();

  describe('the product record (2.5)', () => {
    const text = interfaceText === null ? '' : section('2.5');
    const flat =
      interfaceText === null ? '' : between(text, 'has these fields: ', ', and the nested members');
    const bullets = [...text.matchAll(/^- ([^:\n]+): (.*)$/gm)].map(([, who = '', what = '']) => ({
      who: names(who),
      what,
    }));
    const page = shapeOf(productPage as never);

    test('knows every member, and no others', () => {
      const nested = bullets.flatMap(({ who }) => who);
      expect(names(flat)).toHaveLength(59);
      expect(known(page.data)).toEqual([...names(flat), ...nested].sort());
    });

    test('knows every member of its nested objects', () => {
      const record = shapeOf(page.data);
      const said = (name: string): string => bullets.find(({ who }) => who.includes(name))?.what ?? '';
      expect(known(record.productType)).toEqual(names(said('productType').replace('object with', '')).sort());
      expect(known(record.productStockLocation)).toEqual(
        names(said('productStockLocation').replace('object or null with', '')).sort(),
      );
      const links = names(between(said('productLinks'), 'Link fields:', '\n')).sort();
      expect(known(record.productLinks)).toEqual(links);
      expect(known(record.productActions)).toEqual(links);
    });

    test('reads members in the type they have', () => {
      expect(misread(flat, (answer) => productRecord.parse({ ProductID: 1, ...answer }))).toEqual([]);
      const link = between(text, 'Link fields:', '\n');
      expect(misread(link, (answer) => shapeOf(page.data).productLinks?.parse(answer))).toEqual([]);
    });
  });

  test('the event record (2.7) knows every member, and no others', () => {
    const text = between(section('2.7'), 'Output fields: ', 'Not every read');
    expect(names(text)).toHaveLength(67);
    expect(known(eventRecord)).toEqual([...new Set(names(text))].sort());
  });

  test('the event package record (2.8) reads every member in the type it has', () => {
    const text = between(section('2.8'), 'Fields: ', '\n');
    expect(typed(text)).toHaveLength(8);
    // One that is alone has to have its id.
    const read = (answer: unknown) => arrangementEndpoints.list.answer.parse([answer, {}]).data[0];
    expect(misread(text, read)).toEqual([]);
  });

  describe('the trip record (2.9)', () => {
    const text = interfaceText === null ? '' : section('2.9');
    const nested = ['contact', 'relation', 'event', 'demand'];
    const trip = shapeOf(tripRecord);
    const flat = interfaceText === null ? '' : between(text, 'Fields: ', ', and nested objects:');
    const said = (name: string): string => between(text, `- ${name}: `, '\n');

    test('knows every member, and no others', () => {
      expect(names(flat)).toHaveLength(44);
      expect(known(tripRecord, nested)).toEqual(names(flat).sort());
      expect(Object.keys(trip).filter((name) => nested.includes(name))).toEqual(nested);
    });

    test.each(['contact', 'relation'])('knows every member of its %s, and no others', (name) => {
      expect(known(trip[name])).toEqual(names(said(name)).sort());
      expect(misread(said(name), (answer) => trip[name]?.parse(answer))).toEqual([]);
    });

    test('holds the event record', () => {
      expect(known(trip.event)).toEqual(known(eventRecord));
    });

    test('knows every member of its demand and planning, and no others', () => {
      const [demand = '', planning = ''] = said('demand').split('Planning element:');
      expect(known(trip.demand)).toEqual(names(demand).sort());
      expect(known(shapeOf(trip.demand).planning)).toEqual(names(planning).sort());
      expect(misread(planning, (answer) => planningOf(answer))).toEqual([]);
    });

    const planningOf = (answer: AnswerRecord): unknown => {
      const parsed = tripRecord.parse({ demand: { planning: [answer] } }) as {
        demand: { planning: unknown[] };
      };
      return parsed.demand.planning[0];
    };

    test('reads members in the type they have', () => {
      expect(misread(flat, (answer) => tripRecord.parse(answer))).toEqual([]);
      const activities = between(flat, 'Land, ', ' (all bool)').split(', ');
      expect(activities).toHaveLength(8);
      for (const name of activities) expect(tripRecord.parse({ [name]: '0' })).toEqual({ [name]: false });
    });
  });
});

describe('one record in all the types it comes in', () => {
  const plain = {
    ProductID: 5012,
    ProductTypeID: 1,
    Actief: true,
    OmschrijvingIntern: 'Kerstbuffet Luxe',
    Verkoopprijs: 34.5,
    Volume: null,
    ExternalID: 31002,
    OfferteTekst: null,
    LMT: '2027-04-28 11:30:00.123',
    costPrice: 12.75,
  };

  test.each([
    ['numbers and booleans', plain],
    [
      'text',
      {
        ...plain,
        ProductID: '5012',
        ProductTypeID: '1',
        Actief: '1',
        Verkoopprijs: '34.50',
        ExternalID: '31002',
        costPrice: '12.75',
      },
    ],
    ['0 and 1', { ...plain, Actief: 1 }],
    ['true as text', { ...plain, Actief: 'true' }],
    ['empty text for nothing', { ...plain, Volume: '', OfferteTekst: '' }],
    ['blanks around text', { ...plain, OmschrijvingIntern: 'Kerstbuffet Luxe ', ProductTypeID: ' 1' }],
    ['zeros behind', { ...plain, Verkoopprijs: '34.5000', ProductID: '5012.0' }],
  ])('%s', (_, answer) => {
    expect(productPage.parse([{ data: [answer] }]).data).toEqual([plain]);
  });

  test.each([
    [
      'a list of links',
      [{ ProductLinkID: '1', AantalMinuten: '2.5' }],
      [{ ProductLinkID: 1, AantalMinuten: 2.5 }],
    ],
    [
      'a single link',
      { ProductLinkID: 1, StickersPrinten: '0' },
      { ProductLinkID: 1, StickersPrinten: false },
    ],
    ['an empty list', [], []],
    ['null', null, null],
  ])('links as %s', (_, productLinks, expected) => {
    const [record] = productPage.parse([
      { data: [{ ProductID: 1, productLinks, productActions: productLinks }] },
    ]).data;
    expect(record).toEqual({ ProductID: 1, productLinks: expected, productActions: expected });
  });

  test('members that nobody named are kept as they come', () => {
    const [record] = productPage.parse([{ data: [{ ProductID: 1, nieuw: { diep: ['', '1'] } }] }]).data;
    expect(record).toEqual({ ProductID: 1, nieuw: { diep: ['', '1'] } });
  });

  test('an event as texts and inside a trip as numbers and booleans', () => {
    const expected = { PartijID: 9001, HeeftVulling: true, AantalGasten: 145, GeenOmzet: false };
    expect(
      eventRecord.parse({ PartijID: '9001', HeeftVulling: '1', AantalGasten: '145', GeenOmzet: '0' }),
    ).toEqual(expected);
    expect(tripRecord.parse({ RitID: '1', event: expected, contact: null, relation: null })).toEqual({
      RitID: 1,
      event: expected,
      contact: null,
      relation: null,
    });
  });

  test('a detail of a package and of a recipe', () => {
    const one = {
      ProductID: '5012',
      Actief: '1',
      Verkoopprijs: '34.50',
      Offertetekst: '',
      ExternalID: '',
      LMT: '2027-04-28 11:30:00.000',
    };
    const read = {
      ProductID: 5012,
      Actief: true,
      Verkoopprijs: 34.5,
      ExternalID: null,
      LMT: '2027-04-28 11:30:00',
    };
    expect(packages.requests.findById.answer.parse(one)).toEqual({ ...read, Offertetekst: null });
    expect(packages.requests.findByExternal.answer.parse([one])).toEqual({ ...read, Offertetekst: null });
    expect(recipes.requests.findById.answer.parse({ data: { ...one, Kostprijs: '1.25' } })).toMatchObject({
      ...read,
      Kostprijs: 1.25,
    });
    expect(recipes.requests.findByExternal.answer.parse({})).toBeNull();
  });
});
