import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { exportColumns } from '../../../src/export/listed-columns.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { nothingToImport } from '../../../src/import/plan/nothing-to-send.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { resources } from '../../../src/resources/registry.ts';
import { readWorkbook, type Workbook } from '../../../src/workbook/read-workbook.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

const PLANNING = fileURLToPath(new URL('../../../fixtures/samples/planning-kwartaal.xlsx', import.meta.url));
const BOTH = [packages, recipes];

async function workbook(): Promise<Workbook> {
  const notes = [['Niet voor de keuken'], ['bellen met de bakker']];
  const sheets = { Notities: notes, Pakketten: packageRows(2), Leeg: [], Recepten: [['geen kop']] };
  return await readWorkbook(await makeWorkbook(join(tempFolder(), 'week12.xlsx'), sheets));
}

const kinds = async (only: readonly string[]): Promise<string[]> =>
  (await recogniseSheets(await workbook(), { resources: BOTH, only, set: [] })).map(({ kind }) => kind);

describe('the sheets that --sheet names', () => {
  test.each<[readonly string[], string[]]>([
    [[], ['skip', 'import', 'skip', 'problem']],
    [['Pakketten'], ['skip', 'import', 'skip', 'skip']],
    [
      [' pakketten ', 'LEEG'],
      ['skip', 'import', 'problem', 'skip'],
    ],
    [['Notities'], ['problem', 'skip', 'skip', 'skip']],
  ])('are imported alone: %j gives %j', async (only, expected) => {
    expect(await kinds(only)).toEqual(expected);
  });

  test.each([
    [['Pakketten', 'Recpten'], '--sheet Recpten: week12.xlsx has no sheet of that name.', 'Recepten'],
    [['Zzz'], '--sheet Zzz: week12.xlsx', 'Notities, Pakketten, Leeg, Recepten'],
  ])('%j stop the run, with the names there are', async (only, message, next) => {
    const refused = recogniseSheets(await workbook(), { resources: BOTH, only, set: [] });
    await expect(refused).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringContaining(message),
      texts: { next: { en: expect.stringContaining(next), nl: expect.stringContaining(next) } },
    });
  });

  test('are named alone when they hold nothing to import', async () => {
    const book = await workbook();
    const options = { resources: BOTH, only: ['Notities', 'Leeg'], set: [] };
    const stop = nothingToImport(book, await recogniseSheets(book, options), options);
    expect(stop.message).toContain('Sheet Notities was chosen and is not imported: no sheet to import');
    expect(stop.message).toContain('Sheet Leeg was chosen and is not imported: empty');
    expect(stop.message).not.toMatch(/Pakketten|Recepten/);
    expect(stop.texts.message.nl).toContain('Werkblad Leeg was gekozen');
  });
});

test('a workbook without a sheet to import is told which sheets there are', async () => {
  const book = await readWorkbook(PLANNING);
  const options = { resources: BOTH, only: [], set: [] };
  const stop = nothingToImport(book, await recogniseSheets(book, options), options);
  expect(stop.exit).toBe(EXIT.file);
  expect(stop.next).toContain('Pakketten, Recepten');
  expect(stop.next).toContain('packages, recipes');
  const all = nothingToImport(book, [], { resources, only: [] });
  for (const { sheet, name } of resources) expect(all.next).toMatch(new RegExp(`${sheet}.*${name}`));
});

test.each([
  ['Pakketten.csv', 'Artikelnr;Soort;Naam;Prijs\n1;2;Soep;12,50\n'],
  ['prijslijst.csv', 'Artikelnr;Soort;Naam;Prijs\n1;2;Soep;12,50\n'],
])('headers of the user’s own in %s are named, with --map and --delimiter', async (name, text) => {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  const book = await readWorkbook(file);
  const options = { resources, only: [], set: [] };
  const { message } = nothingToImport(book, await recogniseSheets(book, options), options);
  expect(message).toContain('row 1 holds Artikelnr, Soort, Naam, Prijs: --map says');
  expect(message).toContain('read as separated by ;, --delimiter names another');
});

describe('an export, on a sheet whose name says nothing, is told by the columns it begins with', () => {
  test.each<[string, (headers: readonly string[]) => readonly string[]]>([
    ['whole', (headers) => headers],
    ['without its last columns', (headers) => headers.slice(0, -20)],
    ['without some of its own columns', (headers) => headers.filter((_, at) => at < 3 || at % 5 > 0)],
    ['with the outcomes of an import behind it', (headers) => [...headers, '#status', '#id', '#message']],
  ])('%s', async (_, keep) => {
    const rows = (resource: (typeof BOTH)[number]) => [
      keep(exportColumns(resource).map(({ header }) => header)),
      [1, 2],
    ];
    const sheets = {
      Blad1: rows(packages),
      'Recepten (2)': rows(recipes),
      productLinks: [
        ['ProductID', 'ParentID'],
        [1, 1],
      ],
    };
    const book = await readWorkbook(await makeWorkbook(join(tempFolder(), 'a.xlsx'), sheets));
    const [one, two, nested] = await recogniseSheets(book, { resources, only: [], set: [] });
    expect(one).toMatchObject({ kind: 'import', mapping: { resource: { name: 'packages' }, unknown: [] } });
    expect(two).toMatchObject({ kind: 'import', mapping: { resource: { name: 'recipes' }, unknown: [] } });
    expect(nested).toMatchObject({ kind: 'skip', reason: { en: 'only the service fills it in' } });
  });
});
