import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { moveTogether } from '../../src/files/incoming-files.ts';
import { tempFolder } from '../helpers/run-cli.ts';

function files(names: readonly string[]): readonly string[] {
  const folder = tempFolder();
  for (const name of names) writeFileSync(join(folder, name), name);
  return names.map((name) => join(folder, name));
}

test.each([
  ['an empty folder', [], ['week.xlsx', 'week.result.xlsx'], ['week.xlsx', 'week.result.xlsx']],
  [
    'one that has the file',
    ['week.xlsx'],
    ['week.xlsx', 'week.result.xlsx'],
    ['week-2.xlsx', 'week-2.result.xlsx'],
  ],
  [
    'one that has a result by its name',
    ['week.result.xlsx', 'week-2.xlsx'],
    ['week.xlsx', 'week.result.xlsx'],
    ['week-3.xlsx', 'week-3.result.xlsx'],
  ],
  ['a result of another name', [], ['week.xlsm', 'uitkomst.xlsx'], ['week.xlsm', 'week.uitkomst.xlsx']],
])(
  'files that belong together are moved into %s under one name, over no other',
  async (_, there, given, expected) => {
    const folder = tempFolder();
    for (const name of there) writeFileSync(join(folder, name), 'stays');
    const moved = await moveTogether(files(given), folder);
    expect(moved.map((file) => basename(file))).toEqual(expected);
    expect(moved.map((file) => readFileSync(file, 'utf8'))).toEqual(given);
    for (const name of there) expect(readFileSync(join(folder, name), 'utf8')).toBe('stays');
    expect(readdirSync(folder)).toHaveLength(there.length + given.length);
  },
);

test('a long name keeps room for what follows it', async () => {
  const folder = tempFolder();
  const long = 'é'.repeat(120);
  const moved = await moveTogether(files([`${long}.csv`]), folder);
  expect(Buffer.byteLength(basename(moved[0] ?? ''))).toBeLessThan(220);
});

test('a file that may not leave its folder is not left in the other one too', async () => {
  const [file = ''] = files(['week.xlsx']);
  const folder = tempFolder();
  const stays = () => Promise.reject(Object.assign(new Error(), { code: 'EACCES' }));
  await expect(moveTogether([file], folder, stays)).rejects.toMatchObject({ code: 'EACCES' });
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['week.xlsx', []]);
});
