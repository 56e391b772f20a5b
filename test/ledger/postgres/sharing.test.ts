import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { systemTime } from '../../../src/core/time.ts';
import { openAnyLedger } from '../../../src/ledger/open-ledger.ts';
import { openDatabase } from '../../../src/ledger/postgres/database.ts';
import { tryLease } from '../../../src/ledger/postgres/lease.ts';
import { openDatabaseLedger } from '../../../src/ledger/postgres/pg-ledger.ts';
import { postgresFolder, startPostgres, usePostgres } from '../../helpers/postgres.ts';
import { many, outcomeOf, RUN, SENDING, SERVICE, STARTED } from '../fixtures.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

/** Opens a ledger as a program of its own would. */
async function open(address: string) {
  const opened = await openDatabaseLedger(address, systemTime);
  onTestFinished(() => opened.ledger.close());
  return opened;
}

const nameOf = (address: string): string => new URL(address).pathname.slice(1);

/** Lets the right to send end, as if its holder had been silent for long. */
const endLease = async (address: string): Promise<unknown> =>
  await server.ask(`update catersheet.leases set until = now() - interval '1 second'`, nameOf(address));

async function stopOf(work: Promise<unknown>): Promise<StopError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StopError) return error;
  throw error ?? new Error('nothing was refused');
}

describe.skipIf(MISSING)('with PostgreSQL, the right to send', () => {
  test('is one program’s, until it gives it back', async () => {
    const address = await server.database();
    const [one, other] = [await open(address), await open(address)];
    const right = await one.tryLock();
    expect(await other.tryLock()).toBeNull();
    expect(await other.isLocked()).toBe(true);
    expect(() => right?.check?.()).not.toThrow();
    await right?.release();
    expect(() => right?.check?.()).toThrow(StopError);
    expect(await other.isLocked()).toBe(false);
    expect(await other.tryLock()).not.toBeNull();
    expect(await one.tryLock()).toBeNull();
  });

  test('is waited for, and told so once', async () => {
    const address = await server.database();
    const [one, other] = [await openAnyLedger(address, systemTime), await openAnyLedger(address, systemTime)];
    for (const { ledger } of [one, other]) onTestFinished(() => ledger.close());
    const right = await one.tryLock();
    const told: string[] = [];
    const waiting = other.lock({
      onWait: async () => {
        told.push('waits');
        await right?.release();
      },
    });
    await waiting;
    expect(told).toEqual(['waits']);
    const stop = new AbortController();
    const given = one.lock({ signal: stop.signal, onWait: async () => stop.abort(new Error('stopped')) });
    await expect(given).rejects.toThrow('stopped');
  });

  test('of a program that was silent is another’s, and what the first still writes is refused', async () => {
    const address = await server.database();
    const [one, other] = [await open(address), await open(address)];
    const right = await one.tryLock();
    await one.ledger.startRun(STARTED);
    await one.ledger.savePlan(RUN, many(3));
    await one.ledger.holdProgress(RUN, 0, SENDING);
    await endLease(address);
    expect(await other.tryLock()).not.toBeNull();
    const stop = await stopOf(one.ledger.saveOutcomes(RUN, [outcomeOf(1)]));
    expect(stop.exit).toBe(EXIT.usage);
    expect(stop.message).toContain('silent for so long');
    // What was about to leave stays here too.
    expect(() => right?.check?.()).toThrow('silent for so long');
    const [row, next] = await other.ledger.readRows(RUN, { after: -1, limit: 2 });
    expect(next?.outcome).toBeNull();
    // For the other one it may be out.
    expect(row?.progress).toStrictEqual(SENDING);
  });

  test('ends where a newer program changed the tables meanwhile, and says so', async () => {
    const address = await server.database();
    const { ledger, tryLock } = await open(address);
    const right = await tryLock();
    await ledger.startRun(STARTED);
    await ledger.savePlan(RUN, many(3));
    await ledger.holdProgress(RUN, 0, SENDING);
    await server.ask('update catersheet.meta set version = version + 1', nameOf(address));
    const stop = await stopOf(ledger.saveOutcomes(RUN, [outcomeOf(1)]));
    expect(stop.exit).toBe(EXIT.usage);
    expect(stop.message).toContain('newer catersheet');
    expect(() => right?.check?.()).toThrow('newer catersheet');
    await expect(openDatabaseLedger(address, systemTime)).rejects.toThrow('newer catersheet');
  });

  test('can’t be taken while a transaction of its holder is under way', async () => {
    const address = await server.database();
    await open(address);
    const database = { ...openDatabase(address, process.env), time: systemTime };
    onTestFinished(() => database.close());
    const lease = await tryLease(database);
    const order: string[] = [];
    let taking: Promise<unknown> | undefined;
    await database.db.transaction().execute(async (tx) => {
      await lease?.fence(tx);
      const late = `update catersheet.leases set holder = 'ander', token = token + 1 where name = 'sending'`;
      taking = server.ask(late, nameOf(address)).then(() => order.push('taken'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      order.push('written');
    });
    await taking;
    expect(order).toEqual(['written', 'taken']);
    await lease?.release();
  });
});

describe.skipIf(MISSING)('with PostgreSQL, what several programs do at one moment', () => {
  test('claims each posting for one of them', async () => {
    const address = await server.database();
    const ledgers = await Promise.all([1, 2, 3].map(async () => (await open(address)).ledger));
    const claim = (at: number, seq: number) => {
      const posting = { fingerprint: `telling ${seq}`, run: `run${at}`, seq, state: 'sending' as const };
      // Each also claims its neighbour's by another name, in an order of its own.
      const also = at === 1 ? [`ook ${seq}`, `ook ${seq + 1}`] : [`ook ${seq + 1}`, `ook ${seq}`];
      const whole = { ...posting, at: '2027-04-28 11:31:00', id: null };
      return ledgers[at]?.claimPosting(SERVICE, 'stock-count', whole, seq % 3 === 0 ? also : []);
    };
    const seqs = Array.from({ length: 60 }, (_, seq) => seq);
    const answers = await Promise.all(
      seqs.map(async (seq) => await Promise.all(ledgers.map((_, at) => claim(at, seq)))),
    );
    for (const [seq, holders] of answers.entries()) {
      const own = holders.filter((holder) => holder === undefined);
      expect(own.length, `posting ${seq}`).toBeLessThanOrEqual(1);
      if (seq % 3 !== 0) continue;
      expect(own, `posting ${seq}`).toHaveLength(1);
    }
  });

  test('makes the tables of a new ledger once', async () => {
    const address = await server.database();
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(address)));
    await opened[0]?.ledger.startRun(STARTED);
    expect((await opened[4]?.ledger.findRun(RUN))?.file).toBe(STARTED.file);
  });
});

describe.skipIf(MISSING)('with PostgreSQL, a database', () => {
  test('that crashes and comes back is waited for: all that was written is there, once', async () => {
    const own = await startPostgres();
    onTestFinished(() => own.stop());
    const { ledger } = await openDatabaseLedger(await own.database(), systemTime);
    await ledger.startRun(STARTED);
    await ledger.savePlan(RUN, many(400));
    const writing = Array.from({ length: 400 }, async (_, seq) => {
      await new Promise((resolve) => setTimeout(resolve, seq * 3));
      await ledger.saveOutcomes(RUN, [outcomeOf(seq)]);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const reading = Array.from({ length: 20 }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * 40));
      return (await ledger.plannedFor(RUN, 'packages', `external:${31_000 + at}`)).length;
    });
    await own.restart();
    await Promise.all(writing);
    expect(await Promise.all(reading)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(await ledger.findRun(RUN)).toBeDefined();
    const rows = await ledger.readRows(RUN, { after: -1, limit: 500 });
    expect(rows.filter(({ outcome }) => outcome !== null)).toHaveLength(400);
    await ledger.close();
  });

  test('whose rows are damaged is told of, and sends none of them', async () => {
    const address = await server.database();
    const { ledger } = await open(address);
    await ledger.startRun(STARTED);
    await ledger.savePlan(RUN, many(3));
    await server.ask(
      `update catersheet.chunks set rows = overlay(rows placing '\\x00' from 5)`,
      nameOf(address),
    );
    const other = await open(address);
    const stop = await stopOf(other.ledger.readRows(RUN, { after: -1, limit: 5 }));
    expect([stop.exit, stop.message]).toEqual([
      EXIT.usage,
      expect.stringContaining('is damaged: rows 0 to 2'),
    ]);
  });

  const refused: readonly [string, string, (address: string) => string | Promise<string>, string][] = [
    [
      'that is not there',
      'There is no database',
      (address) => address.replace(/\/[^/]*$/, '/weg'),
      'createdb',
    ],
    [
      'of which the user may make no tables',
      'may not make or use',
      async (address) => {
        await server.ask('create role gast login');
        return address.replace('beheer@', 'gast@');
      },
      'create schema catersheet',
    ],
    [
      'whose user is not known',
      'refuses the user or the password',
      (address) => address.replace('beheer@', 'niemand@'),
      'CATERSHEET_LEDGER_PASSWORD',
    ],
    [
      'of a newer program',
      'newer catersheet',
      async (address) => {
        await (await openDatabaseLedger(address, systemTime)).ledger.close();
        await server.ask('update catersheet.meta set version = 99', nameOf(address));
        return address;
      },
      'Use that version',
    ],
  ];
  test.each(refused)('%s is refused with the way on', async (_, message, make, next) => {
    const address = await make(await server.database());
    const stop = await stopOf(openDatabaseLedger(address, systemTime));
    expect(stop.exit).toBe(EXIT.usage);
    expect(stop.message).toContain(message);
    expect(stop.next).toContain(next);
  });
});
