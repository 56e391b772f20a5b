import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { isMountIn, tryLock } from '../../src/ledger/lock.ts';
import { readMark } from '../../src/ledger/mark.ts';
import { lookInto, openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { tempFolder } from '../helpers/run-cli.ts';

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

test('a file is known as a mount of its own, whatever blanks are in its path', () => {
  const mounts =
    '36 35 98:0 /x /srv rw - ext4 /dev/sda rw\n37 36 98:0 /y /srv/het\\040kantoor.db rw - ext4 /dev/sda rw\n';
  expect(['/srv/het kantoor.db', '/srv/keuken.db'].map((path) => isMountIn(mounts, path))).toEqual([
    true,
    false,
  ]);
});
