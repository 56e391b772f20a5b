import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importIn } from '../../src/api/import-workbook.ts';
import type { UnnamedRows } from '../../src/import/plan/plan-report.ts';
import { applyPlan, importWorkbook } from '../../src/index.ts';
import { withSession } from '../../src/session/open-session.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';

type Cells = readonly (string | number | null)[];
type Sheets = Readonly<Record<string, readonly Cells[]>>;

const CREATE = { '#action': 'create' };

const RECIPE = { ProductCategorieID: 1, ProductEenheidWaardeID: 201, Gewicht: 0.25, OPK: 10 };

/** Sheets of which each has two rows that name no record, and one that does. */
const MENU: Sheets = {
  Pakketten: [
    ['ProductID', 'ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
    [null, null, 1, 'Zomerbuffet', 24.5],
    [null, null, 2, 'Koude komkommersoep', 6.75],
    [null, 640_001, 2, 'Gazpacho', 7.25],
  ],
  Recepten: [
    ['ProductID', 'ExternalID', ...Object.keys(RECIPE), 'OmschrijvingIntern'],
    ...[
      [null, 'Komkommersalade'] as const,
      [null, 'Dillesaus'] as const,
      [640_101, 'Pestosaus'] as const,
    ].map(([external, name]): Cells => [null, external, ...Object.values(RECIPE), name]),
  ],
};

async function plan(service: TestService, sheets: Sheets, options: object = {}, answer?: boolean) {
  const file = await makeWorkbook(`${service.folder}/menu.xlsx`, sheets);
  const asked: (readonly UnnamedRows[])[] = [];
  const questions = {
    takeHeaders: async () => false,
    ask: async () => '',
    tell: () => {},
    createUnnamed: async (rows: readonly UnnamedRows[]) => {
      asked.push(rows);
      return answer === true;
    },
  };
  const own = serviceOnly(optionsFor(service));
  const end = await withSession(own, 'try', (session) =>
    importIn(session, file, {
      ...{ dryRun: true, out: `${service.folder}/uit.xlsx`, ...options },
      ...(answer === undefined ? {} : { questions }),
    }),
  );
  const { counts, plan: made } = end.result;
  return { asked, counts, run: made.run, codes: made.groups.map(({ issue }) => issue.code), made, own };
}

describe('a row that names no record and has all that a new one needs', () => {
  it('is invalid and says the ways to create it, where nobody can be asked', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/menu.xlsx`, MENU);
    const { code, document } = await service.runJson(['import', file, '--yes']);
    expect(code).toBe(5);
    expect(document.counts).toMatchObject({ created: 2, invalid: 4 });
    const [row] = document.rows.filter(({ status }) => status === 'invalid');
    expect(row?.issues).toMatchObject([{ code: 'key-not-given', cell: 'B2' }]);
    expect(row?.message).toContain('put create in #action, or add --set "#action=create"');
  });

  it('is asked about once for the file, and created where the answer is yes', async () => {
    const service = await openTestService();
    const { asked, counts, run, own } = await plan(service, MENU, {}, true);
    expect(asked).toEqual([
      [
        { sheet: 'Pakketten', rows: 2 },
        { sheet: 'Recepten', rows: 2 },
      ],
    ]);
    expect(counts).toMatchObject({ created: 6, invalid: 0 });
    // What was answered is in the plan: it is sent as it was shown.
    const sent = await applyPlan(run, { ...own, out: `${service.folder}/menu.result.xlsx` });
    expect(sent.counts).toMatchObject({ created: 6, invalid: 0 });
    // Its result names what it made.
    const again = await importWorkbook(`${service.folder}/menu.result.xlsx`, optionsFor(service));
    expect(again.counts).toMatchObject({ created: 0, updated: 0 });
  });

  it('stays as it is where the answer is no', async () => {
    const { asked, counts } = await plan(await openTestService(), MENU, {}, false);
    expect(asked).toHaveLength(1);
    expect(counts).toMatchObject({ created: 2, invalid: 4 });
  });

  it.each([
    ['a flag', { set: CREATE }],
    ['a flag, with a value of another column', { set: { ...CREATE, Actief: 'Ja' } }],
  ])('is created by %s without a question', async (_, options) => {
    const { asked, counts } = await plan(await openTestService(), MENU, options, false);
    expect(asked).toEqual([]);
    expect(counts).toMatchObject({ created: 6, invalid: 0 });
  });

  it('leaves rows that name their record as they were: changed where it is there', async () => {
    const service = await openTestService();
    const named: Sheets = {
      Pakketten: MENU.Pakketten?.filter((row) => row[0] !== null || row[1] !== null) ?? [],
    };
    const file = await makeWorkbook(`${service.folder}/eerst.xlsx`, named);
    await importWorkbook(file, optionsFor(service));
    const priced = MENU.Pakketten?.map((row) => (row[1] === 640_001 ? [...row.slice(0, 4), 8] : row)) ?? [];
    const { counts } = await plan(service, { Pakketten: priced }, { set: CREATE });
    expect(counts).toMatchObject({ created: 2, updated: 1, conflict: 0 });
  });

  it('is sent once, however often its file is imported', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/menu.xlsx`, MENU);
    const options = { ...optionsFor(service), set: CREATE };
    expect((await importWorkbook(file, options)).counts.created).toBe(6);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 0, invalid: 0 });
  });
});

const PACKAGE = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

it.each<[string, Sheets]>([
  ['a package without a price', { Pakketten: [PACKAGE, [null, 1, 'Soep', null]] }],
  ['a package with a price that can’t be read', { Pakketten: [PACKAGE, [null, 1, 'Soep', 'n.t.b.']] }],
  [
    'an arrangement without the package',
    {
      Arrangementen: [
        ['PartijID', 'ArrangementID', 'Aantal'],
        [9001, null, 3],
      ],
    },
  ],
])('nothing is asked about %s: it can’t be created as it stands', async (_, sheets) => {
  const { asked, counts } = await plan(await openTestService(), sheets, {}, true);
  expect(asked).toEqual([]);
  expect(counts).toMatchObject({ created: 0, invalid: 1 });
});

it('an event that names no record is asked about too', async () => {
  const event = {
    ...{ RelatieID: 1, ContactpersoonID: 1, Omschrijving: 'Zomerfeest' },
    ...{ Datum: '21-06-2027', Starttijd: '17:00', Eindtijd: '23:00' },
  };
  const sheets = {
    Evenementen: [
      ['PartijID', 'ExternalID', ...Object.keys(event)],
      [null, null, ...Object.values(event)],
    ],
  };
  const { asked, counts, made } = await plan(await openTestService(), sheets, {}, true);
  expect(made.groups).toEqual([]);
  expect(asked).toEqual([[{ sheet: 'Evenementen', rows: 1 }]]);
  expect(counts).toMatchObject({ created: 1 });
});

it('--set says that of #action only create is for all rows', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(`${service.folder}/menu.xlsx`, MENU);
  const { code, stderr } = await service.run(['import', file, '--set', '#action=delete', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('of #action only create is for all rows');
  expect(existsSync(`${service.folder}/menu.result.xlsx`)).toBe(false);
});
