import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMeaning } from '../../src/core/codecs/decimal.ts';
import { builtInFormat, numberKind, serialToText, textToSerial } from '../../src/xlsx/numbers-and-dates.ts';
import { numberFromBytes } from '../../src/xlsx/read/cells.ts';

const read = (text: string): number => {
  const bytes = Buffer.from(`<${text}<`);
  return numberFromBytes(bytes, 1, bytes.length - 1);
};

describe('a number in bytes', () => {
  test('is read exactly as JavaScript reads it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        Object.is(read(String(value)), Number(String(value))),
      ),
      { numRuns: 200, seed: 1 },
    );
    const digits = fc.stringMatching(/^-?\d{1,12}(\.\d{1,10})?$/);
    fc.assert(
      fc.property(digits, (text) => Object.is(read(text), Number(text))),
      { numRuns: 200, seed: 1 },
    );
  });

  test.each(['', '-', '.', '1.2.3', '1,5', '0x10', 'Infinity', 'NaN', '1e', '--1', '1-', '१'])(
    '"%s" is none',
    (text) => {
      expect(read(text)).toBeNaN();
    },
  );

  test.each([
    ['-0', -0],
    ['.5', 0.5],
    ['5.', 5],
    ['+5', 5],
    [' 5\n', 5],
    ['1E5', 1e5],
    ['999999999999999', 999_999_999_999_999],
    ['12345678901234567890', 12_345_678_901_234_567_000],
    ['0.000000000000001', 1e-15],
  ])('is read from "%s" as %d', (text, value) => {
    expect(read(text)).toBe(value);
  });
});

test.each([5, 6, 7, 8, 41, 42, 43, 44])(
  'built-in format %i shows the currency of the user’s own country, and is no money of another',
  (id) => {
    expect(formatMeaning(builtInFormat(id) ?? '').kind).toBe('plain');
  },
);

test.each([
  ['number', '0|General|@|0\\d|_d0|[Red]0|[$€-413] #,##0.00|[h]:mm|[mm]:ss'],
  ['date', 'yyyy-mm-dd|d\\ mmm\\ yyyy|[$-413]d mmmm yyyy;@|DD-MM-YYYY'],
  ['datetime', 'yyyy-mm-dd hh:mm'],
  ['time', 'hh:mm|h:mm AM/PM|mm:ss.0|ss'],
])('a number is shown as a %s by the formats %s', (kind, codes) => {
  for (const code of codes.split('|')) expect([code, numberKind(code)]).toEqual([code, kind]);
});

test('built-in ids that show dates are known', () => {
  const ids = Array.from({ length: 60 }, (_, id) => id);
  const dates = ids.filter((id) => numberKind(builtInFormat(id) ?? '') !== 'number');
  expect(dates.join(' ')).toBe(
    '14 15 16 17 18 19 20 21 22 27 28 29 30 31 32 33 34 35 36 45 47 50 51 52 53 54 55 56 57 58',
  );
});

describe('a date of Excel', () => {
  test('survives the way to text and back, every day of them', () => {
    const milliseconds = fc.tuple(
      fc.integer({ min: 1, max: 2_958_465 }),
      fc.integer({ min: 0, max: 86_399_999 }),
    );
    fc.assert(
      fc.property(milliseconds, ([day, time]) => {
        const text = serialToText(day + time / 86_400_000, 'datetime', false) ?? '';
        expect(Math.round((textToSerial(text) ?? 0) * 86_400_000)).toBe(day * 86_400_000 + time);
      }),
      { seed: 1 },
    );
  });

  test.each([
    ['1899-12-31', undefined],
    ['1582-10-15', undefined],
    ['1900-01-01', 1],
    ['1900-02-29', 60],
    ['1900-03-01', 61],
    ['12:00:00', 0.5],
    ['', undefined],
    ['morgen', undefined],
  ])('%s has its serial', (text, serial) => {
    expect(textToSerial(text)).toBe(serial);
  });
});
