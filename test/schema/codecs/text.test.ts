import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textCodec } from '../../../src/schema/codecs/text.ts';
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
} from './cases.ts';

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
  [text('null'), reads('null')],
  [text('   '), reads('')],
  [number(12), reads('12')],
  [number(12.5), reads('12.5')],
  [number(17.950000000000003), reads('17.95')],
  [number(31612345678), reads('31612345678')],
  [number(-0), reads('0')],
  [flag(true), reads('WAAR')],
  [flag(false), reads('ONWAAR')],
  [date('2026-12-31'), reads('2026-12-31')],
  [date('2026-12-31 14:30:00'), reads('2026-12-31 14:30:00')],
  [date('14:30:00'), reads('14:30:00')],
  [error('#N/A'), refuses('error-cell')],
];

describe('cells', () => {
  holdCells(textCodec, CELLS);
});

describe('answers', () => {
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
        expect(textCodec.decode(cellOf(textCodec.encode(value)), locale)).toStrictEqual({ ok: true, value });
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
