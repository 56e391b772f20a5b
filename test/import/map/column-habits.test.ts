import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { describeIssue } from '../../../src/core/issue.ts';
import type { Locale } from '../../../src/core/value.ts';
import { columnHabits } from '../../../src/import/map/column-habits.ts';
import { newReading, readRows } from '../../../src/import/map/read-rows.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { bookOf } from './layout-of.ts';

type Book = Awaited<ReturnType<typeof readWorkbook>>;

/** The values of a field as the whole column tells them, or the code of what is wrong; and what is said of them. */
async function read(
  book: Book,
  as: typeof packages | typeof events | typeof recipes,
  field: string,
  locale: Locale = 'nl',
) {
  const [entry] = await recogniseSheets(book, { resources: [as], as, only: [], set: [] });
  if (entry?.kind !== 'import') throw new Error('not recognised');
  const options = { locale, strict: false, ...(await columnHabits(entry.sheet, entry.mapping, locale)) };
  const [values, words]: [unknown[], string[]] = [[], []];
  for await (const { records } of readRows(entry.sheet, entry.mapping, options, newReading()))
    for (const row of records) {
      values.push(row.values[field] ?? row.issues.map(({ code }) => code).join());
      words.push(row.issues.map((issue) => describeIssue(issue, 'en')).join());
    }
  return { values, words };
}

const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const [REFUSED, OTHER] = ['number-expected', 'number-other-locale'];

describe('a number in text that reads two ways is read as the column writes its others (1)', () => {
  test.each<[string, Locale, string[], unknown[]]>([
    ['by the locale, where nothing tells', 'nl', ['1.125', '2.500'], [1125, 2500]],
    [
      'not at all beside one that only another locale reads',
      'nl',
      ['1.125', '1.250', '12.50'],
      [OTHER, OTHER, REFUSED],
    ],
    ['by the locale beside one that only it reads', 'nl', ['1.125', '12,50'], [1125, 12.5]],
    ['by the locale in a column of both kinds', 'nl', ['1.125', '0.125', '12,50'], [1125, REFUSED, 12.5]],
    ['the other way round', 'en', ['1,125', '0,95'], [OTHER, REFUSED]],
    ['also by one far down', 'nl', [...many(1500, '1.125'), '0.95'], [...many(1500, OTHER), REFUSED]],
  ])('%s', async (_, locale, prices, expected) => {
    const grid = [['ExternalID', 'Verkoopprijs'], ...prices.map((price, at) => [31_000 + at, price])];
    const { values, words } = await read(bookOf(grid), packages, 'Verkoopprijs', locale);
    expect(values).toEqual(expected);
    if (values[0] === OTHER && locale === 'nl')
      expect(words[0]).toMatch(/holds "(12.50|0.95)" too: --locale en/);
  });
});

describe('a date in text that reads two ways is read as the column writes its others, and is warned of (1)', () => {
  const FIT = 'read day first; the other way round it is 30 December 2026';
  test.each<[string, Locale, string[], string[], RegExp]>([
    [
      'by the locale where no other tells',
      'nl',
      ['01-03-2026', '2/4/2026'],
      ['2026-03-01', '2026-04-02'],
      /./,
    ],
    ['in en', 'en', ['2/4/2026'], ['2026-02-04'], /./],
    [
      'without a word where another confirms the locale',
      'nl',
      ['01-03-2026', '31-12-2026'],
      ['2026-03-01', '2026-12-31'],
      /^$/,
    ],
    [
      'month first where the column is written so',
      'nl',
      ['1/2/2026', '12/31/2026'],
      ['2026-01-02', '2026-12-31'],
      /./,
    ],
    [
      'day first in en where the column is written so',
      'en',
      ['1/2/2026', '31/12/2026'],
      ['2026-02-01', '2026-12-31'],
      /./,
    ],
    ['by those with its own mark', 'nl', ['1-2-2026', '12/31/2026'], ['2026-02-01', '2026-12-31'], /./],
    [
      'by the locale where both are written, and what does not fit says so',
      'nl',
      ['12/30/2026', '31/12/2026', '1/2/2026'],
      ['date-expected', '2026-12-31', '2026-02-01'],
      new RegExp(FIT),
    ],
    [
      'by one far down',
      'nl',
      [...many(1100, '1/2/2026'), '12/31/2026'],
      [...many(1100, '2026-01-02'), '2026-12-31'],
      /./,
    ],
  ])('%s', async (_, locale, dates, expected, words) => {
    const grid = [
      ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum'],
      ...dates.map((date, at) => [81_000 + at, 1, 6, date]),
    ];
    const found = await read(bookOf(grid, 'Evenementen'), events, 'Datum', locale);
    expect(found.values.map((value) => String(value).slice(0, 13).replace(' 00', ''))).toEqual(expected);
    expect(found.words[0]).toMatch(words);
  });
});

describe('weights whose number formats show a unit (1)', () => {
  const [KG, GRAM, LITER] = ['0.00" kg"', '0" gram"', '0.0" liter"'];
  const NO = 'units-differ';
  type Weight = readonly [value: number | string, format?: string];
  test.each<[string, readonly Weight[], readonly unknown[]]>([
    [
      'are issues where the units differ, with those beside them',
      [[1.2, KG], [250, GRAM], [0.3]],
      [NO, NO, NO],
    ],
    ['are read where the column has one unit', [[1.2, KG], [0.25, '0.0##"Kg."'], [0.3]], [1.2, 0.25, 0.3]],
    ['are read as they are typed as text', [[1.2, KG], [250, GRAM], ['0,3']], [NO, NO, 0.3]],
    [
      'are read where they measure different things',
      [
        [3, KG],
        [2, LITER],
        [4, '0" stuks"'],
        [5, '€ 0.00" p.p."'],
      ],
      [3, 2, 4, 5],
    ],
    [
      'are read where one unit is spelt in several ways',
      [
        [250, GRAM],
        [300, '0" gr."'],
        [100, '0\\ \\g'],
      ],
      [250, 300, 100],
    ],
    [
      'are issues beside one of the same quantity alone',
      [
        [1.2, KG],
        [250, GRAM],
        [2, LITER],
      ],
      [NO, NO, 2],
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
      'are issues where the unit is that of a currency',
      [
        [1.2, '0.00;-0.00" kg"'],
        [250, '0 [$g]'],
      ],
      [NO, NO],
    ],
    [
      'are read where m is part of another unit',
      [
        [1, '0" m2"'],
        [2, '0" cm"'],
      ],
      [1, 2],
    ],
  ])('%s', async (_, weights, expected) => {
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
    for (const [at, [value, format]] of weights.entries()) {
      const cell = sheet.addRow([51_000 + at, `Soep ${at}`, 11, 501, value, 1]).getCell(5);
      if (format !== undefined) cell.numFmt = format;
    }
    const file = join(tempFolder(), 'recepten.xlsx');
    await book.xlsx.writeFile(file);
    const { values, words } = await read(await readWorkbook(file), recipes, 'Gewicht');
    expect(values).toEqual(expected);
    if (values[0] === NO && values.length === 3 && values[2] === NO)
      expect(words[1]).toMatch(
        /^E3 Gewicht: found "250 gram", expected numbers of one unit in the column \(the column shows kg, gram/,
      );
  });
});
