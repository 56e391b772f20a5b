import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BASE_SHEET } from '../../../src/files/baseline-sheet.ts';
import { type ImportWorkbookOptions, importWorkbook, StopError, undoRun } from '../../../src/index.ts';
import { type Kitchen, openKitchen } from '../../helpers/kitchen.ts';
import { makeWorkbook, readBack } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { changePackage, optionsFor, packageOf } from '../baseline/stand.ts';

type Cells = readonly (string | number | boolean | null)[];
type Sheets = Readonly<Record<string, readonly Cells[]>>;

let made = 0;

const importing = async (kitchen: Kitchen, file: string, more: ImportWorkbookOptions = {}) =>
  await importWorkbook(file, optionsFor(kitchen, { allowDelete: true, ...more }));

async function importSheets(kitchen: Kitchen, sheets: Sheets) {
  return await importing(kitchen, await makeWorkbook(`${kitchen.folder}/in-${++made}.xlsx`, sheets));
}

async function undo(kitchen: Kitchen, run: string) {
  const out = `${kitchen.folder}/undo-${++made}.xlsx`;
  return await undoRun(run, { ...serviceOnly(optionsFor(kitchen)), out });
}

/** What can be told from one another by more than when and under which number it was written. */
async function stateOf(kitchen: Kitchen, event = 9001) {
  const dump = (await kitchen.request('GET', '_sandbox/dump')) as Record<string, Record<string, unknown>[]>;
  const plain = (kind: string) =>
    (dump[kind] ?? []).map(({ LMT: _, ...rest }) => {
      // What is cleared is null, what was never given is not there.
      return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
    });
  const links = (await kitchen.request('GET', `api/v1/event/${event}/packages`)) as Record<string, unknown>[];
  const stock = new Map<unknown, number>();
  for (const { ProductID, AantalRekeneenheid } of plain('mutation'))
    stock.set(
      ProductID,
      Math.round(((stock.get(ProductID) ?? 0) + Number(AantalRekeneenheid ?? 0)) * 1e6) / 1e6,
    );
  return {
    ...{ packages: plain('package'), recipes: plain('recipe'), events: plain('event'), trips: plain('trip') },
    links: links.map((link) => JSON.stringify(Object.entries(link).sort())).sort(),
    stock: Object.fromEntries([...stock].filter(([, amount]) => amount !== 0)),
  };
}

const statuses = (rows: readonly { readonly status: string }[]): string[] => rows.map(({ status }) => status);

/** An event of the sandbox with something linked to it. */
async function linkedEvent(kitchen: Kitchen): Promise<{ event: number; linked: number; free: number }> {
  const links = (await kitchen.records('link')).map((link) => [
    Number(link.PartijID),
    Number(link.ArrangementID),
  ]);
  const [[event = 0, linked = 0] = []] = links;
  const taken = new Set(links.flatMap(([one, child]) => (one === event ? [child] : [])));
  const free = Array.from({ length: 20 }, (_, at) => at + 1).find((child) => !taken.has(child)) ?? 0;
  return { event, linked, free };
}

describe('import, undo, import the undo', () => {
  it('leaves the service as it was, for every kind of sheet', async () => {
    const kitchen = await openKitchen();
    const { event, linked, free } = await linkedEvent(kitchen);
    expect(event).toBe(9001);
    const [one, two] = await kitchen.records('package');
    const [recipe] = await kitchen.records('recipe');
    await changePackage(kitchen, Number(one?.id), { Volume: 2.25, InterneOpmerking: 'oud' });
    const before = await stateOf(kitchen);
    const done = await importSheets(kitchen, {
      Pakketten: [
        [
          'ProductID',
          'ExternalID',
          'OmschrijvingIntern',
          'ProductTypeID',
          'Verkoopprijs',
          'Volume',
          'InterneOpmerking',
        ],
        [Number(one?.id), null, null, null, 99.5, '#CLEAR', 'regel een\nregel twee'],
        [Number(two?.id), null, 'Andere naam', null, null, 7, null],
        [null, 612_001, 'Nieuw pakket', 1, 10, null, null],
        [Number(one?.id), null, null, null, 98, null, null],
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
        [Number(recipe?.id), 12, '2027-03-31 07:45', 2.3, 4901, 'Gevonden'],
      ],
    });
    expect(done.counts).toMatchObject({ read: 10, invalid: 0, failed: 0 });
    const after = await stateOf(kitchen);
    expect(after).not.toEqual(before);

    const written = await undo(kitchen, done.run);
    expect(written).toMatchObject({ run: done.run, rows: 9, cannot: [] });
    const dry = await importing(kitchen, written.file, { dryRun: true });
    expect(dry.counts).toMatchObject({
      read: 9,
      updated: 5,
      deleted: 2,
      created: 2,
      conflict: 0,
      invalid: 0,
    });
    const undone = await importing(kitchen, written.file);
    expect(undone.rows.filter(({ status }) => !/ed$/.test(status))).toEqual([]);
    expect(await stateOf(kitchen)).toEqual(before);
    // Once more is nothing.
    const again = await importing(kitchen, written.file);
    expect(new Set(statuses(again.rows))).toEqual(new Set(['unchanged']));

    // The undo of the undo, but for what has no number any more.
    const redo = await undo(kitchen, undone.run);
    expect(redo.cannot).toEqual([
      expect.objectContaining({ sheet: 'Pakketten', why: expect.stringContaining('deleted') }),
    ]);
    const redone = await importing(kitchen, redo.file);
    expect(redone.counts).toMatchObject({ read: 8, conflict: 0, invalid: 0, failed: 0, unchanged: 0 });
    const third = await stateOf(kitchen);
    const withoutNew = after.packages.filter(({ ExternalID }) => ExternalID !== 612_001);
    expect(third).toEqual({ ...after, packages: withoutNew });
  });

  it('takes a count back by a mutation, booked now and with the reason', async () => {
    const kitchen = await openKitchen();
    const [recipe] = await kitchen.records('recipe');
    const id = Number(recipe?.id);
    const before = await stateOf(kitchen);
    const done = await importSheets(kitchen, {
      Voorraadtelling: [
        ['ProductID', 'WerknemerID', 'DatumTijd', 'GeteldRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
        [id, 12, '2027-03-31 07:45', 1234.1, 4901, 'Weektelling'],
      ],
    });
    expect(done.counts).toMatchObject({ created: 1 });
    const file = `${kitchen.folder}/terug.xlsx`;
    await undoRun(done.run, { ...serviceOnly(optionsFor(kitchen)), lang: 'nl', out: file });
    const book = await readBack(file);
    expect([...book.keys()]).toEqual(['Voorraadmutaties', BASE_SHEET]);
    const sheet = book.get('Voorraadmutaties');
    const [headers, row] = [sheet?.get(1), sheet?.get(2)];
    const cells = Object.fromEntries([...(headers ?? [])].map(([at, name]) => [name, row?.get(at)]));
    expect(cells).toMatchObject({
      '#key': `undo ${done.run} Voorraadtelling!2`,
      ...{ ProductID: id, WerknemerID: 12, MutatieCategorieID: 4901 },
      MutatieReden: `Ongedaan gemaakt: Weektelling (run ${done.run})`,
    });
    expect(String(cells.DatumTijd)).not.toContain('2027-03-31');
    await importing(kitchen, file);
    expect((await stateOf(kitchen)).stock).toEqual(before.stock);
    // Undone a second time, from another workbook: it stands there once.
    const twice = await importing(kitchen, (await undo(kitchen, done.run)).file);
    expect(twice.counts).toMatchObject({ read: 1, created: 0, failed: 0, invalid: 0 });
    expect((await stateOf(kitchen)).stock).toEqual(before.stock);
  });

  it('takes the day and the times of an event back, of which no read tells the times', async () => {
    const kitchen = await openKitchen();
    const header = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'] as const;
    const [relation, contact] = await kitchen
      .records('event')
      .then(([event]) => [Number(event?.RelatieID), Number(event?.ContactpersoonID)]);
    const eventOn = (...times: string[]) => ({
      Evenementen: [[...header], [812_001, relation ?? 0, contact ?? 0, ...times]],
    });
    const first = eventOn('2027-04-18', '2027-04-18 12:00', '2027-04-18 17:30');
    expect((await importSheets(kitchen, first)).counts).toMatchObject({ created: 1 });
    const before = await stateOf(kitchen);
    const moved = await importSheets(kitchen, eventOn('2027-05-02', '2027-05-02 18:15', '2027-05-03 01:00'));
    expect(moved.counts).toMatchObject({ updated: 1 });
    const { file, rows, cannot } = await undo(kitchen, moved.run);
    expect([rows, cannot]).toEqual([1, []]);
    expect((await importing(kitchen, file)).counts).toMatchObject({ updated: 1 });
    expect(await stateOf(kitchen)).toEqual(before);
    expect((await importSheets(kitchen, first)).counts).toMatchObject({ unchanged: 1 });
  });
});

describe('what others did since', () => {
  it('is a conflict and survives: an update, a delete of what was made, a link', async () => {
    const kitchen = await openKitchen();
    const { event, linked, free } = await linkedEvent(kitchen);
    const [one] = await kitchen.records('package');
    const id = Number(one?.id);
    const done = await importSheets(kitchen, {
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
    const { file } = await undo(kitchen, done.run);
    const newer = done.rows.find(({ row, sheet }) => sheet === 'Pakketten' && row === 3)?.id ?? 0;
    await changePackage(kitchen, id, { Verkoopprijs: 100 });
    await changePackage(kitchen, newer, { Verkoopprijs: 11 });
    const link = { PartijID: event, Datum: '2027-04-19 00:00:00' };
    await kitchen.request('PUT', 'api/v1/event/package', { ...link, ArrangementID: linked, Aantal: 1 });
    await kitchen.request('POST', 'api/v1/event/package', { ...link, ArrangementID: free, Aantal: 13 });
    const state = await stateOf(kitchen);
    const undone = await importing(kitchen, file);
    expect(statuses(undone.rows)).toEqual(['conflict', 'conflict', 'conflict', 'conflict']);
    expect(undone.rows[0]?.message).toContain('100');
    expect(undone.rows[1]?.message).toContain('Verkoopprijs: 10 → 11');
    expect(await stateOf(kitchen)).toEqual(state);
    // Theirs, and the rest goes back; or mine.
    const theirs = await importing(kitchen, file, { onConflict: 'theirs' });
    expect(statuses(theirs.rows).slice(0, 2)).toEqual(['updated', 'skipped']);
    expect(await packageOf(kitchen, id)).toMatchObject({ Verkoopprijs: 100, Volume: one?.Volume ?? null });
    const mine = await importing(kitchen, file, { onConflict: 'mine' });
    expect(statuses(mine.rows).slice(0, 2)).toEqual(['updated', 'deleted']);
    expect(await packageOf(kitchen, id)).toMatchObject({ Verkoopprijs: one?.Verkoopprijs });
  });
});

describe('what can’t be taken back', () => {
  it('is listed, on a sheet of its own too', async () => {
    const kitchen = await openKitchen();
    const { event } = await linkedEvent(kitchen);
    const [one, two] = await kitchen.records('package');
    await changePackage(kitchen, Number(two?.id), { Volume: null });
    const keyless = { ProductTypeID: 1, OmschrijvingIntern: 'Zonder ExternalID', Verkoopprijs: 1 };
    const { ProductID } = (await kitchen.request('PUT', 'api/v1/product/pakket/create', keyless)) as {
      ProductID: number;
    };
    const done = await importSheets(kitchen, {
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
    const { rows, cannot, file } = await undo(kitchen, done.run);
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
    const dry = await importing(kitchen, file, { dryRun: true });
    expect(dry.counts).toMatchObject({ read: rows, updated: rows });
  });

  it('is refused where nothing is left: exit 3; so are an unknown run, another service, and a file that is there', async () => {
    const kitchen = await openKitchen();
    const options = optionsFor(kitchen);
    const out = `${kitchen.folder}/there.xlsx`;
    const nothing = await importSheets(kitchen, {
      Pakketten: [
        ['ProductID', 'Volume'],
        [77_777, 3],
      ],
    });
    const gone = await importSheets(kitchen, {
      Ritten: [
        ['#action', 'RitID'],
        ['delete', 8003],
      ],
    });
    const done = await importSheets(kitchen, {
      Ritten: [
        ['RitID', 'Chauffeur'],
        [8004, 'Iemand anders'],
      ],
    });
    await undoRun(done.run, { ...serviceOnly(options), out });
    for (const [exitCode, run, more] of [
      [3, nothing.run, {}],
      [3, gone.run, {}],
      [2, '20270331-074512-k3vq', {}],
      [2, done.run, { baseUrl: 'http://127.0.0.1:1/' }],
      [2, done.run, { out }],
      [2, done.run, { out: `${kitchen.folder}/there.csv` }],
    ] as const) {
      const file = `${kitchen.folder}/new.xlsx`;
      const stop = await undoRun(run, { ...serviceOnly(options), out: file, ...more }).catch(
        (error: unknown) => error,
      );
      expect(stop).toBeInstanceOf(StopError);
      expect(stop).toMatchObject({ exitCode });
      expect(existsSync(file)).toBe(false);
    }
  });

  it('takes back the part of a run that went through, and warns of what may be there', async () => {
    const own = await openKitchen();
    const url = await openProxy(own.url, ({ path }) =>
      path.endsWith('voorraadmutatie/create') ? { status: 504, body: {} } : undefined,
    );
    const kitchen = { ...own, url };
    const sheets = {
      Pakketten: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        [613_001, 'Eerste', 1, 10],
        [613_002, 'Tweede', 999_999, 10],
        [613_003, 'Derde', 1, 10],
      ],
      Voorraadmutaties: [
        ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
        [Number((await kitchen.records('recipe'))[0]?.id), 12, '2027-03-31 07:45', 5.5, 4901, 'Zoek'],
      ],
    };
    const before = await stateOf(kitchen);
    const done = await importSheets(kitchen, sheets);
    expect(done.counts).toMatchObject({ created: 2, failed: 1, unknown: 1 });
    const { rows, cannot, file } = await undo(kitchen, done.run);
    expect(rows).toBe(2);
    expect(
      cannot.map(({ sheet, row, why }) => [sheet, row, /may be there|nothing to take back/.exec(why)?.[0]]),
    ).toEqual([
      ['Pakketten', 3, 'nothing to take back'],
      ['Voorraadmutaties', 2, 'may be there'],
    ]);
    await importing(kitchen, file);
    expect((await stateOf(kitchen)).packages).toEqual(before.packages);
  });
});

it('the command says the same to scripts', async () => {
  const kitchen = await openKitchen();
  const done = await importSheets(kitchen, {
    Ritten: [
      ['RitID', 'Chauffeur'],
      [8004, 'Iemand anders'],
    ],
  });
  const { code, stdout } = await kitchen.run(['undo', done.run, '--json']);
  const file = `undo-${done.run}.xlsx`;
  expect([code, JSON.parse(stdout)]).toEqual([0, { run: done.run, file, rows: 1, cannot: [] }]);
});
