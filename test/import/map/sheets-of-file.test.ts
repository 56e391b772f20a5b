import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { exportColumns } from '../../../src/export/export-columns.ts';
import { nothingToImport } from '../../../src/import/map/nothing-to-send.ts';
import { type RecogniseOptions, recogniseSheets } from '../../../src/import/map/recognise.ts';
import { packages } from '../../../src/resources/packages.ts';
import { resources } from '../../../src/resources/registry.ts';
import { cellsOf } from '../../helpers/cells-of.ts';
import { openWorld } from '../../promises/world.ts';
import { bookOf, type Grid } from './layout-of.ts';

const PACKAGES: Grid = [
  'ExternalID;OmschrijvingIntern;ProductTypeID;VerkoopAantal;LeverdagID',
  '600001;Tomatensoep;1;1;1',
];
const COUNT: Grid = [
  'ProductID;GeteldRekeneenheid;WerknemerID;DatumTijd;MutatieReden',
  '7001;3;12;2026-11-20 06:00;telling',
];
const NOTES: Grid = ['Niet voor de keuken', 'bellen met de bakker'];

function workbookOf(sheets: Readonly<Record<string, Grid>>) {
  const all = Object.entries(sheets).flatMap(([name, grid]) => [...bookOf(grid, name).sheets]);
  return { ...bookOf([]), sheets: all, [Symbol.iterator]: () => all.values() };
}

/** The kind of each sheet, `import` or why it is none. */
async function kindsOf(
  sheets: Readonly<Record<string, Grid>>,
  wishes: Partial<RecogniseOptions> = {},
): Promise<string[]> {
  const found = await recogniseSheets(workbookOf(sheets), { resources, only: [], set: [], ...wishes });
  return found.map((entry) => (entry.kind === 'skip' ? entry.reason.en : entry.kind));
}

describe('a sheet is imported, or why not is said (2)', () => {
  const OLD =
    'it holds Pakketten too, beside the sheet of that name; choose it to import it (--sheet "Pakketten oud")';
  const BOTH = { Pakketten: PACKAGES, 'Pakketten oud': PACKAGES };
  const only = { resources: [packages] };
  const BOOK = { Notities: NOTES, Pakketten: PACKAGES, Leeg: [], Recepten: ['geen kop'] };
  test.each<
    [string, Readonly<Record<string, Grid>>, Partial<RecogniseOptions>, readonly (string | RegExp)[]]
  >([
    ['by its name or columns', BOOK, {}, [/no sheet to import/, 'import', 'empty', 'problem']],
    [
      'as --sheet names it',
      BOOK,
      { only: [' pakketten ', 'LEEG'] },
      [/--sheet|not chosen/, 'import', 'problem', /--sheet|not chosen/],
    ],
    ['not beside one that has the name of its kind', BOTH, only, ['import', OLD]],
    [
      'beside it as --sheet says so',
      BOTH,
      { ...only, only: ['Pakketten', 'Pakketten oud'] },
      ['import', 'import'],
    ],
    ['beside it as --as says so', BOTH, { ...only, as: packages }, ['import', 'import']],
    [
      'beside it as a choice says so',
      BOTH,
      { ...only, choices: [{ sheet: 'Pakketten oud', as: 'packages' }] },
      ['import', 'import'],
    ],
    ['alone by its columns', { Blad1: PACKAGES }, only, ['import']],
    ['for each place of a count', { Koelcel: COUNT, Vriezer: COUNT }, {}, ['import', 'import']],
    [
      'not with a few columns',
      { Voorraadtelling: COUNT, Koelcel: ['ProductID;GeteldRekeneenheid', '7001;3'] },
      {},
      ['import', /it may be Voorraadtelling: say so \(--as stock-count --sheet "Koelcel"\)/],
    ],
  ])('%s', async (_, sheets, wishes, expected) => {
    const found = await kindsOf(sheets, wishes);
    expect(found).toEqual(
      expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    );
  });

  test.each([
    [['Pakketten', 'Recpten'], 'week12.xlsx has no sheet Recpten.', 'Recepten'],
    [['Zzz'], 'week12.xlsx has no sheet Zzz', 'Notities, Pakketten, Leeg, Recepten'],
  ])('%j stop the run, with the names there are', async (names, message, next) => {
    await expect(kindsOf(BOOK, { only: names })).rejects.toMatchObject({
      ...{ exit: EXIT.usage, message: expect.stringContaining(message) },
      texts: { next: { en: expect.stringContaining(next), nl: expect.stringContaining(next) } },
    });
  });

  test('a workbook without a sheet to import says why of each, which sheets there are, and --map for headers of its own', async () => {
    const own = ['Artikelnr;Soort;Naam;Prijs', '1;2;Soep;12.5'];
    const book = workbookOf({ Notities: NOTES, Leeg: [], Pakketten: own });
    const options = { resources, only: ['Notities', 'Leeg'], set: [] };
    const chosen = nothingToImport(book, await recogniseSheets(book, options), options);
    expect(chosen.message).toContain('Sheet Notities was chosen and is not imported: no sheet to import');
    expect(chosen.texts.message.nl).toContain('Werkblad Leeg was gekozen');
    const all = { ...options, only: [] };
    const stop = nothingToImport(book, await recogniseSheets(book, all), all);
    expect(stop.message).toContain(
      'row 1 holds Artikelnr, Soort, Naam, Prijs: say what your headers stand for (--map)',
    );
    for (const { sheet, name } of resources) expect(stop.next).toMatch(new RegExp(`${sheet}.*${name}`));
  });

  test.each<[string, (headers: readonly string[]) => readonly string[]]>([
    ['whole', (headers) => headers],
    ['without its last columns', (headers) => headers.slice(0, -20)],
    ['with the outcomes of an import behind it', (headers) => [...headers, '#status', '#id', '#message']],
  ])(
    'an export %s on a sheet whose name says nothing is told by the columns it begins with',
    async (_, keep) => {
      const headers = keep(exportColumns(packages).map(({ header }) => header));
      const found = await recogniseSheets(
        workbookOf({
          Blad1: [headers, [1, 2]],
          productLinks: ['ProductID;ParentID', '1;1'],
        }),
        { resources, only: [], set: [] },
      );
      expect(found).toMatchObject([
        { kind: 'import', mapping: { resource: { name: 'packages' }, unknown: [] } },
        { kind: 'skip', reason: { en: 'only the service fills it in' } },
      ]);
    },
  );
});

describe('--set fills the empty cells of its column', () => {
  test('and leaves a cell that holds something as it is, and a row that is skipped or is no record', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const set = {
      ...{ WerknemerID: '12', DatumTijd: '2026-10-01 08:00' },
      ...{ MutatieCategorieID: '4901', MutatieReden: 'Weektelling' },
    };
    const [one, two, three] = [1, 2, 3].map(() => service.add.product());
    const rows = [
      `#action;ProductID;AantalRekeneenheid;${Object.keys(set).join(';')}`,
      `;${one};5;14;2026-10-02 09:00;;Eigen reden`,
      `;${two};6`,
      `skip;${three};7`,
      ';;;;;;',
    ];
    const file = sheet(cellsOf(rows));
    const done = await importWorkbook(file, { ...machine(), as: 'stock-mutations', set });
    expect(done.counts).toMatchObject({ read: 3, created: 2, skipped: 1 });
    expect(service.mutations.all()).toMatchObject([
      { WerknemerID: 14, MutatieReden: 'Eigen reden', MutatieCategorieID: 4901 },
      { WerknemerID: 12, MutatieReden: 'Weektelling' },
    ]);
    expect(done.sheets[0]?.notes).toContain(
      'empty cells that were filled with one value: MutatieCategorieID (2), WerknemerID (1), DatumTijd (1), MutatieReden (1)',
    );
  });

  test('but is refused with a value that no cell can hold, also where no cell needs it', async () => {
    const { sheet, machine, importWorkbook } = openWorld();
    const file = sheet(
      cellsOf(['ProductID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', '1001;Soep;1;3,50']),
    );
    const says = {
      'Verkoopprijs=*1.03': /^Verkoopprijs=\*1\.03: it is one value for all rows.*do that in the file/,
      'Verkoopprijs=veel': /^Verkoopprijs=veel: “veel” is not a number\. Write/,
      'ProductTypeID=Bestaat niet': /^ProductTypeID=Bestaat niet: The service knows no “Bestaat niet” here/,
      'LMT=2026-01-01': /^LMT=2026-01-01: only the service fills it in/,
      '#action=delete': /Of #action only create is for all rows/,
    };
    for (const [wish, message] of Object.entries(says)) {
      const set = Object.fromEntries([wish.split('=')]);
      await expect(importWorkbook(file, { ...machine(), as: 'packages', set })).rejects.toMatchObject({
        ...{ exit: EXIT.usage, message: expect.stringMatching(message) },
      });
    }
  });
});
