import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { integerCodec } from '../../../src/core/codecs/integer.ts';
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

const NO = refuses('integer-expected');
const TOO_LARGE = refuses('integer-too-large');
const oddly = (value: number) => warns(value, 'integer-written-oddly');
const either = (value: number) => warns(value, 'number-grouping');

const CELLS: readonly Case[] = [
  [number(31002), reads(31002)],
  [number(0), reads(0)],
  [number(-0), reads(0)],
  [number(-5), reads(-5)],
  [number(12345.000000000002), reads(12345)],
  [number(123456789012345), reads(123456789012345)],
  // Programs other than Excel store all 16 digits, Excel rounds them to 15.
  [number(1234567890123456), reads(1234567890123456)],
  [number(1234567890123450), warns(1234567890123450, 'integer-rounded')],
  [number(-1234567890123450), warns(-1234567890123450, 'integer-rounded')],
  [number(9007199254740991), reads(9007199254740991)],
  [number(9007199254740992), TOO_LARGE],
  [number(-9007199254740992), TOO_LARGE],
  [number(1.23e18), TOO_LARGE],
  [number(Number.POSITIVE_INFINITY), TOO_LARGE],
  [number(12.5), NO],
  [number(0.1), NO],

  [text('31002'), reads(31002)],
  [text('-7'), reads(-7)],
  [text('+7'), reads(7)],
  [text('0'), reads(0)],
  [text('-0'), reads(0)],
  [text(' 31002\u00a0'), reads(31002)],
  [text('31 002'), reads(31002)],
  [text('9007199254740991'), reads(9007199254740991)],
  [text('9007199254740992'), TOO_LARGE],
  [text('9007199254740993'), TOO_LARGE],
  [text('123456789012345678901'), TOO_LARGE],

  // Ids that passed through another program.
  [text('12345.0'), oddly(12345)],
  [text('12345,0'), oddly(12345)],
  [text('12345.00'), oddly(12345)],
  [text('12345,00'), oddly(12345)],
  [text('12.0'), oddly(12)],
  [text('1234.000'), oddly(1234)],
  [text('00123'), oddly(123)],
  [text('-00123'), oddly(-123)],
  [text('000'), oddly(0)],
  [text('0.000'), oddly(0)],
  [text('5,'), oddly(5), NO],
  [text('5.'), NO, oddly(5)],
  [text('9007199254740993.0'), TOO_LARGE],
  [text('1.234,00'), oddly(1234), NO],
  [text('1,234.00'), NO, oddly(1234)],

  // Groups of thousands are the locale's.
  [text('1.000'), either(1000), either(1)],
  [text('1,000'), either(1), either(1000)],
  [text('31.002'), either(31002), NO],
  [text('31,002'), NO, either(31002)],
  [text('1.000.000'), reads(1000000), NO],
  [text('1,000,000'), NO, reads(1000000)],

  // Exponents lose digits.
  [text('1,23E+15'), TOO_LARGE],
  [text('1.23E+15'), TOO_LARGE],
  [text('1e3'), TOO_LARGE],
  [text('8,71E+12'), TOO_LARGE],

  // What a format adds is for the eye.
  [number(123, '00000'), reads(123)],
  [number(31002, '#,##0'), reads(31002)],
  [number(1, '0%'), NO],
  [number(1, '[$£-809]0'), NO],
  [number(2, '[h]:mm'), NO],
  [number(21, '0"%"'), warns(21, 'number-percent')],
  [number(2000, '0,'), warns(2000, 'number-scaled')],
  [number(2000.5, '0,'), NO],
  [number(12, '"€" 0'), reads(12)],
  [text('100%'), NO],
  [text('€ 12'), NO],
  [text("'00123"), oddly(123)],
  [text('３１００２'), reads(31002)],
  [text('31\u202f002'), reads(31002)],
  [text("31'002"), reads(31002)],
  [text('−7'), reads(-7)],
  [text('7-'), warns(-7, 'number-written-oddly')],
  [text('\u200b31002'), reads(31002)],
  [text('-0,0'), oddly(0)],
  [text('145 personen'), NO],
  [text('± 145'), NO],
  [text('145/150'), NO],

  [text('12,5'), NO],
  [text('12.5'), NO],
  [text('12 34'), NO],
  [text('7031a'), NO],
  [text('#7031'), NO],
  [text('7031-7032'), NO],
  [text('zeven'), NO],
  [text(''), NO],
  [flag(true), NO],
  [date('2026-12-31'), NO],
  [error('#N/A'), NO],
];

describe('an integer in a cell', () => {
  holdCells(integerCodec, CELLS);

  test.each([
    ['00123', '123'],
    ['12345.0', '12345'],
    ['1.000', '1000'],
  ])('the warning on %s says that it was read as %s', (value, hint) => {
    expect(integerCodec.decode(text(value), 'nl')).toMatchObject({ ok: true, warning: { hint } });
  });
});

describe('an integer in an answer', () => {
  holdAnswers(integerCodec, [
    [5012, 5012],
    ['5012', 5012],
    ['0', 0],
    ['1', 1],
    [' 7 ', 7],
    ['007', 7],
    ['12.0', 12],
    [true, 1],
    [false, 0],
    [null, null],
    [undefined, null],
    ['', null],
    [' ', null],
    ['n.v.t.', 'n.v.t.'],
    ['12 34', '12 34'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    [{ id: 5 }, '{"id":5}'],
    [[5, 6], '[5,6]'],
  ]);
});

describe('an integer, written and read again', () => {
  test.each(['nl', 'en'] as const)('decode(encode(v)) is v in %s, as a number and as text', (locale) => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const same = { ok: true, value };
        expect(integerCodec.decode(cellOf(value), locale)).toMatchObject(same);
        expect(integerCodec.decode(text(String(value)), locale)).toStrictEqual(same);
        expect(integerCodec.wire.parse(integerCodec.read(String(value)))).toBe(value);
      }),
    );
  });
});

test.each(['12', 12.5, 2 ** 53, true, null, undefined])('%j is no integer in a request', (value) => {
  expect(integerCodec.wire.safeParse(value).success).toBe(false);
});
