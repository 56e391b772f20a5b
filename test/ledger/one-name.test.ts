import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { tryLock } from '../../src/ledger/lock.ts';
import { readMark } from '../../src/ledger/mark.ts';
import { lookInto, openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { CLI, tempFolder } from '../helpers/run-cli.ts';

/** Two folders, and a ledger in the first. */
async function twoFolders() {
  const folder = tempFolder();
  const [one, other] = ['kantoor', 'keuken'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name, 'ledger.db');
  }) as [string, string];
  const ledger = openLedger(one);
  await ledger.rememberFact('s', 'name', 'value');
  await ledger.close();
  return { folder, one, other };
}

/** What opening or locking a ledger stops with. */
function stopOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const REFUSED = (what: RegExp) =>
  expect.objectContaining({ exit: EXIT.usage, message: expect.stringMatching(what) });

describe('a ledger that can be reached in two folders', () => {
  test.each([
    ['opened', (file: string) => openLedger(file)],
    ['locked', (file: string) => tryLock(file)],
  ])('by a hard link is %s by neither of its names', async (_, work) => {
    const { one, other } = await twoFolders();
    linkSync(one, other);
    for (const file of [one, other]) expect(stopOf(() => work(file))).toEqual(REFUSED(/has 2 names/));
    expect(lookInto(one, readMark(one))?.stop).toEqual(REFUSED(/has 2 names/));
    rmSync(other);
    await openLedger(one).close();
  });

  test('by a hard link that is made while it is open is refused to whoever comes next', async () => {
    const { one, other } = await twoFolders();
    const ledger = openLedger(one);
    onTestFinished(async () => await ledger.close());
    linkSync(one, other);
    expect(stopOf(() => openLedger(other))).toEqual(REFUSED(/has 2 names/));
    expect(stopOf(() => tryLock(one))).toEqual(REFUSED(/has 2 names/));
  });

  test('as it was moved while a program has it open is refused in its new folder', async () => {
    const { one, other } = await twoFolders();
    const ledger = openLedger(one);
    onTestFinished(async () => await ledger.close());
    await ledger.rememberFact('s', 'name', 'later');
    renameSync(one, other);
    expect(stopOf(() => openLedger(other))).toEqual(REFUSED(/in use under another name/));
  });

  test.skipIf(!canMount())('as a single file that is mounted twice is refused at both mounts', async () => {
    const { folder, one } = await twoFolders();
    const script = `
      cd "$1"
      for name in a "b b"; do
        mkdir "$name"; touch "$name/ledger.db"; mount --bind "$2" "$name/ledger.db"
        "$3" "$4" runs --ledger "$name/ledger.db" 2>&1; echo "exit $?"
      done`;
    const { stdout } = spawnSync('unshare', [
      '-rm',
      'sh',
      '-c',
      script,
      'sh',
      folder,
      one,
      process.execPath,
      CLI,
    ]);
    expect(stdout.toString().match(/is mounted as a single file/g)).toHaveLength(2);
    expect(stdout.toString().match(/exit 2/g)).toHaveLength(2);
  });

  test('leaves one that two programs open by its one name to both', async () => {
    const { one } = await twoFolders();
    const before = readFileSync(one);
    const first = openLedger(one);
    const second = openLedger(one);
    expect(await second.findFact('s', 'name')).toBe('value');
    await second.close();
    await first.close();
    expect(readFileSync(one)).toEqual(before);
  });
});

/** Whether this user may mount in a space of its own. */
function canMount(): boolean {
  return (
    process.platform === 'linux' &&
    spawnSync('unshare', ['-rm', 'mount', '--bind', '/tmp', '/mnt']).status === 0
  );
}
