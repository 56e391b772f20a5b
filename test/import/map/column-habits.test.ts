import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { describeIssue } from '../../../src/core/issue.ts';
import type { Locale } from '../../../src/core/value.ts';
import { columnHabits } from '../../../src/import/map/column-habits.ts';
import { newReading, readRows } from '../../../src/import/map/read-rows.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { bookOf } from './layout-of.ts';
import { toCells } from './sheet-of.ts';

/** The values of a field as the whole column tells them, or the code of what is wrong; and what is said of them. */
async function read(
  book: ReturnType<typeof bookOf>,
  as: typeof packages | typeof events | typeof recipes,
  field: string,
  locale: Locale = 'nl',
) {
  const [entry] = await recogniseSheets(book, { resources: [as], as, only: [], set: [] });
  if (entry?.kind !== 'import') throw new Error('not recognised');
  const options = { locale, strict: false, ...(await columnHabits(entry.sheet, entry.mapping, locale)) };
  const [values, words]: [unknown[], string[]] = [[], []];
  for await (const records of readRows(entry.sheet, entry.mapping, options, newReading()))
    for (const row of records) {
      values.push(row.values[field] ?? row.issues.map(({ code }) => code).join());
      words.push(row.issues.map((issue) => describeIssue(issue, 'en')).join());
    }
  return { values: [...new Set(values)].join(' '), words };
}

/** Texts between blanks, the one before `…` more often than is looked at first. */
const textsIn = (column: string): string[] =>
  column
    .split(' ')
    .flatMap((text, at, all) =>
      text === '…' ? Array.from({ length: 1500 }, () => all[at - 1] ?? '') : text,
    );

const [REFUSED, OTHER] = ['number-expected', 'number-other-locale'];

test.each<[string, Locale, string, string]>([
  ['by the locale, where nothing tells', 'nl', '1.125 2.500', '1125 2500'],
  ['not at all beside one that only another locale reads', 'nl', '1.125 1.250 12.50', `${OTHER} ${REFUSED}`],
  ['by the locale beside one that only it reads', 'nl', '1.125 12,50', '1125 12.5'],
  ['by the locale in a column of both kinds', 'nl', '1.125 0.125 12,50', `1125 ${REFUSED} 12.5`],
  ['the other way round', 'en', '1,125 0,95', `${OTHER} ${REFUSED}`],
  ['also by one far down', 'nl', '1.125 … 0.95', `${OTHER} ${REFUSED}`],
])('a number in text that reads two ways is read as the column writes its others: %s (1)', async (...one) => {
  const [, locale, prices, expected] = one;
  const rows = textsIn(prices).map((price, at) => `${31_000 + at};'${price}`);
  const book = bookOf(['ExternalID;Verkoopprijs', ...rows]);
  const { values, words } = await read(book, packages, 'Verkoopprijs', locale);
  expect(values).toBe(expected);
  if (expected.startsWith(OTHER) && locale === 'nl')
    expect(words[0]).toMatch(/holds "(12.50|0.95)" too: .*\(--locale en\)/);
});

test.each<[string, Locale, string, string, RegExp]>([
  ['by the locale where no other tells', 'nl', '01-03-2026 2/4/2026', '2026-03-01 2026-04-02', /./],
  ['in en', 'en', '2/4/2026', '2026-02-04', /./],
  ['unsaid where another confirms it', 'nl', '01-03-2026 31-12-2026', '2026-03-01 2026-12-31', /^$/],
  ['month first where the column is', 'nl', '1/2/2026 12/31/2026', '2026-01-02 2026-12-31', /./],
  ['day first in en where the column is', 'en', '1/2/2026 31/12/2026', '2026-02-01 2026-12-31', /./],
  ['by those with its own mark', 'nl', '1-2-2026 12/31/2026', '2026-02-01 2026-12-31', /./],
  [
    'by the locale where both are written, and what does not fit says so',
    'nl',
    '12/30/2026 31/12/2026 1/2/2026',
    'date-expected 2026-12-31 2026-02-01',
    /Read day first; the other way round it is 30 December 2026/,
  ],
  ['by one far down', 'nl', '1/2/2026 … 12/31/2026', '2026-01-02 2026-12-31', /./],
])('a date in text that reads two ways is read as the column writes its others: %s (1)', async (...one) => {
  const [, locale, dates, expected, words] = one;
  const rows = textsIn(dates).map((date, at) => `${81_000 + at};1;6;${date}`);
  const book = bookOf(['ExternalID;RelatieID;ContactpersoonID;Datum', ...rows], 'Evenementen');
  const found = await read(book, events, 'Datum', locale);
  expect(found.values.replaceAll(' 00:00:00', '')).toBe(expected);
  expect(found.words[0]).toMatch(words);
});

describe('weights whose number formats show a unit (1)', () => {
  /** What stands in a cell, and its format behind it. */
  const weight = (text: string): Cell => {
    const [value = '', format] = text.split(' as ');
    return { ...(toCells(value)[0] as Cell), column: 5, ...(format === undefined ? {} : { format }) };
  };
  const NO = 'units-differ';

  test.each<[string, string[], string]>([
    [
      'are issues where the units differ, with those beside them',
      ['1.2 as 0.00" kg"', '250 as 0" gram"', '0.3'],
      NO,
    ],
    [
      'are read where the column has one unit',
      ['1.2 as 0.00" kg"', '0.25 as 0.0##"Kg."', '0.3'],
      '1.2 0.25 0.3',
    ],
    ['are read as they are typed as text', ['1.2 as 0.00" kg"', '250 as 0" gram"', '0,3'], `${NO} 0.3`],
    [
      'are read where they measure different things',
      ['3 as 0.00" kg"', '2 as 0.0" liter"', '4 as 0" stuks"', '5 as € 0.00" p.p."'],
      '3 2 4 5',
    ],
    [
      'are read where one unit is spelt in several ways',
      ['250 as 0" gram"', '300 as 0" gr."', '100 as 0\\ \\g'],
      '250 300 100',
    ],
    [
      'are issues beside one of the same quantity alone',
      ['1.2 as 0.00" kg"', '250 as 0" gram"', '2 as 0.0" liter"'],
      `${NO} 2`,
    ],
    ['are issues where the unit stands in front', ['1.2 as "kg "0.00', '250 as "gram "0'], NO],
    ['are issues where a condition tells the unit', ['0.25 as [>=1]0.00" kg";0" gram"'], NO],
    ['are issues where the unit is a currency’s', ['1.2 as 0.00;-0.00" kg"', '250 as 0 [$g]'], NO],
    ['are read where m is part of another unit', ['1 as 0" m2"', '2 as 0" cm"'], '1 2'],
  ])('%s', async (_, weights, expected) => {
    const header = 'ExternalID;OmschrijvingIntern;ProductCategorieID;ProductEenheidWaardeID;Gewicht;OPK';
    const cells = weights.map((text, at) => [...toCells(`${51_000 + at};Soep;11;501`), weight(text)]);
    const formats = cells.flatMap((row) => row.at(-1)?.format ?? []);
    const row = (number: number) => (number > 1 ? { cells: cells[number - 2] ?? [] } : {});
    const book = bookOf([header, ...weights], 'Recepten', row, { formats });
    const { values, words } = await read(book, recipes, 'Gewicht');
    expect(values).toBe(expected);
    if (expected === NO && weights.length === 3)
      expect(words[1]).toMatch(/^E3 Gewicht: “250 gram” is in a column with different units: kg, gram/);
  });
});
