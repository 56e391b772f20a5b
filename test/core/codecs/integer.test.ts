import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { integerCodec } from '../../../src/core/codecs/integer.ts';
import {
  all,
  cellOf,
  date,
  error,
  flag,
  holdAnswers,
  holdCells,
  inBoth,
  inEn,
  inNl,
  number,
  reads,
  refuses,
  text,
  texts,
  warns,
} from './cases.ts';

const NO = refuses('integer-expected');
const LARGE = refuses('integer-too-large');
const oddly = (value: number) => warns(value, 'integer-written-oddly');
const either = (value: number) => warns(value, 'number-grouping');

describe('an integer in a cell', () => {
  holdCells(integerCodec, [
    ...[31002, 0, -5, 123456789012345, 9007199254740991].map(
      (value) => [number(value), reads(value)] as const,
    ),
    [number(-0), reads(0)],
    [number(12345.000000000002), reads(12345)],
    // Programs other than Excel store all 16 digits, Excel rounds them to 15.
    [number(1234567890123456), reads(1234567890123456)],
    [number(-1234567890123450), warns(-1234567890123450, 'integer-rounded')],
    ...all(LARGE, ...[2 ** 53, -(2 ** 53), 1.23e18, Number.POSITIVE_INFINITY].map((value) => number(value))),
    ...all(NO, number(12.5), flag(true), date('2026-12-31'), error('#N/A')),
    ...texts({
      '31002': 31002,
      '-7': -7,
      '+7': 7,
      '-0': 0,
      ' 31002\u00a0': 31002,
      '31 002': 31002,
      '−7': -7,
      '３１００２': 31002,
      '31\u202f002': 31002,
      "31'002": 31002,
      '\u200b31002': 31002,
    }),
    ...all(LARGE, '9007199254740992', '9007199254740993', '9007199254740993.0', '123456789012345678901'),
    // Ids that passed through another program.
    ...texts({ '12345.0': 12345, '12345,00': 12345, '1234.000': 1234, '00123': 123, "'00123": 123 }, oddly),
    ...texts({ '-00123': -123, '000': 0, '-0,0': 0 }, oddly),
    ...inNl({ '5,': 5, '1.234,00': 1234 }, NO, oddly),
    ...inEn({ '5.': 5, '1,234.00': 1234 }, NO, oddly),
    // Groups of thousands are the locale's.
    ...inBoth({ '1.000': [1000, 1], '1,000': [1, 1000] }, either),
    ...inNl({ '31.002': 31002 }, NO, either),
    ...inEn({ '31,002': 31002 }, NO, either),
    ...inNl({ '1.000.000': 1000000 }, NO),
    // Exponents lose digits.
    ...all(LARGE, '1,23E+15', '1.23E+15', '1e3'),
    // What a format adds is for the eye.
    [number(123, '00000'), reads(123)],
    [number(31002, '#,##0'), reads(31002)],
    [number(12, '"€" 0'), reads(12)],
    [number(21, '0"%"'), warns(21, 'number-percent')],
    [number(2000, '0,'), warns(2000, 'number-scaled')],
    ...all(NO, number(2000.5, '0,'), number(1, '0%'), number(1, '[$£-809]0'), number(2, '[h]:mm')),
    ...all(
      NO,
      '7-',
      '100%',
      '€ 12',
      '145 personen',
      '± 145',
      '145/150',
      '12,5',
      '12.5',
      '12 34',
      '7031a',
      '#7031',
      '',
    ),
  ]);

  test('the warning says as what it was read', () => {
    expect(integerCodec.decode(text('1.000'), 'nl')).toMatchObject({ ok: true, warning: { hint: '1000' } });
  });
});

describe('an integer in an answer', () => {
  holdAnswers(integerCodec, [
    ...([
      [5012, 5012],
      ['5012', 5012],
      [' 7 ', 7],
      ['007', 7],
      ['12.0', 12],
      [true, 1],
      [false, 0],
    ] as const),
    ...['n.v.t.', '12 34', '9007199254740993'].map((answer) => [answer, answer] as const),
    [{ id: 5 }, '{"id":5}'],
    [[5, 6], '[5,6]'],
  ]);
});

test.each(['nl', 'en'] as const)(
  'an integer is in %s read as it was written, as a number and as text',
  (locale) => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(integerCodec.decode(cellOf(value), locale)).toMatchObject({ ok: true, value });
        expect(integerCodec.decode(text(String(value)), locale)).toStrictEqual({ ok: true, value });
        expect(integerCodec.wire.parse(integerCodec.read(String(value)))).toBe(value);
      }),
      { seed: 1 },
    );
  },
);
