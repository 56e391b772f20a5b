import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { wholeFiles } from '../../src/files/incoming-files.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** A clock on which a wait takes no time, and something happens meanwhile. */
const meanwhile = (what: () => void) => ({ ...systemTime, sleep: async () => what() });

const windows = process.platform === 'win32';

test('of a folder the files are taken that stayed as they were, by name, and nothing else', async () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  for (const name of [
    'b.xlsx',
    'a.csv',
    'groeit.xlsx',
    'weg.csv',
    '~$a.xlsx',
    '.stil.csv',
    'x.xlsx.part',
    'y.tmp',
  ])
    writeFileSync(at(name), 'x');
  mkdirSync(at('map.xlsx'));
  if (!windows) symlinkSync('/etc/hostname', at('link.csv'));
  const time = meanwhile(() => {
    appendFileSync(at('groeit.xlsx'), 'y');
    rmSync(at('weg.csv'));
  });
  const { whole, unfinished } = await wholeFiles([folder], time);
  expect(whole).toEqual([at('a.csv'), at('b.xlsx')]);
  expect(unfinished).toEqual([at('groeit.xlsx'), at('weg.csv')]);
});

test('a file that is named and not there is left to who opens it, and a lock is none', async () => {
  const folder = tempFolder();
  const [missing, lock] = [join(folder, 'weg.xlsx'), join(folder, '~$week.xlsx')];
  writeFileSync(lock, 'x');
  const time = meanwhile(() => expect.unreachable('there is nothing to wait for'));
  expect(await wholeFiles([missing, lock], time)).toEqual({ whole: [missing], unfinished: [] });
});

test('an interruption while it is looked whether files are whole ends with its own reason', async () => {
  const file = join(tempFolder(), 'week.xlsx');
  writeFileSync(file, 'week');
  const reason = new Error('interrupted');
  await expect(wholeFiles([file], systemTime, AbortSignal.abort(reason))).rejects.toBe(reason);
});
