import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { departments, dropdownValues, productTypes, units } from '../../src/resources/lookups.ts';
import { lookupList } from '../../src/service/lookups.ts';
import { open } from './open.ts';
import { type Behaviour, html, json, reset, type ScriptedServer, startServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const types = [
  { id: 1, label: 'Buffet' },
  { id: 2, label: 'Diner' },
];

describe('entries are found in', () => {
  const plain = [
    { ProductTypeID: 1, ProductType: 'Buffet', VerkoopCategorieID: 7 },
    { ProductTypeID: 2, ProductType: 'Diner', VerkoopCategorieID: 7 },
  ];
  test.each([
    ['a list', plain],
    ['data', { data: plain }],
    ['data in data', { data: { data: plain } }],
    ['data beside success', { success: true, data: plain }],
    [
      'an object from id to name in data beside success',
      { success: true, data: { 1: 'Buffet', 2: 'Diner' } },
    ],
    ['a member of any name in data beside success', { success: true, data: { producttypes: plain } }],
    ['an object with numbers for keys', { 0: plain[0], 2: plain[1] }],
    ['a page', [{ data: plain, links: {}, meta: {} }]],
    ['a member of any name', { producttypes: plain, success: true }],
    ['ids as text', plain.map((record) => ({ ...record, ProductTypeID: String(record.ProductTypeID) }))],
    [
      'ids before an id of another thing',
      plain.map(({ VerkoopCategorieID, ...rest }) => ({ VerkoopCategorieID, ...rest })),
    ],
    [
      '`id` and Omschrijving',
      plain.map((record) => ({ Omschrijving: record.ProductType, id: record.ProductTypeID, Kleur: 'rood' })),
    ],
    [
      'ID and name',
      plain.map((record) => ({ ID: record.ProductTypeID, name: record.ProductType, Actief: true })),
    ],
    [
      'unusual names',
      plain.map((record) => ({ Soort: 'x', Sleutel_id: record.ProductTypeID, Benaming: record.ProductType })),
    ],
    ['an object from id to name', { 1: 'Buffet', 2: 'Diner' }],
    [
      'labels with blanks around',
      plain.map((record) => ({ ...record, ProductType: ` ${record.ProductType} ` })),
    ],
  ])('%s', async (_, answer) => {
    server.script(json(answer));
    const service = open(server.baseUrl);
    await expect(lookupList(service, productTypes)).resolves.toEqual({ entries: types, whole: true });
    expect(server.received).toHaveLength(1);
    await service.close();
  });

  test('a single record', async () => {
    server.script(json({ EenheidID: 3, Omschrijving: 'kg' }));
    const service = open(server.baseUrl);
    await expect(lookupList(service, units)).resolves.toEqual({
      entries: [{ id: 3, label: 'kg' }],
      whole: true,
    });
    await service.close();
  });

  test('an empty list, as none', async () => {
    server.script(json([]));
    const service = open(server.baseUrl);
    await expect(lookupList(service, units)).resolves.toEqual({ entries: [], whole: false });
    await service.close();
  });

  test('the members that the settings name', async () => {
    server.script(
      json([
        { id: 9, code: 1, Naam: 'B', Kort: 'Buffet' },
        { id: 8, code: 2, Naam: 'D', Kort: 'Diner' },
      ]),
    );
    const service = open(server.baseUrl);
    await expect(lookupList(service, departments, { id: 'Code', label: 'kort' })).resolves.toEqual({
      entries: types,
      whole: true,
    });
    await service.close();
  });

  test('records with a name alone, and equal names of several', async () => {
    const records = [
      { WaardeID: 1, DropdownID: 49, Waarde: 'Telling' },
      { WaardeID: 2, DropdownID: 49, Waarde: 'Breuk' },
      { WaardeID: 3, DropdownID: 49, Waarde: 'Breuk' },
      { WaardeID: 4, DropdownID: 49, Waarde: '' },
    ];
    server.script(json(records));
    const service = open(server.baseUrl);
    const found = await lookupList(service, dropdownValues('mutatiecategorie', 49));
    expect(found).toEqual({
      entries: [
        { id: 1, label: 'Telling' },
        { id: 2, label: 'Breuk' },
        { id: 3, label: 'Breuk' },
      ],
      whole: false,
    });
    expect(server.received[0]?.url).toBe('/api/v1/dropdownvalue/49');
    await service.close();
  });
});

describe('a list that comes in pages is read to its last:', () => {
  const units5 = [1, 2, 3, 4, 5].map((id) => ({ EenheidID: id, Omschrijving: `maat ${id}` }));
  type Shape = (data: object[], page: number, link: (page: number) => string | null) => unknown;
  const paged =
    (shape: Shape): Behaviour =>
    (response, received, socket) => {
      const url = new URL(received.url, server.baseUrl);
      const page = Number(url.searchParams.get('page') ?? 1);
      const link = (other: number): string | null =>
        other <= 3 ? `${server.baseUrl}${url.pathname}?page=${other}` : null;
      json(shape(units5.slice(page * 2 - 2, page * 2), page, link))(response, received, socket);
    };
  test.each<[string, Shape, number, boolean]>([
    [
      'links and counts, in a list of one',
      (data, page, link) => [
        { data, links: { next: link(page + 1) }, meta: { current_page: page, last_page: 3, total: 5 } },
      ],
      5,
      true,
    ],
    [
      'beside the records, with a list of links',
      (data, page, link) => ({
        ...{ current_page: page, data, last_page: 3, links: [{ url: link(1), label: '1' }], total: 5 },
        next_page_url: link(page + 1),
      }),
      5,
      true,
    ],
    ['counts alone', (data, page) => ({ data, meta: { current_page: page, last_page: '3' } }), 5, true],
    [
      'a link alone, the records by another name',
      (units, page, link) => ({ units, next: link(page + 1) }),
      5,
      true,
    ],
    ['the same page again', () => ({ data: units5.slice(0, 2), meta: { last_page: 3 } }), 2, false],
    [
      'a page that is refused',
      (data, page) => (page === 3 ? 'x' : { data, meta: { last_page: 3 } }),
      2,
      false,
    ],
  ])('%s', async (_, shape, count, whole) => {
    server.script(paged(shape));
    const service = open(server.baseUrl);
    const entries = units5.slice(0, count).map(({ EenheidID: id, Omschrijving: label }) => ({ id, label }));
    await expect(lookupList(service, units)).resolves.toEqual({ entries, whole });
    await service.close();
  });
});

describe('a list that goes on where nobody can follow is not whole:', () => {
  const data = [
    { id: 1, Naam: 'Buffet' },
    { id: 2, Naam: 'Diner' },
  ];
  test.each<[string, unknown, boolean]>([
    ['a page with more behind it', [{ data, links: { next: 'https://x/?page=2' }, meta: {} }], false],
    ['the same, not in a list', { data, links: { next: 'https://x/?page=2' } }, false],
    ['more pages than one', { data, meta: { current_page: 1, last_page: '3' } }, false],
    ['more in all', { data, total: 12 }, false],
    ['the next page beside the list', { data: { data, next_page_url: 'https://x/?page=2' } }, false],
    ['the only page', [{ data, links: { next: null }, meta: { last_page: 1, total: 2 } }], true],
  ])('%s', async (_, answer, whole) => {
    server.script(json(answer));
    const service = open(server.baseUrl);
    await expect(lookupList(service, productTypes)).resolves.toEqual({ entries: types, whole });
    await service.close();
  });
});

describe('names cannot be used where', () => {
  test('no number is known for a dropdown list; nothing is asked', async () => {
    const service = open(server.baseUrl);
    const found = await lookupList(service, dropdownValues('bron'));
    expect(found).toMatchObject({
      reason: 'no-number',
      hint: {
        en: expect.stringContaining('dialect.dropdowns.bron'),
        nl: expect.stringContaining('keuzelijst'),
      },
    });
    expect(server.received).toHaveLength(0);
    await service.close();
  });

  test('the interface names no list', async () => {
    const service = open(server.baseUrl);
    await expect(lookupList(service, { name: 'accountmanager' })).resolves.toMatchObject({
      reason: 'no-list',
    });
    await service.close();
  });

  test.each([
    ['no-id', [{ Naam: 'Buffet' }, { Naam: 'Diner' }]],
    [
      'no-id',
      [
        { SoortID: 1, Naam: 'Buffet' },
        { SoortID: 1, Naam: 'Diner' },
      ],
    ],
    [
      'no-label',
      [
        { ID: 1, Prijs: 3 },
        { ID: 2, Prijs: 4 },
      ],
    ],
    [
      'no-label',
      [
        { ID: 1, Soort: 'a' },
        { ID: 2, Soort: 'a' },
        { ID: 3, Soort: 'a' },
      ],
    ],
  ])('the records have %s: %j', async (reason, records) => {
    server.script(json(records));
    const service = open(server.baseUrl);
    await expect(lookupList(service, units)).resolves.toMatchObject({ reason });
    await service.close();
  });

  test('the service does not give the list', async () => {
    server.script(json({ message: 'Geen rechten.' }, 403));
    const service = open(server.baseUrl);
    await expect(lookupList(service, units)).resolves.toMatchObject({
      reason: 'refused',
      hint: { en: expect.stringContaining('Geen rechten.') },
    });
    await service.close();
  });
});

test.each([
  ['a reset', reset],
  ['a maintenance page', html('Onderhoud', 503)],
])('%s is an error, not an unknown name', async (_, behaviour) => {
  server.script(behaviour);
  const service = open(server.baseUrl);
  await expect(lookupList(service, units)).rejects.toMatchObject({ name: 'RequestError' });
  await service.close();
});
