import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten } from '../../src/core/issue.ts';
import { plainJson, shownWidth, toldApart, visibleLine, visibleText } from '../../src/core/visible-text.ts';
import { openScrub } from '../../src/service/read-answer.ts';
import { ATTACK, unseenIn } from '../helpers/attack.ts';
import { codePoints } from '../helpers/code-points.ts';

const anyText = fc.oneof(
  codePoints(),
  fc.string({ unit: fc.constantFrom(...ATTACK, '👩‍🍳', 'é', '\ud83d', '\u{e0067}') }),
);

describe('a text that is shown', () => {
  it('has no sign that moves a cursor, turns words round or hides, whatever it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = visibleLine(text);
        expect(unseenIn(line)).toEqual([]);
        expect(line).not.toContain('\n');
        expect(visibleLine(visibleLine(text))).toBe(visibleLine(text));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it.each([
    'Crème brûlée à € 12,50 – “thee” … → ≈ × −',
    'één\u00a0kop koffie',
    '👩‍🍳 👨‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 👍🏽 ☕️ 1️⃣ #️⃣ ©',
    'חומוס و فلافل',
  ])('is as it was where all of it can be seen: %s', (text) => {
    expect(visibleLine(text)).toBe(text);
    expect(plainJson(JSON.stringify(text))).toBe(JSON.stringify(text));
  });

  it.each([
    ['\x1b[2J', '␛[2J'],
    ['a\nDone: 5 created\r\n', 'a␊Done: 5 created␍␊'],
    ['a\tb\0\x7f', 'a␉b␀␡'],
    ['\x9b31m', '<U+009B>31m'],
    ['\u202etxt.exe', '<U+202E>txt.exe'],
    ['pad\u200d2\ufe0f\u200b', 'pad<U+200D>2<U+FE0F><U+200B>'],
    ['\ud83d!', '<U+D83D>!'],
    ['\u{e0041}', '<U+E0041>'],
  ])('shows %j as %s', (text, shown) => {
    expect(visibleLine(text)).toBe(shown);
  });

  it('keeps its lines and tabs where it is data', () => {
    expect(visibleText('a\tb\nc\x1b')).toBe('a\tb\nc␛');
  });

  it.each([
    ['Crème', 5],
    ['\x1b[0m', 4],
    ['\u202e', 8],
    ['寿司', 4],
    ['👩‍🍳', 2],
    ['e\u0301', 1],
  ])('is as wide as what is shown of it: %j', (text, width) => {
    expect(shownWidth(text)).toBe(width);
  });

  it('is not cut within an emoji’s halves', () => {
    for (const cut of [
      shorten('😀'.repeat(40)),
      shorten(`x${'😀'.repeat(40)}`),
      openScrub('t')('😀'.repeat(200)),
    ])
      expect(cut).toMatch(/^x?(😀)+…$/u);
  });
});

it('JSON that is shown is the same value, with such signs escaped', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, fc.array(anyText)), (value) => {
      for (const indent of [0, 2]) {
        const json = plainJson(JSON.stringify(value, null, indent));
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(unseenIn(json)).toEqual([]);
      }
    }),
    { numRuns: 100, seed: 1 },
  );
});

it.each<[string[], string[]]>([
  [
    ['Kerstbuffet Hollands', 'Kerstbuffet\u00a0Hollands'],
    ['Kerstbuffet Hollands', 'Kerstbuffet<U+00A0>Hollands'],
  ],
  [
    ['Soep  van de dag', 'Soep van de dag'],
    ['Soep<U+0020> van de dag', 'Soep van de dag'],
  ],
  [
    ['BBQ\u2011buffet', 'BBQ-buffet'],
    ['BBQ<U+2011>buffet', 'BBQ-buffet'],
  ],
  [
    ['Soep\u00a0dag', 'Salade\u00a0dag'],
    ['Soep\u00a0dag', 'Salade\u00a0dag'],
  ],
  [
    ['Thee', 'Soep dag', 'Soep\u00a0dag'],
    ['Thee', 'Soep dag', 'Soep<U+00A0>dag'],
  ],
])('texts that look alike beside each other show what differs: %j', (texts, shown) => {
  expect(toldApart(...texts)).toEqual(shown);
});
