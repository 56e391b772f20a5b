import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemTime } from '../../../src/core/time.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { moveLedger } from '../../../src/ledger/move.ts';
import { openAnyLedger } from '../../../src/ledger/open-ledger.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { many, outcomeOf, RUN, SENDING, SERVICE, STARTED } from '../fixtures.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const POSTING = {
  ...{ fingerprint: 'telling 1', run: RUN, seq: 3, at: '2027-04-28 11:31:00', id: 9 },
  state: 'done' as const,
};

/** Something in every table. */
async function fill(ledger: Ledger): Promise<void> {
  await ledger.startRun(STARTED);
  await ledger.savePlan(RUN, many(1_234));
  await ledger.saveDetails(RUN, { sheets: ['Pakketten'], text: 'crème "brûlée" \u0000' });
  await ledger.saveOutcomes(
    RUN,
    [0, 1, 2].map((seq) => outcomeOf(seq)),
  );
  await ledger.saveProgress(RUN, 3, SENDING);
  await ledger.holdProgress(RUN, 4, SENDING);
  await ledger.setRunState(RUN, 'interrupted');
  await ledger.rememberKeys(SERVICE, 'packages', [{ external: 31_000, id: 5000, label: 'Lunch ’t Hof' }]);
  await ledger.rememberFact(SERVICE, 'keeps-external', 'yes');
  await ledger.rememberSent(SERVICE, 'packages', 5000, { Volume: 2.5 });
  await ledger.claimPosting(SERVICE, 'stock-count', POSTING, ['ook zo']);
  await ledger.rememberConflict(SERVICE, 'packages', { key: 'id:7', run: RUN, lmt: null, fields: {} });
  await ledger.rememberWrite(SERVICE, 'packages', { key: 'id:7', run: RUN, seq: 1, at: null });
  const resend = { fingerprint: 'external:1', run: RUN, body: { Naam: 'é' }, late: [7] };
  await ledger.rememberResend(SERVICE, 'packages', resend);
  const unsettled = { key: 'id:8', run: RUN, seq: 2, at: '2027-04-28T09:30:00.000Z' };
  await ledger.rememberUnsettled(SERVICE, 'packages', unsettled);
}

/** All that a ledger tells of what it holds. */
async function told(place: string) {
  const { ledger } = await openAnyLedger(place, systemTime);
  try {
    return {
      run: await ledger.findRun(RUN),
      rows: await ledger.readRows(RUN, { after: -1, limit: 2_000 }),
      details: await ledger.findDetails(RUN),
      record: await ledger.plannedFor(RUN, 'packages', 'external:31007'),
      cutOff: await ledger.findCutOff(SERVICE),
      keys: await ledger.findKeys(SERVICE, 'packages', [31_000]),
      fact: await ledger.findFact(SERVICE, 'keeps-external'),
      sent: await ledger.findSent(SERVICE, 'packages', 5000),
      postings: await ledger.findPostings(SERVICE, 'stock-count', ['telling 1', 'ook zo']),
      conflicts: await ledger.findConflicts(SERVICE, 'packages'),
      writes: await ledger.findWrites(SERVICE, 'packages', ['id:7']),
      resends: await ledger.findResends(SERVICE, 'packages'),
      unsettled: await ledger.findUnsettled(SERVICE, 'packages'),
    };
  } finally {
    await ledger.close();
  }
}

async function filled(): Promise<string> {
  const file = join(tempFolder(), 'ledger.db');
  const { ledger } = await openAnyLedger(file, systemTime);
  await fill(ledger);
  await ledger.close();
  return file;
}

describe.skipIf(MISSING)('with PostgreSQL, a ledger', () => {
  test('that is moved to a database and back again tells the same all the way', async () => {
    const file = await filled();
    const before = await told(file);
    const address = await server.database();
    const there = await moveLedger(file, address, systemTime);
    expect(there.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['runs', 1],
      ['chunks', 3],
      ['states', 5],
      ['sent', 1],
      ['postings', 2],
      ['facts', 1],
      ['keys', 1],
      ['conflicts', 1],
      ['writes', 1],
      ['resends', 1],
      ['unsettled', 1],
    ]);
    expect(await told(address)).toStrictEqual(before);
    const back = join(tempFolder(), 'terug.db');
    await moveLedger(address, back, systemTime);
    expect(await told(back)).toStrictEqual(before);
  });

  test('that was moved is used no more, and says where it is now', async () => {
    const file = await filled();
    const address = await server.database();
    const moved = await moveLedger(file, address, systemTime);
    await expect(openAnyLedger(file, systemTime)).rejects.toMatchObject({
      message: `The ledger ${file} was moved to ${moved.to}.`,
      next: expect.stringContaining(`--ledger ${moved.to}`),
    });
    await expect(moveLedger(file, await server.database(), systemTime)).rejects.toThrow('was moved to');
  });

  test('comes back to the file that it was moved from, with what came after', async () => {
    const file = await filled();
    const address = await server.database();
    await moveLedger(file, address, systemTime);
    const { ledger } = await openAnyLedger(address, systemTime);
    await ledger.rememberKeys(SERVICE, 'packages', [{ external: 31_001, id: 5001 }]);
    await ledger.close();
    await moveLedger(address, file, systemTime);
    const { ledger: again } = await openAnyLedger(file, systemTime);
    expect([...(await again.findKeys(SERVICE, 'packages', [31_000, 31_001])).keys()].sort()).toEqual([
      31_000, 31_001,
    ]);
    await again.close();
    await expect(openAnyLedger(address, systemTime)).rejects.toThrow('was moved to');
    await moveLedger(file, address, systemTime);
    expect((await told(address)).run).toBeDefined();
  });

  test('is never joined with another one, and nothing of either is lost', async () => {
    const [file, address] = [await filled(), await server.database()];
    const { ledger } = await openAnyLedger(address, systemTime);
    await ledger.startRun({ ...STARTED, run: '20270101-000000-zzzz' });
    await ledger.close();
    await expect(moveLedger(file, address, systemTime)).rejects.toThrow('holds something else already');
    expect((await told(file)).run).toBeDefined();
    expect((await told(address)).run).toBeUndefined();
  });

  test('that another program sends with is not moved', async () => {
    const [file, address] = [await filled(), await server.database()];
    const { ledger, tryLock } = await openAnyLedger(address, systemTime);
    const right = await tryLock();
    await expect(moveLedger(file, address, systemTime)).rejects.toThrow('Another program is at work');
    await right?.release();
    await ledger.close();
    const own = await openAnyLedger(file, systemTime);
    const lock = await own.tryLock();
    await expect(moveLedger(file, address, systemTime)).rejects.toThrow('Another program is at work');
    await lock?.release();
    await own.ledger.close();
    await moveLedger(file, address, systemTime);
  });

  test('that is not there is not made by a move', async () => {
    const file = join(tempFolder(), 'geen.db');
    await expect(moveLedger(file, await server.database(), systemTime)).rejects.toThrow('There is no ledger');
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['a.db', 'b.db'],
    ['postgres://een/a', 'postgres://twee/b'],
    [':memory:', 'postgres://een/a'],
  ])('goes from a file to a database or back: not from %s to %s', async (from, to) => {
    await expect(moveLedger(from, to, systemTime)).rejects.toThrow('from a file to a database');
  });
});
