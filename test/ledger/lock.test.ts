import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockLedger } from '../../src/ledger/lock.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { endProgram, endWithTest } from '../helpers/programs.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';

const freshFile = (): string => join(tempFolder(), 'ledger.sqlite');
const nobodyWaits = async (): Promise<void> => expect.fail('told to wait');

/** Those who want the lock of a file, and who has it. */
function openLocks(file = freshFile()) {
  const time = new VirtualTime();
  return {
    ...{ file, time },
    take: async (options?: Parameters<typeof lockLedger>[2]): ReturnType<typeof lockLedger> => {
      const taken = await lockLedger(file, time, options);
      onTestFinished(() => taken.release());
      return taken;
    },
  };
}

test('the lock of a ledger is one program’s until it is released, and the next one is told of the wait once', async () => {
  const { file, time, take } = openLocks();
  for (let times = 0; times < 2; times++) (await take({ onWait: nobodyWaits })).release();
  const first = await take();
  // It keeps nobody from reading and writing the ledger, and no other ledger from anything.
  const ledger = openLedger(file);
  await ledger.rememberFact('s', 'name', 'value');
  await ledger.close();
  await openLocks().take({ onWait: nobodyWaits });
  let [told, has] = [0, 0];
  const most: number[] = [];
  const others = Array.from({ length: 3 }, async () => {
    const taken = await take({ onWait: async () => void told++ });
    most.push(++has);
    await time.sleep(5);
    has--;
    taken.release();
    // Released twice, it is not taken from who has it by then.
    taken.release();
  });
  await time.sleep(3000);
  expect([told, most]).toEqual([3, []]);
  first.release();
  await Promise.all(others);
  expect([told, most]).toEqual([3, [1, 1, 1]]);
});

test('the lock is waited for until the signal says otherwise or nobody can be told, and then taken by none of them', async () => {
  const { take } = openLocks();
  const first = await take();
  const stop = new AbortController();
  const waiting = take({ signal: stop.signal, onWait: async () => stop.abort('genoeg') });
  await expect(waiting).rejects.toBe('genoeg');
  const reason = new Error('Ctrl-C');
  await expect(take({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(take({ onWait: () => Promise.reject(reason) })).rejects.toBe(reason);
  first.release();
  await take({ onWait: nobodyWaits });
});

test('a lock that can not be made is one sentence, and what to do', async () => {
  const { file, take } = openLocks();
  mkdirSync(`${file}-lock`);
  await expect(take()).rejects.toMatchObject({
    ...{ exit: 2, message: `The file ${file}-lock can’t be locked: it is a folder.` },
    next: 'Mend that, or name another ledger (--ledger).',
  });
});

test('the lock of a ledger in memory is never waited for, and leaves no file', async () => {
  const { take } = openLocks(':memory:');
  for (const { release } of [await take(), await take({ onWait: nobodyWaits })]) release();
  expect(existsSync(':memory:-lock')).toBe(false);
});

test('the lock is free once the program that had it is killed', async () => {
  const { file, take } = openLocks();
  (await take()).release();
  const script = `
    const db = new (require('libsql'))(process.argv[1]);
    db.exec('begin exclusive');
    console.log('locked');
    setInterval(() => db, 1000);
  `;
  const other = spawn(process.execPath, ['-e', script, `${file}-lock`]);
  endWithTest(other);
  await once(other.stdout, 'data');
  let told = 0;
  const here = take({ onWait: async () => void told++ });
  await endProgram(other);
  await here;
  expect(told).toBe(1);
});
