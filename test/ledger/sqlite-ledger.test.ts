import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'libsql';
import { afterAll, describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { fnv1a, hashOf } from '../../src/ledger/hash-index.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { planStore } from '../../src/ledger/plan-store.ts';
import { postingStore } from '../../src/ledger/posting-store.ts';
import { rowStore } from '../../src/ledger/run-store.ts';
import { APPLICATION_ID, LAST_UNRELEASED, MIGRATIONS, SCHEMA_VERSION } from '../../src/ledger/schema.ts';
import { openDatabase, openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { openWriter, type Writer } from '../../src/ledger/writer.ts';
import { holdDisk } from '../helpers/hold-disk.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { describeLedger } from './conformance.ts';
import { many, plannedRow, RUN, SENDING, STARTED, seqs } from './fixtures.ts';

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
  return { durable: true, open: async () => open(file) };
});

describeLedger(':memory:', () => ({ durable: false, open: async () => open(':memory:') }));

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
  test('makes the folders on the way', () => {
    const file = join(FOLDER, 'nieuw', 'dieper', 'ledger.sqlite');
    open(file);
    expect(statSync(file).isFile()).toBe(true);
  });

  test('a ledger of a newer version is refused by name, and left as it is', async () => {
    const file = freshFile();
    await open(file).close();
    tamper(file, `pragma user_version = ${SCHEMA_VERSION + 1}`);
    const error = stopped(file);
    expect(error.exit).toBe(EXIT.usage);
    expect(error.message).toContain(file);
    expect(error.message).toContain('newer');
    expect(error.next).toContain('--ledger');
    tamper(file, `pragma user_version = ${SCHEMA_VERSION}`);
    await open(file).close();
  });

  test.each(Array.from({ length: LAST_UNRELEASED }, (_, at) => at + 1))(
    'a ledger of the unreleased schema version %i is refused with the way on, and left as it is',
    (version) => {
      const file = freshFile();
      tamper(
        file,
        `pragma application_id = ${APPLICATION_ID}; create table rows (run text, seq integer, plan text);
         insert into rows values ('een', 0, '{}'); pragma user_version = ${version}`,
      );
      const error = stopped(file);
      expect(error.exit).toBe(EXIT.usage);
      expect(error.message).toContain(file);
      expect(error.message).toContain('before its first release');
      expect(error.next).toContain('--ledger');
      const db = new Database(file);
      expect(db.prepare('select run, seq, plan from rows').all()).toEqual([
        { run: 'een', seq: 0, plan: '{}' },
      ]);
      expect(db.prepare('select name from sqlite_master').all()).toEqual([{ name: 'rows' }]);
      db.close();
    },
  );

  const made = (make: (path: string) => void) => () => {
    const path = freshFile();
    make(path);
    return path;
  };

  test.each([
    ['a folder', made((path) => mkdirSync(path))],
    ['a workbook', made((path) => writeFileSync(path, `PK\u0003\u0004${'x'.repeat(5000)}`))],
    ['a text', made((path) => writeFileSync(path, 'geen database'.repeat(100)))],
    [
      'under a file',
      () => {
        const path = freshFile();
        writeFileSync(path, '');
        return join(path, 'ledger.sqlite');
      },
    ],
  ])('%s cannot be a ledger', (_, make) => {
    const file = make();
    const error = stopped(file);
    expect(error.exit).toBe(EXIT.usage);
    expect(error.message).toContain(file);
    expect(error.next).toContain('--ledger');
    expect(error.cause).toBeDefined();
  });

  test('a database of another program is refused and left alone', () => {
    const file = freshFile();
    tamper(file, 'create table recepten (naam text)');
    const before = readFileSync(file);
    const error = stopped(file);
    expect(error.exit).toBe(EXIT.usage);
    expect(error.message).toContain('another program');
    expect(readFileSync(file).equals(before)).toBe(true);
    const db = new Database(file);
    expect(db.prepare('select name from sqlite_master').all()).toEqual([{ name: 'recepten' }]);
    db.close();
  });

  test('a database of another program with a version of its own is refused as well', () => {
    const file = freshFile();
    tamper(
      file,
      `create table record (id); pragma application_id = 7; pragma user_version = ${SCHEMA_VERSION}`,
    );
    expect(stopped(file).message).toContain('another program');
  });

  test('an empty file becomes one', () => {
    const file = freshFile();
    writeFileSync(file, '');
    open(file);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  test('a row that is about to be sent says so on disk at once, before what waits', async () => {
    const file = freshFile();
    const ledger = open(file);
    await ledger.startRun({ run: 'een', service: 's', file: 'f', startedAt: '2027-04-28 11:30:00' });
    await ledger.savePlan('een', [plannedRow(0), plannedRow(1)]);
    const waiting = ledger.saveProgress('een', 0, SENDING);
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
    await ledger.holdProgress(RUN, 0, SENDING);
    const db = new Database(file);
    db.exec(`update states set progress = json_set(progress, '$.held', progress ->> '$.held' - 60)`);
    db.close();
    const [row] = await ledger.readRows(RUN, { after: -1, limit: 1 });
    expect(row?.progress).toStrictEqual(SENDING);
  });
});

describe('a plan', () => {
  test.each([
    [1, 1],
    [500, 1],
    [501, 2],
    [1201, 3],
  ])('of %i rows in a row is stored in %i chunks', async (count, chunks) => {
    const file = freshFile();
    const ledger = open(file);
    await ledger.startRun(STARTED);
    await ledger.savePlan(RUN, many(count));
    const db = new Database(file, { readonly: true });
    expect(db.prepare('select 1 from chunks').all()).toHaveLength(chunks);
    db.close();
    expect(seqs(await ledger.readRows(RUN, { after: count - 3, limit: 9 })).at(-1)).toBe(count - 1);
  });

  test('keeps records apart whose keys have the same hash', async () => {
    const [one, other] = keysOfOneHash('packages');
    const ledger = open(':memory:');
    await ledger.startRun(STARTED);
    await ledger.savePlan(
      RUN,
      many(4, (seq) => ({ key: seq % 2 === 0 ? one : other })),
    );
    const places = async (key: string) =>
      (await ledger.plannedFor(RUN, 'packages', key)).map(({ seq }) => seq);
    expect(await places(one)).toEqual([0, 2]);
    expect(await places(other)).toEqual([1, 3]);
  });
});

/**
 * Two keys of a resource that the ledger's index can't tell apart: among some 80,000 there are mostly two.
 */
function keysOfOneHash(resource: string): [string, string] {
  const known = new Map<number, string>();
  for (let id = 0; ; id += 1) {
    const key = `id:${id}`;
    const hash = hashOf(key, fnv1a(`${resource} `));
    const other = known.get(hash);
    if (other !== undefined) return [other, key];
    known.set(hash, key);
  }
}

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
    await new Promise((resolve) => setTimeout(resolve, 1100));
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

  test('wait for the disk before a request that takes place anew each time', async () => {
    const file = freshFile();
    const db = openDatabase(file);
    const asked: boolean[] = [];
    const real = openWriter(db, file);
    const writer: Writer = {
      ...real,
      write(work, durable = false) {
        asked.push(durable);
        return real.write(work, durable);
      },
    };
    const plans = planStore(db, writer);
    const rows = rowStore(db, writer, plans);
    await plans.savePlan('een', [plannedRow(0)]);
    await rows.holdProgress('een', 0, SENDING);
    rows.markSending('een', 0, SENDING);
    const posting = { fingerprint: 'f', run: 'een', seq: 0, state: 'sending', at: '', id: null } as const;
    await postingStore(db, writer).claimPosting('s', 'packages', posting);
    db.close();
    expect(asked).toEqual([false, true, true]);
  });
});

const insertInto = (db: ReturnType<typeof openDatabase>, name: string) => (): void =>
  void db.prepare("insert into facts (service, name, value) values ('s', ?, '')").run(name);

/** A turn of the event loop, and what it began. */
const turn = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
};

/** Another program, that holds the ledger locked while it does its work. */
async function otherProgram(file: string, sql: string): Promise<{ readonly done: Promise<unknown> }> {
  const script = `
    const { parentPort, workerData } = require('node:worker_threads');
    const Database = require('libsql');
    const db = new Database(workerData.file);
    db.exec('pragma journal_mode = wal; begin immediate;');
    parentPort.postMessage('locked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    db.exec(workerData.sql + '; commit;');
    db.close();
  `;
  const worker = new Worker(script, { eval: true, workerData: { file, sql } });
  const done = new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', resolve);
  });
  await Promise.race([new Promise((resolve) => worker.once('message', resolve)), done]);
  return { done };
}

describe('a ledger beside another program', () => {
  test('a new ledger that both make is made once', async () => {
    const file = freshFile();
    const { done } = await otherProgram(
      file,
      `${MIGRATIONS.join(';')}; pragma user_version = ${SCHEMA_VERSION}`,
    );
    const ledger = open(file);
    await done;
    await ledger.rememberKeys('s', 'packages', [{ external: 1, id: 2 }]);
    expect(await ledger.findKeys('s', 'packages', [1])).toEqual(new Map([[1, { id: 2, label: null }]]));
  });

  test('a write waits for the other program', async () => {
    const file = freshFile();
    const ledger = open(file);
    const { done } = await otherProgram(file, `insert into keys values ('s', 'packages', 1, 10, 'Lunch')`);
    await ledger.rememberKeys('s', 'packages', [{ external: 2, id: 20 }]);
    await done;
    expect(await ledger.findKeys('s', 'packages', [1, 2])).toEqual(
      new Map([
        [1, { id: 10, label: 'Lunch' }],
        [2, { id: 20, label: null }],
      ]),
    );
  });
});
