import { describe, expect, test } from 'vitest';
import { issuesOf, readRow } from './sheet-of.ts';

describe('an id below zero', () => {
  test.each([-7031, '-7031', '−7031', '7031-'])('%j is an issue', (value) => {
    expect(issuesOf(readRow(['ProductID'], [value])).at(-1)).toBe('A2 id-negative');
  });

  test('is none in a number that is no id', () => {
    expect(readRow(['ExternalID', 'Verkoopprijs'], [31003, -1])).toMatchObject({
      values: { Verkoopprijs: -1 },
      issues: [],
    });
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

test('text of which nothing is to be seen is a blank cell', () => {
  for (const blank of [' ', '\u00a0', '\u200b', ' \u200b\u2060 ', '\ufeff'])
    expect(readRow(['ExternalID', 'Verkoopprijs'], [31003, blank])?.values).toEqual({ ExternalID: 31003 });
  expect(readRow(['ExternalID', 'OmschrijvingIntern'], [31003, '\u0007'])).toMatchObject({
    values: { ExternalID: 31003 },
    issues: [{ code: 'text-characters' }],
  });
});
