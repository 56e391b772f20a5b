import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalCodec } from '../../../src/core/codecs/decimal.ts';
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
const scaled = (value: number) => warns(value, 'number-scaled');
const percent = (value: number) => warns(value, 'number-percent');
const oddly = (value: number) => warns(value, 'number-written-oddly');

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

  // Money.
  [text('€ -12,50'), reads(-12.5), NO],
  [text('-€ 12,50'), reads(-12.5), NO],
  [text('- € 12,50'), reads(-12.5), NO],
  [text('€\u00a01.234,50'), reads(1234.5), NO],
  [text('€ 1.234'), either(1234), either(1.234)],
  [text('EUR 12'), reads(12)],
  [text('EUR12'), reads(12)],
  [text('eur 12,50'), reads(12.5), NO],
  [text('12,50 EUR'), reads(12.5), NO],
  [text('12.50 EUR'), NO, reads(12.5)],
  [text('12 euro'), reads(12)],
  [text('12,50 Euro'), reads(12.5), NO],
  [text('12,-'), reads(12), NO],
  [text('12,--'), reads(12), NO],
  [text('12,='), reads(12), NO],
  [text('€ 12,–'), reads(12), NO],
  [text('€ 1.234,-'), reads(1234), NO],
  [text('12,- euro'), reads(12), NO],
  [text('12.-'), NO, reads(12)],
  [text('€ 12.–'), NO, reads(12)],
  [text('€ 12 EUR'), NO],
  [text('$ 12'), NO],
  [text('£12.50'), NO],
  [text('12 USD'), NO],
  [text('eurocent 12'), NO],
  [number(12.5, '"€" #,##0.00'), reads(12.5)],
  [number(-12.5, '€ #,##0.00_);[Red](€ #,##0.00)'), reads(-12.5)],
  [number(12.5, '[$€-413]\\ #,##0.00'), reads(12.5)],
  [number(12.5, '[$EUR] #,##0.00'), reads(12.5)],
  [number(12.5, '[$-413]#,##0.00'), reads(12.5)],
  // Without a language and a code it is text, as Google Sheets writes it.
  [number(12.5, '0.00 [$kg]'), reads(12.5)],
  [number(12.5, '#,##0.00\\ [$ p.p.]'), reads(12.5)],
  [number(12.5, '0.00 [$€]'), reads(12.5)],
  [number(12.5, '0.00 [$THB]'), NO],
  [number(12.5, '0.00 [$Lek-41C]'), NO],
  [number(12.5, '0.00 [$$]'), NO],
  [number(12.5, '0.00 [$kr]'), NO],
  [number(12.5, '_(€* #,##0.00_);_(€* (#,##0.00);_(€* "-"??_);_(@_)'), reads(12.5)],
  [number(12.5, '#,##0.00\\ "Euro"'), reads(12.5)],
  // Money of other countries.
  [number(12.5, '[$$-409]#,##0.00'), NO],
  [number(12.5, '[$£-809]#,##0.00'), NO],
  [number(12.5, '[$CHF]\\ #,##0.00'), NO],
  [number(12.5, '"$"#,##0.00'), NO],
  [number(12.5, '#,##0.00\\ "USD"'), NO],
  [number(12.5, '$#,##0.00'), NO],
  [number(12.5, '$#,##0.00_);($#,##0.00)'), NO],
  [number(12.5, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'), NO],
  [number(12.5, '#,##0.00\\ "kr"'), NO],
  [number(12.5, '"kr" 0'), NO],
  [number(12.5, '"kr." 0.00'), NO],
  [number(12.5, '[$kr-41D] #,##0.00'), NO],
  [number(12.5, '0.00\\k\\r'), NO],
  [number(12.5, '£#,##0.00'), NO],
  [number(12.5, '\\£0.00'), NO],
  [number(12.5, '"CHF "0.00'), NO],
  [number(12.5, '"Fr. "0.00'), NO],
  [number(12.5, '#,##0.00 "zł"'), NO],
  [number(12.5, '¥0.00'), NO],
  // A word that only begins like one.
  [number(12.5, '0.0" kratten"'), reads(12.5)],
  // Decimals out of sight: what is held is sent.
  [number(35.535, '0.00'), scaled(35.535)],
  [number(-35.535, '#,##0.00;[Red]-#,##0.00'), scaled(-35.535)],
  [number(35.535, '"€" #,##0.00'), scaled(35.535)],
  [number(12.004999, '0'), scaled(12.004999)],
  [number(1.25, '0.0" kg"'), scaled(1.25)],
  [number(35.54, '0.00'), reads(35.54)],
  [number(35.5, '0.000'), reads(35.5)],
  [number(0.1 + 0.2, '0.0'), reads(0.3)],
  [number(100.1 - 100, '0.00'), reads(0.0999999999999943)],
  [number(1234567, '0'), reads(1234567)],
  [number(12.3456, '#,##0.00########'), reads(12.3456)],
  [number(12.345, '0.00E+00'), reads(12.345)],
  [number(12.345, '# ?/?'), reads(12.345)],
  // Hours that may go past 24.
  [number(1.875, '[h]:mm:ss'), NO],
  [number(1.875, '[hh]:mm'), NO],
  [number(0.01, '[mm]:ss'), NO],
  // Thousands out of sight.
  [number(1234000, '#,##0,'), scaled(1234000)],
  [number(1234000, '#,##0.0,," mln"'), scaled(1234000)],
  [number(1234000, '0,.00'), scaled(1234000)],
  [number(1234000, '#,##0.00;[Red]-#,##0.00'), reads(1234000)],

  // Percentages: a hundredth each, as in the spreadsheet program.
  [number(0.21, '0%'), percent(0.21)],
  [number(0.125, '0.0%'), percent(0.125)],
  [number(0.07, '0%;[Red]-0%'), percent(0.07)],
  // A sign that is only written behind it.
  [number(21, '0"%"'), percent(21)],
  [number(21, '0\\%'), percent(21)],
  [number(21, '0.00\\%;[Red]-0.00\\%'), percent(21)],
  [text('21%'), percent(0.21)],
  [text('21 %'), percent(0.21)],
  [text('12,5%'), percent(0.125), NO],
  [text('12.5%'), NO, percent(0.125)],
  [text('-7%'), percent(-0.07)],
  [text('0%'), percent(0)],
  [text('21‰'), NO],
  [number(21, '0"‰"'), NO],
  [number(0.021, '0.0‰'), NO],
  [text('% 21'), NO],
  [text('21%%'), NO],

  // A minus where bookkeepers put it.
  [text('1,50-'), oddly(-1.5), NO],
  [text('1.50-'), NO, oddly(-1.5)],
  [text('12-'), oddly(-12)],
  [text('1.234,50-'), oddly(-1234.5), NO],
  [text('€ 12,50-'), oddly(-12.5), NO],
  [text('(1,50)'), oddly(-1.5), NO],
  [text('(12)'), oddly(-12)],
  [text('(€ 12,50)'), oddly(-12.5), NO],
  [text('€ (12,50)'), oddly(-12.5), NO],
  [text('(1.234)'), either(-1234), either(-1.234)],
  [text('(12'), NO],
  [text('12)'), NO],
  [text('(-12)'), NO],
  [text('-12-'), NO],
  [text('+12-'), NO],
  [text('0-'), oddly(0)],

  // Groups of thousands of other lands and programs.
  [text("1'234"), reads(1234)],
  [text('1’234'), reads(1234)],
  [text("1'234.50"), NO, reads(1234.5)],
  [text("1'234,50"), reads(1234.5), NO],
  [text("12'345'678"), reads(12345678)],
  [text("1'23"), NO],
  [text("1'234 567"), NO],
  [text('1\u2009234'), reads(1234)],
  [text('1\u202f234\u202f567,8'), reads(1234567.8), NO],
  [text('0 123'), NO],

  // Characters that only look unlike a plain keyboard's.
  [text('−12,5'), reads(-12.5), NO],
  [text('–12'), reads(-12)],
  [text('＋12'), reads(12)],
  [text('１２３'), reads(123)],
  [text('１２，５'), reads(12.5), NO],
  [text("'12,50"), reads(12.5), NO],
  [text("'0012"), reads(12)],
  [text('\u200b12\u200b'), reads(12)],
  [text('\u200e-12'), reads(-12)],
  [text('\ufeff12'), reads(12)],
  [text('١٢'), NO],
  [text('12²'), NO],

  // Exponents.
  [text('1,5E-3'), oddly(0.0015), NO],
  [text('1.5E-3'), NO, oddly(0.0015)],
  [text('1e3'), oddly(1000)],
  [text('1E+05'), oddly(100000)],
  [text('1e999'), NO],

  // No number at all.
  [text('12 kg'), NO],
  [text('12,5kg'), NO],
  [text('2 m²'), NO],
  [text('12 p.p.'), NO],
  [text('12/25'), NO],
  [text('12-15'), NO],
  [text('ca. 12'), NO],
  [text('½'), NO],
  [text('n.v.t.'), NO],
  [text('1 2'), NO],
  [text('12 34'), NO],
  [text('op aanvraag'), NO],
  [text('12 personen'), NO],
  [text('--12'), NO],
  [text('12..5'), NO],
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

describe('a decimal in a cell', () => {
  holdCells(decimalCodec, CELLS);

  test('is told in the warning on a text that was read in an unexpected way', () => {
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

  test.each([
    ['12 kg', 'kg'],
    ['12,5 per persoon', 'per persoon'],
    ['n.v.t.', 'empty'],
    ['-', 'empty'],
    ['$ 12', 'euros'],
    ['12 kr', 'euros'],
    ['21‰', '‰'],
  ])('%s is refused with advice', (value, advice) => {
    expect(decimalCodec.decode(text(value), 'nl')).toMatchObject({
      finding: { hint: { en: expect.stringContaining(advice) } },
    });
  });

  test('a date in the place of a number says that it is one', () => {
    expect(decimalCodec.decode(date('2026-02-01', 'd-mmm'), 'nl')).toMatchObject({
      finding: { hint: { en: expect.stringContaining('date') } },
    });
  });

  test('a percentage is quoted as it shows', () => {
    expect(decimalCodec.decode(number(0.21, '0%'), 'nl')).toMatchObject({
      warning: { found: '21%', hint: { en: '0.21', nl: '0,21' } },
    });
  });

  test.each([
    ['nl', '35,54'],
    ['en', '35.54'],
  ] as const)('an amount of which a cell hides a decimal is quoted as it shows in %s', (locale, found) => {
    expect(decimalCodec.decode(number(35.535, '"€" 0.00'), locale)).toMatchObject({
      warning: { found: `€ ${found}`, hint: { en: '35.535', nl: '35,535' } },
    });
  });

  test('what no locale reads gets no such advice', () => {
    expect(decimalCodec.decode(text('op aanvraag'), 'nl')).toStrictEqual({
      ok: false,
      finding: { code: 'number-expected', found: 'op aanvraag' },
    });
  });
});

describe('a decimal in an answer', () => {
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

describe('a decimal, written and read again', () => {
  /** What a cell can show: 15 digits. */
  const shown = fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .map((value) => Number(value.toPrecision(15)))
    .filter((value) => !Object.is(value, -0) && (value === 0 || Math.abs(value) > 1e-300));

  test.each(['nl', 'en'] as const)('decode(encode(v)) is v in %s', (locale) => {
    fc.assert(
      fc.property(shown, (value) => {
        expect(decimalCodec.decode(cellOf(value), locale)).toStrictEqual({
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
