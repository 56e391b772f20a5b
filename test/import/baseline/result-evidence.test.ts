import { writeFileSync } from 'node:fs';
import exceljs from 'exceljs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';

type Row = Readonly<Record<string, string | number>>;

async function openService(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  return service;
}

/** A machine with a ledger of its own. */
const machine = (service: SecondService) => {
  const folder = tempFolder();
  return optionsFor({ folder, url: service.url, token: service.token });
};

/** Writes rows as a sheet, in a workbook or a CSV of its own; answers its path. */
async function write(ending: string, sheet: string, rows: readonly Row[]): Promise<string> {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  const file = `${tempFolder()}/${sheet}.${ending}`;
  if (ending === 'xlsx') return await makeWorkbook(file, { [sheet]: cells });
  writeFileSync(file, cells.map((row) => row.join(';')).join('\r\n'));
  return file;
}

const first = (records: Iterable<readonly [number, unknown]>): number => [...records][0]?.[0] ?? 0;

const stock =
  (amount: string) =>
  (service: SecondService): Row[] => {
    const products = [...service.recipes.entries()].map(([id]) => id);
    return [2, 2].map((counted, at) => ({
      ProductID: products[amount === 'AantalRekeneenheid' ? 0 : at] ?? 0,
      [amount]: counted,
      WerknemerID: 7,
      DatumTijd: '2026-01-05 10:00',
      MutatieCategorieID: 4902,
      MutatieReden: 'Gevonden',
    }));
  };

const event = { RelatieID: 4001, ContactpersoonID: 6001, LocatieID: 801, Datum: '2027-05-04' };

/** Rows of each sheet that name no record of the service, where it can have such. */
const SHEETS: readonly [sheet: string, as: string, rows: (service: SecondService) => Row[]][] = [
  [
    'Pakketten',
    'packages',
    () =>
      [1, 2].map((at) => ({
        '#action': 'create',
        ProductTypeID: 1,
        OmschrijvingIntern: `Lunch ${at}`,
        Verkoopprijs: at,
      })),
  ],
  [
    'Recepten',
    'recipes',
    () =>
      [1, 2].map((at) => ({
        ...{ '#action': 'create', OmschrijvingIntern: `Soep ${at}`, ProductCategorieID: 11 },
        ...{ ProductEenheidWaardeID: 501, Gewicht: at, OPK: 1 },
      })),
  ],
  ['Voorraadmutaties', 'stock-mutations', stock('AantalRekeneenheid')],
  ['Voorraadtelling', 'stock-count', stock('GeteldRekeneenheid')],
  [
    'Evenementen',
    'events',
    () =>
      ['12:00', '13:00'].map((time) => ({
        ...{ '#action': 'create', ...event, Starttijd: `2027-05-04 ${time}`, Eindtijd: '2027-05-04 17:30' },
      })),
  ],
  [
    'Arrangementen',
    'arrangements',
    ({ events }) => [
      { PartijID: first(events.entries()), ArrangementID: 77, Aantal: 3, Datum: '2027-05-04' },
    ],
  ],
  ['Ritten', 'trips', ({ trips }) => [{ RitID: first(trips.entries()), Chauffeur: 'Anna' }]],
];

const writesOf = (service: SecondService): number =>
  service.journal.writes.filter(({ path }) => !/\/(all|allByLMT|allModified|ritten\/all)$/.test(path)).length;

describe.each(['xlsx', 'csv'])(
  'the result of a sheet, as %s, creates nothing on another ledger',
  (ending) => {
    test.each(SHEETS)('%s', async (sheet, as, rowsOf) => {
      const service = await openService();
      const rows = rowsOf(service);
      const file = await write(ending, sheet, rows);
      const here = machine(service);
      const out = (name: string) => `${tempFolder()}/${name}.${ending}`;
      const done = await importWorkbook(file, { ...here, as, out: out('first') });
      expect(done.counts.created + done.counts.updated, JSON.stringify(done.rows)).toBe(rows.length);
      const sent = writesOf(service);
      const there = { ...machine(service), as, dryRun: true } as const;
      // Found done by an earlier run, here or there: its result travels too.
      const again = await importWorkbook(file, { ...here, as, out: out('again') });
      const further = await importWorkbook(String(again.result), { ...there, out: out('there') });
      const third = { ...machine(service), as, dryRun: true, out: out('third') } as const;
      for (const plan of [
        await importWorkbook(String(done.result), { ...there, out: out('there') }),
        further,
        await importWorkbook(String(further.result), third),
      ]) {
        // A CSV does not tell what was sent of times that no read returns.
        const unread = ending === 'csv' && sheet === 'Evenementen';
        const counts = unread ? { unchanged: 0, updated: rows.length } : { unchanged: rows.length };
        expect(plan.counts, JSON.stringify(plan.rows)).toMatchObject({ created: 0, ...counts });
        const changed = plan.rows.flatMap(({ changes = [] }) => changes.map(({ field }) => field));
        expect(new Set(changed)).toEqual(new Set(unread ? ['Starttijd', 'Eindtijd'] : []));
      }
      expect(writesOf(service)).toBe(sent);
    });
  },
);

test('the result of a workbook with packages without a key plans nothing to send on another ledger', async () => {
  const service = await openService();
  const file = await write('xlsx', 'Pakketten', SHEETS[0]?.[2](service) ?? []);
  const done = await importWorkbook(file, machine(service));
  const there = await importWorkbook(String(done.result), machine(service));
  expect(there.counts).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
  expect(there.rows.map(({ id }) => id)).toEqual(done.rows.map(({ id }) => id));
});

type Cells = Readonly<Record<string, string | number | null>>;

/** Changes cells of a result, as its user would: by row and header. */
async function edit(result: string, change: (row: Row, at: number) => Cells): Promise<string> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(result);
  const sheet = book.worksheets.find(({ name }) => SHEETS.some(([known]) => known === name));
  const cellsAt = (at: number): unknown[] => Array.from(sheet?.getRow(at).values as unknown[]).slice(1);
  const headers = cellsAt(1) as string[];
  for (let at = 2; at <= (sheet?.actualRowCount ?? 0); at++) {
    const cells = cellsAt(at);
    const row = Object.fromEntries(headers.map((name, column) => [name, cells[column]]));
    for (const [name, value] of Object.entries(change(row as Row, at - 2)))
      (sheet as exceljs.Worksheet).getRow(at).getCell(headers.indexOf(name) + 1).value = value;
  }
  const file = `${tempFolder()}/edited.xlsx`;
  await book.xlsx.writeFile(file);
  return file;
}

/** Imports a sheet on one machine, edits its result, and plans that on the same machine or another. */
async function edited(at: number, change: (row: Row, at: number) => Cells, own: boolean) {
  const [sheet, as, rowsOf] = SHEETS[at] ?? (SHEETS[0] as (typeof SHEETS)[number]);
  const service = await openService();
  const here = machine(service);
  const done = await importWorkbook(await write('xlsx', sheet, rowsOf(service)), { ...here, as });
  const file = await edit(String(done.result), change);
  const there = own ? here : machine(service);
  const plan = await importWorkbook(file, { ...there, as, dryRun: true, out: `${tempFolder()}/plan.xlsx` });
  return { service, done, plan };
}

describe.each([
  ['the same ledger', true],
  ['another ledger', false],
])('a row of a result that was edited, on %s', (_, own) => {
  test('is an update of the record with its #id, also where it has no key', async () => {
    const { done, plan } = await edited(
      0,
      (__, at) => (at === 0 ? { OmschrijvingIntern: 'Brunch', Verkoopprijs: 7 } : {}),
      own,
    );
    expect(plan.rows[0]).toMatchObject({ status: 'update', id: done.rows[0]?.id });
    expect(plan.rows[0]?.changes?.map(({ field }) => field)).toEqual(['OmschrijvingIntern', 'Verkoopprijs']);
    expect(plan.rows[1]).toMatchObject({ status: 'unchanged', id: done.rows[1]?.id });
  });

  test('is a conflict where it was posted, as that can’t be changed', async () => {
    const { done, plan } = await edited(2, (__, at) => (at === 0 ? { AantalRekeneenheid: 5 } : {}), own);
    expect(plan.rows).toMatchObject([
      { status: 'conflict', id: done.rows[0]?.id, message: expect.stringContaining('clear #status and #id') },
      { status: 'unchanged', id: done.rows[1]?.id },
    ]);
  });

  test('is sent anew once #status and #id are cleared', async () => {
    const change = (__: Row, at: number): Cells =>
      at === 0 ? { AantalRekeneenheid: 5, '#status': null, '#id': null } : {};
    const { plan } = await edited(2, change, own);
    expect(plan.rows.map(({ status }) => status)).toEqual(['create', 'unchanged']);
  });

  test('is invalid with the row that it was copied from, unless its #status and #id are cleared', async () => {
    let first: Row = {};
    const copy = (row: Row, at: number): Cells => {
      if (at === 0) first = row;
      return at === 0 ? {} : { '#id': first['#id'] ?? null };
    };
    const packages = await edited(0, copy, own);
    expect(packages.plan.rows.map(({ status }) => status)).toEqual(['invalid', 'invalid']);
    expect(packages.plan.rows[1]?.issues?.map(({ code }) => code)).toContain('record-copied');
    const mutations = await edited(
      2,
      (row, at) => ({ ...copy(row, at), ...(at === 1 && { AantalRekeneenheid: 9 }) }),
      own,
    );
    expect(mutations.plan.rows.map(({ status }) => status)).toEqual(['unchanged', 'invalid']);
  });
});

test('a row whose record was deleted since its result was written is not created again unasked', async () => {
  const [, as, rowsOf] = SHEETS[0] as (typeof SHEETS)[number];
  const service = await openService();
  const done = await importWorkbook(await write('xlsx', 'Pakketten', rowsOf(service)), {
    ...machine(service),
    as,
  });
  service.other.remove('package', Number(done.rows[0]?.id));
  const plan = await importWorkbook(String(done.result), { ...machine(service), as, dryRun: true });
  expect(plan.rows[0]).toMatchObject({ status: 'invalid', issues: [{ code: 'record-deleted' }] });
  expect(plan.rows[1]).toMatchObject({ status: 'unchanged' });
});

describe('a file that says nothing of its service', () => {
  const name = { OmschrijvingIntern: 'Borrel luxe', ProductTypeID: 1, '#action': 'create' };
  test.each<[what: string, row: Row, planned: Readonly<Record<string, unknown>>]>([
    [
      'by a number and the record’s name',
      { ...name, Verkoopprijs: 18.75, '#status': 'created', '#id': 1001 },
      { status: 'unchanged', id: 1001 },
    ],
    [
      'by those, and another price',
      { ...name, Verkoopprijs: 19, '#status': 'created', '#id': 1001 },
      { status: 'update', id: 1001 },
    ],
    [
      'not by the number of a record with another name',
      { ...name, OmschrijvingIntern: 'Feest', Verkoopprijs: 19, '#status': 'created', '#id': 1001 },
      { status: 'conflict', message: expect.stringContaining('"Borrel luxe"') },
    ],
    [
      'not done, though the number is gone',
      { ...name, Verkoopprijs: 1, '#status': 'created', '#id': '' },
      { status: 'unchanged' },
    ],
    [
      'in doubt where its answer was lost',
      { ...name, Verkoopprijs: 1, '#status': 'unknown', '#id': '' },
      { status: 'unknown' },
    ],
    [
      'to be sent where it was not',
      { ...name, Verkoopprijs: 1, '#status': 'not sent', '#id': '' },
      { status: 'create' },
    ],
    [
      'to be sent after a dry run',
      { ...name, Verkoopprijs: 1, '#status': 'create', '#id': '' },
      { status: 'create' },
    ],
    [
      'to be sent where #status and #id are the user’s own',
      { ...name, Verkoopprijs: 1, '#status': 'besteld', '#id': 7 },
      { status: 'create' },
    ],
    [
      'about one record, not two',
      { ...name, ProductID: 1002, Verkoopprijs: 1, '#action': '', '#status': 'updated', '#id': 1001 },
      { status: 'invalid', issues: [{ code: 'keys-differ' }] },
    ],
    [
      'about the key that was put right',
      { ...name, ProductID: 1001, Verkoopprijs: 18.75, '#action': '', '#status': 'invalid', '#id': 1002 },
      { status: 'unchanged' },
    ],
    [
      'not about the record of another ExternalID',
      { ...name, ExternalID: 199, Verkoopprijs: 18.75, '#action': '', '#status': 'created', '#id': 1001 },
      { status: 'conflict', message: expect.stringContaining('ExternalID 101') },
    ],
  ])('is %s', async (_, row, planned) => {
    const service = await openService();
    const file = await write('csv', 'Pakketten', [row]);
    const plan = await importWorkbook(file, {
      ...machine(service),
      as: 'packages',
      locale: 'en',
      dryRun: true,
    });
    expect(plan.rows).toMatchObject([planned]);
  });
});

test('the numbers of another service’s result name no records here', async () => {
  const [, as, rowsOf] = SHEETS[0] as (typeof SHEETS)[number];
  const [one, other] = [await openService(), await openService()];
  const done = await importWorkbook(await write('xlsx', 'Pakketten', rowsOf(one)), { ...machine(one), as });
  const there = () => ({ ...machine(other), as, dryRun: true }) as const;
  const stopped = importWorkbook(String(done.result), there());
  await expect(stopped).rejects.toMatchObject({ exit: 2, message: expect.stringContaining(one.url) });
  const apart = await importWorkbook(String(done.result), { ...there(), elsewhere: 'other' });
  expect(apart.counts).toMatchObject({ created: 2 });
});

describe.each(['xlsx', 'csv'])('a file with its result beside it, as %s, on another ledger', (ending) => {
  test.each(SHEETS)('sends nothing of it again: %s', async (sheet, as, rowsOf) => {
    const service = await openService();
    const rows = rowsOf(service);
    const file = await write(ending, sheet, rows);
    const { out: _, ...here } = machine(service);
    const { out: __, ...there } = machine(service);
    const done = await importWorkbook(file, { ...here, as });
    const sent = writesOf(service);
    const plan = await importWorkbook(file, { ...there, as });
    const unread = ending === 'csv' && sheet === 'Evenementen' ? { updated: 2 } : { unchanged: rows.length };
    expect(plan.counts, JSON.stringify(plan.rows)).toMatchObject({ created: 0, ...unread });
    if (sheet !== 'Arrangementen' && sheet !== 'Evenementen')
      expect(plan.rows[0]?.message).toMatch(ending === 'csv' || as === 'packages' ? /beside this file/ : /./);
    expect(plan.notes?.join('\n')).toContain('beside this file, is of a run that is not known here');
    expect(plan.result).not.toBe(done.result);
    expect(writesOf(service) - sent).toBe('updated' in unread ? 2 : 0);
  });
});

describe('a file with its result beside it', () => {
  const rows = [1, 2].map((at) => ({
    ...{ ExternalID: 900 + at, ProductTypeID: 1, OmschrijvingIntern: `Lunch ${at}`, Verkoopprijs: at },
  }));

  test('finds its records where the service keeps no ExternalID, also of rows that were edited', async () => {
    const service = await openService({ values: { externalId: 'never' } });
    const { out: _, ...here } = machine(service);
    const { out: __, ...there } = machine(service);
    const file = await write('csv', 'Pakketten', rows);
    const done = await importWorkbook(file, { ...here, as: 'packages' });
    expect(done.counts).toMatchObject({ created: 2 });
    const again = rows.map((row, at) => ({ ...row, Verkoopprijs: at === 0 ? 9 : row.Verkoopprijs }));
    const text = [Object.keys(again[0] ?? {}), ...again.map((row) => Object.values(row))];
    writeFileSync(file, text.map((row) => row.join(';')).join('\r\n'));
    const plan = await importWorkbook(file, { ...there, as: 'packages', dryRun: true });
    expect(plan.counts).toMatchObject({ created: 0 });
    expect(plan.rows.map(({ id }) => id)).toEqual(done.rows.map(({ id }) => id));
  });

  test('is not held against that of another service, which is said', async () => {
    const [one, other] = [await openService(), await openService()];
    const { out: _, ...here } = machine(one);
    const { out: __, ...there } = machine(other);
    const file = await write('xlsx', 'Pakketten', rows);
    await importWorkbook(file, here);
    const plan = await importWorkbook(file, { ...there, dryRun: true });
    expect(plan.counts).toMatchObject({ created: 2 });
    expect(plan.notes?.join('\n')).toContain('beside this file, is of another service');
  });

  test('is planned anew on the ledger that knows its run', async () => {
    const service = await openService();
    const { out: _, ...here } = machine(service);
    const file = await write('csv', 'Pakketten', rows);
    await importWorkbook(file, { ...here, as: 'packages' });
    const plan = await importWorkbook(file, { ...here, as: 'packages' });
    expect(plan.counts).toMatchObject({ unchanged: 2 });
    expect(plan.notes?.join('\n')).not.toContain('beside this file, is of');
  });
});

test.each(['csv', 'xlsx'])(
  'mutations that take another DatumTijd from --set than their result had are sent nowhere in silence (%s)',
  async (ending) => {
    const service = await openService();
    const [{ out: _, ...here }, { out: __, ...there }] = [machine(service), machine(service)];
    const [product] = [...service.recipes.entries()].map(([id]) => id);
    const file = await write(ending, 'Voorraadmutaties', [
      { ProductID: product ?? 0, AantalRekeneenheid: 2 },
    ]);
    const week = (DatumTijd: string) => ({
      as: 'stock-mutations',
      set: { WerknemerID: '7', MutatieCategorieID: '4902', MutatieReden: 'Gevonden', DatumTijd },
    });
    const sent = await importWorkbook(file, { ...here, ...week('2026-01-05 10:00') });
    expect(sent.counts).toMatchObject({ created: 1 });
    for (const one of [file, String(sent.result)]) {
      const next = await importWorkbook(one, { ...there, ...week('2026-01-12 10:00') });
      expect([one, next.counts.unchanged, next.exit]).not.toEqual([one, 1, 0]);
    }
    expect(service.journal.doubled()).toEqual([]);
  },
);
