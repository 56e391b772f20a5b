import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { type LedgerLock, lockLedger } from '../../src/ledger/lock.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { endProgram, endWithTest } from '../helpers/programs.ts';
import { tempFolder } from '../helpers/run-cli.ts';

const LOCK = new URL('../../dist/ledger/lock.js', import.meta.url).href;
const TIME = new URL('../../dist/core/time.js', import.meta.url).href;

const freshFile = (): string => join(tempFolder(), 'ledger.sqlite');

async function lock(file: string, options?: Parameters<typeof lockLedger>[2]): Promise<LedgerLock> {
  const taken = await lockLedger(file, systemTime, options);
  onTestFinished(() => taken.release());
  return taken;
}

/** Someone who wants the lock too: how often it was told to wait, and whether it has the lock by now. */
interface Waiter {
  told: number;
  taken: boolean;
  readonly done: Promise<LedgerLock>;
}

/** Starts waiting for the lock; resolves once it was told so. */
async function waitFor(file: string, signal?: AbortSignal): Promise<Waiter> {
  return await new Promise((resolve, reject) => {
    const waiter = { told: 0, taken: false };
    const onWait = async (): Promise<void> => {
      waiter.told += 1;
      // Not before `done` is there.
      await null;
      resolve(Object.assign(waiter, { done }));
    };
    const done = lock(file, { signal, onWait });
    done.then(() => {
      waiter.taken = true;
      reject(new Error('nothing to wait for'));
    }, reject);
  });
}

/** Another program that has the lock until it is killed. */
async function otherProgram(file: string): Promise<{ kill(): Promise<void> }> {
  const script = `
    const { lockLedger } = await import(${JSON.stringify(LOCK)});
    const { systemTime } = await import(${JSON.stringify(TIME)});
    globalThis.lock = await lockLedger(${JSON.stringify(file)}, systemTime);
    console.log('locked');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTest(child);
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    once(child, 'exit').then(() => {
      throw new Error('the other program did not take the lock');
    }),
  ]);
  return {
    kill: () => endProgram(child),
  };
}

describe('the lock of a ledger', () => {
  test('is taken at once when nobody has it, and again once it is released', async () => {
    const file = freshFile();
    const onWait = async (): Promise<void> => expect.fail('told to wait');
    for (let times = 0; times < 3; times += 1) (await lock(file, { onWait })).release();
  });

  test('makes a second program wait until the first releases it, and says so once', async () => {
    const file = freshFile();
    const first = await lock(file);
    const second = await waitFor(file);
    await sleep(600);
    expect(second).toMatchObject({ told: 1, taken: false });
    first.release();
    await second.done;
    expect(second.told).toBe(1);
  });

  test('is waited for without anyone to tell', async () => {
    const file = freshFile();
    const first = await lock(file);
    const second = lock(file);
    first.release();
    await expect(second).resolves.toBeDefined();
  });

  test('is held by one program at a time', async () => {
    const file = freshFile();
    let having = 0;
    const most: number[] = [];
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        const taken = await lock(file);
        having += 1;
        most.push(having);
        await sleep(5);
        having -= 1;
        taken.release();
      }),
    );
    expect(most).toEqual([1, 1, 1]);
  });

  test('released twice, is not taken from who has it by then', async () => {
    const file = freshFile();
    const first = await lock(file);
    first.release();
    await lock(file);
    first.release();
    const third = await waitFor(file);
    expect(third.taken).toBe(false);
  });

  test.each([
    ['an error', new Error('Ctrl-C')],
    ['a word', 'genoeg'],
  ])('is waited for until the signal says otherwise, with its reason: %s', async (_, reason) => {
    const file = freshFile();
    const first = await lock(file);
    const stop = new AbortController();
    const second = await waitFor(file, stop.signal);
    stop.abort(reason);
    await expect(second.done).rejects.toBe(reason);
    first.release();
    await lock(file, { onWait: async () => expect.fail('the one that gave up has it') });
  });

  test('is not waited for after the signal was aborted', async () => {
    const file = freshFile();
    await lock(file);
    const reason = new Error('Ctrl-C');
    await expect(lock(file, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('is not taken when telling about the wait fails', async () => {
    const file = freshFile();
    const first = await lock(file);
    const refused = new Error('no list of runs');
    await expect(lock(file, { onWait: () => Promise.reject(refused) })).rejects.toBe(refused);
    first.release();
    await lock(file, { onWait: async () => expect.fail('the one that failed has it') });
  });

  test('is separate for each ledger', async () => {
    await lock(freshFile());
    await lock(freshFile(), { onWait: async () => expect.fail('told to wait') });
  });

  test('keeps nobody from reading and writing the ledger', async () => {
    const file = freshFile();
    await lock(file);
    const ledger = openLedger(file);
    onTestFinished(() => ledger.close());
    await ledger.rememberFact('s', 'name', 'value');
    expect(await ledger.findFact('s', 'name')).toBe('value');
  });

  test('of a ledger in memory is never waited for, and leaves no file', async () => {
    const onWait = async (): Promise<void> => expect.fail('told to wait');
    const taken = [await lock(':memory:'), await lock(':memory:', { onWait })];
    for (const { release } of taken) release();
    expect(existsSync(':memory:-lock')).toBe(false);
  });

  test('is free once the program that had it is killed', async () => {
    const file = freshFile();
    const other = await otherProgram(file);
    const here = await waitFor(file);
    await sleep(300);
    expect(here).toMatchObject({ told: 1, taken: false });
    await other.kill();
    await here.done;
  });
});
