import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBlankText, textCodec } from '../../../src/core/codecs/text.ts';
import {
  all,
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
  texts,
  warns,
} from './cases.ts';

const same = (...values: string[]): Case[] => values.map((value) => [value, reads(value)]);
/** A number of a format, as it shows in nl and in en. */
const shows = (
  value: number,
  formats: Readonly<Record<string, readonly [string, string] | string>>,
): Case[] =>
  Object.entries(formats).map(([format, shown]) => {
    const [nl, en] = typeof shown === 'string' ? [shown, shown] : shown;
    return [number(value, format), reads(nl), reads(en)];
  });

const CELLS: readonly Case[] = [
  ...same(
    'Kerstbuffet Luxe',
    'Buffet  met  saté',
    'crème brûlée 🍮',
    '=SOM(A1)',
    '00123',
    '1.234,50',
    '31-12-26',
    'Ja',
  ),
  // Kept exactly: emoji of several parts, writing from right to left, letters made of two.
  ...same(
    '👩‍🍳 chef',
    '🇳🇱🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'חומוס 12 שקל',
    '\u200fحمص\u200f',
    'cre\u0300me',
    'می\u200cخواهم',
    'ａｂｃ',
    "'t Hof",
    'a\u00a0b',
    'soep\tbrood',
  ),
  ...all(
    reads('Kerstbuffet'),
    '  Kerstbuffet  ',
    '\u00a0Kerstbuffet\u00a0',
    '\tKerstbuffet\n',
    '\u200b Kerstbuffet\u2060 ',
    '\ufeffKerstbuffet',
  ),
  ...texts({ 'soep\r\nsalade\rfruit\nkoffie': 'soep\nsalade\nfruit\nkoffie', '   ': '' }),
  // Line ends of Word and of old printers.
  ['soep\u000bsalade\u000cfruit', reads('soep\nsalade\nfruit')],
  // What a program writes for nothing; not a word of people, a part of a text, or what an export writes for such a name.
  ...all(
    refuses('null-word'),
    'NULL',
    'null',
    ' (null) ',
    '\\N',
    'None',
    'NaN',
    'NaT',
    '<NA>',
    'undefined',
    'NULL\r\n',
  ),
  ...all(refuses('null-word'), '[object Object]', 'NULL, NULL; NULL', '\\N|\\N\n', 'NaNNaN'),
  ...same(
    'NULL en NULL',
    'nan bread, nan',
    'Geen',
    'none',
    'Null',
    'Nan',
    'n.v.t.',
    '-',
    'NULL saté',
    'Nonett',
  ),
  ['\u2060NULL', reads('NULL')],
  [number(12), reads('12')],
  [number(17.950000000000003), reads('17,95'), reads('17.95')],
  [number(-0), reads('0')],
  [number(1e21), reads('1000000000000000000000')],
  [number(0.0000001), reads('0,0000001'), reads('0.0000001')],
  [flag(true), reads('WAAR'), reads('TRUE')],
  [flag(false), reads('ONWAAR'), reads('FALSE')],
  ...['2026-12-31', '2026-12-31 14:30:00', '14:30:00'].map((value): Case => [date(value), reads(value)]),
  [error('#N/A'), refuses('error-cell')],
  // What no one can see and few services take.
  ...all(
    warns('soep', 'text-characters'),
    'soep\u0000',
    '\u0007soep\u001b',
    'so\u007fep',
    'so\u0080ep\u009f',
  ),
  ['soep 🍲'.slice(0, -1), warns('soep \ufffd', 'text-characters')],

  // Numbers and dates as they show; of formats of other kinds the number itself.
  ...shows(123, {
    '00000': '00123',
    '[Blue]00000': '00123',
    '"ART-"0000': 'ART-0123',
    '0000" AB"': '0123 AB',
  }),
  ...shows(1.5, {
    '0.00': ['1,50', '1.50'],
    '0.0##': ['1,5', '1.5'],
    '# ?/?': ['1,5', '1.5'],
    '@': ['1,5', '1.5'],
  }),
  ...shows(-1234.5, { '#,##0.00;[Red]-#,##0.00': ['-1.234,50', '-1,234.50'] }),
  ...shows(1234567, { '#,##0': ['1.234.567', '1,234,567'], '00000': '1234567' }),
  ...shows(0.125, { '0.0%': ['12,5%', '12.5%'], '#.##': [',13', '.13'] }),
  ...shows(12.5, { '"€" #,##0.00': ['€ 12,50', '€ 12.50'], '[$€-413] #,##0.00': ['€ 12,50', '€ 12.50'] }),
  ...shows(31612345678, { '\\+00\\ 0\\ 00000000': '+31 6 12345678' }),
  ...shows(-5, { '0.0': ['-5,0', '-5.0'], '0;(0)': '(5)' }),
  ...shows(1500, { '0.0,': '1500', '0.00E+00': '1500' }),
  ...shows(1.999, { '0.00': ['2,00', '2.00'] }),
  [date('2026-12-31', 'dd-mm-yyyy'), reads('31-12-2026')],
  [date('2026-12-31', 'ddd d-m-yy'), reads('do 31-12-26'), reads('Thu 31-12-26')],
  // The short date of whoever opens the file.
  [date('2026-12-31', 'mm-dd-yy'), reads('31-12-2026'), reads('12/31/2026')],
  [date('2026-12-31 14:05:09', 'h:mm:ss AM/PM'), reads('2:05:09 PM')],
  [date('2026-12-31', '[$-413]d\\ mmmm\\ yyyy;@'), reads('31 december 2026'), reads('31 December 2026')],
  [date('14:30:00', 'hh"u"mm'), reads('14u30')],
  [date('2026-02-01', 'd-mmm'), reads('1-feb'), reads('1-Feb')],
];

describe('a text in a cell', () => {
  holdCells(textCodec, CELLS);
});

describe('a text in an answer', () => {
  holdAnswers(textCodec, [
    [' Kerstbuffet ', 'Kerstbuffet'],
    ['soep\r\nsalade', 'soep\nsalade'],
    [0, '0'],
    [true, 'true'],
    [['a'], '["a"]'],
    [{ nl: 'soep' }, '{"nl":"soep"}'],
  ]);
});

test('a text is read as it was written but for outer blanks and line ends, and tidying it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
      const value = typed.replaceAll('\r', '').trim();
      if (value !== '') expect(textCodec.decode(cellOf(value), 'nl')).toStrictEqual({ ok: true, value });
      const once = textCodec.decode(text(typed), 'nl');
      expect(once.ok && textCodec.decode(text(once.value), 'nl')).toStrictEqual(once);
    }),
    { seed: 1 },
  );
});

test.each([
  ...['', '  \n', '\u00a0\u200b', '\u00ad', '\u200e\ufeff\u2060'].map((value) => [value, true] as const),
  ...['\u00adSoep', '\u2764\ufe0f', 'Émile', '-'].map((value) => [value, false] as const),
])('whether %j shows nothing: %s', (value, expected) => {
  expect(isBlankText(value)).toBe(expected);
});
