import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalCodec } from '../../../src/schema/codecs/decimal.ts';
import {
  type Case,
  cellOf,
  date,
  error,
  flag,
  holdAnswers,
  holdCells,
  number,
  reads,
  refuses,
  text,
  warns,
} from './cases.ts';

const NO = refuses('number-expected');
const either = (value: number) => warns(value, 'number-grouping');

const CELLS: readonly Case[] = [
  // Number cells: as shown, to 15 digits.
  [number(34.5), reads(34.5)],
  [number(0), reads(0)],
  [number(-0), reads(0)],
  [number(-12.75), reads(-12.75)],
  [number(17.950000000000003), reads(17.95)],
  [number(0.1 + 0.2), reads(0.3)],
  [number(0.000125), reads(0.000125)],
  [number(1e-7), reads(1e-7)],
  [number(123456789012345), reads(123456789012345)],
  [number(9007199254740991), reads(9007199254740991)],
  [number(1e21), reads(1e21)],
  [number(Number.POSITIVE_INFINITY), NO],

  // Text that one locale alone reads.
  [text('34,50'), reads(34.5), NO],
  [text('34.50'), NO, reads(34.5)],
  [text('1.234,50'), reads(1234.5), NO],
  [text('1,234.50'), NO, reads(1234.5)],
  [text('12.345.678,9'), reads(12345678.9), NO],
  [text('12,345,678.9'), NO, reads(12345678.9)],
  [text('1.234.567'), reads(1234567), NO],
  [text('1,234,567'), NO, reads(1234567)],
  [text('0,125'), reads(0.125), NO],
  [text(',5'), reads(0.5), NO],
  [text('.5'), NO, reads(0.5)],
  [text('5,'), reads(5), NO],
  [text('-3,95'), reads(-3.95), NO],
  [text('-3.95'), NO, reads(-3.95)],

  // Text that both read, each in its own way.
  [text('1.234'), either(1234), either(1.234)],
  [text('1,234'), either(1.234), either(1234)],
  [text('12.500'), either(12500), either(12.5)],
  [text('12,500'), either(12.5), either(12500)],
  [text('-1.234'), either(-1234), either(-1.234)],
  [text('999.999'), either(999999), either(999.999)],

  // A group in front never starts with a zero, and groups are of three.
  [text('0.125'), NO, reads(0.125)],
  [text('012.345'), NO, reads(12.345)],
  [text('1.23.456'), NO],
  [text('1.2345'), NO, reads(1.2345)],
  [text('1234.567'), NO, reads(1234.567)],
  [text('1,234,56'), NO],
  [text('1.234,567.89'), NO],
  [text('1,2,3'), NO],

  // Text that all read alike.
  [text('12'), reads(12)],
  [text('+12'), reads(12)],
  [text('-12'), reads(-12)],
  [text('-0'), reads(0)],
  [text('007'), reads(7)],
  [text('  12  '), reads(12)],
  [text('\u00a012\u202f'), reads(12)],
  [text('- 12'), reads(-12)],
  [text('1 234'), reads(1234)],
  [text('1\u00a0234\u00a0567'), reads(1234567)],
  [text('1\u202f234,5'), reads(1234.5), NO],
  [text('€ 12'), reads(12)],
  [text('12 €'), reads(12)],
  [text('€ 12,50'), reads(12.5), NO],
  [text('€12.50'), NO, reads(12.5)],

  // No number at all.
  [text('1 2'), NO],
  [text('12 34'), NO],
  [text('op aanvraag'), NO],
  [text('12 personen'), NO],
  [text('12-'), NO],
  [text('--12'), NO],
  [text('12..5'), NO],
  [text('1,5E-3'), NO],
  [text('1e3'), NO],
  [text('0x1F'), NO],
  [text('Infinity'), NO],
  [text('NaN'), NO],
  [text('-'), NO],
  [text(','), NO],
  [text(''), NO],
  [text('€'), NO],
  [text('9'.repeat(400)), NO],
  [flag(true), NO],
  [flag(false), NO],
  [date('2026-12-31'), NO],
  [error('#N/A'), NO],
];

describe('cells', () => {
  holdCells(decimalCodec, CELLS);

  test('a warning says as what the text was read', () => {
    const decoded = decimalCodec.decode(text('1.234'), 'nl');
    expect(decoded).toMatchObject({ ok: true, warning: { found: '1.234', hint: '1234' } });
  });

  test.each([
    ['12.50', 'nl'],
    ['12,50', 'en'],
  ] as const)('%s in %s says that the other locale reads it', (value, locale) => {
    expect(decimalCodec.decode(text(value), locale)).toMatchObject({
      ok: false,
      finding: { hint: { en: expect.stringContaining('--locale'), nl: expect.stringContaining('--locale') } },
    });
  });

  test('what no locale reads gets no such advice', () => {
    expect(decimalCodec.decode(text('op aanvraag'), 'nl')).toStrictEqual({
      ok: false,
      finding: { code: 'number-expected', found: 'op aanvraag' },
    });
  });
});

describe('answers', () => {
  holdAnswers(decimalCodec, [
    [34.5, 34.5],
    [0, 0],
    ['34.50', 34.5],
    ['0', 0],
    ['1', 1],
    [' 3.95 ', 3.95],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['12.', 12],
    ['1e3', 1000],
    [true, 1],
    [false, 0],
    [null, null],
    [undefined, null],
    ['', null],
    ['   ', null],
    ['34,50', '34,50'],
    ['op aanvraag', 'op aanvraag'],
    ['0x1F', '0x1F'],
    ['Infinity', 'Infinity'],
    ['1e999', '1e999'],
    [{ bedrag: 3 }, '{"bedrag":3}'],
    [[3], '[3]'],
  ]);
});

describe('there and back', () => {
  /** What a cell can show: 15 digits. */
  const shown = fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .map((value) => Number(value.toPrecision(15)))
    .filter((value) => !Object.is(value, -0) && (value === 0 || Math.abs(value) > 1e-300));

  test.each(['nl', 'en'] as const)('decode(encode(v)) is v in %s', (locale) => {
    fc.assert(
      fc.property(shown, (value) => {
        expect(decimalCodec.decode(cellOf(decimalCodec.encode(value)), locale)).toStrictEqual({
          ok: true,
          value,
        });
      }),
    );
  });

  const amount = fc.tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 0, max: 99 }));
  test.each([
    ['nl', ','],
    ['en', '.'],
  ] as const)('a price typed as people of %s do is read back', (locale, mark) => {
    fc.assert(
      fc.property(amount, ([whole, cents]) => {
        const typed = `${whole}${mark}${String(cents).padStart(2, '0')}`;
        const value = Number(typed.replace(mark, '.')) + 0;
        expect(decimalCodec.decode(text(typed), locale)).toStrictEqual({ ok: true, value: value || 0 });
      }),
    );
  });

  test('what an answer is read as, a request may hold', () => {
    fc.assert(
      fc.property(shown, (value) => {
        const read = decimalCodec.read(String(value));
        expect(decimalCodec.wire.parse(read)).toBe(value);
      }),
    );
  });
});

test.each(['12', true, null, Number.NaN, Number.POSITIVE_INFINITY, undefined])(
  '%j is no number in a request',
  (value) => {
    expect(decimalCodec.wire.safeParse(value).success).toBe(false);
  },
);
