import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { systemTime } from '../../../src/core/time.ts';
import { openDatabaseLedger } from '../../../src/ledger/postgres/pg-ledger.ts';
import { queueDatabase } from '../../../src/ledger/postgres/queue-database.ts';
import type { JoinedRight, Part } from '../../../src/ledger/team.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { many, outcomeOf, RUN, SENDING, SERVICE, STARTED } from '../fixtures.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const PARTS: readonly Part[] = [0, 1, 2].map((part) => ({ part, places: [[part * 10, part * 10 + 9]] }));

/** A run that one program leads, shared, and a way for others to join it. */
async function shared() {
  const address = await server.database();
  const open = async () => {
    const opened = await openDatabaseLedger(address, systemTime);
    onTestFinished(() => opened.ledger.close());
    return opened;
  };
  const one = await open();
  const right = await one.tryLock();
  await one.ledger.startRun(STARTED);
  await one.ledger.savePlan(RUN, many(30));
  const team = await right?.share?.(RUN, PARTS);
  if (right === null || team === undefined) throw new Error('it could not be shared');
  const join = async () => {
    const other = await open();
    const joined = await other.join(RUN);
    if (joined === null) throw new Error('it could not be joined');
    return { ...other, right: joined as JoinedRight };
  };
  const ask = async (sql: string) => await server.ask(sql, new URL(address).pathname.slice(1));
  /** As if the program whose part this is had been silent for long. */
  const silence = async (part: number): Promise<unknown> =>
    await ask(
      `update catersheet.leases set until = now() - interval '1 second'
       where name = (select member from catersheet.parts where part = ${part})`,
    );
  const queue = queueDatabase(address, systemTime);
  onTestFinished(() => queue.close());
  return { ...one, right, team, open, join, silence, sharedRun: () => queue.sharedRun(SERVICE) };
}

async function stopOf(work: Promise<unknown>): Promise<StopError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StopError) return error;
  throw error ?? new Error('nothing was refused');
}

describe.skipIf(MISSING)('with PostgreSQL, the programs that send one run', () => {
  test('each take parts of their own, and leave none', async () => {
    const { team, join, sharedRun } = await shared();
    expect(await sharedRun()).toBe(RUN);
    const { right } = await join();
    const taken = [await team.take(), await right.team.take(), await team.take()];
    expect(taken).toEqual(PARTS);
    expect(await right.team.take()).toBeUndefined();
    expect(await sharedRun()).toBeUndefined();
  });

  test('keep all others out, until the last of them is gone', async () => {
    const { right, open, join, sharedRun } = await shared();
    const late = await open();
    expect(await late.tryLock()).toBeNull();
    const other = await join();
    await right.release();
    expect(await late.tryLock()).toBeNull();
    expect(await sharedRun()).toBe(RUN);
    await other.right.release();
    expect(await late.join(RUN)).toBeNull();
    expect(await late.tryLock()).not.toBeNull();
  });

  test('take over the part of one that was silent, which then writes nothing more', async () => {
    const { team, join, silence } = await shared();
    const other = await join();
    expect(await other.right.team.take()).toEqual(PARTS[0]);
    await other.ledger.holdProgress(RUN, 0, SENDING);
    await silence(0);
    expect(await team.take()).toEqual(PARTS[0]);
    const stop = await stopOf(other.ledger.saveOutcomes(RUN, [outcomeOf(0)]));
    expect(stop.exit).toBe(EXIT.usage);
    expect(() => other.right.check?.()).toThrow(StopError);
    await stopOf(other.right.team.take());
  });

  test('give back what they took and did not send, when they go', async () => {
    const { team, join } = await shared();
    const other = await join();
    const [first, second] = [await other.right.team.take(), await other.right.team.take()];
    await other.right.team.done(first as Part);
    await other.right.release();
    expect(await team.take()).toEqual(second);
    expect(await team.take()).toEqual(PARTS[2]);
    expect(await team.take()).toBeUndefined();
  });

  test('leave the run to the one that leads once they are gone, which can go on alone', async () => {
    const { ledger, right, team, open, join } = await shared();
    const other = await join();
    expect(await team.alone()).toBe(false);
    await other.right.release();
    expect(await team.alone()).toBe(true);
    expect(await (await open()).join(RUN)).toBeNull();
    await ledger.saveOutcomes(RUN, [outcomeOf(0)]);
    const late = await open();
    expect(await late.tryLock()).toBeNull();
    await right.release();
    expect(await late.tryLock()).not.toBeNull();
  });

  test('write side by side: a transaction of one is no other’s hindrance', async () => {
    const { ledger, join } = await shared();
    const others = await Promise.all([join(), join()]);
    const ledgers = [ledger, ...others.map((other) => other.ledger)];
    await Promise.all(
      ledgers.flatMap((each, at) =>
        Array.from({ length: 10 }, (_, row) => each.saveOutcomes(RUN, [outcomeOf(10 * at + row)])),
      ),
    );
    expect((await ledger.readRows(RUN, { after: -1, limit: 100, pending: true })).length).toBe(0);
  });

  test('are found no more once all of them were silent, and whoever takes the right ends what they write', async () => {
    const { ledger, open, join } = await shared();
    const other = await join();
    await server.ask('select 1');
    await other.right.team.take();
    const late = await open();
    await ledger.saveOutcomes(RUN, [outcomeOf(1)]);
    await (async () => {
      const address = late.database.place;
      const name = address.slice(address.lastIndexOf('/') + 1);
      await server.ask(`update catersheet.leases set until = now() - interval '1 second'`, name);
    })();
    expect(await late.tryLock()).not.toBeNull();
    for (const each of [ledger, other.ledger]) await stopOf(each.saveOutcomes(RUN, [outcomeOf(2)]));
  });
});
