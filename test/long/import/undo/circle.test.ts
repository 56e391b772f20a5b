import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BASELINE_SHEET } from '../../../../src/files/baseline-sheet.ts';
import { POSTED_SHEET } from '../../../../src/files/posted-sheet.ts';
import { type ImportWorkbookOptions, importWorkbook, StopError, undoRun } from '../../../../src/index.ts';
import { makeWorkbook, readBack } from '../../../helpers/make-workbook.ts';
import { openProxy } from '../../../helpers/proxy.ts';
import { serviceOnly } from '../../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../../helpers/test-service.ts';
import { changePackage, packageOf } from '../../../import/baseline/fixtures.ts';

type Cells = readonly (string | number | boolean | null)[];
type Sheets = Readonly<Record<string, readonly Cells[]>>;

let made = 0;

const importing = async (service: TestService, file: string, more: ImportWorkbookOptions = {}) =>
  await importWorkbook(file, optionsFor(service, { allowDelete: true, ...more }));

async function importSheets(service: TestService, sheets: Sheets) {
  return await importing(service, await makeWorkbook(`${service.folder}/in-${++made}.xlsx`, sheets));
}

async function undo(service: TestService, run: string) {
  const out = `${service.folder}/undo-${++made}.xlsx`;
  return await undoRun(run, { ...serviceOnly(optionsFor(service)), out });
}

/** What can be told from one another by more than when and under which number it was written. */
async function stateOf(service: TestService, event = 9001) {
  const dump = (await service.request('GET', '_sandbox/dump')) as Record<string, Record<string, unknown>[]>;
  const plain = (kind: string) =>
    (dump[kind] ?? []).map(({ LMT: _, ...rest }) => {
      // What is cleared is null, what was never given is not there.
      return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
    });
  const links = (await service.request('GET', `api/v1/event/${event}/packages`)) as Record<string, unknown>[];
  const stock = new Map<unknown, number>();
  for (const { ProductID, AantalRekeneenheid } of plain('mutation'))
    stock.set(
      ProductID,
      Math.round(((stock.get(ProductID) ?? 0) + Number(AantalRekeneenheid ?? 0)) * 1e6) / 1e6,
    );
  // The id that an update has for a category is that of a create and a hundred.
  const recipes = plain('recipe').map(({ ProductCategorieID, ...rest }) => ({
    ...rest,
    ProductCategorieID: Number(ProductCategorieID) % 100,
  }));
  return {
    ...{ packages: plain('package'), recipes, events: plain('event'), trips: plain('trip') },
    links: links.map((link) => JSON.stringify(Object.entries(link).sort())).sort(),
    stock: Object.fromEntries([...stock].filter(([, amount]) => amount !== 0)),
  };
}

const statuses = (rows: readonly { readonly status: string }[]): string[] => rows.map(({ status }) => status);

/** An event of the sandbox with something linked to it. */
async function linkedEvent(service: TestService): Promise<{ event: number; linked: number; free: number }> {
  const links = (await service.records('link')).map((link) => [
    Number(link.PartijID),
    Number(link.ArrangementID),
  ]);
  const [[event = 0, linked = 0] = []] = links;
  const taken = new Set(links.flatMap(([one, child]) => (one === event ? [child] : [])));
  const free = Array.from({ length: 20 }, (_, at) => at + 1).find((child) => !taken.has(child)) ?? 0;
  return { event, linked, free };
}

describe('an undo that is imported', () => {
  it('leaves the service as it was, for every kind of sheet', async () => {
    const service = await openTestService();
    const { event, linked, free } = await linkedEvent(service);
    expect(event).toBe(9001);
    const [one, two] = await service.records('package');
    const [recipe] = await service.records('recipe');
    await changePackage(service, Number(one?.id), { Volume: 2.25, InterneOpmerking: 'oud' });
    const before = await stateOf(service);
    const done = await importSheets(service, {
      Pakketten: [
        [
          'ProductID',
          'ExternalID',
          'OmschrijvingIntern',
          'ProductTypeID',
          'Verkoopprijs',
          'Volume',
          'InterneOpmerking',
          '#action',
        ],
        [Number(one?.id), null, null, null, 99.5, '#CLEAR', 'regel een\nregel twee', null],
        [Number(two?.id), null, 'Andere naam', null, null, 7, null, null],
        [null, 612_001, 'Nieuw pakket', 1, 10, null, null, null],
        [Number(one?.id), null, null, null, 98, null, null, 'update'],
      ],
      Recepten: [
        ['ProductID', 'Gewicht', 'VoorraadProduct', 'RekenEenheidID'],
        [Number(recipe?.id), 0.75, recipe?.VoorraadProduct !== true, 2],
      ],
      Evenementen: [
        ['PartijID', 'AantalGasten', 'Opmerkingen'],
        [event, 321, 'gewijzigd'],
      ],
      Arrangementen: [
        ['#action', 'PartijID', 'ArrangementID', 'Aantal', 'Datum', 'OfferteOmschrijving'],
        ['delete', event, linked, null, null, null],
        [null, event, free, 12, '2027-04-18', 'Nieuw gekoppeld'],
      ],
      Ritten: [
        ['RitID', 'Chauffeur', 'RetourRit'],
        [8001, 'Iemand anders', true],
      ],
      Voorraadmutaties: [
        ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
        [Number(recipe?.id), 12, '2026-03-31 07:45', 2.3, 4901, 'Gevonden'],
      ],
    });
    expect(done.counts).toMatchObject({ read: 10, invalid: 0, failed: 0 });
    const after = await stateOf(service);
    expect(after).not.toEqual(before);

    const written = await undo(service, done.run);
    expect(written).toMatchObject({ run: done.run, rows: 9, cannot: [] });
    const dry = await importing(service, written.file, { dryRun: true });
    expect(dry.counts).toMatchObject({
      read: 9,
      updated: 5,
      deleted: 2,
      created: 2,
      conflict: 0,
      invalid: 0,
    });
    const undone = await importing(service, written.file);
    expect(undone.rows.filter(({ status }) => !/ed$/.test(status))).toEqual([]);
    expect(await stateOf(service)).toEqual(before);
    // Once more is nothing.
    const again = await importing(service, written.file);
    expect(new Set(statuses(again.rows))).toEqual(new Set(['unchanged']));

    // The undo of the undo, but for what has no number any more.
    const redo = await undo(service, undone.run);
    expect(redo.cannot).toEqual([
      expect.objectContaining({ sheet: 'Pakketten', why: expect.stringContaining('deleted') }),
    ]);
    const redone = await importing(service, redo.file);
    expect(redone.counts).toMatchObject({ read: 8, conflict: 0, invalid: 0, failed: 0, unchanged: 0 });
    const third = await stateOf(service);
    const withoutNew = after.packages.filter(({ ExternalID }) => ExternalID !== 612_001);
    expect(third).toEqual({ ...after, packages: withoutNew });
  });

  it('takes a count back by a mutation, booked now and with the reason', async () => {
    const service = await openTestService();
    const [recipe] = await service.records('recipe');
    const id = Number(recipe?.id);
    const before = await stateOf(service);
    const done = await importSheets(service, {
      Voorraadtelling: [
        ['ProductID', 'WerknemerID', 'DatumTijd', 'GeteldRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
        [id, 12, '2026-03-31 07:45', 1234.1, 4901, 'Weektelling'],
      ],
    });
    expect(done.counts).toMatchObject({ created: 1 });
    const file = `${service.folder}/terug.xlsx`;
    await undoRun(done.run, { ...serviceOnly(optionsFor(service)), lang: 'nl', out: file });
    const book = await readBack(file);
    expect([...book.keys()]).toEqual(['Voorraadmutaties', BASELINE_SHEET, POSTED_SHEET, 'Keuzelijsten']);
    const sheet = book.get('Voorraadmutaties');
    const [headers, row] = [sheet?.get(1), sheet?.get(2)];
    const cells = Object.fromEntries([...(headers ?? [])].map(([at, name]) => [name, row?.get(at)]));
    expect(cells).toMatchObject({
      '#key': `undo ${done.run} Voorraadtelling!2`,
      ...{ ProductID: id, WerknemerID: 12, MutatieCategorieID: 'Telling' },
      MutatieReden: `Ongedaan gemaakt: Weektelling (run ${done.run})`,
    });
    expect(String(cells.DatumTijd)).not.toContain('2026-03-31');
    await importing(service, file);
    expect((await stateOf(service)).stock).toEqual(before.stock);
    // Undone a second time, from another workbook: it stands there once.
    const twice = await importing(service, (await undo(service, done.run)).file);
    expect(twice.counts).toMatchObject({ read: 1, created: 0, failed: 0, invalid: 0 });
    expect((await stateOf(service)).stock).toEqual(before.stock);
  });

  it('takes the day and the times of an event back, of which no read tells the times', async () => {
    const service = await openTestService();
    const header = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'] as const;
    const [relation, contact] = await service
      .records('event')
      .then(([event]) => [Number(event?.RelatieID), Number(event?.ContactpersoonID)]);
    const eventOn = (...times: string[]) => ({
      Evenementen: [[...header], [812_001, relation ?? 0, contact ?? 0, ...times]],
    });
    const first = eventOn('2027-04-18', '2027-04-18 12:00', '2027-04-18 17:30');
    expect((await importSheets(service, first)).counts).toMatchObject({ created: 1 });
    const before = await stateOf(service);
    const moved = await importSheets(service, eventOn('2027-05-02', '2027-05-02 18:15', '2027-05-03 01:00'));
    expect(moved.counts).toMatchObject({ updated: 1 });
    const { file, rows, cannot } = await undo(service, moved.run);
    expect([rows, cannot]).toEqual([1, []]);
    expect((await importing(service, file)).counts).toMatchObject({ updated: 1 });
    expect(await stateOf(service)).toEqual(before);
    expect((await importSheets(service, first)).counts).toMatchObject({ unchanged: 1 });
  });
});

describe('what others did since', () => {
  it('is a conflict and survives: an update, a delete of what was made, a link', async () => {
    const service = await openTestService();
    const { event, linked, free } = await linkedEvent(service);
    const [one] = await service.records('package');
    const id = Number(one?.id);
    const done = await importSheets(service, {
      Pakketten: [
        ['ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Volume'],
        [id, null, null, null, 99.5, 3],
        [null, 612_001, 'Nieuw pakket', 1, 10, null],
      ],
      Arrangementen: [
        ['#action', 'PartijID', 'ArrangementID', 'Aantal', 'Datum'],
        ['delete', event, linked, null, null],
        [null, event, free, 12, '2027-04-18'],
      ],
    });
    const { file } = await undo(service, done.run);
    const newer = done.rows.find(({ row, sheet }) => sheet === 'Pakketten' && row === 3)?.id ?? 0;
    await changePackage(service, id, { Verkoopprijs: 100 });
    await changePackage(service, newer, { Verkoopprijs: 11 });
    const link = { PartijID: event, Datum: '2027-04-19 00:00:00' };
    await service.request('PUT', 'api/v1/event/package', { ...link, ArrangementID: linked, Aantal: 1 });
    await service.request('POST', 'api/v1/event/package', { ...link, ArrangementID: free, Aantal: 13 });
    const state = await stateOf(service);
    const undone = await importing(service, file);
    expect(statuses(undone.rows)).toEqual(['conflict', 'conflict', 'conflict', 'conflict']);
    expect(undone.rows[0]?.message).toContain('100');
    expect(undone.rows[1]?.message).toContain('Verkoopprijs: 10,00 → 11,00');
    expect(await stateOf(service)).toEqual(state);
    // Theirs, and the rest goes back; or mine.
    const theirs = await importing(service, file, { onConflict: 'theirs' });
    expect(statuses(theirs.rows).slice(0, 2)).toEqual(['updated', 'skipped']);
    expect(await packageOf(service, id)).toMatchObject({ Verkoopprijs: 100, Volume: one?.Volume ?? null });
    const mine = await importing(service, file, { onConflict: 'mine' });
    expect(statuses(mine.rows).slice(0, 2)).toEqual(['updated', 'deleted']);
    expect(await packageOf(service, id)).toMatchObject({ Verkoopprijs: one?.Verkoopprijs });
  });
});

describe('what can’t be taken back', () => {
  it('is listed, on a sheet of its own too', async () => {
    const service = await openTestService();
    const { event } = await linkedEvent(service);
    const [one, two] = await service.records('package');
    await changePackage(service, Number(two?.id), { Volume: null });
    const keyless = { ProductTypeID: 1, OmschrijvingIntern: 'Zonder ExternalID', Verkoopprijs: 1 };
    const { ProductID } = (await service.request('PUT', 'api/v1/product/pakket/create', keyless)) as {
      ProductID: number;
    };
    const done = await importSheets(service, {
      Pakketten: [
        ['#action', 'ProductID', 'ExternalID', 'Volume'],
        ['delete', Number(one?.id), null, null],
        [null, Number(two?.id), null, 4],
        [null, ProductID, 999_001, null],
        [null, 77_777, null, 4],
      ],
      Evenementen: [
        ['PartijID', 'ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'],
        [null, 812_001, 1, 1, '2027-04-18', '2027-04-18 12:00', '2027-04-18 17:00'],
        [event, null, null, null, null, '2027-04-18 13:00', null],
      ],
      Ritten: [
        ['#action', 'RitID'],
        ['delete', 8002],
      ],
    });
    const { rows, cannot, file } = await undo(service, done.run);
    const listed = cannot.map(({ sheet, row }) => `${sheet} ${row}`);
    expect(listed.sort()).toEqual([
      'Evenementen 2',
      'Evenementen 3',
      'Pakketten 2',
      'Pakketten 4',
      'Ritten 2',
    ]);
    expect(rows).toBe(1);
    expect((await readBack(file)).get('Not undone')?.size).toBe(cannot.length + 1);
    const dry = await importing(service, file, { dryRun: true });
    expect(dry.counts).toMatchObject({ read: rows, updated: rows });
  });

  it('is refused where nothing is left: exit 3; so are an unknown run, another service, and a file that is there', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const out = `${service.folder}/there.xlsx`;
    const nothing = await importSheets(service, {
      Pakketten: [
        ['ProductID', 'Volume'],
        [77_777, 3],
      ],
    });
    const gone = await importSheets(service, {
      Ritten: [
        ['#action', 'RitID'],
        ['delete', 8003],
      ],
    });
    const done = await importSheets(service, {
      Ritten: [
        ['RitID', 'Chauffeur'],
        [8004, 'Iemand anders'],
      ],
    });
    await undoRun(done.run, { ...serviceOnly(options), out });
    for (const [exit, run, more] of [
      [3, nothing.run, {}],
      [3, gone.run, {}],
      [2, '20270331-074512-k3vq', {}],
      [2, done.run, { baseUrl: 'http://127.0.0.1:1/' }],
      [2, done.run, { out }],
      [2, done.run, { out: `${service.folder}/there.csv` }],
    ] as const) {
      const file = `${service.folder}/new.xlsx`;
      const stop = await undoRun(run, { ...serviceOnly(options), out: file, ...more }).catch(
        (error: unknown) => error,
      );
      expect(stop).toBeInstanceOf(StopError);
      expect(stop).toMatchObject({ exit });
      expect(existsSync(file)).toBe(false);
    }
  });

  it('takes back the part of a run that went through, and warns of what may be there', async () => {
    const own = await openTestService();
    const url = await openProxy(own.url, ({ path }) =>
      path.endsWith('voorraadmutatie/create') ? { status: 504, body: {} } : undefined,
    );
    const service = { ...own, url };
    const sheets = {
      Pakketten: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        [613_001, 'Eerste', 1, 10],
        [613_002, 'Tweede', 999_999, 10],
        [613_003, 'Derde', 1, 10],
      ],
      Voorraadmutaties: [
        ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
        [Number((await service.records('recipe'))[0]?.id), 12, '2026-03-31 07:45', 5.5, 4901, 'Zoek'],
      ],
    };
    const before = await stateOf(service);
    const done = await importSheets(service, sheets);
    expect(done.counts).toMatchObject({ created: 2, failed: 1, unknown: 1 });
    const { rows, cannot, file } = await undo(service, done.run);
    expect(rows).toBe(2);
    expect(
      cannot.map(({ sheet, row, why }) => [sheet, row, /may be there|nothing to take back/.exec(why)?.[0]]),
    ).toEqual([
      ['Pakketten', 3, 'nothing to take back'],
      ['Voorraadmutaties', 2, 'may be there'],
    ]);
    await importing(service, file);
    expect((await stateOf(service)).packages).toEqual(before.packages);
  });
});

it('the command undo says the same to scripts', async () => {
  const service = await openTestService();
  const done = await importSheets(service, {
    Ritten: [
      ['RitID', 'Chauffeur'],
      [8004, 'Iemand anders'],
    ],
  });
  const { code, stdout } = await service.run(['undo', done.run, '--json']);
  const file = `undo-${done.run}.xlsx`;
  expect([code, JSON.parse(stdout)]).toEqual([0, { run: done.run, file, rows: 1, cannot: [] }]);
});
