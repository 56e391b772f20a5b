import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { keepCopy, listCopies } from '../../src/ledger/copies.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { randomFrom } from '../campaigns/fuzz/random.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { many, outcomeOf, RUN, STARTED } from './fixtures.ts';

const MODULE = new URL('../../dist/ledger/sqlite-ledger.js', import.meta.url).href;
const READER = join(import.meta.dirname, 'damaged-reader.mjs');

interface End {
  readonly exit: number;
  readonly found?: number;
  readonly message?: string;
  readonly next?: string;
}

/** What becomes of each of these ledgers, in a process of its own. */
function ends(files: readonly string[]): End[] {
  const text = execFileSync(process.execPath, [READER, MODULE, ...files], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as End);
}

const endOf = (file: string): End => ends([file])[0] as End;

async function post(file: string, ...names: readonly string[]): Promise<void> {
  const ledger = openLedger(file);
  for (const fingerprint of names)
    await ledger.claimPosting('s', 'stock', {
      ...{ fingerprint, run: RUN, seq: 1, state: 'sending' as const, at: '2027-04-28 11:31:00', id: null },
    });
  await ledger.close();
}

/** A ledger with a run, its rows and a posting, closed. */
async function realLedger(folder = tempFolder()): Promise<string> {
  const file = join(folder, 'ledger.db');
  const ledger = openLedger(file);
  await ledger.startRun(STARTED);
  await ledger.savePlan(RUN, many(300));
  await ledger.saveOutcomes(
    RUN,
    many(300).map(({ seq }) => outcomeOf(seq)),
  );
  await ledger.saveDetails(RUN, { sheets: ['Pakketten'] });
  await ledger.close();
  await post(file, 'f1');
  return file;
}

const change = (file: string, how: (bytes: Buffer) => Buffer): void =>
  writeFileSync(file, how(readFileSync(file)));

describe('a ledger that was damaged stops the program with what is wrong and what can be done', () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ['is empty', (file) => writeFileSync(file, ''), /is empty, but held 1 runs, the last/],
    ['is gone', (file) => rmSync(file), /is gone, but held 1 runs/],
    ['is cut off', (file) => change(file, (all) => all.subarray(0, 9000)), /is damaged/],
    ['is another file', (file) => writeFileSync(file, 'geen'.repeat(99)), /is damaged .*not a database/],
    [
      'has a damaged header',
      (file) => change(file, (all) => all.fill(7, 0, 100)),
      /is damaged .*not a database/,
    ],
    ['has a page of zeros', (file) => change(file, (all) => all.fill(0, 4096, 8192)), /is damaged/],
    [
      'holds a text that is no UTF-8',
      (file) => change(file, (all) => all.fill(0xff, all.indexOf('Pakketten'), all.indexOf('Pakketten') + 3)),
      /is damaged/,
    ],
    [
      'lacks a table',
      (file) => {
        const db = new Database(file);
        db.exec('drop table facts');
        db.close();
      },
      /is damaged/,
    ],
  ])('where it %s', async (_, damage, words) => {
    const file = await realLedger();
    damage(file);
    const { exit, message, next } = endOf(file);
    expect({ exit, message }).toEqual({ exit: 2, message: expect.stringMatching(words) });
    expect(next).toContain('Nothing is sent');
  });

  test('where it was put back as it was before the last posting, which would go twice', async () => {
    const file = await realLedger();
    copyFileSync(file, `${file}.earlier`);
    await post(file, 'f2');
    expect(endOf(file)).toEqual({ exit: 0, found: 2 });
    copyFileSync(`${file}.earlier`, file);
    expect(endOf(file)).toMatchObject({
      exit: 2,
      message: expect.stringContaining('lacks what was written last'),
    });
  });

  test('and names the newest copy, which can be put in its place', async () => {
    const file = await realLedger();
    keepCopy(file);
    const [copy = ''] = listCopies(file);
    writeFileSync(file, '');
    expect(endOf(file).next).toContain(copy);
    rmSync(`${file}.mark`);
    expect(endOf(file).exit).toBe(2);
    copyFileSync(copy, file);
    expect(endOf(file)).toEqual({ exit: 0, found: 1 });
  });

  test('but a ledger that was never sent with may be deleted without a word', async () => {
    const file = join(tempFolder(), 'ledger.db');
    await openLedger(file).close();
    rmSync(file);
    expect(endOf(file)).toEqual({ exit: 0, found: 0 });
  });

  test('whatever bytes are flipped, zeroed or cut: never a crash, never a ledger that counts as new', async () => {
    const whole = await realLedger();
    const bytes = readFileSync(whole);
    const files = Array.from({ length: Number(process.env.FLIPS ?? 20) }, (_, seed) => {
      const random = randomFrom(seed);
      const folder = join(whole, `../${seed}`);
      mkdirSync(folder);
      const file = join(folder, 'ledger.db');
      let now = Buffer.from(bytes);
      if (random.oneIn(4)) now = now.subarray(0, random.below(now.length));
      else
        for (let left = 1 + random.below(30); left > 0; left--)
          now[random.below(random.oneIn(4) ? 200 : now.length)] = random.below(256);
      writeFileSync(file, now);
      copyFileSync(`${whole}.mark`, `${file}.mark`);
      return file;
    });
    const wrong = ends(files).filter(({ exit, found }) => exit !== 2 && (exit !== 0 || found !== 1));
    expect(wrong).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'a ledger, its mark and its copies are for their owner alone',
  async () => {
    const folder = join(tempFolder(), 'new');
    const old = process.umask(0o022);
    try {
      const file = await realLedger(folder);
      keepCopy(file);
      const modes = [folder, file, `${file}.mark`, ...listCopies(file), `${file}.copies`, `${file}-wal`]
        .filter((path) => existsSync(path))
        .map((path) => (statSync(path).mode & 0o777).toString(8));
      expect(modes.filter((mode) => mode !== '700' && mode !== '600')).toEqual([]);
    } finally {
      process.umask(old);
    }
  },
);
