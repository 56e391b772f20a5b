import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalCodec } from '../../../src/core/codecs/decimal.ts';
import {
  all,
  type Case,
  cellOf,
  date,
  type Expected,
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

const NO = refuses('number-expected');
const either = (value: number) => warns(value, 'number-grouping');
const scaled = (value: number) => warns(value, 'number-scaled');
const percent = (value: number) => warns(value, 'number-percent');
const shown = (expected: Expected, value: number, ...formats: string[]): Case[] =>
  all(expected, ...formats.map((format) => number(value, format)));

const CELLS: readonly Case[] = [
  // Number cells: as shown, to 15 digits.
  ...[34.5, 0, -12.75, 0.000125, 1e-7, 123456789012345, 1e21].map(
    (value): Case => [number(value), reads(value)],
  ),
  [number(-0), reads(0)],
  [number(17.950000000000003), reads(17.95)],
  [number(0.1 + 0.2), reads(0.3)],
  [number(Number.POSITIVE_INFINITY), NO],

  // Text that one locale alone reads.
  ...inNl(
    { '34,50': 34.5, '1.234,50': 1234.5, '12.345.678,9': 12345678.9, '1.234.567': 1234567, ',5': 0.5 },
    NO,
  ),
  ...inNl({ '5,': 5, '-3,95': -3.95, '1\u202f234,5': 1234.5, "1'234,50": 1234.5, '−12,5': -12.5 }, NO),
  ...inEn(
    { '34.50': 34.5, '1,234.50': 1234.5, '12,345,678.9': 12345678.9, '1,234,567': 1234567, '.5': 0.5 },
    NO,
  ),
  // Text that both read, each in its own way.
  ...inBoth({ '1.234': [1234, 1.234], '1,234': [1.234, 1234], '-1.234': [-1234, -1.234] }, either),
  ...inBoth({ '999.999': [999999, 999.999], '€ 1.234': [1234, 1.234] }, either),
  // A group in front never starts with a zero, and groups are of three.
  ...inEn({ '0.125': 0.125, '012.345': 12.345, '1.2345': 1.2345, '1234.567': 1234.567 }, NO),
  ...all(NO, '1.23.456', '1,234,56', '1.234,567.89', '1,2,3', "1'23", "1'234 567", '0 123'),
  // Text that all read alike.
  ...texts({
    '12': 12,
    '+12': 12,
    '-12': -12,
    '-0': 0,
    '007': 7,
    '\u00a012\u202f': 12,
    '- 12': -12,
    '1 234': 1234,
    '1\u00a0234\u00a0567': 1234567,
    "1'234": 1234,
    '1’234': 1234,
    '1\u2009234': 1234,
    '–12': -12,
    '＋12': 12,
    '１２３': 123,
    "'0012": 12,
    '\u200b12\u200b': 12,
    '\ufeff12': 12,
  }),

  // Money.
  ...texts({ '€ 12': 12, '12 €': 12, EUR12: 12, '12 euro': 12 }),
  ...inNl({ '€ 12,50': 12.5, '€ -12,50': -12.5, '- € 12,50': -12.5, '€\u00a01.234,50': 1234.5 }, NO),
  ...inNl(
    { '12,50 EUR': 12.5, '12,-': 12, '12,--': 12, '€ 12,–': 12, '€ 1.234,-': 1234, '12,- euro': 12 },
    NO,
  ),
  ...inEn({ '€12.50': 12.5, '12.-': 12 }, NO),
  ...all(NO, '€ 12 EUR', '$ 12', '£12.50', '12 USD', 'eurocent 12', '€'),
  ...shown(reads(12.5), 12.5, '"€" #,##0.00', '[$€-413]\\ #,##0.00', '[$EUR] #,##0.00', '[$-413]#,##0.00'),
  ...shown(reads(12.5), 12.5, '_(€* #,##0.00_);_(€* (#,##0.00);_(€* "-"??_);_(@_)', '#,##0.00\\ "Euro"'),
  [number(-12.5, '€ #,##0.00_);[Red](€ #,##0.00)'), reads(-12.5)],
  // Without a language and a code it is text, as Google Sheets writes it.
  ...shown(reads(12.5), 12.5, '0.00 [$kg]', '#,##0.00\\ [$ p.p.]', '0.00 [$€]', '0.0" kratten"'),
  // Money of other countries.
  ...shown(
    NO,
    12.5,
    '0.00 [$THB]',
    '0.00 [$Lek-41C]',
    '0.00 [$$]',
    '0.00 [$kr]',
    '[$$-409]#,##0.00',
    '$#,##0.00',
  ),
  ...shown(
    NO,
    12.5,
    '[$CHF]\\ #,##0.00',
    '"$"#,##0.00',
    '#,##0.00\\ "USD"',
    '$#,##0.00_);($#,##0.00)',
    '"kr" 0',
  ),
  ...shown(NO, 12.5, '[$kr-41D] #,##0.00', '0.00\\k\\r', '\\£0.00', '"CHF "0.00', '#,##0.00 "zł"', '¥0.00'),
  // Decimals and thousands out of sight: what is held is sent.
  ...shown(scaled(35.535), 35.535, '0.00', '#,##0.00;[Red]-#,##0.00', '"€" #,##0.00'),
  ...shown(scaled(1234000), 1234000, '#,##0,', '#,##0.0,," mln"', '0,.00'),
  [number(1.25, '0.0" kg"'), scaled(1.25)],
  [number(35.54, '0.00'), reads(35.54)],
  [number(35.5, '0.000'), reads(35.5)],
  [number(0.1 + 0.2, '0.0'), reads(0.3)],
  [number(1234567, '0'), reads(1234567)],
  ...shown(reads(12.345), 12.345, '#,##0.00########', '0.00E+00', '# ?/?'),
  // Hours that may go past 24.
  ...shown(NO, 1.875, '[h]:mm:ss', '[mm]:ss'),

  // Percentages: a hundredth each, as in the spreadsheet program, but for a sign that is only written behind it.
  ...shown(percent(0.21), 0.21, '0%', '0.0%', '0%;[Red]-0%'),
  ...shown(percent(21), 21, '0"%"', '0\\%', '0.00\\%;[Red]-0.00\\%'),
  ...texts({ '21%': 0.21, '21 %': 0.21, '-7%': -0.07, '0%': 0 }, percent),
  ...inNl({ '12,5%': 0.125 }, NO, percent),
  ...inEn({ '12.5%': 0.125 }, NO, percent),
  ...all(NO, '21‰', '% 21', '21%%', number(21, '0"‰"'), number(0.021, '0.0‰')),

  // A minus where bookkeepers put it, and exponents: it is asked to write them in full.
  ...all(NO, '1,50-', '€ 12,50-', '(1,50)', '€ (12,50)', '(12', '-12-', '1,5E-3', '1e3', '1E+05'),

  // No number at all.
  ...all(
    NO,
    '12 kg',
    '2 m²',
    '12 p.p.',
    '12/25',
    '12-15',
    'ca. 12',
    '½',
    'n.v.t.',
    '1 2',
    '12 34',
    '--12',
    '12..5',
    '0x1F',
    'Infinity',
    'NaN',
    '-',
    ',',
    '',
    '9'.repeat(400),
    '1e999',
    '١٢',
    '12²',
    flag(true),
    date('2026-12-31'),
    error('#N/A'),
  ),
];

describe('a decimal in a cell', () => {
  holdCells(decimalCodec, CELLS);

  test.each<[string, object]>([
    ['1.234', { warning: { found: '1.234', hint: '1234' } }],
    [
      '12.50',
      {
        finding: {
          hint: { en: expect.stringContaining('--locale'), nl: expect.stringContaining('--locale') },
        },
      },
    ],
    ['op aanvraag', { ok: false, finding: { code: 'number-expected', found: 'op aanvraag' } }],
    ...Object.entries({
      '12 kg': 'kg',
      '12,5 per persoon': 'per persoon',
      '-': 'empty',
      '$ 12': 'euros',
    }).map(([value, advice]): [string, object] => [
      value,
      { finding: { hint: { en: expect.stringContaining(advice) } } },
    ]),
  ])('%s is told of with advice', (value, told) => {
    expect(decimalCodec.decode(text(value), 'nl')).toMatchObject(told);
  });

  test('is quoted as it shows where its format hides or adds something', () => {
    expect(decimalCodec.decode(number(0.21, '0%'), 'nl')).toMatchObject({
      warning: { found: '21%', hint: { en: '0.21', nl: '0,21' } },
    });
    expect(decimalCodec.decode(number(35.535, '"€" 0.00'), 'en')).toMatchObject({
      warning: { found: '€ 35.54', hint: { en: '35.535', nl: '35,535' } },
    });
  });
});

describe('a decimal in an answer', () => {
  holdAnswers(decimalCodec, [
    ...([
      [34.5, 34.5],
      ['34.50', 34.5],
      ['0', 0],
      [' 3.95 ', 3.95],
      ['-0.5', -0.5],
      ['.5', 0.5],
      ['1e3', 1000],
    ] as const),
    ...([
      [true, 1],
      [false, 0],
    ] as const),
    ...['34,50', 'op aanvraag', '0x1F', 'Infinity', '1e999'].map((answer) => [answer, answer] as const),
    [{ bedrag: 3 }, '{"bedrag":3}'],
    [[3], '[3]'],
  ]);
});

test.each([
  ['nl', ','],
  ['en', '.'],
] as const)(
  'what a cell of %s can show, 15 digits, and a price that is typed, are read as they are',
  (locale, mark) => {
    const shown = fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
      .map((value) => Number(value.toPrecision(15)))
      .filter((value) => !Object.is(value, -0) && (value === 0 || Math.abs(value) > 1e-300));
    const [whole, cents] = [
      fc.integer({ min: -9_999_999, max: 9_999_999 }),
      fc.integer({ min: 10, max: 99 }),
    ];
    fc.assert(
      fc.property(shown, whole, cents, (value, euros, part) => {
        expect(decimalCodec.decode(cellOf(value), locale)).toStrictEqual({ ok: true, value });
        expect(decimalCodec.wire.parse(decimalCodec.read(String(value)))).toBe(value);
        const price = Number(`${euros}.${part}`);
        expect(decimalCodec.decode(text(`${euros}${mark}${part}`), locale)).toStrictEqual({
          ok: true,
          value: price,
        });
      }),
      { seed: 1 },
    );
  },
);
