import { copyFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { systemTime } from '../../../src/core/time.ts';
import type { Ledger, Part } from '../../../src/ledger/ledger.ts';
import { checkLedger, chooseCopy } from '../../../src/ledger/ledger-files.ts';
import { moveLedger } from '../../../src/ledger/move.ts';
import { openAnyLedger } from '../../../src/ledger/open-ledger.ts';
import { inTransaction, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { fencing } from '../../../src/ledger/postgres/group-writer.ts';
import { tryLease } from '../../../src/ledger/postgres/lease.ts';
import { openDatabaseLedger, queueDatabase } from '../../../src/ledger/postgres/pg-ledger.ts';
import { TABLES } from '../../../src/ledger/tables.ts';
import { packages } from '../../../src/resources/packages.ts';
import { openSession } from '../../../src/session/open-session.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { VirtualTime } from '../../helpers/virtual-time.ts';
import { openWorld } from '../../promises/world.ts';
import { many, outcomeOf, RUN, SENDING, SERVICE, STARTED } from '../fixtures.ts';

const server = usePostgres();
const ALL = { after: -1, limit: 2_000 };
const PACKAGES = [SERVICE, 'packages'] as const;
const SILENT = `update catersheet.leases set until = now() - interval '1 second'`;

let own: Promise<string> | undefined;

/** The address of a database without a ledger. */
async function fresh(): Promise<string> {
  own ??= server.database();
  await ask(await own, 'drop schema if exists catersheet cascade');
  return await own;
}

/** Opens a ledger as a program of its own would. */
async function open(address: string) {
  const opened = await openDatabaseLedger(address, systemTime);
  onTestFinished(() => opened.ledger.close());
  return opened;
}

const ask = (address: string, sql: string): Promise<unknown> =>
  server.ask(sql, new URL(address).pathname.slice(1));

async function stopOf(work: Promise<unknown>): Promise<StopError> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof StopError) return error;
  throw error ?? new Error('nothing was refused');
}

/** A way to a database that can be cut without a word: what came by it until then is never answered. */
async function openWay(address: string, atEnd: (close: () => void) => void = onTestFinished) {
  const [there, way] = [new URL(address), new URL(address)];
  let cuts = 0;
  const all = new Set<Socket>();
  const server = createServer((near) => {
    const [far, made] = [dial(Number(there.port), there.hostname), cuts];
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      all.add(from);
      from.on('data', (bytes) => cuts === made && to.write(bytes));
      from.on('end', () => cuts === made && to.end());
      from.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.close();
    for (const socket of all) socket.destroy();
  });
  way.port = String((server.address() as AddressInfo).port);
  return { address: String(way), cut: () => void cuts++, close: () => void server.close() };
}

async function begun(ledger: Ledger, rows = 3): Promise<void> {
  await ledger.startRun(STARTED);
  await ledger.savePlan(RUN, many(rows));
}

describe.skipIf(postgresFolder() === undefined)('with PostgreSQL', () => {
  describe('the right to send', () => {
    test('is one program’s, until it gives it back; the other waits, and is told so once', async () => {
      const address = await fresh();
      const [one, other] = [await openAnyLedger(address, systemTime), await open(address)];
      onTestFinished(() => one.ledger.close());
      const right = await other.tryLock();
      expect([await one.tryLock(), await other.isLocked()]).toEqual([null, true]);
      expect(() => right?.check?.()).not.toThrow();
      const stop = new AbortController();
      const given = one.lock({ signal: stop.signal, onWait: async () => stop.abort(new Error('stopped')) });
      await expect(given).rejects.toThrow('stopped');
      const told: string[] = [];
      await one.lock({
        onWait: async () => {
          told.push('waits');
          await right?.release();
        },
      });
      expect(() => right?.check?.()).toThrow(StopError);
      expect([told, await other.tryLock()]).toEqual([['waits'], null]);
    });

    test.each([
      ['that was silent, so that it is another’s', SILENT, 'silent for so long'],
      [
        'while a newer program changed the tables',
        'update catersheet.meta set version = version + 1',
        'newer catersheet',
      ],
    ])(
      'of a program %s ends, and what it still writes or was about to send is refused',
      async (_, sql, words) => {
        const address = await fresh();
        const [one, other] = [await open(address), await open(address)];
        const right = await one.tryLock();
        await begun(one.ledger);
        await one.ledger.intend(RUN, 0, SENDING);
        await ask(address, sql);
        if (sql === SILENT) expect(await other.tryLock()).not.toBeNull();
        const stop = await stopOf(one.ledger.saveRow(RUN, 1, { outcome: outcomeOf(1) }));
        expect([stop.exit, stop.message]).toEqual([EXIT.usage, expect.stringContaining(words)]);
        expect(() => right?.check?.()).toThrow(words);
        if (sql !== SILENT) return;
        const [row, next] = await other.ledger.readRows(RUN, ALL);
        // For the other one it may be out.
        expect([row?.progress, next?.outcome]).toStrictEqual([SENDING, null]);
      },
    );

    test('is not taken while a program of an earlier version has it, in the row of all', async () => {
      const address = await fresh();
      const { tryLock, isLocked, join } = await open(address);
      await ask(
        address,
        `insert into catersheet.leases (name, holder, token, until, run)
        values ('sending', 'ouder', 7, now() + interval '15 seconds', '${RUN}')`,
      );
      expect([await tryLock(), await isLocked()]).toEqual([null, true]);
      await ask(address, SILENT);
      expect([await join(RUN), await isLocked()]).toEqual([null, false]);
      expect(await tryLock()).not.toBeNull();
    });

    test('can’t be taken while a transaction of its holder is under way', async () => {
      const address = await fresh();
      await open(address);
      const database = openDatabase(address, systemTime);
      onTestFinished(() => database.close());
      const lease = await tryLease(database);
      const order: string[] = [];
      let taking: Promise<unknown> | undefined;
      await inTransaction(database, 'read committed', async (tx) => {
        await tx.query(lease === null ? '' : `select ${fencing(lease.name)}`);
        const late = `delete from catersheet.leases where name <> 'sending'`;
        taking = ask(address, late).then(() => order.push('taken'));
        const waits = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
        while (Number(((await server.ask(waits))[0] as { count: string }).count) === 0);
        order.push('written');
      });
      await taking;
      expect(order).toEqual(['written', 'taken']);
      await lease?.release();
    });

    test('is over by its own clock for a program that slept: it sends nothing more, and reads', async () => {
      const { service, time, machine } = openWorld({}, { patience: 50 });
      const options = { ...serviceOnly(machine()), ledger: await fresh() };
      const session = await openSession(options, 'wait', { time, connect: service.connect });
      onTestFinished(() => session.close());
      const { send } = session.context.service;
      const { create, list } = packages.requests;
      const body = { ProductTypeID: 1, OmschrijvingIntern: 'Buffet', Verkoopprijs: 9 };
      await send(create, { body });
      time.jump(30_000);
      await expect(send(create, { body })).rejects.toThrow('silent for so long');
      await send(list, { body: { LMT: '2027-01-01 00:00:00' } });
      expect(service.journal.writes).toHaveLength(1);
    });
  });

  describe('the programs that send one run', () => {
    const PARTS: readonly Part[] = [0, 1, 2].map((part) => ({ part, places: [[part * 10, part * 10 + 9]] }));

    /** A run that one program leads, shared, and a way for others to join it. */
    async function shared() {
      const address = await fresh();
      const one = await open(address);
      const right = await one.tryLock();
      await begun(one.ledger, 30);
      if (right?.team === undefined) throw new Error('it could not be shared');
      await right.team.share(RUN, PARTS);
      const queue = queueDatabase(address, systemTime);
      onTestFinished(() => queue.close());
      return {
        ...{
          ...one,
          right,
          team: right.team,
          late: () => open(address),
          sharedRun: () => queue.sharedRun(SERVICE),
        },
        ask: (sql: string) => ask(address, sql),
        join: async () => {
          const other = await open(address);
          const joined = await other.join(RUN);
          if (joined?.team === undefined) throw new Error('it could not be joined');
          return { ...other, right: { ...joined, team: joined.team } };
        },
      };
    }

    test('each take parts of their own, give back what they did not send, leave none, and write side by side', async () => {
      const { team, join, sharedRun, ledger } = await shared();
      expect(await sharedRun()).toBe(RUN);
      const { right, ledger: joined } = await join();
      const taken = [await team.take(), await right.team.take(), await right.team.take()];
      expect(taken).toEqual(PARTS);
      expect([await team.take(), await sharedRun()]).toEqual([undefined, undefined]);
      await Promise.all(
        [ledger, joined].flatMap((each, at) =>
          Array.from({ length: 15 }, (_, row) =>
            each.saveRow(RUN, 15 * at + row, { outcome: outcomeOf(15 * at + row) }),
          ),
        ),
      );
      expect(await ledger.readRows(RUN, { ...ALL, pending: true })).toEqual([]);
      await right.team.done(PARTS[1] as Part);
      await right.release();
      expect([await team.take(), await team.take()]).toEqual([PARTS[2], undefined]);
    });

    test('keep all others out until the last of them is gone, and leave the run to the one that leads', async () => {
      const { right, team, late, join, sharedRun } = await shared();
      const other = await join();
      const stranger = await late();
      expect([await stranger.tryLock(), await team.alone()]).toEqual([null, false]);
      await other.right.release();
      expect([await stranger.tryLock(), await team.alone(), await stranger.join(RUN)]).toEqual([
        null,
        true,
        null,
      ]);
      await right.release();
      expect([await stranger.tryLock(), await sharedRun()]).toEqual([expect.anything(), undefined]);
      const again = await shared();
      const last = await again.join();
      await again.right.release();
      expect([await (await again.late()).tryLock(), await again.sharedRun()]).toEqual([null, RUN]);
      await last.right.release();
      expect(await (await again.late()).tryLock()).not.toBeNull();
    });

    test('take over the part of one that was silent, which then writes nothing more; where all were, so does whoever takes the right', async () => {
      const { team, join, late, ask: asked, ledger } = await shared();
      const other = await join();
      await other.right.team.take();
      await other.ledger.intend(RUN, 0, SENDING);
      await asked(`${SILENT} where name = (select member from catersheet.parts where part = 0)`);
      expect(await team.take()).toEqual(PARTS[0]);
      const stop = await stopOf(other.ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) }));
      expect(stop.exit).toBe(EXIT.usage);
      expect(() => other.right.check?.()).toThrow(StopError);
      await stopOf(other.right.team.take());
      await asked(SILENT);
      expect(await (await late()).tryLock()).not.toBeNull();
      await stopOf(ledger.saveRow(RUN, 2, { outcome: outcomeOf(2) }));
    });
  });

  describe('a ledger', () => {
    /** What a file holds of each table, but for facts of its own. */
    function held(file: string): Readonly<Record<string, readonly string[]>> {
      const db = new Database(file, { readonly: true });
      // Which of all ledgers it is.
      const others = "where not (service = '' and name in ('ledger', 'generation', 'moved to'))";
      const rowsOf = (sql: string) =>
        db
          .prepare(sql)
          .all()
          .map((row) => JSON.stringify(row))
          .sort();
      const found = TABLES.map(({ name }) => [
        name,
        rowsOf(`select * from ${name} ${name === 'facts' ? others : ''}`),
      ]);
      db.close();
      return Object.fromEntries(found);
    }

    async function readAll(place: string) {
      const { ledger } = await openAnyLedger(place, systemTime);
      const rows = await ledger.readRows(RUN, ALL);
      await ledger.close();
      return rows;
    }

    /** A file with something in every table. */
    async function filled(): Promise<string> {
      const file = join(tempFolder(), 'ledger.db');
      const { ledger } = await openAnyLedger(file, systemTime);
      await begun(ledger, 700);
      await ledger.updateRun(RUN, { details: { text: 'crème "brûlée" \u0000' } });
      for (const seq of [0, 1]) await ledger.saveRow(RUN, seq, { outcome: outcomeOf(seq) });
      await ledger.saveRow(RUN, 3, { progress: SENDING });
      await ledger.updateRun(RUN, { state: 'interrupted' });
      await ledger.rememberKeys(...PACKAGES, [{ external: 31_000, id: 5000, label: 'Lunch ’t Hof' }]);
      await ledger.rememberFact(SERVICE, 'keeps-external', 'yes');
      const posting = { fingerprint: 'telling 1', run: RUN, seq: 3, at: STARTED.startedAt, id: 9 };
      await ledger.claimPosting(SERVICE, 'stock-count', { ...posting, state: 'done' }, ['ook zo']);
      const [at, key] = [{ run: RUN, seq: 2, at: 'x' }, 'id:7'];
      await ledger.remember(...PACKAGES, 'conflict', key, { key, run: RUN, lmt: null, fields: {} });
      await ledger.remember(...PACKAGES, 'write', key, { run: RUN, seq: 1, at: null });
      const resend = { fingerprint: 'external:1', run: RUN, body: { Naam: 'é' } };
      await ledger.remember(...PACKAGES, 'resend', 'external:1', resend);
      await ledger.remember(...PACKAGES, 'unsettled', key, { key, ...at });
      await ledger.remember(...PACKAGES, 'applied', key, { Volume: { sent: 2.55, held: 2.5 } });
      await ledger.close();
      return file;
    }

    test('of which an outcome that an earlier version kept holds half a character is moved, and tells which row wrote a record', async () => {
      const [file, address] = [await filled(), await fresh()];
      const db = new Database(file);
      const half = JSON.stringify(outcomeOf(1, { message: { en: 'Lunch \ud83d', nl: '\0' } }));
      db.prepare('update states set outcome = ? where seq = 1').run(half);
      db.close();
      await moveLedger(file, address, systemTime);
      const { ledger } = await openAnyLedger(address, systemTime);
      const written = await ledger.findWrites(...PACKAGES, ['id:7']);
      expect(written.get('id:7')).toMatchObject({ run: RUN, seq: 1, done: true });
      await ledger.close();
    });

    test('that is moved to a database and back tells the same, with what came after, and says where it is now', async () => {
      const [file, address] = [await filled(), await fresh()];
      const before = held(file);
      const rows = await readAll(file);
      const copy = join(tempFolder(), 'kopie.db');
      copyFileSync(file, copy);
      const { to, tables } = await moveLedger(file, address, systemTime);
      expect(tables.every(({ rows }) => rows > 0)).toBe(true);
      expect(await readAll(address)).toStrictEqual(rows);
      const gone = { message: `The ledger ${file} was moved to ${to}.`, next: expect.stringContaining(to) };
      await expect(openAnyLedger(file, systemTime)).rejects.toMatchObject(gone);
      const options = { ledger: file };
      expect(await checkLedger(options.ledger)).toMatchObject({ found: { holds: { runs: 1 }, moved: gone } });
      expect(() => chooseCopy(copy, options.ledger)).toThrow(gone.message);
      copyFileSync(file, `${copy}-moved`);
      copyFileSync(copy, file);
      await expect(openAnyLedger(file, systemTime)).rejects.toThrow('is another one than was here');
      copyFileSync(`${copy}-moved`, file);
      await expect(moveLedger(file, await server.database(), systemTime)).rejects.toThrow('was moved to');
      const { ledger } = await openAnyLedger(address, systemTime);
      await ledger.rememberKeys(...PACKAGES, [{ external: 31_001, id: 5001 }]);
      await ledger.close();
      await moveLedger(address, file, systemTime);
      const keys = [...(before.keys ?? []), expect.stringContaining('31001')];
      expect(held(file)).toEqual({ ...before, keys });
      await expect(openAnyLedger(address, systemTime)).rejects.toThrow('was moved to');
      const left = { message: expect.stringContaining(`was moved to ${file}`) };
      expect(await checkLedger(address)).toMatchObject({ found: { moved: left } });
    });

    test('is moved over no other one, nor while a program sends with it, nor where there is none, nor from a file to a file', async () => {
      const [file, address] = [await filled(), await fresh()];
      const refused = (words: string, from = file, to = address) =>
        expect(moveLedger(from, to, systemTime)).rejects.toThrow(words);
      for (const place of [file, address]) {
        const { ledger, tryLock } = await openAnyLedger(place, systemTime);
        const right = await tryLock();
        await refused('Another program uses');
        await right?.release();
        if (place === address) await ledger.startRun({ ...STARTED, run: '20270101-000000-zzzz' });
        await ledger.close();
      }
      await refused('holds something else already');
      expect([(await readAll(file)).length, await readAll(address)]).toEqual([700, []]);
      await refused('There is no ledger', join(tempFolder(), 'geen.db'));
      await refused('from a file to a database', 'a.db', 'b.db');
      await refused('from a file to a database', 'postgres://een/a', 'postgres://twee/b');
    });
  });

  test.each<[string, string, string, (address: string) => Promise<string>]>([
    ['that nobody answers for', "can't be reached", '', async (address) => address.replace(/:\d+\//, ':1/')],
    [
      'that is not there',
      'There is no database',
      'createdb',
      async (address) => address.replace(/[^/]*$/, 'weg'),
    ],
    [
      'of which the user may make no tables',
      'may not make or use',
      'create schema catersheet',
      async (address) => {
        await server.ask('create role gast login');
        return address.replace('beheer@', 'gast@');
      },
    ],
    [
      'whose user is not known',
      'refuses the user or the password',
      'CATERSHEET_LEDGER_PASSWORD',
      async (address) => address.replace('beheer@', 'niemand@'),
    ],
  ])('a database %s is refused with the way on', async (_, message, next, make) => {
    const stop = await stopOf(openDatabaseLedger(await make(await fresh()), new VirtualTime()));
    expect(stop).toMatchObject({ exit: EXIT.usage, message: expect.stringContaining(message) });
    expect(stop.next).toContain(next);
  });

  test('what many rows settle at one moment is found by an index, also in a table that has few yet', async () => {
    const address = await fresh();
    const names = many(200).map(({ seq }) => `telling ${seq}`);
    const inTurn = async (work: (ledger: Ledger, name: string, seq: number) => Promise<unknown>) => {
      const { ledger } = await openDatabaseLedger(address, systemTime);
      await Promise.all(names.map((name, seq) => work(ledger, name, seq)));
      await ledger.close();
      // A connection has told what it did once it is gone.
      while (((await ask(address, OTHERS)) as unknown[]).length > 0);
      const [found] = (await ask(address, READS)) as { seq_scan: string }[];
      return Number(found?.seq_scan);
    };
    const OTHERS =
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    const READS = "select seq_scan from pg_stat_user_tables where relname = 'postings'";
    const posting = { run: RUN, at: STARTED.startedAt, state: 'sending', id: null } as const;
    const before = await inTurn((ledger, fingerprint, seq) =>
      ledger.claimPosting(...PACKAGES, { ...posting, fingerprint, seq }),
    );
    const after = await inTurn((ledger, name, seq) =>
      ledger.settlePosting(...PACKAGES, name, { state: 'done', id: seq }),
    );
    expect(after).toBe(before);
  });

  test('a database whose rows are damaged is told of, and sends none of them', async () => {
    const address = await fresh();
    await begun((await open(address)).ledger);
    await ask(address, `update catersheet.chunks set rows = overlay(rows placing '\\x00' from 5)`);
    const stop = await stopOf((await open(address)).ledger.readRows(RUN, ALL));
    expect([stop.exit, stop.message]).toEqual([2, expect.stringContaining('is damaged: rows 0 to 2')]);
  });

  describe('a connection that is cut without a word', () => {
    const LIMIT = 300;
    type Opened = Awaited<ReturnType<typeof openDatabaseLedger>>;

    async function cutOff(time = systemTime) {
      const way = await openWay(await fresh());
      const opened = await openDatabaseLedger(way.address, time, process.env, LIMIT);
      await begun(opened.ledger);
      way.cut();
      return { opened, way };
    }

    /** A program whose first beat is not answered, which takes seconds: others are tried meanwhile. */
    async function beating() {
      const time = new VirtualTime();
      const way = await openWay(await server.database(), (close) => {
        first.close = close;
      });
      const opened = await openDatabaseLedger(way.address, time, process.env, 20_000);
      await begun(opened.ledger);
      const pace = await opened.joinPace({ service: SERVICE });
      const { limit } = opened.database;
      const atFirst = limit();
      way.cut();
      way.close();
      return { time, opened, pace, limit, atFirst, beaten: pace.beat(0, true) };
    }

    const first: { close?: () => void; beating?: Awaited<ReturnType<typeof beating>> } = {};
    beforeAll(async () => {
      first.beating = await beating();
    });
    afterAll(() => first.close?.());

    test.each<[string, (opened: Opened) => Promise<unknown>]>([
      ['a write', ({ ledger }) => ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) })],
      ['a read', ({ ledger }) => ledger.readRows(RUN, ALL)],
      ['to take the right to send', ({ tryLock }) => tryLock()],
      ['to join a pace', ({ joinPace }) => joinPace({ service: SERVICE })],
    ])('is followed by another: %s is done on that', async (_, work) => {
      const { opened } = await cutOff();
      onTestFinished(() => opened.ledger.close());
      expect(await work(opened)).not.toBeNull();
    });

    test('ends the program where no other is to be had for a minute: what it then asks is not waited for so long again', async () => {
      const time = new VirtualTime();
      const { opened, way } = await cutOff(time);
      way.close();
      const stop = await stopOf(opened.ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) }));
      expect([stop.exit, stop.message]).toEqual([EXIT.usage, expect.stringContaining("can't be reached")]);
      const waited = time.steady();
      await stopOf(opened.ledger.readRows(RUN, ALL));
      expect([waited > 30_000, time.steady() - waited < 5_000]).toEqual([true, true]);
      await opened.ledger.close();
    });

    test('is waited for since the first beat of a pace that was not answered, and then by nobody', async () => {
      const { time, opened, pace, limit, atFirst, beaten } = first.beating as NonNullable<
        typeof first.beating
      >;
      const limits = [atFirst];
      expect(await beaten).toBeUndefined();
      for (const wait of [45_000, 15_000]) {
        await time.sleep(wait);
        limits.push(limit());
      }
      // No answer is waited for beyond the minute, but for three seconds, as it may only restart.
      expect(limits).toEqual([20_000, 15_000, 3_000]);
      const before = time.steady();
      await stopOf(pace.beat(0, true));
      await stopOf(opened.ledger.saveRow(RUN, 0, { outcome: outcomeOf(0) }));
      expect(time.steady() - before).toBeLessThan(5_000);
      await opened.ledger.close();
    });
  });

  test('a database that crashes and comes back is waited for: all that was written is there, once', async () => {
    const { ledger } = await open(await fresh());
    await begun(ledger, 200);
    let written = 0;
    const writing = many(200).map(async ({ seq }) => {
      while (written < seq - 5) await new Promise((resolve) => setTimeout(resolve, 1));
      await ledger.saveRow(RUN, seq, { outcome: outcomeOf(seq) });
      written++;
    });
    while (written < 50) await new Promise((resolve) => setTimeout(resolve, 1));
    const reading = ledger.plannedFor(RUN, 'packages', 'external:31007');
    await server.restart();
    await Promise.all(writing);
    expect(await reading).toHaveLength(1);
    expect(await ledger.readRows(RUN, { ...ALL, pending: false })).toHaveLength(200);
  });
});
