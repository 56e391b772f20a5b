import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeIssue } from '../../../src/core/issue.ts';
import type { Locale } from '../../../src/core/value.ts';
import { columnHabits } from '../../../src/import/map/column-habits.ts';
import { newReading, readRows } from '../../../src/import/map/read-rows.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { packages } from '../../../src/resources/packages.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

/** The prices of a CSV, or the codes of what is wrong with them. */
async function readPrices(prices: readonly string[], locale: Locale = 'nl'): Promise<[unknown[], string[]]> {
  const file = `${tempFolder()}/prijzen.csv`;
  const lines = prices.map((price, at) => `${31_000 + at};"${price}"`);
  writeFileSync(file, ['ExternalID;Verkoopprijs', ...lines].join('\n'));
  const recognising = { resources: [packages], as: packages, only: [], set: [] };
  const [entry] = await recogniseSheets(await readWorkbook(file), recognising);
  if (entry?.kind !== 'import') throw new Error('not recognised');
  const habits = await columnHabits(entry.sheet, entry.mapping, locale);
  const options = { locale, strict: false, ...habits };
  const [found, words]: [unknown[], string[]] = [[], []];
  for await (const { records } of readRows(entry.sheet, entry.mapping, options, newReading())) {
    for (const { values, issues } of records) {
      found.push(values.Verkoopprijs ?? issues.map(({ code }) => code).join());
      words.push(...issues.map((issue) => describeIssue(issue, 'en')));
    }
  }
  return [found, words];
}

const [REFUSED, OTHER] = ['number-expected', 'number-other-locale'];

describe('numbers in text that read two ways', () => {
  test.each<[string, Locale, string[], unknown[]]>([
    ['by the locale, where nothing tells', 'nl', ['1.125', '2.500'], [1125, 2500]],
    [
      'not at all beside one that only another locale reads',
      'nl',
      ['1.125', '0.125', '7'],
      [OTHER, REFUSED, 7],
    ],
    ['also where that one comes later', 'nl', ['1.125', '1.250', '12.50'], [OTHER, OTHER, REFUSED]],
    ['by the locale beside one that only it reads', 'nl', ['1.125', '12,50'], [1125, 12.5]],
    ['by the locale in a column of both kinds', 'nl', ['1.125', '0.125', '12,50'], [1125, REFUSED, 12.5]],
    ['with their currency', 'nl', ['€ 1.125', '€ 0.95'], [OTHER, REFUSED]],
    ['the other way round', 'en', ['1,125', '0,95', '3.5'], [1125, REFUSED, 3.5]],
    ['the other way round, evidently', 'en', ['1,125', '0,95'], [OTHER, REFUSED]],
    ['as what they are where no text is a number', 'nl', ['nader te bepalen', '1.125'], [REFUSED, 1125]],
  ])('are read %s', async (_, locale, prices, expected) => {
    expect((await readPrices(prices, locale))[0]).toEqual(expected);
  });

  test('are looked for to the end of the file', async () => {
    const prices = [...Array.from({ length: 3000 }, () => '1.125'), '0.95'];
    const [found] = await readPrices(prices);
    expect(new Set(found.slice(0, -1))).toEqual(new Set([OTHER]));
  });

  test('name the other number and the way out', async () => {
    const [, [words]] = await readPrices(['1.125', '0.95']);
    expect(words).toMatch(/B2 Verkoopprijs: found "1.125".*holds "0.95" too: --locale en/);
  });
});
