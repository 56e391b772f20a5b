import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Sharing, shareOf, sharesOf } from '../../src/ledger/shares.ts';

const total = fc.integer({ min: 1, max: 256 });
const wishes = fc.array(fc.integer({ min: 0, max: 256 }), { minLength: 1, maxLength: 12 });
const membersOf = (all: readonly number[]) => all.map((wants, at) => ({ program: `p${at}`, wants }));

const SEED = { seed: 5, numRuns: 60 };

describe('requests in flight that programs share', () => {
  const cases: readonly [string, number, number[], number[]][] = [
    ['one that wants all gets all', 8, [8], [8]],
    ['they are divided evenly', 8, [8, 8], [4, 4]],
    ['what is left over goes to the first', 8, [8, 8, 8], [3, 3, 2]],
    ['what one does not want the others get', 8, [8, 1, 0], [7, 1, 0]],
    ['fewer than programs are given to some', 2, [4, 4, 4], [1, 1, 0]],
  ];
  test.each(cases)('%s', (_, most, wants, given) => {
    expect([...sharesOf(most, membersOf(wants), 0).values()]).toEqual(given);
  });

  test('are all given out where they are wanted, none more than that, and come round to each program', () => {
    fc.assert(
      fc.property(total, wishes, (most, wants) => {
        const members = membersOf(wants);
        const served = new Set<string>();
        for (let second = 0; second < 5 * members.length; second += 5) {
          const given = [...sharesOf(most, members, second)];
          const sum = given.reduce((one, [, share]) => one + share, 0);
          expect(sum).toBe(
            Math.min(
              most,
              wants.reduce((one, other) => one + other, 0),
            ),
          );
          expect(given.every(([, share], at) => share <= (wants[at] ?? 0))).toBe(true);
          for (const [program, share] of given) if (share > 0) served.add(program);
        }
        expect(served.size).toBe(wants.filter((one) => one > 0).length);
      }),
      SEED,
    );
  });

  test('are never more than allowed, in whatever order programs look, lower theirs and go', () => {
    const step = fc.record({ who: fc.nat(5), wants: fc.integer({ min: 0, max: 20 }), busy: fc.nat(20) });
    fc.assert(
      fc.property(total, fc.array(step, { maxLength: 60 }), (concurrency, steps) => {
        const members = new Map<string, Sharing>();
        /** What each may start, and what it has in flight: it ends some, and starts as many as it may. */
        const limits = new Map<string, number>();
        const flights = new Map<string, number>();
        for (const [second, { who, wants, busy }] of steps.entries()) {
          const program = `p${who}`;
          const limit = limits.get(program) ?? 0;
          const inFlight = Math.max(Math.min(flights.get(program) ?? 0, busy), Math.min(limit, wants));
          const uses = Math.max(inFlight, limit);
          const self = { program, rate: null, concurrency, wants, share: uses, now: second * 1000 };
          members.set(program, self);
          const share = shareOf(program, [...members.values()]);
          members.set(program, { ...self, share: Math.max(uses, share) });
          limits.set(program, share);
          flights.set(program, Math.max(inFlight, Math.min(share, wants)));
          expect([...flights.values()].reduce((one, other) => one + other, 0)).toBeLessThanOrEqual(
            concurrency,
          );
        }
      }),
      SEED,
    );
  });
});
