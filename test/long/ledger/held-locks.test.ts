import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemTime } from '../../../src/core/time.ts';
import { fileKind } from '../../../src/files/file-kind.ts';
import { readSmallText } from '../../../src/files/small-text.ts';
import { checkWritable, writeAtomically } from '../../../src/files/write-aside.ts';
import { locateFile } from '../../../src/kinds/document.ts';
import { copyLedger, keepCopy } from '../../../src/ledger/copies.ts';
import { putBack } from '../../../src/ledger/ledger-files.ts';
import { readMark } from '../../../src/ledger/mark.ts';
import { openAnyLedger } from '../../../src/ledger/open-ledger.ts';
import { lookInto, openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { openLog } from '../../../src/session/log.ts';
import { runCli, tempFolder } from '../../helpers/run-cli.ts';

const LOCK = new URL('../../../dist/ledger/lock.js', import.meta.url).href;

/** Whether another program gets the right to send now. */
function isFree(file: string): boolean {
  const script = `
    const { tryLock } = await import(${JSON.stringify(LOCK)});
    console.log(tryLock(${JSON.stringify(file)}) === null ? 'taken' : 'free');
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stderr.toString()).toBe('');
  return stdout.toString().trim() === 'free';
}

/** The files that SQLite keeps beside a ledger that is in use; it removes them once nobody uses it. */
const beside = (file: string): (bigint | undefined)[] =>
  ['-wal', '-shm'].map((end) => statSync(file + end, { bigint: true, throwIfNoEntry: false })?.ino);

const RUN = {
  ...{ run: '20261101-080000-aaaa', service: 'http://127.0.0.1:1/', file: 'a.xlsx' },
  startedAt: '2026-11-01T08:00:00.000Z',
};

/** A ledger that this process has open, with the right to send. */
async function held() {
  const folder = tempFolder();
  const file = join(folder, 'ledger.db');
  const opened = await openAnyLedger(file, systemTime);
  onTestFinished(async () => await opened.ledger.close());
  await opened.ledger.startRun(RUN);
  const right = await opened.lock();
  onTestFinished(async () => await right.release());
  return { ...opened, folder, file };
}

type Held = Awaited<ReturnType<typeof held>>;

/** What is done in a process that has a ledger open, also where a user names the ledger by mistake. */
const DONE: Readonly<Record<string, (ledger: Held) => unknown>> = {
  'opening it once more': async ({ file }) => await openLedger(file).close(),
  'looking whether another program sends': async ({ isLocked }) => expect(await isLocked()).toBe(true),
  'asking for the right to send': async ({ tryLock }) => expect(await tryLock()).toBeNull(),
  'looking into it': ({ file }) => expect(lookInto(file, readMark(file))?.holds?.runs).toBe(1),
  'keeping a copy of it': ({ file }) =>
    expect(lookInto(keepCopy(file, systemTime.now()))?.holds?.runs).toBe(1),
  'a backup of it': ({ file, folder }) => copyLedger(file, join(folder, 'backup.db')),
  'putting a copy in its place': ({ file }) => {
    const copy = keepCopy(file, systemTime.now());
    expect(() => putBack(file, copy)).toThrow(/uses the ledger/);
  },
  'importing it as a workbook': async ({ file }) => {
    expect(() => fileKind(file, false)).toThrow(/a database/);
    expect(() => fileKind(`${file}-shm`, true)).toThrow(/a database/);
  },
  'naming it as the log': ({ file, folder }) => {
    for (const end of ['', '-lock', '-shm'])
      expect(() => openLog({ file: file + end, folder, verbose: false, time: systemTime })).toThrow(
        /cannot be written/,
      );
  },
  'naming it as a token': ({ file }) => expect(() => readSmallText(file)).toThrow(/EBUSY/),
  'naming it as a result': async ({ file, folder }) => {
    const link = join(folder, 'result.xlsx');
    symlinkSync(file, link);
    expect(() => checkWritable(link)).toThrow(/has open/);
    await expect(writeAtomically(file, async () => {})).rejects.toThrow(/has open/);
  },
  'naming it as a document': async ({ folder }) =>
    expect(await locateFile(folder, 'ledger.db')).toHaveProperty('missing'),
};

test.skipIf(process.platform === 'win32')(
  'a ledger that is open keeps its locks, whatever its program does beside',
  async () => {
    const ledger = await held();
    const before = beside(ledger.file);
    expect(before).not.toContain(undefined);
    for (const [what, done] of Object.entries(DONE)) {
      await done(ledger);
      expect([what, isFree(ledger.file), beside(ledger.file)]).toEqual([what, false, before]);
    }
    const read = await runCli(['runs', '--ledger', ledger.file], { own: true });
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining(RUN.run) });
    expect(beside(ledger.file)).toEqual(before);
    await ledger.ledger.updateRun(RUN.run, { state: 'interrupted' });
    expect(lookInto(ledger.file, readMark(ledger.file))).toHaveProperty('holds');
  },
);

test('a ledger that is let go of can be put back, and its file read, again', async () => {
  const file = join(tempFolder(), 'ledger.db');
  const ledger = openLedger(file);
  await ledger.startRun(RUN);
  await ledger.close();
  expect(putBack(file, keepCopy(file, systemTime.now())).kept).toBeDefined();
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
  expect(() => fileKind(file, false)).toThrow(/a database/);
});

test('a ledger behind a link to nothing is made for its owner alone', async () => {
  const folder = tempFolder();
  const [link, file] = [join(folder, 'link.db'), join(folder, 'ledger.db')];
  symlinkSync('ledger.db', link);
  await openLedger(link).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
