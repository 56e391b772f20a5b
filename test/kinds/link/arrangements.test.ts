import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';

type Cell = string | number | boolean | null;

const HEADER = ['#action', 'PartijID', 'ArrangementID', 'Aantal', 'Datum', 'OfferteOmschrijving'];
/** Seeded: event 9001 has arrangements 1 and 8, event 9002 has 2. */
const DAY = '2026-10-02';
/** How old a list may be when a link is sent, ms. */
const MAX_AGE = 10_000;

const sheetOf = (
  service: TestService,
  rows: readonly (readonly Cell[])[],
  header = HEADER,
): Promise<string> =>
  makeWorkbook(`${service.folder}/arrangementen.xlsx`, { Arrangementen: [header, ...rows] });

async function linksOf(service: TestService, event: number) {
  return (await service.request('GET', `api/v1/event/${event}/packages`)) as Readonly<{
    [name: string]: unknown;
  }>[];
}

async function newEvent(service: TestService): Promise<number> {
  const [Datum, Starttijd, Eindtijd] = ['00', '12', '14'].map((hour) => `${DAY} ${hour}:00:00`);
  const event = { RelatieID: 1, ContactpersoonID: 1, Datum, Starttijd, Eindtijd };
  const { id } = (await service.request('PUT', 'api/v1/event', event)) as { id: number };
  return id;
}

const statuses = (done: Awaited<ReturnType<typeof importWorkbook>>) => done.rows.map(({ status }) => status);

describe('an arrangement of an event', () => {
  it('is linked, changed and unlinked, and nothing is sent the second time', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { allowDelete: true });
    const rows = [
      [null, 9001, 3, 40, DAY, 'Lunch in de tuin'],
      [null, 9001, 4, 40, `${DAY} 12:30`, null],
      [null, 9001, 1, 99, null, null],
      ['delete', 9001, 8, null, null, null],
      [null, 9002, 2, null, null, 'Op het dakterras'],
    ];
    const file = await sheetOf(service, rows);
    await service.clearLog();
    const done = await importWorkbook(file, options);
    expect(statuses(done)).toEqual(['created', 'created', 'updated', 'deleted', 'updated']);
    // Each says its arrangement's name, also where it is linked only now.
    expect(done.rows.map(({ label }) => typeof label)).toEqual(rows.map(() => 'string'));
    const { 'arrangements.list': lists = 0, ...writes } = (await service.log()).counts;
    expect(writes).toEqual({
      // The names of those that are not linked yet.
      'arrangements.get': 2,
      'arrangements.create': 2,
      'arrangements.update': 3,
      'arrangements.delete': 1,
    });
    // What is read back tells more where rows end in another order.
    expect(lists).toBeLessThanOrEqual(6);
    const links = await linksOf(service, 9001);
    const byId = links.toSorted((one, two) => Number(one.ArrangementID) - Number(two.ArrangementID));
    expect(
      byId.map(({ ArrangementID, Aantal, OfferteOmschrijving }) => [
        ArrangementID,
        Aantal,
        OfferteOmschrijving,
      ]),
    ).toEqual([
      [1, 99, expect.stringContaining('prijs per persoon')],
      [3, 40, 'Lunch in de tuin'],
      [4, 40, expect.stringContaining('prijs per persoon')],
    ]);
    await service.clearLog();
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ read: 5, unchanged: 5 });
    expect(again.rows[3]?.message).toMatch(/^already gone, done by run /);
    expect((await service.log()).counts).toEqual({ 'arrangements.list': 2 });
  });

  it('is sent in file order when it stands there twice and the later rows are marked update', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { allowDelete: true });
    const rows = [
      [null, 9001, 3, 40, DAY, null],
      ['update', 9001, 3, 41, null, null],
      [null, 9001, 3, 41, DAY, null],
      ['delete', 9001, 3, null, null, null],
      [null, 9001, 3, 42, DAY, null],
    ];
    const done = await importWorkbook(await sheetOf(service, rows), options);
    expect(statuses(done)).toEqual(['created', 'updated', 'unchanged', 'deleted', 'created']);
    const links = (await linksOf(service, 9001)).filter(({ ArrangementID }) => ArrangementID === 3);
    expect(links).toMatchObject([{ Aantal: 42 }]);
  });

  it('is linked anew after it was unlinked elsewhere', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const file = await sheetOf(service, [[null, 9001, 3, 40, DAY, null]]);
    await importWorkbook(file, options);
    const link = { PartijID: 9001, ArrangementID: 3, DEL: true };
    await service.request('POST', 'api/v1/event/package/delete', link);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 1 });
    expect((await linksOf(service, 9001)).filter(({ ArrangementID }) => ArrangementID === 3)).toHaveLength(1);
  });

  it('is refused with the reason on its cell', async () => {
    const service = await openTestService();
    const rows = [
      ['delete', 9001, 1, null, null, null],
      ['create', 9001, 1, 40, DAY, null],
      ['update', 9001, 5, 40, DAY, null],
      [null, 7, 1, 40, DAY, null],
      [null, null, 1, 40, DAY, null],
      [null, 9001, null, 40, DAY, null],
      [null, 9001, 5, null, DAY, null],
      ['skip', 7, 5, null, DAY, null],
      [null, 9001, 5, 'veel', DAY, null],
    ];
    const done = await importWorkbook(await sheetOf(service, rows), optionsFor(service));
    expect(
      done.rows.map(({ status, issues }) => issues?.map(({ cell, code }) => `${cell} ${code}`)[0] ?? status),
    ).toEqual([
      'A2 delete-not-allowed',
      'conflict',
      'C4 record-missing',
      'B5 record-missing',
      'B6 key-missing',
      'C7 key-missing',
      'D8 required-missing',
      'skipped',
      'D10 integer-expected',
    ]);
  });
});

test('a name where a number goes is told where the number stands', async () => {
  const service = await openTestService();
  const rows = [[null, 9005, 'Barbecue', 60, '2026-11-14']];
  const done = await importWorkbook(await sheetOf(service, rows), optionsFor(service));
  expect(done.rows[0]?.message).toBe(
    'C2 ArrangementID: found "Barbecue", expected a whole number (fill in the number: it stands beside its name on sheet Look up of catersheet template arrangements --from D --to D)',
  );
});

describe('linking arrangements', () => {
  it('takes one read an event and one more, two of each arrangement, and one write a row, for 500 over 50 events', async () => {
    const service = await openTestService();
    const events = await Promise.all(Array.from({ length: 50 }, () => newEvent(service)));
    const rows = Array.from({ length: 500 }, (_, index) => [
      null,
      events[index % 50] ?? 0,
      1 + Math.floor(index / 50),
      10,
      DAY,
      null,
    ]);
    const file = await sheetOf(service, rows);
    await service.clearLog();
    const began = performance.now();
    const done = await importWorkbook(file, optionsFor(service));
    // However busy the machine: before a link is sent, an event's list is read anew once it is this old.
    const aged = Math.floor((performance.now() - began) / MAX_AGE);
    expect(done.counts).toMatchObject({ created: 500 });
    const { 'arrangements.list': lists, ...writes } = (await service.log()).counts;
    expect(writes).toEqual({ 'arrangements.create': 500, 'arrangements.get': 10 });
    expect(lists).toBeGreaterThanOrEqual(61);
    expect(lists).toBeLessThanOrEqual(61 + 50 * aged);
    await service.clearLog();
    expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ unchanged: 500 });
    expect((await service.log()).counts).toEqual({ 'arrangements.list': 50 });
  });
});

describe('a link between plan and apply', () => {
  it('is a conflict where someone else changed or made it, and done where they removed it too', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const rows = [
      [null, 9001, 1, 99, null, null],
      ['delete', 9001, 8, null, null, null],
      [null, 9001, 3, 40, DAY, null],
      [null, 9001, 4, 40, DAY, null],
      [null, 9002, 2, 99, null, null],
    ];
    const plan = await planImport(await sheetOf(service, rows), { ...options, allowDelete: true });
    const change = (method: string, path: string, body: object) =>
      service.request(method, `api/v1/event/package${path}`, { PartijID: 9001, ...body });
    await change('POST', '', { ArrangementID: 1, Aantal: 7 });
    await change('POST', '/delete', { ArrangementID: 8, DEL: true });
    await change('PUT', '', { ArrangementID: 3, Aantal: 7, Datum: `${DAY} 00:00:00` });
    await service.clearLog();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const done = await applyPlan(plan, options);
    expect(statuses(done)).toEqual(['conflict', 'unchanged', 'conflict', 'created', 'updated']);
    expect(done.rows.slice(0, 3).map(({ message }) => message)).toEqual([
      expect.stringMatching(/Aantal was \d+, is now 7/),
      'deleted after the plan was made',
      expect.stringContaining('linked on the service after'),
    ]);
    expect((await service.log()).counts).toMatchObject({ 'arrangements.list': 4 });
  });
});

describe('a link request whose answer was lost', () => {
  const rows = [
    [null, 9001, 3, 40, DAY, 'Lunch in de tuin'],
    [null, 9001, 1, 99, null, null],
    ['delete', 9001, 8, null, null, null],
  ];

  it('is settled by the event’s list', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { retries: 0 });
    const plan = await planImport(await sheetOf(service, rows), { ...options, allowDelete: true });
    await service.faults({ lostAnswer: 1, onlyWrites: true });
    await service.clearLog();
    expect(statuses(await applyPlan(plan, options))).toEqual(['created', 'updated', 'deleted']);
    const { counts } = await service.log();
    expect(counts).toMatchObject({
      'arrangements.create': 1,
      'arrangements.update': 2,
      'arrangements.delete': 1,
    });
  });

  it.each([
    ['it took effect', { lostAnswer: 1 }, ['updated', 'unchanged', 'unchanged']],
    ['it never arrived', { reset: 1 }, ['created', 'updated', 'deleted']],
  ])('is settled by the next import when %s', async (_, faults, expected) => {
    const service = await openTestService();
    let written = false;
    // From the first write on nothing can be read.
    const baseUrl = await openProxy(service.url, ({ method }) => {
      written ||= method !== 'GET';
      return written && method === 'GET' ? { status: 500, body: { message: 'stuk' } } : undefined;
    });
    const options = { ...optionsFor(service, { retries: 0 }), baseUrl };
    const file = await sheetOf(service, rows);
    const plan = await planImport(file, { ...options, allowDelete: true });
    await service.faults({ ...faults, onlyWrites: true });
    await applyPlan(plan, options).catch(() => undefined);
    await service.faults({ lostAnswer: 0, reset: 0 });
    written = false;
    expect(statuses(await importWorkbook(file, { ...options, allowDelete: true }))).toEqual(expected);
    const links = (await linksOf(service, 9001)).map(({ ArrangementID }) => ArrangementID);
    expect(links.sort()).toEqual([1, 3]);
  });
});
