import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { systemTime } from '../../../src/core/time.ts';
import { keepCopy, keepDailyCopy, listCopies } from '../../../src/ledger/copies.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { many, outcomeOf, RUN, STARTED } from '../../ledger/fixtures.ts';
import { Random } from '../../second-service/random.ts';

const MODULE = new URL('../../../dist/ledger/sqlite-ledger.js', import.meta.url).href;
const READER = join(import.meta.dirname, '../../ledger/damaged-reader.mjs');
const WRITER = join(import.meta.dirname, '../../ledger/killed-writer.mjs');

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
  await Promise.all(many(300).map(({ seq }) => ledger.saveRow(RUN, seq, { outcome: outcomeOf(seq) })));
  await ledger.updateRun(RUN, { details: { sheets: ['Pakketten'] } });
  await ledger.close();
  await post(file, 'f1');
  return file;
}

const change = (file: string, how: (bytes: Buffer) => Buffer): void =>
  writeFileSync(file, how(readFileSync(file)));

describe('a ledger that was damaged stops the program with what is wrong and what can be done', () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ['is empty', (file) => writeFileSync(file, ''), /is empty, but held runs: 1, the last/],
    ['is gone', (file) => rmSync(file), /is gone, but held runs: 1/],
    ['is cut off', (file) => change(file, (all) => all.subarray(0, 9000)), /is damaged/],
    ['is another file', (file) => writeFileSync(file, 'geen'.repeat(99)), /is damaged .*not a database/],
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
    keepCopy(file, systemTime.now());
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
      const random = new Random(seed);
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

describe('a ledger whose mark is out of step, though nothing of it was lost, opens as ever', () => {
  const CHANGES: readonly (readonly [string, (file: string) => void])[] = [
    [
      'has no mark, as one of an earlier release or one that was copied alone',
      (file) => rmSync(`${file}.mark`),
    ],
    ['has an empty mark, after a power cut', (file) => writeFileSync(`${file}.mark`, '')],
    ['has a mark of garbage', (file) => writeFileSync(`${file}.mark`, 'geen json')],
    ['has a mark of another form', (file) => writeFileSync(`${file}.mark`, '{"generation":"9"}')],
    [
      'has a folder for a mark',
      (file) => {
        rmSync(`${file}.mark`);
        mkdirSync(`${file}.mark`);
      },
    ],
    [
      'has an earlier mark, as its disk was full',
      (file) => writeFileSync(`${file}.mark`, '{"generation":0}'),
    ],
    ['lost its -shm', (file) => writeFileSync(`${file}-shm`, 'geen')],
  ];

  test(`where it ${CHANGES.map(([what]) => what).join('; ')}`, async () => {
    const whole = await realLedger();
    const files = CHANGES.map(([, change]) => {
      const file = join(tempFolder(), 'ledger.db');
      for (const end of ['', '.mark']) copyFileSync(whole + end, file + end);
      change(file);
      return file;
    });
    const open = files.map(() => ({ exit: 0, found: 1 }));
    expect(ends(files)).toEqual(open);
    // What they wrote now is in step again.
    expect(ends(files)).toEqual(open);
  });

  test('whenever its program was killed while it made it, or wrote to it', async () => {
    const file = join(tempFolder(), 'ledger.db');
    for (let kill = 0; kill < Number(process.env.KILLS ?? 5); kill++) {
      const child = spawn(process.execPath, [WRITER, MODULE, file, String(kill)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const done: Promise<unknown> = once(child, 'exit');
      // The first ones while it is made, the others while it writes.
      if (kill > 2) await once(child.stdout, 'data');
      await sleep(kill > 2 ? (kill * 37) % 200 : 60 + 25 * kill);
      child.kill('SIGKILL');
      await done;
      expect(endOf(file)).toMatchObject({ exit: 0 });
    }
    rmSync(`${file}.mark`, { force: true });
    expect(endOf(file)).toMatchObject({ exit: 0 });
  });
});

describe('a ledger whose -wal file is not its own', () => {
  /** A ledger as a kill leaves it: the last posting is in its -wal alone. */
  async function killedLedger(): Promise<string> {
    const file = await realLedger();
    const ledger = openLedger(file);
    await ledger.claimPosting('s', 'stock', {
      ...{ fingerprint: 'f2', run: RUN, seq: 2, state: 'sending', at: '2027-04-28 11:31:00', id: null },
    });
    const copy = join(tempFolder(), 'ledger.db');
    for (const end of ['', '-wal', '.mark']) copyFileSync(file + end, copy + end);
    await ledger.close();
    return copy;
  }

  test('is read with it where it is its own', async () => {
    expect(endOf(await killedLedger())).toEqual({ exit: 0, found: 2 });
  });

  test('stops where it is missing', async () => {
    const file = await killedLedger();
    rmSync(`${file}-wal`);
    expect(endOf(file)).toMatchObject({ exit: 2, message: expect.stringContaining('-wal file is missing') });
  });

  test('stops where it is garbage, or cut off', async () => {
    for (const how of [() => Buffer.from('geen'.repeat(999)), (all: Buffer) => all.subarray(0, 500)]) {
      const file = await killedLedger();
      change(`${file}-wal`, how);
      expect(endOf(file)).toMatchObject({ exit: 2 });
    }
  });

  test('stops where it is of another ledger', async () => {
    const [file, other] = [await killedLedger(), join(tempFolder(), 'ledger.db')];
    const ledger = openLedger(other);
    await ledger.startRun(STARTED);
    copyFileSync(`${other}-wal`, `${file}-wal`);
    await ledger.close();
    expect(endOf(file)).toMatchObject({ exit: 2 });
  });
});

describe('the copies that are kept of a ledger by themselves', () => {
  test('are the newest two, one a day', async () => {
    const file = await realLedger();
    mkdirSync(`${file}.copies`);
    const before = Array.from({ length: 9 }, (_, day) =>
      join(`${file}.copies`, `2025-01-1${day}T09-00-00.db`),
    );
    for (const copy of before) copyFileSync(file, copy);
    writeFileSync(join(`${file}.copies`, 'mine.txt'), '');
    keepDailyCopy(file, systemTime.now());
    keepDailyCopy(file, systemTime.now());
    const kept = listCopies(file);
    expect(kept).toHaveLength(2);
    expect(kept.slice(1)).toEqual(before.slice(8));
    expect(existsSync(join(`${file}.copies`, 'mine.txt'))).toBe(true);
  });

  test('are two of a ledger that is large, one a week', async () => {
    const file = await realLedger();
    const db = new Database(file);
    db.exec(`insert into facts values ('x', 'x', replace(hex(zeroblob(130000000)), '0', 'x'))`);
    db.close();
    const told: string[] = [];
    const keep = (): void => keepDailyCopy(file, systemTime.now(), ({ en }) => told.push(en));
    const at = (days: number): string =>
      join(
        `${file}.copies`,
        `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T09-00-00.db`,
      );
    mkdirSync(`${file}.copies`);
    for (const days of [6, 20, 30]) writeFileSync(at(days), '');
    keep();
    expect([told, listCopies(file)]).toEqual([[], [6, 20, 30].map(at)]);
    rmSync(at(6));
    writeFileSync(at(7), '');
    keep();
    expect(told).toEqual([expect.stringContaining('The ledger is copied, once a week')]);
    expect(listCopies(file)).toEqual([expect.any(String), at(7)]);
  });

  test('are none of a ledger that is damaged, whose good copies stay', async () => {
    const file = await realLedger();
    keepCopy(file, systemTime.now());
    change(file, (all) => all.fill(0xff, all.indexOf('Pakketten'), all.indexOf('Pakketten') + 3));
    await sleep(1000);
    expect(() => keepCopy(file, systemTime.now())).toThrow(/is no text/);
    expect(listCopies(file)).toHaveLength(1);
    expect(readdirSync(`${file}.copies`)).toHaveLength(1);
  });
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a ledger that may not be read stops the program, and says so',
  async () => {
    const file = await realLedger();
    chmodSync(file, 0);
    expect(endOf(file)).toMatchObject({ exit: 2, message: expect.stringContaining('not allowed') });
  },
);
