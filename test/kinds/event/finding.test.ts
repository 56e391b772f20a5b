import { describe, expect, it } from 'vitest';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { events } from '../../../src/resources/events.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { changed, eventRows } from './fixtures.ts';

const withoutLedger = (folder: string) => ({ ledger: `${folder}/other.db` });

it('300 events of one month cost a handful of reads to find by ExternalID and to send', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const rows = eventRows(300);
  const plain = rows.map(([external, , ...row]) => [external ?? null, ...row.slice(0, 5)]);
  await importWorkbook(await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: plain }), options);
  const file = await makeWorkbook(`${service.folder}/b.xlsx`, { Evenementen: rows });
  await service.clearLog();
  const unknown = await importWorkbook(file, {
    ...options,
    ...withoutLedger(service.folder),
    dryRun: true,
  });
  expect(unknown.counts).toMatchObject({ updated: 300 });
  expect((await service.log()).counts).toEqual({ 'events.all': 1 });
  await service.clearLog();
  const done = await importWorkbook(file, options);
  expect(done.counts).toMatchObject({ updated: 300 });
  const { counts } = await service.log();
  expect(counts['events.update']).toBe(300);
  // The plan's list; then, before sending, a few events one by one and the list every two seconds.
  expect(counts['events.all']).toBeLessThanOrEqual(2 + Math.ceil(done.ms / 2000));
  // One of them once more, for what the service makes of its values, and of what an update does not send.
  expect(counts['events.get']).toBe(4);
});

describe('an event is found', () => {
  it('in a list that answers a single record', async () => {
    const service = await openTestService({ dialect: { listShape: 'single' } });
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
      Evenementen: eventRows(1, 82_000, '2031-05'),
    });
    await importWorkbook(file, optionsFor(service));
    const again = await importWorkbook(file, { ...optionsFor(service), ...withoutLedger(service.folder) });
    // The times are not known to this ledger, so they are sent once.
    expect(again.counts).toMatchObject({ created: 0, updated: 1 });
  });

  it('by PartijID one by one when there are few, and in one list when there are many', async () => {
    const service = await openTestService();
    const seeded = (await service.records('event')).slice(0, 30);
    const rows = seeded.map(({ id, AantalGasten }) => [id as number, AantalGasten as number]);
    const few = await makeWorkbook(`${service.folder}/a.xlsx`, {
      Evenementen: [['PartijID', 'AantalGasten'], ...rows.slice(0, 3)],
    });
    await service.clearLog();
    expect((await importWorkbook(few, optionsFor(service))).counts).toMatchObject({ unchanged: 3 });
    expect((await service.log()).counts).toEqual({ 'events.get': 3 });
    const crowd = eventRows(40);
    await importWorkbook(
      await makeWorkbook(`${service.folder}/b.xlsx`, { Evenementen: crowd }),
      optionsFor(service),
    );
    const made = (await service.records('event')).filter(({ ExternalID }) => Number(ExternalID) >= 81_000);
    const many = made.map(({ id, Datum, AantalGasten }) => [
      id as number,
      `${Datum}`,
      AantalGasten as number,
    ]);
    await service.clearLog();
    const file = await makeWorkbook(`${service.folder}/c.xlsx`, {
      Evenementen: [['PartijID', 'Datum', 'AantalGasten'], ...many],
    });
    expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ unchanged: 40 });
    expect((await service.log()).counts).toEqual({ 'events.all': 1 });
  });

  it('by what the ledger knows when it was moved far away, or when the row names no day', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const rows = eventRows(2);
    await importWorkbook(await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: rows }), options);
    const moved = changed(rows, 'Datum', '2029-11-03', 2);
    const file = await makeWorkbook(`${service.folder}/b.xlsx`, { Evenementen: moved });
    expect((await importWorkbook(file, options)).counts).toMatchObject({
      unchanged: 1,
      updated: 1,
      created: 0,
    });
    const dayless = [
      ['ExternalID', 'AantalGasten'],
      [81_001, 33],
      [81_999, 33],
    ];
    const last = await importWorkbook(
      await makeWorkbook(`${service.folder}/c.xlsx`, { Evenementen: dayless }),
      options,
    );
    expect(last.counts).toMatchObject({ updated: 1, invalid: 1 });
    expect(last.rows[1]?.issues?.[0]?.message).toContain('ExternalID 81999 was not found on the service');
  });

  it('among its neighbours, where the row names no day', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const rows = eventRows(30);
    await importWorkbook(await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: rows }), options);
    const dayless = rows.map((row) => [row[0] ?? null, row[7] ?? null]);
    await service.clearLog();
    const file = await makeWorkbook(`${service.folder}/b.xlsx`, { Evenementen: dayless });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 30 });
    expect((await service.log()).counts).toEqual({ 'events.get': 1, 'events.all': 1 });
  });

  it('in detail, where a column is used that no list returns', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const [header = [], ...rows] = eventRows(6);
    const placed = [[...header, 'CentraleProductieLocatieID'], ...rows.map((row) => [...row, 1])];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: placed });
    await importWorkbook(file, options);
    await service.clearLog();
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 6 });
    expect((await service.log()).counts).toEqual({ 'events.all': 1, 'events.get': 6 });
  });

  it('for the arrangements that refer to it, in one list for all of a month', async () => {
    const service = await openTestService();
    await importWorkbook(
      await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: eventRows(10) }),
      optionsFor(service),
    );
    const links = eventRows(10)
      .slice(1)
      .map(([external, , , , day]) => [external ?? null, 1, 20, day ?? null]);
    const file = await makeWorkbook(`${service.folder}/b.xlsx`, {
      Arrangementen: [['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'], ...links],
    });
    await service.clearLog();
    const plan = await importWorkbook(file, {
      ...optionsFor(service),
      ...withoutLedger(service.folder),
      dryRun: true,
    });
    expect(plan.counts).toMatchObject({ created: 10 });
    expect((await service.log()).counts).toEqual({
      ...{ 'events.all': 1, 'arrangements.list': 10 },
      // For the name of the arrangement.
      'arrangements.get': 1,
    });
  });

  it('as two, which is a conflict', async () => {
    const service = await openTestService();
    const rows = eventRows(1);
    const body = {
      ...{ RelatieID: 1, ContactpersoonID: 6, ExternalID: 81_000 },
      Datum: '2027-05-01 00:00:00',
    };
    const times = { Starttijd: '2027-05-01 12:00:00', Eindtijd: '2027-05-01 13:00:00' };
    for (let twice = 0; twice < 2; twice++)
      await service.request('PUT', 'api/v1/event', { ...body, ...times });
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: rows });
    expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ conflict: 1 });
  });
});

it.each([{ success: false }, { message: 'even niet' }])(
  '%j in place of a list stops the plan',
  async (answer) => {
    const service = await openTestService();
    const baseUrl = await openProxy(service.url, ({ path }) =>
      path.endsWith('event/all') ? { status: 200, body: answer } : undefined,
    );
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: eventRows(2) });
    const failing = importWorkbook(file, { ...optionsFor(service), baseUrl });
    await expect(failing).rejects.toMatchObject({ exit: 4 });
  },
);

it('lists that are too large for one answer are read in fewer days, and no event is missed or made twice', async () => {
  const service = await openTestService();
  const rows = eventRows(20);
  const plain = rows.map(([external, , ...row]) => [external ?? null, ...row.slice(0, 5)]);
  const first = await makeWorkbook(`${service.folder}/a.xlsx`, { Evenementen: plain });
  await importWorkbook(first, optionsFor(service));
  const large = { data: Array.from({ length: 100_001 }, () => []) };
  const asked: number[] = [];
  const baseUrl = await openProxy(service.url, ({ path, body }) => {
    if (!/event\/(?:all|definitive)/i.test(path) || !body.includes('DatumVan')) return undefined;
    const { DatumVan, DatumTot } = JSON.parse(body) as Record<'DatumVan' | 'DatumTot', string>;
    const days = (Date.parse(DatumTot.slice(0, 10)) - Date.parse(DatumVan.slice(0, 10))) / 86_400_000 + 1;
    asked.push(days);
    return days > 20 ? { status: 200, body: large } : undefined;
  });
  const options = { ...optionsFor(service), ...withoutLedger(service.folder), baseUrl };
  const again = await importWorkbook(
    await makeWorkbook(`${service.folder}/b.xlsx`, { Evenementen: rows }),
    options,
  );
  expect(again.counts).toMatchObject({ updated: 20, created: 0, conflict: 0 });
  expect(Math.min(...asked)).toBeLessThanOrEqual(20);
  const exported = async (address: string): Promise<number> => {
    const to = { out: `${service.folder}/${address === baseUrl ? 'c' : 'd'}.ndjson` };
    const days = { from: '2027-01-01', to: '2027-12-31' };
    const { allRows: _, ...own } = options;
    return (await exportRecords(events, { ...own, ...days, ...to, baseUrl: address })).records;
  };
  const whole = await exported(service.url);
  expect(await exported(baseUrl)).toBe(whole);
  expect(whole).toBeGreaterThan(20);
});
