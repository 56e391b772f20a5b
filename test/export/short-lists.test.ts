import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, exportFinance, exportRecords } from '../../src/index.ts';
import type { ExportedResource } from '../../src/records/listing.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { trips } from '../../src/resources/trips.ts';
import { type ServedAnswer, type ServedPlace, type ServedRequest, serveJson } from './json-service.ts';
import { listed } from './list-service.ts';
import { plannerService } from './planner-service.ts';

const MARCH = { from: '2026-03-01', to: '2026-03-31' };
const ok = (body: unknown): ServedAnswer => ({ status: 200, body });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const event = (id: number, _?: unknown, more: object = {}) => ({
  ...{ PartijID: id, Datum: '2026-03-04 00:00:00', LMT: '2024-05-01 09:00:00', StatusID: 3, ...more },
});
const trip = (id: number, _?: unknown, more: object = {}) => ({
  ...{ RitID: id, Datum: '2026-03-04 00:00:00', LMT: '2024-05-01 09:00:00', ...more },
});

const product = (id: number) => listed(id, { LMT: '2024-01-02 03:04:05.678' });

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
/** Of ten records nine come, one of them on two pages. */
const overlapping =
  (make: (id: number) => object): Paged =>
  (at) =>
    resources({ ...at, data: [1, 2, 3, 3, 4, 5, 6, 7, 8, 9].slice(at.page * 3 - 3, at.page * 3).map(make) });
const cursor: Paged = ({ data }) => ({ data, next_cursor: 'abc', has_more: true });

const pagedService = (records: readonly unknown[], shape: Paged): Promise<ServedPlace> =>
  serveJson(({ url }: ServedRequest) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const total = records.length;
    const data = records.slice((page - 1) * 3, page * 3);
    return ok(shape({ data, page, last: Math.ceil(total / 3), total, url }));
  });

describe('a list that comes in pages', () => {
  test('is read to its last', async () => {
    const trippy = await pagedService(numbers(10).map(trip), resources);
    for (const chosen of [MARCH, { since: '2020-01-01' }])
      expect((await exported(trips, trippy, chosen)).lines.map(({ RitID }) => RitID)).toEqual(numbers(10));
    const eventful = await pagedService(numbers(7).map(event), resources);
    expect((await exported(events, eventful)).lines).toHaveLength(7);
  });

  test.each<[string, Paged, RegExp]>([
    ['its total', ({ data, total }) => ({ data, meta: { total } }), /3 records came, .* it has 10/],
    ['pages that overlap', overlapping(event), /9 different records came, where the list says it has 10/],
    ['a cursor', cursor, /says that more follows/],
  ])('stops the export where it announces more than can be got: %s', async (_, shape, says) => {
    const service = await pagedService(numbers(10).map(event), shape);
    const out = join(service.folder, 'uit.csv');
    writeFileSync(out, 'van gisteren');
    await expect(
      exportRecords(events, { ...service.options, ...MARCH, lang: 'en', out, overwrite: true }),
    ).rejects.toMatchObject({ exit: EXIT.service, message: expect.stringMatching(says) });
    expect(readFileSync(out, 'utf8')).toBe('van gisteren');
  });

  test.each<[string, Paged, number, RegExp]>([
    ['whose pages overlap', overlapping(product), 9, /\(9 different records came, where .* it has 10\)/],
    ['that goes on by a cursor', cursor, 3, /\(it says that more follows/],
  ])('%s is exported of products with a note that it is incomplete', async (_, shape, count, says) => {
    const service = await pagedService(numbers(10).map(product), shape);
    const { lines, notes, complete } = await exported(packages, service, { since: 'last' });
    expect([lines.length, complete]).toEqual([count, false]);
    expect(notes).toEqual([
      expect.stringMatching(/^the next export since the last one begins where/),
      expect.stringMatching(says),
    ]);
  });
});

describe('an answer in place of a list', () => {
  test.each<[string, ExportedResource, string, ServedAnswer, RegExp]>([
    [
      'events',
      events,
      'event/all',
      ok(undefined),
      /does not answer as it should: .*nothing at all in place of a list/,
    ],
    ['trips', trips, 'ritten/all', ok(undefined), /nothing at all in place of a list/],
    [
      'a trip without its id',
      trips,
      'ritten/all',
      ok([trip(1), { Plaats: 'Ede' }]),
      /a record without RitID/,
    ],
    [
      'events of another shape',
      events,
      'event/all',
      ok([{ melding: 'morgen' }]),
      /a record without PartijID/,
    ],
    [
      'packages without their ids',
      packages,
      'product/pakket/allModified',
      ok([{ data: [{ Nummer: 1 }], links: {}, meta: { current_page: 1, last_page: 1, total: 1 } }]),
      /without ProductID/,
    ],
    [
      'no list of recipes',
      recipes,
      'product/recept/allModified',
      ok({ success: true }),
      /a record without ProductID/,
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
    service.events = numbers(3).map(event);
    service.onRequest = (path) => (path === where ? answer : undefined);
    const chosen = where.startsWith('product') ? {} : MARCH;
    await expect(exported(resource, service, chosen)).rejects.toMatchObject({
      ...{ exit: EXIT.service, message: expect.stringMatching(says) },
      next: expect.stringMatching(/catersheet check\).*Nothing was written to uit\.ndjson/),
    });
    if (resource !== arrangements) return;
    const out = join(service.folder, 'omzet.xlsx');
    await expect(exportFinance({ ...service.options, ...MARCH, out })).rejects.toMatchObject({
      message: expect.stringMatching(says),
    });
  });

  test('404 for the second page of arrangements is no sign that the event is gone', async () => {
    const service = await plannerService();
    service.events = numbers(3).map(event);
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
      if (/^event\/all/.test(path)) return ok(dated.map((more) => event(more.PartijID, null, more)));
      return path === 'ritten/all' ? ok(dated.map((more) => trip(more.PartijID, null, more))) : undefined;
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
    expect(done.sheets.map(({ rows }) => rows)).toEqual([2, 0, 2, 0, 2]);
    expect(done.notes).toContainEqual(left('events', 'PartijID'));
    expect(done.notes).toContainEqual(left('trips', 'RitID'));
    expect(service.asked.map(({ path }) => path)).not.toContain('event/2/packages');
  });
});
