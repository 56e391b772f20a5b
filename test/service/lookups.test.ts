import { describe, expect, test } from 'vitest';
import { departments, dropdownValues, productTypes, units } from '../../src/resources/lookups.ts';
import { lookupList } from '../../src/service/lookups.ts';
import { type Behaviour, html, json, reset, useServer } from './scripted-server.ts';

const { baseUrl, open, received, script } = useServer();

async function listed(behaviour: Behaviour, ...given: [] | [lookup: typeof units, names?: object]) {
  script(behaviour);
  const service = open();
  try {
    const [lookup = productTypes, names] = given;
    return await lookupList(service, lookup, names as never);
  } finally {
    await service.close();
  }
}

const TYPES = [
  { id: 1, label: 'Buffet' },
  { id: 2, label: 'Diner' },
];
const plain = TYPES.map(({ id, label }) => ({
  ...{ ProductTypeID: id, ProductType: label, VerkoopCategorieID: 7 },
}));
/** The same records, with members called otherwise. */
const called = (id: string, label: string, more = {}) =>
  TYPES.map((type) => ({ ...more, [id]: type.id, [label]: type.label }));
const next = { next: 'https://x/?page=2' };

test.each<[string, unknown]>([
  ['a list', plain],
  ['data in data', { data: { data: plain } }],
  ['data beside success', { success: true, data: plain }],
  ['an object from id to name, in data', { success: true, data: { 1: 'Buffet', 2: 'Diner' } }],
  ['an object from id to name', { 1: 'Buffet', 2: 'Diner' }],
  ['an object with numbers for keys', { 0: plain[0], 2: plain[1] }],
  ['a member of any name', { producttypes: plain, success: true }],
  ['a page', [{ data: plain, links: { next: null }, meta: { last_page: 1, total: 2 } }]],
  [
    'ids as text, names with blanks',
    TYPES.map(({ id, label }) => ({ ProductTypeID: String(id), ProductType: ` ${label} ` })),
  ],
  ['ids behind an id of another thing', called('ProductTypeID', 'ProductType', { VerkoopCategorieID: 7 })],
  ['id and Omschrijving', called('id', 'Omschrijving', { Kleur: 'rood' })],
  ['ID and name', called('ID', 'name', { Actief: true })],
  ['unusual names', called('Sleutel_id', 'Benaming', { Soort: 'x' })],
])('the entries of a lookup are found in %s', async (_, answer) => {
  expect(await listed(json(answer))).toEqual({ entries: TYPES, whole: true });
});

test.each([
  [[{ data: plain, links: next, meta: {} }]],
  [{ data: { data: plain, next_page_url: next.next } }],
])('%j, of which the rest is elsewhere, ends the work', async (answer) => {
  await expect(listed(json(answer))).rejects.toMatchObject({ exit: 4 });
});

test('records of which one has no name, and names of several, are told as they are; the settings may name the members', async () => {
  const values = ['Telling', 'Breuk', 'Breuk', ''].map((Waarde, at) => ({ WaardeID: at + 1, Waarde }));
  const dropdown = await listed(json(values), dropdownValues('mutatiecategorie', 49) as typeof units);
  expect(dropdown).toMatchObject({
    ...{ entries: [{ label: 'Telling' }, { label: 'Breuk' }, { label: 'Breuk' }], whole: false },
  });
  expect(received[0]?.url).toBe('/api/v1/dropdownvalue/49');
  expect(await listed(json([]), units)).toEqual({ entries: [], whole: false });
  const odd = called('code', 'Kort', { id: 9, Naam: 'B' });
  expect(await listed(json(odd), departments as typeof units, { id: 'Code', label: 'kort' })).toEqual({
    ...{ entries: TYPES, whole: true },
  });
});

describe('a list that comes in pages is read to its last:', () => {
  const units5 = [1, 2, 3, 4, 5].map((id) => ({ EenheidID: id, Omschrijving: `maat ${id}` }));
  type Shape = (data: object[], page: number, link: string | null) => unknown;
  test.each<[string, Shape]>([
    [
      'links and counts',
      (data, current_page, link) => [
        { data, links: { next: link }, meta: { current_page, last_page: 3, total: 5 } },
      ],
    ],
    ['counts alone', (data, page) => ({ data, meta: { current_page: page, last_page: '3' } })],
    ['a link alone, the records by another name', (data, _, link) => ({ units: data, next: link })],
  ])('%s', async (_, shape) => {
    const entries = units5.map(({ EenheidID: id, Omschrijving: label }) => ({ id, label }));
    expect(await inPages(shape)).toEqual({ entries, whole: true });
  });

  test.each<[string, Shape]>([
    ['the same page again', () => ({ data: units5.slice(0, 2), meta: { last_page: 3 } })],
    ['a page that is refused', (data, page) => (page === 3 ? 'x' : { data, meta: { last_page: 3 } })],
    ['fewer than it says', (data) => ({ data, total: 12 })],
  ])('but for %s', async (_, shape) => {
    expect(await inPages(shape)).toMatchObject({
      unreadable: { en: expect.stringContaining('could not be read') },
    });
  });

  const inPages = (shape: Shape) =>
    listed((response, received, socket) => {
      const url = new URL(received.url, baseUrl());
      const page = Number(url.searchParams.get('page') ?? 1);
      const link = page < 3 ? `${baseUrl()}${url.pathname}?page=${page + 1}` : null;
      json(shape(units5.slice(page * 2 - 2, page * 2), page, link))(response, received, socket);
    }, units);
});

test('names cannot be used where there is no list of them, and what would help is said', async () => {
  expect(await listed(json([]), dropdownValues('bron') as typeof units)).toMatchObject({
    unreadable: { en: expect.stringMatching(/not known; set dialect\.dropdowns\.bron in/) },
  });
  expect(await listed(json([]), { name: 'accountmanager' } as typeof units)).toMatchObject({
    unreadable: { en: 'the service has no list of accountmanager' },
  });
  expect(received).toHaveLength(0);
  for (const [said, answer] of [
    [/no id .* set dialect\.lookups\.unit\.id in/, json([{ Naam: 'Buffet' }, { Naam: 'Diner' }])],
    [/no id/, json(called('SoortID', 'Naam').map((one) => ({ ...one, SoortID: 1 })))],
    [
      /no name .* set dialect\.lookups\.unit\.label in/,
      json([
        { ID: 1, Prijs: 3 },
        { ID: 2, Prijs: 4 },
      ]),
    ],
    [/no name/, json([1, 2, 3].map((ID) => ({ ID, Soort: 'a' })))],
    [/could not be read \(Geen rechten\.\)/, json({ message: 'Geen rechten.' }, 403)],
  ] as const)
    expect(await listed(answer, units)).toMatchObject({ unreadable: { en: expect.stringMatching(said) } });
  for (const away of [reset, html('Onderhoud', 503)])
    await expect(listed(away, units)).rejects.toMatchObject({ name: 'RequestError' });
});
