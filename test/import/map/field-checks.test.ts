import { describe, expect, test } from 'vitest';
import { events } from '../../../src/resources/events.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { issuesOf, readRow, THIS_YEAR } from './sheet-of.ts';

test('an id of 0 is an issue: it is what a formula makes of an empty cell', () => {
  const cells = [0, '0', 0];
  expect(issuesOf(readRow(['ProductID'], ['−7031'])).at(-1)).toBe('A2 id-negative');
  expect(issuesOf(readRow(['ExternalID', 'ProductTypeID', 'ProductID'], cells))).toEqual([
    'A2 id-zero',
    'B2 id-zero',
    'C2 id-zero',
  ]);
  expect(readRow(['ExternalID', 'Verkoopprijs'], [31003, 0])?.issues).toEqual([]);
});

describe('a date', () => {
  const HEADER = ['ExternalID', 'Datum', 'Starttijd'];
  test.each([
    [`${THIS_YEAR}-04-18`, []],
    [`${THIS_YEAR + 21}-04-18`, ['B2 date-far']],
    [`${THIS_YEAR - 21}-04-18`, ['B2 date-far']],
    [`18-04-${THIS_YEAR} 14:30`, ['B2 date-with-time']],
    [`${THIS_YEAR}-04-18T23:00:00Z`, ['B2 date-zone', 'B2 date-with-time']],
  ] as const)('such as %s in a column of days has the issues %j', (value, issues) => {
    const row = readRow(HEADER, [70023, value], { resource: events });
    expect(issuesOf(row)).toEqual(issues);
    expect(typeof row?.values.Datum).toBe('string');
  });
});

describe('a long text', () => {
  test.each([
    ['OmschrijvingIntern', 255],
    ['Offertetekst', 10_000],
  ])('%s of %i characters is fine, one more is a warning and kept whole', (field, most) => {
    const text = `${'soep '.repeat(most / 5).trim()}!`;
    expect(readRow(['ExternalID', field], [31003, text])?.issues).toEqual([]);
    const long = `${text}!`;
    const row = readRow(['ExternalID', field], [31003, long]);
    expect(row?.values[field]).toBe(long);
    expect(row?.issues).toMatchObject([{ code: 'text-long', severity: 'warning', address: 'B2' }]);
    expect(row?.issues[0]?.found.length).toBeLessThan(70);
    expect(readRow(['ExternalID', field], [31003, long], { strict: true })?.issues).toMatchObject([
      { severity: 'error' },
    ]);
  });
});

test('a name in a lookup column may look like a percentage or an amount', () => {
  for (const name of ['21%', '€ 5', '12 stuks', 'Buffet', '(2)']) {
    const row = readRow(['ExternalID', 'ProductTypeID'], [31003, name]);
    expect(row?.names).toMatchObject([{ name }]);
  }
  for (const id of ['12', ' 12 ', '12.0', '1 234', '-3', '1,5', '1E+5', '１２']) {
    expect(readRow(['ExternalID', 'ProductTypeID'], [31003, id])?.names).toEqual([]);
  }
});

test('a word that a database or program writes for nothing is an issue in every column, and no name or text', () => {
  const header = [
    '#key',
    'ExternalID',
    'OmschrijvingIntern',
    'Offertetekst',
    'Verkoopprijs',
    'Actief',
    'LMT',
  ];
  const cells = ['NULL', 'NULL', 'None', '\\N', 'NaN', '(null)', 'undefined'];
  expect(issuesOf(readRow(header, cells))).toEqual([
    'A2 null-word',
    'B2 integer-expected',
    'C2 null-word',
    'D2 null-word',
    'E2 number-expected',
    'F2 boolean-expected',
  ]);
  // The list of names knows whether one is called so.
  expect(readRow(['ExternalID', 'ProductTypeID'], [31003, 'None'])?.names).toMatchObject([{ name: 'None' }]);
});

test.each(['-', 'nvt', '?', 'x', 'niet geteld', 'NULL'])(
  '%s in a count is told that an empty cell is not counted',
  (word) => {
    for (const header of ['GeteldRekeneenheid', 'GeteldProducteenheid']) {
      const [issue] = readRow(['ProductID', header], [7003, word], { resource: stockCount })?.issues ?? [];
      expect(issue).toMatchObject({ code: 'number-expected', address: 'B2', found: word });
      expect(issue?.hint).toEqual({
        en: 'leave the cell empty: an empty cell is not counted',
        nl: 'laat de cel leeg: een lege cel is niet geteld',
      });
    }
    const [price] = readRow(['ExternalID', 'Verkoopprijs'], [31003, word])?.issues ?? [];
    expect(price?.hint).toMatchObject({ en: 'leave the cell empty to leave the field as it is' });
  },
);

test.each([
  ['skip\u200b', 'skip'],
  ['\u200eCREATE', 'create'],
  ['up\u00addate', 'update'],
])('%j is an #action, as signs without width are not seen', (word, action) => {
  const row = readRow(['#action', 'ExternalID'], [word, 31003]);
  expect([row?.action, row?.issues]).toEqual([action, []]);
});
