import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { resultPath } from '../../../src/files/file-name.ts';
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
    expect(resultPath(join('map', input), undefined)).toBe(join('map', result));
  });
});

interface Case {
  readonly what: string;
  /** Answers the target for the input `in.xlsx` of a folder. */
  readonly make: (folder: string, input: string) => string;
  readonly says: RegExp;
}

const link = (from: string, to: string): string => {
  symlinkSync(from, to);
  return to;
};

const CASES: readonly Case[] = [
  { what: 'the input', make: (_, input) => input, says: /overwrite the input/ },
  {
    what: 'the input by a roundabout path',
    make: (at) => join(at, 'map', '..', 'in.xlsx'),
    says: /overwrite the input/,
  },
  ...(hasLinks
    ? [
        {
          what: 'the input by a link',
          make: (at: string, input: string) => link(input, join(at, 'uit.xlsx')),
          says: /overwrite the input/,
        },
      ]
    : []),
  {
    what: 'the input by its other name',
    make: (at, input) => {
      linkSync(input, join(at, 'uit.xlsx'));
      return join(at, 'uit.xlsx');
    },
    says: /overwrite the input/,
  },
  { what: 'an ending that nothing is written as', make: (at) => join(at, 'uit.pdf'), says: /\.pdf is none/ },
  { what: 'macros where the input has none', make: (at) => join(at, 'uit.xlsm'), says: /\.xlsm is none/ },
  { what: 'a missing folder', make: (at) => join(at, 'weg', 'uit.xlsx'), says: /folder does not exist/ },
];

describe('a target is refused, and nothing is changed, when it is', () => {
  test.each(CASES)('$what', async ({ make, says }) => {
    const folder = tempFolder();
    const input = join(folder, 'in.xlsx');
    writeFileSync(input, 'invoer');
    for (const name of ['map', 'map.xlsx']) mkdirSync(join(folder, name));
    const target = make(folder, input);
    const before = readdirSync(folder);
    await expect(checkTarget(input, target)).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringMatching(says),
      texts: { next: { nl: expect.stringMatching(/--out/) } },
    });
    expect(readdirSync(folder)).toEqual(before);
  });
});

test('a workbook with macros has a result with macros', async () => {
  const folder = tempFolder();
  const input = join(folder, 'in.xlsm');
  writeFileSync(input, 'invoer');
  await checkTarget(input, join(folder, 'uit.xlsm'));
  await checkTarget(input, join(folder, 'uit.csv'));
  await checkTarget(input, join(folder, 'uit.xlsx'), true);
  await expect(checkTarget(input, join(folder, 'uit.xlsx'))).rejects.toThrow('has macros');
});
