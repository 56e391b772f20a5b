import { expect, test } from 'vitest';
import { type SourceFile, source } from './source.ts';

const WIDEST = 110;
const COMMENT = /^\s*(?:\/\*|\*|\/\/)|\s\/\/\s/;

/** The lines of a file with a comment that are wider than the formatter lets code be. */
function wideComments({ path, lines }: Pick<SourceFile, 'path' | 'lines'>): string[] {
  return lines.flatMap((line, at) =>
    COMMENT.test(line) && [...line].length > WIDEST ? [`${path}:${at + 1} (${[...line].length})`] : [],
  );
}

test.each([
  [`// ${'a'.repeat(107)}`, []],
  [`// ${'a'.repeat(108)}`, ['a.ts:1 (111)']],
  [` * ${'…'.repeat(107)}`, []],
  [`/** ${'a'.repeat(110)} */`, ['a.ts:1 (117)']],
  [`const price = 1; // ${'a'.repeat(91)}`, ['a.ts:1 (111)']],
  [`const text = '${'a'.repeat(120)}';`, []],
])('%j has the wide comments %j', (line, expected) => {
  expect(wideComments({ path: 'a.ts', lines: [line] })).toEqual(expected);
});

test(`no line with a comment is wider than ${WIDEST}`, () => {
  expect(source.flatMap(wideComments)).toEqual([]);
});
