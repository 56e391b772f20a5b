import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, exportFinance, exportRecords, importWorkbook } from '../../src/index.ts';
import type { ExportedResource } from '../../src/records/listing.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { trips } from '../../src/resources/trips.ts';
import { type ServedAnswer, type ServedPlace, type ServedRequest, serveJson } from './json-service.ts';
import { listed, listService } from './list-service.ts';
import { plannerService } from './planner-service.ts';

const MARCH = { from: '2026-03-01', to: '2026-03-31' };
const ok = (body: unknown): ServedAnswer => ({ status: 200, body });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const event = (id: number, more: object = {}) => ({
  ...{ PartijID: id, Datum: '2026-03-04 00:00:00', LMT: '2024-05-01 09:00:00', ...more },
});
const trip = (id: number, more: object = {}) => ({
  ...{ RitID: id, Datum: '2026-03-04 00:00:00', LMT: '2024-05-01 09:00:00', ...more },
});

const product = (id: number, more: object = {}) => listed(id, { LMT: '2024-01-02 03:04:05.678', ...more });

type Line = Record<string, unknown>;

async function exported(
  resource: ExportedResource,
  { options, folder }: Pick<ServedPlace, 'options' | 'folder'>,
  chosen: object = MARCH,
): Promise<{ lines: Line[]; notes: readonly string[]; complete: boolean }> {
  const out = join(folder, 'uit.ndjson');
  const done = await exportRecords(resource, { ...options, lang: 'en', out, overwrite: true, ...chosen });
  const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean);
  return { ...done, lines: lines.map((line) => JSON.parse(line) as Line) };
}

/** Pages of three in one of the shapes that services give them. */
type Paged = (at: { data: unknown[]; page: number; last: number; total: number | null; url: URL }) => unknown;

const link = (url: URL, page: number): string => `${url.origin}${url.pathname}?page=${page}`;
const resources: Paged = ({ data, page, last, total, url }) => ({
  ...{ data, links: { first: link(url, 1), next: page < last ? link(url, page + 1) : null } },
  meta: { current_page: page, last_page: last, per_page: '3', total },
});
const SHAPES: readonly [string, Paged][] = [
  ['links and meta', resources],
  ['the same in a list of one', (at) => [resources(at)]],
  [
    'beside the records',
    ({ data, page, last, total, url }) => ({
      ...{ current_page: page, data, links: [], last_page: last, total },
      next_page_url: page < last ? link(url, page + 1) : null,
    }),
  ],
  ['counts alone', ({ data, page, last }) => ({ data, meta: { current_page: page, last_page: last } })],
  [
    'a link alone',
    ({ data, page, last, url }) => ({ data, links: { next: page < last ? link(url, page + 1) : null } }),
  ],
];

/** Of ten records nine come, one of them on two pages. */
const overlapping =
  (make: (id: number) => object): Paged =>
  (at) =>
    resources({ ...at, data: [1, 2, 3, 3, 4, 5, 6, 7, 8, 9].slice(at.page * 3 - 3, at.page * 3).map(make) });
const gap: Paged = (at) => resources({ ...at, data: at.page === 2 ? [] : at.data, total: null });
const cursor: Paged = ({ data }) => ({ data, next_cursor: 'abc', has_more: true });

const pagedService = (records: readonly unknown[], shape: Paged): Promise<ServedPlace> =>
  serveJson(({ url }: ServedRequest) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const total = records.length;
    const data = records.slice((page - 1) * 3, page * 3);
    return ok(shape({ data, page, last: Math.ceil(total / 3), total, url }));
  });

describe('a list that comes in pages is read to its last', () => {
  test.each(SHAPES)('by %s', async (_, shape) => {
    const trippy = await pagedService(
      numbers(10).map((id) => trip(id)),
      shape,
    );
    for (const chosen of [MARCH, { since: '2020-01-01' }])
      expect((await exported(trips, trippy, chosen)).lines.map(({ RitID }) => RitID)).toEqual(numbers(10));
    const eventful = await pagedService(
      numbers(7).map((id) => event(id)),
      shape,
    );
    expect((await exported(events, eventful)).lines).toHaveLength(7);
  });

  test('by an import too, which finds what is on the last page', async () => {
    const service = await pagedService(
      numbers(10).map((id) => event(id, { ExternalID: 500 + id, LocatieID: 6 })),
      resources,
    );
    const file = join(service.folder, 'evenementen.csv');
    writeFileSync(file, 'ExternalID;Datum;LocatieID\r\n510;4-3-2026;6\r\n');
    const { counts } = await importWorkbook(file, { ...service.options, dryRun: true, as: events });
    expect(counts).toMatchObject({ read: 1, unchanged: 1 });
  });

  test.each<[string, Paged, RegExp]>([
    ['its total', ({ data, total }) => ({ data, meta: { total } }), /3 records came, .* it has 10/],
    [
      'the same page again',
      ({ total, last }) => ({ data: numbers(3).map((id) => event(id)), last_page: last, total }),
      /12 records came|same records again/,
    ],
    [
      'pages without a way to them',
      ({ data, last, url }) => ({ data, links: { first: link(url, 1) }, meta: { last_page: last } }),
      /1 of its 4 pages came/,
    ],
    ['pages that overlap', overlapping(event), /9 different records came, where the list says it has 10/],
    ['a page without records between others', gap, /a page without records came/],
    ['a cursor', cursor, /says that more follows/],
    [
      'another host',
      ({ data }) => ({ data, links: { next: 'http://ergens.example/x?page=2' } }),
      /ergens\.example/,
    ],
  ])('one that announces more than can be got stops the export: %s', async (_, shape, says) => {
    const service = await pagedService(
      numbers(10).map((id) => event(id)),
      shape,
    );
    const out = join(service.folder, 'uit.csv');
    writeFileSync(out, 'van gisteren');
    await expect(
      exportRecords(events, { ...service.options, ...MARCH, lang: 'en', out, overwrite: true }),
    ).rejects.toMatchObject({ exit: EXIT.service, message: expect.stringMatching(says) });
    expect(readFileSync(out, 'utf8')).toBe('van gisteren');
  });
});

describe('an answer in place of a list', () => {
  test.each<[string, ExportedResource, string, ServedAnswer, RegExp]>([
    ['events', events, 'event/all', ok(undefined), /events\.all: .* nothing at all in place of a list/],
    ['trips', trips, 'ritten/all', ok(undefined), /trips\.all: .* nothing at all/],
    [
      'a trip without its id',
      trips,
      'ritten/all',
      ok([trip(1), { Plaats: 'Ede' }]),
      /a record without RitID/,
    ],
    ['trips refused', trips, 'ritten/all', ok({ success: false }), /success false in place of a list/],
    ['links', arrangements, 'event/2/packages', ok({ success: false }), /PartijID 2: success false/],
    [
      'words in place of links',
      arrangements,
      'event/2/packages',
      ok({ message: 'database weg' }),
      /PartijID 2: .*: a record without ArrangementID/,
    ],
    ['no links', arrangements, 'event/2/packages', ok(undefined), /PartijID 2: .*: nothing at all/],
  ])('%s: stops the export, and says that nothing was written', async (_, resource, where, answer, says) => {
    const service = await plannerService();
    service.events = numbers(3).map((id) => event(id, { StatusID: 3 }));
    service.onRequest = (path) => (path === where ? answer : undefined);
    await expect(exported(resource, service)).rejects.toMatchObject({
      ...{ exit: EXIT.service, message: expect.stringMatching(says) },
      next: expect.stringMatching(/check`.*Nothing was written to uit\.ndjson/),
    });
    if (resource !== arrangements) return;
    const out = join(service.folder, 'omzet.xlsx');
    await expect(exportFinance({ ...service.options, ...MARCH, out })).rejects.toMatchObject({
      message: expect.stringMatching(says),
    });
  });

  test('404 for arrangements means none where the event exists, and leaves the event out where it is gone', async () => {
    const service = await plannerService();
    service.events = numbers(4).map((id) => event(id, { StatusID: 3 }));
    service.links = { 1: [{ ArrangementID: 7, Aantal: 2, VerkoopPrijs: 3 }] };
    service.trips = [trip(9, { PartijID: 2, Verkoopprijs: 5 })];
    service.onRequest = (path) =>
      /^event\/(2|2\/packages|3\/packages)$/.test(path) ? { status: 404, body: {} } : undefined;
    const none = /^404 for the arrangements of events that the service has, taken as none: 1 \(PartijID 3\)/i;
    const gone = /^PartijID 2: listed, and gone \(404\) when the arrangements were read: left out/;
    const { lines, notes, complete } = await exported(arrangements, service);
    expect([lines.length, complete]).toEqual([1, true]);
    for (const said of [none, gone]) expect(notes).toContainEqual(expect.stringMatching(said));
    const wishes = { ...service.options, ...MARCH, out: join(service.folder, 'omzet.xlsx') };
    const done = await exportFinance(wishes);
    expect(done).toMatchObject({
      ...{ complete: true, sums: { revenue: '6', tripPrices: '5' } },
      sheets: [{ rows: 3 }, { rows: 1 }, { rows: 1 }, { rows: 0 }],
    });
    for (const said of [none, gone, /no event in this workbook, .*: 1, together 5\.00/])
      expect(done.notes).toContainEqual(expect.stringMatching(said));

    // Of a service that finds no list at all nobody can say that there are none.
    service.onRequest = (path) => (path.endsWith('/packages') ? { status: 404, body: {} } : undefined);
    const missing =
      /^arrangements may be missing: the service answered 404 for those of each of the 4 events/i;
    for (const { complete, notes } of [
      await exported(arrangements, service),
      await exportFinance({ ...wishes, overwrite: true }),
    ]) {
      expect(complete).toBe(false);
      expect(notes).toContainEqual(expect.stringMatching(missing));
    }
  });

  test('404 for the second page of arrangements is no sign that the event is gone', async () => {
    const service = await plannerService();
    service.events = numbers(3).map((id) => event(id, { StatusID: 3 }));
    const page = { data: [{ ArrangementID: 7 }], meta: { current_page: 1, last_page: 2 } };
    let second: ServedAnswer = { status: 404, body: {} };
    service.onRequest = (path, _, number) => {
      if (path !== 'event/2/packages') return undefined;
      return number === null ? ok([page]) : second;
    };
    const out = join(service.folder, 'omzet.xlsx');
    const says = { exit: EXIT.service, message: expect.stringMatching(/PartijID 2: .*its page 2 .*404/) };
    await expect(exported(arrangements, service)).rejects.toMatchObject(says);
    await expect(exportFinance({ ...service.options, ...MARCH, out })).rejects.toMatchObject(says);
    second = ok({ success: false });
    await expect(exported(arrangements, service)).rejects.toMatchObject({
      message: expect.stringMatching(/PartijID 2: success false/),
    });
  });

  test('records of other days than were asked for are left out by wall-clock time, with a note', async () => {
    const service = await plannerService();
    const days = ['2026-03-31T23:30:00-05:00', '2026-04-01 00:00:00', null, '2026-02-28T23:59:00+05:00'];
    const dated = days.map((Datum, at) => ({ Datum, StatusID: 3, PartijID: at + 1, Verkoopprijs: 1 }));
    service.onRequest = (path) => {
      if (/^event\/all/.test(path)) return ok(dated.map((more) => event(more.PartijID, more)));
      return path === 'ritten/all' ? ok(dated.map((more) => trip(more.PartijID, more))) : undefined;
    };
    const left = (what: string, id: string) =>
      expect.stringMatching(new RegExp(`^${what} of other days .* left out: 2 \\(${id} 2, 4\\)`, 'i'));
    for (const [resource, id] of [[events, 'PartijID'] as const, [trips, 'RitID'] as const]) {
      const { lines, notes } = await exported(resource, service);
      expect(lines.map((line) => line[id])).toEqual([1, 3]);
      expect(notes).toContainEqual(left(resource.name, id));
    }
    expect((await exported(arrangements, service)).notes).toEqual([left('events', 'PartijID')]);
    const out = join(service.folder, 'omzet.xlsx');
    const done = await exportFinance({ ...service.options, ...MARCH, out });
    expect(done.sheets.map(({ rows }) => rows)).toEqual([2, 0, 2, 0]);
    expect(done.notes).toContainEqual(left('events', 'PartijID'));
    expect(done.notes).toContainEqual(left('trips', 'RitID'));
    expect(service.asked.map(({ path }) => path)).not.toContain('event/2/packages');
  });

  test('an empty list in any shape stops nothing', async () => {
    const service = await plannerService();
    for (const body of [[], null, {}, '', { data: [] }, { data: [], meta: { total: 0 }, links: {} }]) {
      service.onRequest = (path) => (path === 'event/all' ? ok(body) : undefined);
      expect(await exported(events, service)).toMatchObject({
        lines: [],
        notes: [expect.stringMatching(/^Starttijd, Eindtijd, .* not in this file/)],
      });
    }
  });
});

test.each<[string, ExportedResource, object]>([
  ['event/allkassa', events, { definitive: true }],
  ['event/allByLMT', events, { since: '2020-01-01' }],
  ['event/all', events, MARCH],
  ['ritten/allByLMT', trips, { since: '2020-01-01' }],
])('a record that %s lists twice is exported once, as last written', async (where, resource, chosen) => {
  const service = await plannerService();
  const [make, id] = resource === trips ? [trip, 'RitID'] : [event, 'PartijID'];
  const later = { LMT: '2024-05-02 09:00:00', Plaats: 'nieuw' };
  service.onRequest = (path) =>
    path === where ? ok([make(5), make(6, later), make(5, later), make(6)]) : undefined;
  const { lines } = await exported(resource, service, chosen);
  expect(lines.map((line) => [line[id], line.Plaats])).toEqual([
    ...[
      [5, 'nieuw'],
      [6, 'nieuw'],
    ],
  ]);
});

test('a malformed nested record leaves its own cells empty, with a note', async () => {
  const service = await plannerService();
  service.trips = [
    trip(1, { event: [], demand: [], contact: '', relation: false }),
    trip(2, {
      event: 'geen',
      demand: { planning: 5, Omschrijving: 'Opbouw' },
      contact: [{ Voornaam: 'An' }],
    }),
  ];
  const { lines, notes } = await exported(trips, service, { since: '2020-01-01' });
  expect(lines).toMatchObject([
    { event: null, demand: null, contact: null, relation: null },
    { event: 'geen', demand: { planning: 5 }, contact: { Voornaam: 'An' } },
  ]);
  const malformed = notes.filter((note) => !note.startsWith('Chauffeur, '));
  expect(malformed).toEqual([
    expect.stringMatching(/^event: .* 1 record; .*: RitID 2$/),
    expect.stringMatching(/^demand\.planning: .*: RitID 2$/),
  ]);
  const out = join(service.folder, 'uit.csv');
  await exportRecords(trips, { ...service.options, since: '2020-01-01', out, raw: true });
  expect(readFileSync(out, 'utf8').split('\n')[2]).toMatch(/Opbouw/);
  const products = await listService([
    listed(1, { productType: [], productLinks: '' }),
    listed(2, { productType: 7, productLinks: [{ ChildID: 3 }, 'x'] }),
  ]);
  const book = join(products.folder, 'uit.xlsx');
  const done = await exportRecords(packages, { ...products.options, lang: 'en', out: book });
  expect(done.sheets).toEqual([{ sheet: 'Pakketten', rows: 2 }]);
  expect(done.notes).toEqual([
    expect.stringMatching(/^productType: .*: ProductID 2$/),
    expect.stringMatching(/^productLinks: .*: ProductID 2$/),
  ]);
});

test.each<[string, Paged, number, RegExp]>([
  ['whose pages overlap', overlapping(product), 9, /\(9 different records came, where .* it has 10\)/],
  [
    'without a way to its other pages',
    ({ data, last, url }) => ({ data, links: { first: link(url, 1) }, meta: { last_page: last } }),
    3,
    /\(1 of its 4 pages came\)/,
  ],
  ['of which a page has no records', gap, 7, /\(a page without records came/],
  ['that goes on by a cursor', cursor, 3, /\(it says that more follows/],
])('a list of products %s is exported with a note that it is incomplete', async (_, shape, count, says) => {
  const service = await pagedService(
    numbers(10).map((id) => product(id)),
    shape,
  );
  const { lines, notes, complete } = await exported(packages, service, { since: 'last' });
  expect([lines.length, complete]).toEqual([count, false]);
  expect(notes).toEqual([
    expect.stringMatching(/^the next --since last begins where/),
    expect.stringMatching(says),
  ]);
});

test('a product that a page lists twice is exported once, as last written', async () => {
  const twice = (OmschrijvingIntern: string, LMT: string) => product(5, { OmschrijvingIntern, LMT });
  const service = await listService([
    ...[twice('oud', '2024-01-02 00:00:00'), twice('nieuw', '2024-01-03 00:00:00'), product(6)],
  ]);
  const { lines, complete } = await exported(packages, service, {});
  expect(lines.map((line) => [line.ProductID, line.OmschrijvingIntern])).toEqual([
    ...[
      [5, 'nieuw'],
      [6, 'Pakket 6'],
    ],
  ]);
  expect(complete).toBe(true);
});

test('a list of products that stays shorter than its total gets a note, and leaves the watermark where it was', async () => {
  const page = (total: number, count = total) =>
    ok([
      {
        data: numbers(count).map((id) => product(id)),
        links: {},
        meta: { total },
      },
    ]);
  let answer = page(40, 2);
  const service = await listService([], 20, () => answer);
  const last = { since: 'last' };
  const short = await exported(packages, service, last);
  expect([short.lines.length, short.complete]).toEqual([2, false]);
  expect(short.notes).toEqual([
    expect.stringMatching(/^the next --since last begins where this one did/),
    expect.stringMatching(/each time it was read \(2 records came, where the list says it has 40\)/),
  ]);
  answer = page(40);
  const whole = await exported(packages, service, last);
  expect([whole.lines.length, whole.complete]).toEqual([40, true]);
  expect(service.asked.at(-1)).toMatchObject({ LMT: expect.stringMatching(/^1970/) });
});

test('a product whose stock flag can’t be read is on the sheet to count on', async () => {
  const service = await plannerService();
  service.products = [true, '-1', false, null, ''].map((VoorraadProduct, at) => ({
    ...{ ProductID: at + 1, OmschrijvingIntern: 'Soep', VoorraadProduct },
  }));
  service.totals = { 1: [{ Aantal: 4 }], 2: [{ Aantal: 5 }] };
  const { lines, notes } = await exported(stockCount, service, {});
  expect(lines.map(({ ProductID }) => ProductID)).toEqual([1, 2]);
  expect(notes).toEqual([expect.stringMatching(/^VoorraadProduct is neither yes nor no, .*: 2 \("-1"\)$/)]);
});
