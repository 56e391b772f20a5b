import { describe } from 'vitest';
import { booleanCodec } from '../../../src/core/codecs/boolean.ts';
import { all, date, error, flag, holdAnswers, holdCells, number, reads, refuses } from './cases.ts';

const YES =
  "Ja|ja|JA|WAAR|true|True|1|x|X|yes|j|y| ja |\tx\n|aan|on|✓|✔|✔\ufe0f|☑|✅|\u200bja\u200e|'ja|ｊａ";
const NO = 'Nee|NEE|Onwaar|false|FALSE|0|no|n|N|Uit|OFF|☐|\u00a0nee\u00a0';
// Yes to some and no to others, words that only begin like one, and names that every object answers to.
const NEITHER = '✗|☒|❌|+|v|ja.|n.v.t.|ja, graag|ja nee|xx|01|1,0|-|?||  |actief|null|constructor|__proto__';

describe('a flag in a cell', () => {
  holdCells(booleanCodec, [
    ...all(reads(true), flag(true), number(1), number(1, '0%'), ...YES.split('|')),
    ...all(reads(false), flag(false), number(0), number(-0), ...NO.split('|')),
    ...all(refuses('boolean-expected'), ...[2, -1, 0.5, Number.NaN].map((value) => number(value))),
    ...all(refuses('boolean-expected'), date('2026-12-31'), error('#N/A'), ...NEITHER.split('|')),
  ]);
});

describe('a flag in an answer', () => {
  holdAnswers(booleanCodec, [
    ...[true, 1, '1', 'true', 'True', 'Ja', ' 1 '].map((answer) => [answer, true] as const),
    ...[false, 0, '0', 'false', 'nee'].map((answer) => [answer, false] as const),
    ...[2, -1, 'onbekend', 'constructor', '__proto__'].map((answer) => [answer, answer] as const),
    [{ aan: true }, '{"aan":true}'],
    [[], '[]'],
  ]);
});
