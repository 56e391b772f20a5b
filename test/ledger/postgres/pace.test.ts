import { describe, expect, onTestFinished, test } from 'vitest';
import { systemTime } from '../../../src/core/time.ts';
import { openDatabase } from '../../../src/ledger/postgres/database.ts';
import { joinPace } from '../../../src/ledger/postgres/pace.ts';
import { openDatabaseLedger } from '../../../src/ledger/postgres/pg-ledger.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { Random } from '../../second-service/random.ts';

const server = usePostgres();

/** Programs that share a pace by a ledger of its own. */
async function startPrograms() {
  const address = await server.database();
  await (await openDatabaseLedger(address, systemTime)).ledger.close();
  const database = openDatabase(address, systemTime);
  onTestFinished(() => database.close());
  return {
    async join(spacing?: number, concurrency?: number) {
      const joined = await joinPace(database, { service: 'service', spacing, concurrency });
      const beat = async (...asked: Parameters<typeof joined.beat>) => {
        const heard = await joined.beat(...asked);
        if (heard === undefined) throw new Error('it was not answered');
        return heard;
      };
      return { ...joined, beat };
    },
    ask: (sql: string) => server.ask(sql, new URL(address).pathname.slice(1)),
  };
}

describe.skipIf(postgresFolder() === undefined)('with PostgreSQL, programs that share a pace', () => {
  test('get moments of their own, as far apart as the slowest of them asks, and none that are over', async () => {
    const { join, ask } = await startPrograms();
    const [quick, slow] = [await join(10), await join(40)];
    await quick.beat(0, true);
    const first = await quick.reserve(3);
    expect([first.spacing, first.first >= first.now - 1]).toEqual([10, true]);
    await slow.beat(0, true);
    const [second, third] = await Promise.all([quick.reserve(2), slow.reserve(2)]);
    expect([second.spacing, third.spacing]).toEqual([40, 40]);
    // Later where the moment was over before the other one asked.
    expect(Math.abs(second.first - third.first)).toBeGreaterThanOrEqual(80 - 0.01);
    expect(Math.min(second.first, third.first)).toBeGreaterThanOrEqual(first.first + 30 - 0.01);
    await slow.leave();
    expect((await quick.reserve(1)).spacing).toBe(10);
    // By a clock that was set back since.
    await ask('update catersheet.paces set next = next + 3600000');
    const again = await quick.reserve(1);
    expect(again.first - again.now).toBeLessThan(1000);
  });

  test.each([
    ['one has all', 8, [true], [8]],
    ['each has as many as another', 8, [true, true], [4, 4]],
    ['the rest goes to some', 8, [true, true, true], [2, 3, 3]],
    ['who has nothing to send has none', 8, [true, false, true], [0, 4, 4]],
    ['there are fewer than programs', 2, [true, true, true], [0, 1, 1]],
  ])('have so many requests in flight where %s', async (_, most, wants, given) => {
    const { join } = await startPrograms();
    const programs = await Promise.all(wants.map(() => join(undefined, most)));
    let shares: number[] = wants.map(() => 0);
    for (let round = 0; round < 3; round++)
      for (const [at, program] of programs.entries()) {
        // What cannot be divided goes round by the clock, so one that had it lets go of it.
        const { share } = await program.beat(shares[at] ?? 0, wants[at] ?? false);
        shares[at] = share;
      }
    shares = [...shares].sort((one, other) => one - other);
    expect(shares).toEqual(given);
  });

  test('never have more in flight than is allowed, in whatever order they look, lower theirs, go and come', async () => {
    const { join } = await startPrograms();
    const random = new Random(5);
    const [most, few] = [7, 5];
    const member = async () => ({
      ...(await join(undefined, random.pick([most, most, few]))),
      inFlight: 0,
      share: 0,
    });
    const members = await Promise.all([1, 2, 3, 4].map(member));
    for (let step = 0; step < 400; step++) {
      const at = random.below(members.length);
      const one = members[at] as (typeof members)[number];
      one.inFlight = Math.min(one.inFlight, random.below(most + 1));
      if (random.below(25) === 0) {
        await one.leave();
        members[at] = await member();
        continue;
      }
      one.share = (await one.beat(Math.max(one.inFlight, one.share), random.below(4) > 0)).share;
      one.inFlight = Math.max(one.inFlight, one.share);
      expect(members.reduce((sum, { inFlight }) => sum + inFlight, 0)).toBeLessThanOrEqual(most);
    }
  });

  test('hear of one that was turned away, but for the one that it was', async () => {
    const { join } = await startPrograms();
    const [one, other] = [await join(), await join()];
    const { event } = await other.beat(0, false);
    await one.turnedAway(100, 5000, true);
    await one.turnedAway(100, null, true);
    const heard = await other.beat(0, false);
    expect([heard.event, (await one.beat(0, false)).pushBack]).toEqual([event + 2, null]);
    expect(heard.pushBack).toMatchObject({ limited: true });
    expect((heard.pushBack?.pausedUntil ?? 0) - heard.now).toBeGreaterThan(4000);
  });
});
