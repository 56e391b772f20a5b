import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'libsql';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { fnv1a, hashOf } from '../../src/ledger/hash-index.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { APPLICATION_ID, OLDEST, renew } from '../../src/ledger/schema.ts';
import { openDatabase, openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { VERSION } from '../../src/ledger/tables.ts';
import { openWriter } from '../../src/ledger/writer.ts';
import { holdDisk } from '../helpers/hold-disk.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { describeLedger } from './conformance.ts';
import { many, plannedRow, RUN, SENDING, STARTED } from './fixtures.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'catersheet-ledger-'));
const opened: Ledger[] = [];
let count = 0;

const freshFile = (): string => join(FOLDER, `${++count}.sqlite`);

function open(file: string): Ledger {
  const ledger = openLedger(file);
  opened.push(ledger);
  return ledger;
}

afterAll(async () => {
  for (const ledger of opened) await ledger.close();
  removeFolder(FOLDER);
});

describeLedger('a SQLite file', () => {
  const file = freshFile();
  return { open: async () => open(file) };
});

function stopped(file: string): StopError {
  try {
    open(file);
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
  throw new Error(`${file} was opened`);
}

/** Changes a file behind the ledger's back. */
function tamper(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe('opening a ledger', () => {
  test('makes the folders on the way, and one of an empty file', () => {
    const empty = freshFile();
    writeFileSync(empty, '');
    for (const file of [join(FOLDER, 'nieuw', 'dieper', 'ledger.sqlite'), empty]) {
      open(file);
      expect(statSync(file).size).toBeGreaterThan(0);
    }
  });

  const dated = (version: number): string => {
    const file = freshFile();
    const own = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${version}`;
    tamper(file, `create table kept (a); ${own}`);
    return file;
  };
  const written = (text: string): string => {
    const file = freshFile();
    writeFileSync(file, text);
    return file;
  };
  test.each<[string, string, () => string]>([
    ['a ledger of a newer version', 'newer', () => dated(VERSION + 1)],
    ['one of before the first release', 'before its first release', () => dated(OLDEST - 1)],
    ['a folder', '', () => FOLDER],
    ['a workbook', '', () => written(`PK\u0003\u0004${'x'.repeat(5000)}`)],
    ['a text', '', () => written('geen database'.repeat(100))],
    ['a file under a file', '', () => join(written(''), 'ledger.sqlite')],
  ])('%s is refused by its name, with the way on, and left as it is', (_, words, make) => {
    const file = make();
    const { exit, message, next } = stopped(file);
    expect([exit, message, next]).toEqual([
      EXIT.usage,
      expect.stringContaining(file),
      expect.stringContaining('--ledger'),
    ]);
    expect(message).toContain(words);
    if (words === '') return;
    const db = new Database(file);
    expect(db.prepare('select name from sqlite_master').all()).toEqual([{ name: 'kept' }]);
    db.close();
  });

  test.each(['', `pragma application_id = 7; pragma user_version = ${VERSION}`])(
    'a database of another program is refused and left alone: %j',
    (sql) => {
      const file = freshFile();
      tamper(file, `create table recepten (naam text); ${sql}`);
      const before = readFileSync(file);
      expect(stopped(file)).toMatchObject({ message: expect.stringContaining('another program') });
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test('a row that is about to be sent says so on disk at once, before what waits', async () => {
    const file = freshFile();
    const ledger = open(file);
    await ledger.startRun({ run: 'een', service: 's', file: 'f', startedAt: '2027-04-28 11:30:00' });
    await ledger.savePlan('een', [plannedRow(0), plannedRow(1)]);
    await ledger.intend('een', 1, SENDING);
    const waiting = ledger.saveRow('een', 0, { progress: SENDING });
    ledger.markSending('een', 1, SENDING);
    const db = new Database(file, { readonly: true });
    const held = (): unknown => db.prepare('select seq, progress from states').all();
    const sending = (seq: number) => ({ seq, progress: JSON.stringify(SENDING) });
    expect(held()).toEqual([sending(1)]);
    await waiting;
    expect(held()).toEqual([sending(0), sending(1)]);
    db.close();
  });

  test('a row that was held before this machine was started may be out: what told it may be lost', async () => {
    const file = freshFile();
    const ledger = open(file);
    await ledger.startRun(STARTED);
    await ledger.savePlan(RUN, [plannedRow(0)]);
    await ledger.intend(RUN, 0, SENDING);
    const db = new Database(file);
    db.exec(`update states set progress = json_set(progress, '$.held', progress ->> '$.held' - 60)`);
    db.close();
    const [row] = await open(file).readRows(RUN, { after: -1, limit: 1 });
    expect(row?.progress).toStrictEqual(SENDING);
  });
});

test('a plan keeps records apart whose keys have the same hash', async () => {
  const [one, other] = ['id:56309', 'id:920042'];
  expect(hashOf(one, fnv1a('packages '))).toBe(hashOf(other, fnv1a('packages ')));
  const ledger = open(freshFile());
  await ledger.startRun(STARTED);
  await ledger.savePlan(
    RUN,
    many(4, (seq) => ({ key: seq % 2 === 0 ? one : other })),
  );
  const places = async (key: string) => (await ledger.plannedFor(RUN, 'packages', key)).map(({ seq }) => seq);
  expect([await places(one), await places(other)]).toEqual([
    [0, 2],
    [1, 3],
  ]);
});

describe('writes of one moment', () => {
  test('are answered once they are committed, and durable ones once they are on the disk', async () => {
    const file = freshFile();
    const db = openDatabase(file);
    const { write, writeNow, settled } = openWriter(db, file);
    const disk = holdDisk();
    const done: string[] = [];
    const note = (name: string, durable: boolean): void =>
      void write(insertInto(db, name), durable).then(() => done.push(name));
    const held = (): unknown[] =>
      db
        .prepare('select name from facts order by name')
        .all()
        .map((row) => (row as { name: string }).name);
    note('a durable', true);
    note('b not', false);
    await disk.asked(1);
    expect([done, held()]).toEqual([['b not'], ['a durable', 'b not']]);
    // What waits for the disk anyway is committed once that has done what it is at; all else at once.
    note('c durable', true);
    await turn();
    expect(held()).toHaveLength(2);
    note('d not', false);
    await turn();
    expect([done, held().length]).toEqual([['b not', 'd not'], 4]);
    writeNow(insertInto(db, 'e now'));
    expect(held()).toHaveLength(5);
    // What was committed while the disk was at it waits for the next time.
    disk.release();
    await disk.asked(2);
    expect(done).toEqual(['b not', 'd not', 'a durable']);
    disk.release();
    await settled();
    await turn();
    expect(done).toEqual(['b not', 'd not', 'a durable', 'c durable']);
    db.close();
  });

  test('are told of beside the ledger once they are on the disk: a power cut before that leaves one that opens', async () => {
    const file = freshFile();
    const ledger = open(file);
    await ledger.startRun(STARTED);
    const post = async (fingerprint: string): Promise<unknown> =>
      await ledger.claimPosting('s', 'packages', {
        ...{ fingerprint, run: RUN, seq: 0, state: 'sending', at: '', id: null },
      });
    await post('first');
    // The mark goes up once a second.
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 1100);
    onTestFinished(() => void vi.restoreAllMocks());
    const after = freshFile();
    for (const end of ['', '-wal']) copyFileSync(file + end, after + end);
    const disk = holdDisk();
    const posting = post('second');
    await disk.asked(1);
    await turn();
    copyFileSync(`${file}.mark`, `${after}.mark`);
    disk.end();
    await posting;
    await turn();
    expect(readFileSync(`${file}.mark`, 'utf8')).not.toBe(readFileSync(`${after}.mark`, 'utf8'));
    expect((await open(after).findPostings('s', 'packages', ['first', 'second'])).size).toBe(1);
  });

  test('end with one sentence where the disk gives errors, and are not tried again', async () => {
    const file = freshFile();
    const db = openDatabase(file);
    const { write } = openWriter(db, file);
    const disk = holdDisk();
    const first = write(insertInto(db, 'a'), true).catch((error: unknown) => error);
    await disk.asked(1);
    disk.release(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    const stop = { exit: EXIT.usage, message: `The disk that holds the ledger ${file} gives errors.` };
    expect(await first).toMatchObject(stop);
    expect(await write(insertInto(db, 'b')).catch((error: unknown) => error)).toMatchObject(stop);
    db.close();
  });

  test('end with one sentence where the file has no more room, and are not tried again', async () => {
    const file = freshFile();
    const db = openDatabase(file);
    const { write, writeNow } = openWriter(db, file);
    const grow = db.prepare("insert into facts (service, name, value) values ('s', ?, ?)");
    await write(() => grow.run('klein', 'past'));
    // What SQLite says of a full disk, at the size that the file has.
    db.exec(
      `pragma max_page_count = ${Object.values(db.prepare('pragma page_count').all()[0] as object)[0]}`,
    );
    const much = 'x'.repeat(100_000);
    const together = await Promise.allSettled(
      ['een', 'twee'].map((name) => write(() => grow.run(name, much))),
    );
    let tried = false;
    const attempt = (): void => {
      tried = true;
    };
    const after = await write(attempt).catch((error: unknown) => error);
    const stop = { exit: EXIT.usage, message: `The disk that holds the ledger ${file} is full.` };
    expect(together.map((one) => ('reason' in one ? one.reason : one))).toMatchObject([stop, stop]);
    expect(after).toMatchObject(stop);
    expect(() => writeNow(attempt)).toThrow(stop.message);
    expect(tried).toBe(false);
    expect(db.prepare('select name from facts').all()).toMatchObject([{ name: 'klein' }]);
    db.close();
  });
});

const insertInto = (db: ReturnType<typeof openDatabase>, name: string) => (): void =>
  void db.prepare("insert into facts (service, name, value) values ('s', ?, '')").run(name);

/** A turn of the event loop, and what it began. */
const turn = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
};

test('a ledger is made once by two programs that begin it at one moment, and a write waits for the other one', async () => {
  const file = freshFile();
  const script = `
    const { parentPort, workerData } = require('node:worker_threads');
    const Database = require('libsql');
    const db = new Database(workerData.file);
    db.exec('pragma journal_mode = wal; begin immediate;');
    parentPort.postMessage('locked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    db.exec(workerData.sql + '; commit;');
    db.close();
  `;
  const key = "insert into keys values ('s', 'packages', 1, 10, 'Lunch')";
  const model = new Database(':memory:');
  renew(model);
  const made = model.prepare('select sql from sqlite_master where sql is not null').all() as {
    sql: string;
  }[];
  model.close();
  const own = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${VERSION}`;
  const sql = `${made.map((one) => one.sql).join(';')}; ${own}; ${key}`;
  const worker = new Worker(script, { eval: true, workerData: { file, sql } });
  const done = once(worker, 'exit');
  await Promise.race([once(worker, 'message'), done]);
  const ledger = open(file);
  await ledger.rememberKeys('s', 'packages', [{ external: 2, id: 20 }]);
  await done;
  expect([...(await ledger.findKeys('s', 'packages', [1, 2])).values()]).toEqual([
    { external: 1, id: 10, label: 'Lunch' },
    { external: 2, id: 20, label: null },
  ]);
});
