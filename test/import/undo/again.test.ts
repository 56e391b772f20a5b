import { describe, expect, it } from 'vitest';
import { OWN_SHEETS } from '../../../src/core/own-sheets.ts';
import { BASELINE_SHEET } from '../../../src/files/baseline-sheet.ts';
import { POSTED_SHEET } from '../../../src/files/posted-sheet.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { importWorkbook, undoRun } from '../../../src/index.ts';
import { resources } from '../../../src/resources/registry.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { makeWorkbook, readBack } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { MUTATION_HEADER, recipeIds, stockOf } from '../../kinds/posting/stock-fixtures.ts';
import { changePackage } from '../baseline/fixtures.ts';

type Cells = readonly (string | number | null)[];

let made = 0;

const importing = async (service: TestService, file: string, more: object = {}) =>
  await importWorkbook(file, optionsFor(service, { allowDelete: true, ...more }));

const importSheets = async (service: TestService, sheets: Readonly<Record<string, readonly Cells[]>>) =>
  await importing(service, await makeWorkbook(`${service.folder}/again-${++made}.xlsx`, sheets));

const undo = async (service: TestService, run: string) =>
  await undoRun(run, {
    ...serviceOnly(optionsFor(service)),
    out: `${service.folder}/undo-again-${++made}.xlsx`,
  });

/** The rows of a sheet of a workbook, its header first. */
async function rowsOf(file: string, sheet: string): Promise<Cells[]> {
  const rows = (await readBack(file)).get(sheet) ?? new Map();
  return [...rows.values()].map((row) => {
    const cells: Cells[number][] = new Array(Math.max(...row.keys())).fill(null);
    for (const [column, value] of row) cells[column - 1] = value as Cells[number];
    return cells;
  });
}

const mutation = (product: number, amount: number): Cells => [
  ...[product, 12, '2026-03-31 07:45', amount, 4901, 'Derving'],
];

describe('a mutation is taken back once', () => {
  it('however often its run is undone, and until that is undone', async () => {
    const service = await openTestService();
    const [product = 0] = await recipeIds(service, 1);
    const before = await stockOf(service, product);
    const done = await importSheets(service, {
      Voorraadmutaties: [MUTATION_HEADER, mutation(product, 2.5), mutation(product, 4)],
    });
    const first = await undo(service, done.run);
    const taken = await importing(service, first.file);
    expect(await stockOf(service, product)).toBe(before);
    // Another workbook, of another moment and in another language: what it makes up is no other content.
    const out = `${service.folder}/undo-nl.xlsx`;
    await undoRun(done.run, { ...serviceOnly(optionsFor(service)), lang: 'nl', out });
    const header = await rowsOf(out, 'Voorraadmutaties');
    const [names = [], ...rows] = header;
    const when = names.indexOf('DatumTijd');
    const later = rows.map((row) => row.map((value, at) => (at === when ? '2027-04-02 12:00' : value)));
    const again = await importSheets(service, { Voorraadmutaties: [names, ...later] });
    expect(again.rows.map(({ status, message }) => [status, message])).toEqual(
      Array.from({ length: 2 }, () => [
        'unchanged',
        expect.stringMatching(`^already taken back in run ${taken.run} on [^;]+$`),
      ]),
    );
    // Another amount is not what was taken back; nothing offers to post it under another name.
    const amount = names.indexOf('AantalRekeneenheid');
    const other = rows.map((row) => row.map((value, at) => (at === amount ? 1 : value)));
    const differs = await importSheets(service, { Voorraadmutaties: [names, ...other] });
    expect(differs.rows.map(({ status }) => status)).toEqual(['conflict', 'conflict']);
    expect(differs.rows[0]?.message).not.toContain('#key');
    expect(await stockOf(service, product)).toBe(before);

    // Taken back itself, the rows stand again, and it is that which is to be undone.
    const redone = await importing(service, (await undo(service, taken.run)).file);
    expect(await stockOf(service, product)).toBe(before + 6.5);
    const stands = await importing(service, first.file);
    expect(stands.rows.map(({ status }) => status)).toEqual(['conflict', 'conflict']);
    expect(stands.rows[0]?.message).toContain(`catersheet undo ${redone.run}`);
    const third = await undo(service, redone.run);
    expect((await rowsOf(third.file, 'Voorraadmutaties'))[1]).toContain(
      `Undone: Derving (run ${redone.run})`,
    );
    await importing(service, third.file);
    expect(await stockOf(service, product)).toBe(before);
    const once = await importing(service, first.file);
    expect(once.rows.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
  });
});

describe('what others refer to is deleted last', () => {
  const RECIPE = [
    'ExternalID',
    'OmschrijvingIntern',
    'ProductCategorieID',
    'ProductEenheidWaardeID',
    'Gewicht',
    'OPK',
  ];
  const recipe: Cells = [640_001, 'Soep van de dag', 1, 201, 1, 10];

  it('in an undo: first the stock of a recipe, then the recipe', async () => {
    const service = await openTestService();
    const [, ...header] = MUTATION_HEADER;
    const done = await importSheets(service, {
      Recepten: [RECIPE, recipe],
      Voorraadmutaties: [['Product.ExternalID', ...header], mutation(640_001, 3)],
    });
    expect(done.counts).toMatchObject({ created: 2 });
    const undone = await importing(service, (await undo(service, done.run)).file);
    expect(undone.counts).toMatchObject({ created: 1, deleted: 1, failed: 0 });
  });

  it('in any workbook; and not at all where a row that refers to it did not get through', async () => {
    const service = await openTestService();
    const [one = 0, two = 0, three = 0] = await recipeIds(service, 3);
    const sheets = {
      Recepten: [
        ['#action', 'ProductID'],
        ['delete', one],
        ['delete', two],
        ['delete', three],
      ],
      Voorraadmutaties: [
        MUTATION_HEADER,
        mutation(one, 1),
        [two, 12, '2026-03-31 07:45', 1, 999_999, 'Bestaat niet'],
      ],
    };
    const done = await importSheets(service, sheets);
    expect(done.rows.map(({ sheet, row, status }) => `${sheet} ${row} ${status}`)).toEqual([
      'Recepten 2 deleted',
      'Recepten 3 not sent',
      'Recepten 4 deleted',
      'Voorraadmutaties 2 created',
      'Voorraadmutaties 3 failed',
    ]);
    expect(done.rows[1]?.message).toContain('Voorraadmutaties!3');
    expect(await recipeIds(service, 1)).toEqual([two]);
  });

  it('but not behind a row that makes the record anew', async () => {
    const service = await openTestService();
    const first = await importSheets(service, { Recepten: [RECIPE, recipe] });
    const anew = await importSheets(service, {
      Recepten: [
        ['#action', ...RECIPE],
        ['delete', ...recipe],
        ['create', ...recipe],
      ],
    });
    expect(anew.rows.map(({ status }) => status)).toEqual(['deleted', 'created']);
    const left = (await service.records('recipe')).filter(
      ({ OmschrijvingIntern }) => OmschrijvingIntern === recipe[1],
    );
    expect(left.map(({ id }) => id)).toEqual([anew.rows[1]?.id]);
    expect(anew.rows[1]?.id).not.toBe(first.rows[0]?.id);
  });
});

it('the list of what can’t be taken back is known as such when the undo is imported', async () => {
  const service = await openTestService();
  const done = await importSheets(service, {
    Ritten: [
      ['#action', 'RitID', 'Chauffeur'],
      ['delete', 8002, null],
      [null, 8004, 'Iemand anders'],
    ],
  });
  for (const lang of ['en', 'nl'] as const) {
    const out = `${service.folder}/undo-${lang}.xlsx`;
    await undoRun(done.run, { ...serviceOnly(optionsFor(service)), lang, out });
    const recognised = await recogniseSheets(await readWorkbook(out), { resources, only: [], set: [] });
    const skipped = recognised.flatMap((entry) => (entry.kind === 'skip' ? [entry] : []));
    expect(skipped.map(({ sheet, reason }) => [sheet.name, reason.en])).toEqual([
      [OWN_SHEETS.undone[lang], "what can't be taken back"],
      [BASELINE_SHEET, expect.any(String)],
      [POSTED_SHEET, expect.any(String)],
    ]);
  }
});

describe('work of others on what a run made', () => {
  const PACKAGE = ['#action', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
  const WORK = [
    { InterneOpmerking: 'van een ander' },
    { Actief: false },
    { ProductCategorieID: 10 },
    { OmschrijvingExtern: 'x' },
  ];

  it.each([
    ['with an ExternalID', 650_000],
    ['without', null],
  ])('in any field keeps the record: %s', async (_, from) => {
    const service = await openTestService();
    const { rows, run } = await importSheets(service, {
      Pakketten: [
        PACKAGE,
        ...[...WORK, {}].map(
          (_work, at): Cells => ['create', from === null ? null : from + at, `Nieuw ${at}`, 1, 10],
        ),
      ],
    });
    const { file } = await undo(service, run);
    for (const [at, work] of WORK.entries()) await changePackage(service, rows[at]?.id ?? 0, work);
    const undone = await importing(service, file);
    expect(undone.rows.map(({ status }) => status)).toEqual([...WORK.map(() => 'conflict'), 'deleted']);
    for (const [at, work] of WORK.entries())
      expect(undone.rows[at]?.message).toContain(`${Object.keys(work)[0]}: `);
  });

  it('in any field keeps the link', async () => {
    const service = await openTestService();
    const ends = { PartijID: 9001, ArrangementID: 19 };
    const { run, counts } = await importSheets(service, {
      Arrangementen: [
        ['PartijID', 'ArrangementID', 'Aantal', 'Datum'],
        [9001, 19, 12, '2027-04-18'],
        [9001, 20, 12, '2027-04-18'],
      ],
    });
    expect(counts).toMatchObject({ created: 2 });
    const { file } = await undo(service, run);
    await service.request('POST', 'api/v1/event/package', { ...ends, OfferteOmschrijving: 'van een ander' });
    const undone = await importing(service, file);
    expect(undone.rows.map(({ status }) => status)).toEqual(['conflict', 'deleted']);
  });
});
