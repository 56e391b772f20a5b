import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';

type Cell = string | number | boolean | null;
type Record = Readonly<{ [name: string]: Cell }>;

/** What an export shows of a trip. */
const EXPORTED = [
  'RitID',
  'Datum',
  'Van',
  'Tot',
  'Omschrijving',
  'Naar',
  'Chauffeur',
  'TypeVoertuigID',
  'RetourRit',
  'PartijID',
  'LMT',
] as const;
const WEEK = { DatumVan: '2026-10-01 00:00:00', DatumTot: '2026-10-31 23:59:59' };

/** The workbook that an export of the week would be, with what `fill` puts in. */
async function exported(
  service: TestService,
  fill: (trip: Record) => Record,
  columns: readonly string[] = EXPORTED,
): Promise<string> {
  const trips = (await service.request('POST', 'api/v1/ritten/all', WEEK)) as Record[];
  const rows = trips.map((trip) => {
    const filled: Record = { ...trip, ...fill(trip) };
    return columns.map((name) => filled[name] ?? null);
  });
  return await makeWorkbook(`${service.folder}/week.xlsx`, { Ritten: [[...columns], ...rows] });
}

const sheetOf = (service: TestService, rows: readonly (readonly Cell[])[]): Promise<string> =>
  makeWorkbook(`${service.folder}/ritten.xlsx`, { Ritten: rows });

async function tripOf(
  service: TestService,
  id: number,
): Promise<Readonly<{ [name: string]: unknown }> | undefined> {
  return (await service.records('trip')).find((trip) => trip.id === id);
}

describe('importing a week of trips that was exported and filled in', () => {
  it('updates what was filled in, and nothing the second time', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const file = await exported(service, () => ({ Chauffeur: 'F. El Amrani', TypeVoertuigID: 9702 }));
    await service.clearLog();
    const first = await importWorkbook(file, options);
    const { read, updated, invalid } = first.counts;
    expect(read).toBeGreaterThan(4);
    expect({ updated, invalid }).toEqual({ updated: read, invalid: 0 });
    // One list of the days, one of vehicles, one of what moved before the first write; whether LMT moves takes two,
    // and two tell that an update leaves the rest as it is, and what the service makes of values.
    expect((await service.log()).counts).toEqual({
      'lookups.dropdownvalue': 1,
      'trips.all': 1,
      'trips.allByLMT': 5,
      'trips.update': read,
    });
    expect(await tripOf(service, 8001)).toMatchObject({ Chauffeur: 'F. El Amrani', TypeVoertuigID: 9702 });
    await service.clearLog();
    const second = await importWorkbook(file, options);
    expect(second.counts).toMatchObject({ read, unchanged: read });
    expect((await service.log()).counts).toEqual({ 'trips.all': 1 });
  });

  it('sends only what differs, names and #CLEAR included', async () => {
    const service = await openTestService();
    const bodies: string[] = [];
    const baseUrl = await openProxy(service.url, ({ path, body }) => {
      if (path.endsWith('/ritten')) bodies.push(body);
      return undefined;
    });
    const types = (await service.request('GET', 'api/v1/dropdownvalue/97')) as Record[];
    const name = Object.values(types[1] ?? {}).find((value) => typeof value === 'string') ?? '';
    const rows = [
      ['RitID', 'Datum', 'Chauffeur', 'TypeVoertuigID', 'RetourRit'],
      [8001, '2026-10-02', '#CLEAR', null, false],
      [8002, '2026-10-02', null, name, true],
    ];
    const done = await importWorkbook(await sheetOf(service, rows), optionsFor(service, { baseUrl }));
    expect(done.counts).toMatchObject({ updated: 2 });
    expect(bodies.map((body) => JSON.parse(body) as unknown).sort()).toEqual([
      { RitID: 8001, Chauffeur: null },
      { RitID: 8002, TypeVoertuigID: 9702 },
    ]);
  });
});

describe('planning trips', () => {
  it.each([
    ['by LMT for a subtype, from the oldest of the rows', ['RitID', 'Datum', 'SubtypeRitID', 'LMT'], 1],
    ['by days, and then all when they moved to other days', ['RitID', 'Datum', 'Chauffeur'], 2],
    ['all at once for a sheet without days', ['RitID', 'Chauffeur'], 1],
  ])('reads them %s', async (how, columns, lists) => {
    const service = await openTestService();
    const file = await exported(
      service,
      () => ({
        Chauffeur: 'W. Bos',
        SubtypeRitID: 9603,
        ...(how.includes('moved') ? { Datum: '2026-12-31' } : {}),
      }),
      columns,
    );
    await service.clearLog();
    const plan = await planImport(file, optionsFor(service));
    expect(plan.counts.invalid).toBe(0);
    const { counts } = await service.log();
    const reads = (counts['trips.all'] ?? 0) + (counts['trips.allByLMT'] ?? 0);
    expect(reads).toBe(lists);
  });

  it('takes a subtype into account the second time', async () => {
    const service = await openTestService();
    const rows = [
      ['RitID', 'Datum', 'SubtypeRitID'],
      [8001, '2026-10-02', 9603],
    ];
    const file = await sheetOf(service, rows);
    expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ updated: 1 });
    expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ unchanged: 1 });
  });

  it('refuses rows that name no trip, or one that is not there', async () => {
    const service = await openTestService();
    await service.request('DELETE', 'api/v1/ritten/8003');
    const rows = [
      ['#action', 'RitID', 'Datum', 'Chauffeur'],
      [null, null, '2026-10-02', 'W. Bos'],
      ['create', null, '2026-10-02', 'W. Bos'],
      [null, 7, '2026-10-02', 'W. Bos'],
      [null, 8003, 'nog niet bekend', 'W. Bos'],
      ['skip', 7, '2026-10-02', 'W. Bos'],
      ['delete', 8001, '2026-10-02', null],
    ];
    const done = await importWorkbook(await sheetOf(service, rows), optionsFor(service));
    expect(done.counts).toMatchObject({ read: 6, invalid: 5, skipped: 1 });
    expect(done.rows.map(({ issues }) => issues?.map(({ cell, code }) => `${cell} ${code}`))).toEqual([
      ['B2 key-missing'],
      ['A3 action-not-possible'],
      ['B4 record-missing'],
      ['B5 record-missing'],
      undefined,
      ['A7 delete-not-allowed'],
    ]);
  });
});

describe('deleting trips', () => {
  const rows = [
    ['#action', 'RitID', 'Datum'],
    ['delete', 8001, '2026-10-02'],
    ['delete', 8002, '2026-10-02'],
  ];

  it('marks them, and finds them gone the second time', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { allowDelete: true });
    const file = await sheetOf(service, rows);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ deleted: 2 });
    expect(await tripOf(service, 8001)).toMatchObject({ DEL: true });
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ unchanged: 2 });
    expect(again.rows[0]?.message).toMatch(/^already gone, done by run /);
  });

  it('runs rows on one trip in file order where the later says update', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { allowDelete: true });
    const mixed = [
      ['#action', 'RitID', 'Datum', 'Chauffeur'],
      [null, 8001, '2026-10-02', 'W. Bos'],
      ['update', 8001, '2026-10-02', 'J. Bos'],
      ['delete', 8001, '2026-10-02', null],
      [null, 8001, '2026-10-02', 'K. Bos'],
    ];
    const done = await importWorkbook(await sheetOf(service, mixed), options);
    expect(done.rows.map(({ status }) => status)).toEqual(['updated', 'updated', 'deleted', 'invalid']);
    expect(await tripOf(service, 8001)).toMatchObject({ Chauffeur: 'J. Bos', DEL: true });
  });
});

describe('applying trips', () => {
  it('leaves alone those that changed or went after the plan', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const plan = await planImport(await exported(service, () => ({ Chauffeur: 'W. Bos' })), options);
    await service.request('POST', 'api/v1/ritten', { RitID: 8001, Chauffeur: 'Van een ander' });
    await service.request('DELETE', 'api/v1/ritten/8002');
    await service.clearLog();
    const done = await applyPlan(plan, options);
    expect(done.counts).toMatchObject({ conflict: 2, updated: plan.counts.updated - 2 });
    expect(done.rows[0]?.message).toMatch(/changed on the service/);
    expect(done.rows[0]?.message).toMatch(/W\. Bos.*is now Van een ander on the service/);
    expect(done.rows[1]?.message).toMatch(/no longer/);
    expect((await service.log()).counts).toMatchObject({ 'trips.allByLMT': 4 });
    expect(await tripOf(service, 8001)).toMatchObject({ Chauffeur: 'Van een ander' });
  });

  it('finds out what became of writes without an answer', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { retries: 0 });
    const rows = [
      ['#action', 'RitID', 'Datum', 'Chauffeur'],
      [null, 8001, '2026-10-02', 'W. Bos'],
      ['delete', 8002, '2026-10-02', null],
    ];
    const plan = await planImport(await sheetOf(service, rows), { ...options, allowDelete: true });
    await service.faults({ lostAnswer: 1, onlyWrites: true });
    await service.clearLog();
    const done = await applyPlan(plan, options);
    expect(done.counts).toMatchObject({ updated: 1, deleted: 1, unknown: 0 });
    expect((await service.log()).counts).toMatchObject({ 'trips.update': 1, 'trips.delete': 1 });
  });
});
