import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { booleanCodec } from '../../../src/core/codecs/boolean.ts';
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

const YES = reads(true);
const NO = reads(false);
const REFUSED = refuses('boolean-expected');

const CELLS: readonly Case[] = [
  [flag(true), YES],
  [flag(false), NO],
  [number(1), YES],
  [number(0), NO],
  [text('Ja'), YES],
  [text('ja'), YES],
  [text('JA'), YES],
  [text('Nee'), NO],
  [text('nee'), NO],
  [text('NEE'), NO],
  [text('WAAR'), YES],
  [text('waar'), YES],
  [text('ONWAAR'), NO],
  [text('Onwaar'), NO],
  [text('true'), YES],
  [text('TRUE'), YES],
  [text('True'), YES],
  [text('false'), NO],
  [text('FALSE'), NO],
  [text('1'), YES],
  [text('0'), NO],
  [text('x'), YES],
  [text('X'), YES],
  [text('yes'), YES],
  [text('no'), NO],
  [text(' ja '), YES],
  [text('\u00a0nee\u00a0'), NO],
  [text('\tx\n'), YES],
  [text('j'), YES],
  [text('J'), YES],
  [text('n'), NO],
  [text('y'), YES],
  [text('N'), NO],
  [text('Yes'), YES],
  [text('No'), NO],
  [text('aan'), YES],
  [text('Uit'), NO],
  [text('on'), YES],
  [text('OFF'), NO],
  [text('✓'), YES],
  [text('✔'), YES],
  // As a telephone types it, asking for colour.
  [text('✔\ufe0f'), YES],
  [text('☑'), YES],
  [text('✅'), YES],
  [text('☐'), NO],
  [text('\u200bja\u200e'), YES],
  [text("'ja"), YES],
  [text('ｊａ'), YES],
  [text('jA'), YES],
  [number(1, '0%'), YES],
  [number(-0), NO],

  [number(2), REFUSED],
  [number(-1), REFUSED],
  [number(0.5), REFUSED],
  [number(10), REFUSED],
  // Yes to some, no to others.
  [text('✗'), REFUSED],
  [text('☒'), REFUSED],
  [text('❌'), REFUSED],
  [text('+'), REFUSED],
  [text('v'), REFUSED],
  [text('ja.'), REFUSED],
  [text('n.v.t.'), REFUSED],
  [number(Number.NaN), REFUSED],
  [text('misschien'), REFUSED],
  [text('ja, graag'), REFUSED],
  [text('ja nee'), REFUSED],
  [text('janee'), REFUSED],
  [text('xx'), REFUSED],
  [text('01'), REFUSED],
  [text('1,0'), REFUSED],
  [text('1.0'), REFUSED],
  [text('-'), REFUSED],
  [text('?'), REFUSED],
  [text(''), REFUSED],
  [text('  '), REFUSED],
  [text('actief'), REFUSED],
  [text('null'), REFUSED],
  // Names that every object answers to.
  [text('constructor'), REFUSED],
  [text('__proto__'), REFUSED],
  [text('hasOwnProperty'), REFUSED],
  [date('2026-12-31'), REFUSED],
  [date('00:00:01'), REFUSED],
  [error('#N/A'), REFUSED],
  [error('#VALUE!'), REFUSED],
];

describe('a flag in a cell', () => {
  holdCells(booleanCodec, CELLS);
});

describe('a flag in an answer', () => {
  holdAnswers(booleanCodec, [
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
    ['true', true],
    ['false', false],
    ['True', true],
    ['Ja', true],
    ['nee', false],
    [' 1 ', true],
    [null, null],
    [undefined, null],
    ['', null],
    ['  ', null],
    [2, 2],
    [-1, -1],
    ['onbekend', 'onbekend'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
    [{ aan: true }, '{"aan":true}'],
    [[], '[]'],
  ]);
});

test.each(['nl', 'en'] as const)('decode(encode(v)) is v in %s, as a flag and as text', (locale) => {
  fc.assert(
    fc.property(fc.boolean(), (value) => {
      expect(booleanCodec.decode(cellOf(value), locale)).toStrictEqual({
        ok: true,
        value,
      });
      expect(booleanCodec.decode(text(String(value)), locale)).toStrictEqual({ ok: true, value });
      expect(booleanCodec.wire.parse(booleanCodec.read(value ? '1' : '0'))).toBe(value);
    }),
  );
});

test('no text whatever is read as anything but a truth value', () => {
  fc.assert(
    fc.property(fc.string(), (found) => {
      const decoded = booleanCodec.decode(text(found), 'nl');
      expect(decoded.ok ? typeof decoded.value : decoded.finding.found).toBe(decoded.ok ? 'boolean' : found);
    }),
  );
});

test.each(['true', '1', 1, 0, null, undefined])('%j is no truth value in a request', (value) => {
  expect(booleanCodec.wire.safeParse(value).success).toBe(false);
});
