import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBlankText, textCodec } from '../../../src/core/codecs/text.ts';
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

const control = (value: string) => warns(value, 'text-characters');

const CELLS: readonly Case[] = [
  [text('Kerstbuffet Luxe'), reads('Kerstbuffet Luxe')],
  [text('  Kerstbuffet  '), reads('Kerstbuffet')],
  [text('\u00a0Kerstbuffet\u00a0'), reads('Kerstbuffet')],
  [text('\tKerstbuffet\n'), reads('Kerstbuffet')],
  [text('Buffet  met  saté'), reads('Buffet  met  saté')],
  [text('soep\r\nsalade\rdessert\nkoffie'), reads('soep\nsalade\ndessert\nkoffie')],
  [text('crème brûlée 🍮'), reads('crème brûlée 🍮')],
  [text('=SOM(A1)'), reads('=SOM(A1)')],
  [text('00123'), reads('00123')],
  [text('1.234,50'), reads('1.234,50')],
  [text('31-12-26'), reads('31-12-26')],
  [text('Ja'), reads('Ja')],
  ...['NULL', 'null', ' (null) ', '\\N', 'None', 'NaN', 'nan', 'NaT', '<NA>', 'undefined', 'NULL\r\n'].map(
    (word): Case => [text(word), refuses('null-word')],
  ),
  [text('[object Object]'), refuses('null-word')],
  [text('[object Object],[object Object]'), refuses('null-word')],
  [text('NULL, NULL; NULL'), refuses('null-word')],
  [text('undefined undefined'), refuses('null-word')],
  [text('\\N|\\N\n'), refuses('null-word')],
  [text('NaNNaN'), refuses('null-word')],
  [text('NULL en NULL'), reads('NULL en NULL')],
  [text('nan bread, nan'), reads('nan bread, nan')],
  // A word of people, a part of a text, and what an export writes for a record of that name.
  ...['Geen', 'geen', 'none', 'Null', 'Nan', 'n.v.t.', '-', 'NULL saté', 'Nonett'].map(
    (word): Case => [text(word), reads(word)],
  ),
  [text('\u2060NULL'), reads('NULL')],
  [text('   '), reads('')],
  [number(12), reads('12')],
  [number(12.5), reads('12,5'), reads('12.5')],
  [number(17.950000000000003), reads('17,95'), reads('17.95')],
  [number(31612345678), reads('31612345678')],
  [number(-0), reads('0')],
  [flag(true), reads('WAAR'), reads('TRUE')],
  [flag(false), reads('ONWAAR'), reads('FALSE')],
  [date('2027-03-13', 'dd-mm-yyyy hh:mm'), reads('13-03-2027 00:00')],
  [date('2026-12-31'), reads('2026-12-31')],
  [date('2026-12-31 14:30:00'), reads('2026-12-31 14:30:00')],
  [date('14:30:00'), reads('14:30:00')],
  [error('#N/A'), refuses('error-cell')],

  // Kept exactly: emoji of several parts, writing from right to left, letters made of two.
  [text('👩‍🍳 chef'), reads('👩‍🍳 chef')],
  [text('🇳🇱🏴󠁧󠁢󠁥󠁮󠁧󠁿'), reads('🇳🇱🏴󠁧󠁢󠁥󠁮󠁧󠁿')],
  [text('חומוס 12 שקל'), reads('חומוס 12 שקל')],
  [text('\u200fحمص\u200f'), reads('\u200fحمص\u200f')],
  [text('cre\u0300me'), reads('cre\u0300me')],
  [text('می\u200cخواهم'), reads('می\u200cخواهم')],
  [text('ａｂｃ'), reads('ａｂｃ')],
  [text("'t Hof"), reads("'t Hof")],
  [text('a\u00a0b'), reads('a\u00a0b')],
  [text('soep\tbrood'), reads('soep\tbrood')],
  [text('\u200b Buffet\u200b\u2060 '), reads('Buffet')],
  [text('\ufeffBuffet'), reads('Buffet')],
  // Line ends of Word and of old printers.
  [text('soep\u000bsalade\u000cfruit'), reads('soep\nsalade\nfruit')],
  // What no one can see and few services take.
  [text('soep\u0000'), control('soep')],
  [text('\u0007soep\u001b'), control('soep')],
  [text('so\u007fep'), control('soep')],
  [text('so\u0080ep\u009f'), control('soep')],
  [text('soep 🍲'.slice(0, -1)), control('soep \ufffd')],

  // Numbers and dates as they show.
  [number(123, '00000'), reads('00123')],
  [number(12345678, '00000000'), reads('12345678')],
  [number(1234567, '00000'), reads('1234567')],
  [number(0, '0000'), reads('0000')],
  [number(1.5, '0.00'), reads('1,50'), reads('1.50')],
  [number(1234.5, '#,##0.00'), reads('1.234,50'), reads('1,234.50')],
  [number(1234567, '#,##0'), reads('1.234.567'), reads('1,234,567')],
  // A colour changes no digit.
  [number(-1234.5, '#,##0.00;[Red]-#,##0.00'), reads('-1.234,50'), reads('-1,234.50')],
  [number(123, '[Blue]00000'), reads('00123')],
  [number(123, '[Color 10]00000'), reads('00123')],
  [number(12, '#,##0'), reads('12')],
  [number(0.5, '#.##'), reads(',5'), reads('.5')],
  [number(1.5, '0.0##'), reads('1,5'), reads('1.5')],
  [number(0.21, '0%'), reads('21%')],
  [number(0.125, '0.0%'), reads('12,5%'), reads('12.5%')],
  [number(12.5, '"€" #,##0.00'), reads('€ 12,50'), reads('€ 12.50')],
  [number(12.5, '[$€-413] #,##0.00'), reads('€ 12,50'), reads('€ 12.50')],
  [number(7, '"ART-"0000'), reads('ART-0007')],
  [number(31612345678, '\\+00\\ 0\\ 00000000'), reads('+31 6 12345678')],
  [number(612345678, '0000000000'), reads('0612345678')],
  [number(1012, '0000" AB"'), reads('1012 AB')],
  [number(-5, '0.0'), reads('-5,0'), reads('-5.0')],
  [number(-5, '0;(0)'), reads('(5)')],
  [number(0, '0;-0;"nul"'), reads('0')],
  [number(1.999, '0.00'), reads('2,00'), reads('2.00')],
  // Formats of other kinds: the number itself.
  [number(1.5, '# ?/?'), reads('1,5'), reads('1.5')],
  [number(12345, '0.00E+00'), reads('12345')],
  [number(12.5, '@'), reads('12,5'), reads('12.5')],
  [number(1500, '0.0,'), reads('1500')],
  [number(1e21), reads('1000000000000000000000')],
  [number(0.0000001), reads('0,0000001'), reads('0.0000001')],
  [date('2026-12-31', 'dd-mm-yyyy'), reads('31-12-2026')],
  [date('2026-03-01', 'd mmm yyyy'), reads('1 mrt 2026'), reads('1 Mar 2026')],
  [
    date('2026-12-31', 'dddd d mmmm yyyy'),
    reads('donderdag 31 december 2026'),
    reads('Thursday 31 December 2026'),
  ],
  [date('2026-12-31', 'ddd d-m-yy'), reads('do 31-12-26'), reads('Thu 31-12-26')],
  // The short date of whoever opens the file.
  [date('2026-12-31', 'mm-dd-yy'), reads('31-12-2026'), reads('12/31/2026')],
  [date('2026-12-31 14:05:00', 'dd-mm-yyyy hh:mm'), reads('31-12-2026 14:05')],
  [date('2026-12-31 14:05:09', 'h:mm:ss AM/PM'), reads('2:05:09 PM')],
  [date('2026-12-31', '[$-413]d\\ mmmm\\ yyyy;@'), reads('31 december 2026'), reads('31 December 2026')],
  [date('14:30:00', 'hh:mm'), reads('14:30')],
  [date('14:30:00', 'hh"u"mm'), reads('14u30')],
  [date('14:30:00', 'dd-mm-yyyy hh:mm'), reads('14:30:00')],
  [date('2026-02-01', 'd-mmm'), reads('1-feb'), reads('1-Feb')],
];

describe('a text in a cell', () => {
  holdCells(textCodec, CELLS);
});

describe('a text in an answer', () => {
  holdAnswers(textCodec, [
    ['Kerstbuffet', 'Kerstbuffet'],
    [' Kerstbuffet ', 'Kerstbuffet'],
    ['soep\r\nsalade', 'soep\nsalade'],
    ['0', '0'],
    ['1', '1'],
    [12, '12'],
    [0, '0'],
    [true, 'true'],
    [null, null],
    [undefined, null],
    ['', null],
    ['  ', null],
    [['a'], '["a"]'],
    [{ nl: 'soep' }, '{"nl":"soep"}'],
  ]);
});

test.each(['nl', 'en'] as const)(
  'decode(encode(v)) is v in %s, but for outer blanks and line ends',
  (locale) => {
    const tidy = fc
      .string({ unit: 'grapheme' })
      .map((value) => value.replaceAll('\r', '').trim())
      .filter((value) => value !== '');
    fc.assert(
      fc.property(tidy, (value) => {
        expect(textCodec.decode(cellOf(value), locale)).toStrictEqual({ ok: true, value });
        expect(textCodec.read(value)).toBe(value);
      }),
    );
  },
);

test('tidying twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const once = textCodec.decode(text(typed), 'nl');
      expect(once.ok && textCodec.decode(text(once.value), 'nl')).toStrictEqual(once);
    }),
  );
});

test.each([12, true, null, undefined])('%j is no text in a request', (value) => {
  expect(textCodec.wire.safeParse(value).success).toBe(false);
});

test.each([
  ['', true],
  ['  \n', true],
  ['\u00a0\u200b', true],
  ['\u00ad', true],
  ['\u200e\ufeff\u2060', true],
  ['\u00adSoep', false],
  ['\u2764\ufe0f', false],
  ['Émile', false],
  ['-', false],
])('whether %j shows nothing: %s', (text, expected) => {
  expect(isBlankText(text)).toBe(expected);
});
