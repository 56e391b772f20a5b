import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { resultPath } from '../../../src/files/file-name.ts';
import { checkReport } from '../../../src/import/report/write-report.ts';
import { checkTarget } from '../../../src/import/results/result-place.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';

describe('where a result goes', () => {
  test.each([
    ['catalogus.xlsx', 'catalogus.result.xlsx'],
    ['catalogus.xlsm', 'catalogus.result.xlsm'],
    ['catalogus.result.XLTM', 'catalogus.result-2.xlsm'],
    ['prijzen.csv', 'prijzen.result.csv'],
    ['catalogus.result.xlsx', 'catalogus.result-2.xlsx'],
    ['catalogus.result-9.csv', 'catalogus.result-10.csv'],
    ['catalogus', 'catalogus.result.xlsx'],
  ])('%s: %s', (input, result) => {
    expect(resultPath(join('map', input))).toBe(join('map', result));
    const book = result.replace('.csv', '.xlsx');
    expect(resultPath(join('map', input), true)).toBe(join('map', book));
  });
});

const link = (from: string, to: string): string => {
  symlinkSync(from, to);
  return to;
};
const named = (from: string, to: string): string => {
  linkSync(from, to);
  return to;
};

/** Places for an input `in.xlsx` or `in.html` of a folder, and what is said of them as a result, and as a report. */
const PLACES: readonly (readonly [string, (at: string, end: string) => string, RegExp, RegExp])[] = [
  ['the input', (at, end) => join(at, `in.${end}`), /overwrite the input/, /overwrite the input/],
  [
    'the input by a roundabout path',
    (at, end) => join(at, 'map', '..', `in.${end}`),
    /overwrite the input/,
    /overwrite the input/,
  ],
  ...(hasLinks
    ? ([
        [
          'the input by a link',
          (at: string, end: string) => link(join(at, `in.${end}`), join(at, `uit.${end}`)),
          /overwrite the input/,
          /overwrite the input/,
        ],
      ] as const)
    : []),
  [
    'the input by its other name',
    (at, end) => named(join(at, `in.${end}`), join(at, `uit.${end}`)),
    /overwrite the input/,
    /overwrite the input/,
  ],
  [
    'the result by its other name',
    (at) => named(join(at, 'r.xlsx'), join(at, 'r.html')),
    /none/,
    /the result/,
  ],
  ['an ending that nothing is written as', (at) => join(at, 'uit.pdf'), /\.pdf is none/, /ends in \.html/],
  ['macros where the input has none', (at) => join(at, 'uit.xlsm'), /\.xlsm is none/, /ends in \.html/],
  ['a missing folder', (at, end) => join(at, 'weg', `uit.${end}`), /folder does not exist/, /weg/],
];

describe.each(['xlsx', 'html'])(
  'a place of a result or report (%s) is refused, and nothing is changed',
  (end) => {
    test.each(PLACES)('as it is %s', async (_, make, ofResult, ofReport) => {
      const folder = tempFolder();
      const [input, result] = [join(folder, `in.${end}`), join(folder, 'r.xlsx')];
      for (const file of [input, result]) writeFileSync(file, 'invoer');
      mkdirSync(join(folder, 'map'));
      const target = make(folder, end);
      const before = readdirSync(folder);
      const report = end === 'html';
      await expect(
        report ? checkReport(target, input, result) : checkTarget(input, target),
      ).rejects.toMatchObject({
        exit: EXIT.usage,
        message: expect.stringMatching(report ? ofReport : ofResult),
        next: expect.any(String),
      });
      expect(readdirSync(folder)).toEqual(before);
    });
  },
);

test('a workbook with macros has a result with macros', async () => {
  const folder = tempFolder();
  const input = join(folder, 'in.xlsm');
  writeFileSync(input, 'invoer');
  await checkTarget(input, join(folder, 'uit.xlsm'));
  await checkTarget(input, join(folder, 'uit.csv'));
  await expect(checkTarget(input, join(folder, 'uit.xlsx'))).rejects.toThrow('has macros');
});
