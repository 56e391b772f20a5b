import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { tryLock } from '../../src/ledger/lock.ts';
import { readMark } from '../../src/ledger/mark.ts';
import { refuseOtherNames } from '../../src/ledger/one-name.ts';
import { lookInto, openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** What the kernel says of the mounts of this machine; empty: what is so. */
const mounts = vi.hoisted(() => ({ text: '' }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const readFileSync = (path: string, ...rest: [BufferEncoding]): string =>
    path === '/proc/self/mountinfo' && mounts.text !== '' ? mounts.text : fs.readFileSync(path, ...rest);
  return { ...fs, readFileSync };
});

/** Two folders, and a ledger in the first. */
async function twoFolders() {
  const folder = tempFolder();
  const [one = '', other = ''] = ['kantoor', 'keuken'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name, 'ledger.db');
  });
  await openLedger(one).close();
  return { folder, one, other };
}

const refused = (what: RegExp) =>
  expect.objectContaining({ exit: EXIT.usage, message: expect.stringMatching(what) });

test('a ledger that has two names is opened and locked by neither of them, also where the second comes later', async () => {
  const { one, other } = await twoFolders();
  const ledger = openLedger(one);
  linkSync(one, other);
  for (const file of [one, other])
    for (const work of [openLedger, tryLock]) expect(() => work(file)).toThrow(refused(/has 2 names/));
  expect(lookInto(one, readMark(one))?.stop).toEqual(refused(/has 2 names/));
  rmSync(other);
  // One name may be opened by two programs.
  await openLedger(one).close();
  await ledger.close();
});

test('a ledger that was moved while a program has it open is refused in its new folder', async () => {
  const { one, other } = await twoFolders();
  const ledger = openLedger(one);
  onTestFinished(() => ledger.close());
  await ledger.rememberFact('s', 'name', 'later');
  renameSync(one, other);
  // It may take a while to be opened by the same name.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => openLedger(other)).toThrow(refused(/in use under another name/));
});

test.skipIf(process.platform !== 'linux')(
  'a ledger that is mounted as a single file is refused',
  async () => {
    const { folder, one } = await twoFolders();
    mounts.text = `36 35 98:0 /x ${folder} rw - ext4 /dev/sda rw\n`;
    refuseOtherNames(one);
    mounts.text += `37 36 98:0 /y ${one.replace('kantoor', '\\153antoor')} rw - ext4 /dev/sda rw\n`;
    expect(() => refuseOtherNames(one)).toThrow(refused(/is mounted as a single file/));
  },
);
