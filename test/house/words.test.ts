import { expect, test } from 'vitest';
import { type SourceFile, source } from './source.ts';

const EXPORT = /^export (?:async |abstract |declare )?(?:function\*?|const|interface|type|class) (\w+)/;

/** The exports of a file without a sentence in front of them. */
function unexplained({ path, lines }: Pick<SourceFile, 'path' | 'lines'>): string[] {
  return lines.flatMap((line, at) => {
    const name = EXPORT.exec(line)?.[1];
    const before = lines[at - 1]?.trimEnd() ?? '';
    return name === undefined || before.endsWith('*/') ? [] : [`${path}: ${name}`];
  });
}

test.each([
  [['/** A price. */', 'export const price = 1;'], []],
  [['/**', ' * A price.', ' */', 'export type Price = number;'], []],
  [['export const price = 1;'], ['a.ts: price']],
  [['/** A price. */', '', 'export function price() {}'], ['a.ts: price']],
  [['export async function* price() {}'], ['a.ts: price']],
  [["export { price } from './price.ts';", 'const own = 1;', 'export type { Price };'], []],
])('%j lacks words on %j', (lines, expected) => {
  expect(unexplained({ path: 'a.ts', lines })).toEqual(expected);
});

test('every export has a sentence in front of it', () => {
  expect(source.flatMap(unexplained)).toEqual([]);
});
