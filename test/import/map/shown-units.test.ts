import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { planIn } from '../../../src/api/import-workbook.ts';
import { describeIssue } from '../../../src/core/issue.ts';
import { columnHabits } from '../../../src/import/map/column-habits.ts';
import { newReading, readRows } from '../../../src/import/map/read-rows.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { withSession } from '../../../src/session/open-session.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { openRows } from '../../records/keyed-rows.ts';

const NO = 'units-differ';

type Weight = readonly [value: number | string, format?: string, key?: string | null];

const KG = '0.00" kg"';
const GRAM = '0" gram"';
const LITER = '0.0" liter"';

async function weighed(folder: string, weights: readonly Weight[]): Promise<string> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Recepten');
  sheet.addRow([
    'ExternalID',
    'OmschrijvingIntern',
    'ProductCategorieID',
    'ProductEenheidWaardeID',
    'Gewicht',
    'OPK',
  ]);
  for (const [at, [value, format, key = 51_000 + at]] of weights.entries()) {
    const cells =
      typeof key === 'number' ? [key, `Soep ${at}`, 11, 501, value, 1] : [key, null, null, null, value];
    const cell = sheet.addRow(cells).getCell(5);
    if (format !== undefined) cell.numFmt = format;
  }
  await book.xlsx.writeFile(`${folder}/recepten.xlsx`);
  return `${folder}/recepten.xlsx`;
}

async function readWeights(weights: readonly Weight[]) {
  const file = await weighed(tempFolder(), weights);
  const recognising = { resources: [recipes], only: [], set: [] };
  const [entry] = await recogniseSheets(await readWorkbook(file), recognising);
  if (entry?.kind !== 'import') throw new Error('not recognised');
  const habits = await columnHabits(entry.sheet, entry.mapping, 'nl');
  const found: unknown[] = [];
  const words: string[] = [];
  const options = { locale: 'nl', strict: false, ...habits } as const;
  for await (const { records } of readRows(entry.sheet, entry.mapping, options, newReading()))
    for (const { values, issues } of records) {
      found.push(values.Gewicht ?? issues.map(({ code }) => code).join());
      words.push(...issues.map((issue) => describeIssue(issue, 'nl')));
    }
  return { found, words };
}

describe('weights whose number formats show a unit', () => {
  it.each<[string, readonly Weight[], readonly unknown[]]>([
    [
      'are issues where the units differ',
      [
        [1.2, KG],
        [250, GRAM],
      ],
      [NO, NO],
    ],
    ['are issues with those beside them, which may be either', [[1.2, KG], [250, GRAM], [0.3]], [NO, NO, NO]],
    [
      'are issues however few are in another unit',
      [
        [1, KG],
        [2, KG],
        [3, KG],
        [4, GRAM],
      ],
      [NO, NO, NO, NO],
    ],
    ['are read where the column has one unit', [[1.2, KG], [0.25, '0.0##"Kg."'], [0.3]], [1.2, 0.25, 0.3]],
    ['are read as they are typed as text', [[1.2, KG], [250, GRAM], ['0,3']], [NO, NO, 0.3]],
    ['are read where a format has words for one and for more', [[1, '[=1]0" stuk";0" stuks"']], [1]],
    [
      'are read where they measure different things, as each product has a unit of its own',
      [
        [3, KG],
        [2, LITER],
        [4, '0" stuks"'],
        [5, '€ 0.00" p.p."'],
        [6, '€ 0.00" per stuk"'],
      ],
      [3, 2, 4, 5, 6],
    ],
    [
      'are read where one unit is spelt in several ways',
      [
        [250, GRAM],
        [300, '0" gr."'],
        [100, '0\\ \\g'],
        [50, '0" Gram"'],
      ],
      [250, 300, 100, 50],
    ],
    [
      'are issues beside one of the same quantity alone',
      [
        [1.2, KG],
        [250, GRAM],
        [2, LITER],
        [4, '0" stuks"'],
      ],
      [NO, NO, 2, NO],
    ],
    [
      'are issues where the unit stands in front',
      [
        [1.2, '"kg "0.00'],
        [250, '"gram "0'],
      ],
      [NO, NO],
    ],
    ['are issues where a condition tells the unit', [[0.25, '[>=1]0.00" kg";0" gram"']], [NO]],
    [
      'are issues where the unit stands for numbers below zero, or for another currency',
      [
        [1.2, '0.00;-0.00" kg"'],
        [250, '0 [$g]'],
      ],
      [NO, NO],
    ],
    [
      'are issues in liters and in what is less',
      [
        [1.5, '0.0" L"'],
        [75, '0" cl"'],
      ],
      [NO, NO],
    ],
    [
      'are read where only a row that is no record shows another unit',
      [
        [250, GRAM],
        [300, GRAM],
        [0.55, KG, 'Totaal'],
      ],
      [250, 300],
    ],
    [
      'are read where m is a month elsewhere, or part of another unit',
      [
        [1, '0" m2"'],
        [2, '0" cm"'],
        [3, '0" m³"'],
      ],
      [1, 2, 3],
    ],
  ])('%s', async (_, weights, expected) => {
    expect((await readWeights(weights)).found).toEqual(expected);
  });

  it('are issues that quote the cell and name the units, also far down', async () => {
    const many = Array.from({ length: 1500 }, (): Weight => [1.2, KG]);
    const { found, words } = await readWeights([...many, [250, GRAM]]);
    expect(new Set(found)).toEqual(new Set([NO]));
    expect(words.at(-1)).toBe(
      'E1502 Gewicht: gevonden "250 gram", verwacht getallen in één eenheid in de kolom (de kolom toont kg, gram: reken alles om naar één eenheid, met één getalnotatie)',
    );
  });

  it('are in no note where there are several', async () => {
    const { folder, options } = await openRows();
    const file = await weighed(folder, [
      [3, KG],
      [2, LITER],
    ]);
    const { notes } = await withSession(options, 'try', (session) => planIn(session, file, options));
    expect(notes.filter(({ text }) => text.en.includes('is shown in'))).toEqual([]);
  });

  it('are told in a note on their sheet where the unit is one', async () => {
    const { folder, options } = await openRows();
    const file = await weighed(folder, [
      [250, GRAM],
      [1200, GRAM],
    ]);
    const { notes, counts } = await withSession(options, 'try', (session) => planIn(session, file, options));
    expect(notes).toContainEqual({
      sheet: 'Recepten',
      text: {
        en: 'E Gewicht is shown in gram: sent as 250',
        nl: 'E Gewicht staat in gram: verstuurd als 250',
      },
    });
    expect(counts).toMatchObject({ created: 2 });
  });
});
