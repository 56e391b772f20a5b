import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LATE_MS, openShift, openSlots, spacingOf } from '../../src/service/shared-pace.ts';

const rates = fc.double({ min: 0.1, max: 100_000, noNaN: true });

/** The most moments within any second. */
const fullest = (moments: readonly number[]): number =>
  Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1000).length));

describe('the slots of a rate', () => {
  test('are as dense as the rate within 6 %, and never denser', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        const reached = 1000 / spacingOf(rate);
        expect(reached).toBeLessThanOrEqual(rate * (1 + 1e-9));
        expect(reached).toBeGreaterThanOrEqual(rate * 0.94);
      }),
      { seed: 45 },
    );
  });

  test('are no more than 5 % too many in any second, also where each request is up to 55 ms late', () => {
    const lates = fc.array(fc.double({ min: 0, max: 55, noNaN: true }), { minLength: 20, maxLength: 300 });
    fc.assert(
      fc.property(fc.double({ min: 1, max: 200, noNaN: true }), lates, (rate, late) => {
        const spacing = spacingOf(rate);
        const most = fullest(late.map((ms, at) => at * spacing + ms));
        expect(most).toBeLessThanOrEqual(Math.max(Math.ceil(rate), 1.05 * rate));
      }),
      { numRuns: 60, seed: 45 },
    );
  });
});

describe('moments of a shared clock', () => {
  test('are never taken for earlier than they are, and for later by the quickest answer at most', () => {
    const trips = fc.array(fc.record({ there: fc.nat(500), back: fc.nat(500), pause: fc.nat(5000) }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(trips, fc.integer({ min: -1_000_000, max: 1_000_000 }), (all, apart) => {
        let now = 1_000_000;
        const shift = openShift({ steady: () => now }, Number.POSITIVE_INFINITY);
        for (const { there, back, pause } of all) {
          now += pause + there;
          const shared = now + apart;
          now += back;
          shift.heard(shared);
        }
        const late = shift.local(5_000_000 + apart) - 5_000_000;
        expect(late).toBe(Math.min(...all.map(({ back }) => back)));
      }),
      { seed: 45 },
    );
  });

  test('are taken anew from the last minute, as clocks drift', () => {
    let now = 0;
    const shift = openShift({ steady: () => now }, 30_000);
    shift.heard(-1);
    for (now = 1000; now <= 90_000; now += 1000) shift.heard(now - 5);
    expect(shift.local(100)).toBe(105);
  });
});

describe('reserved slots', () => {
  test('that were missed are dropped, not used at once', () => {
    let now = 1000;
    const slots = openSlots({ steady: () => now });
    slots.shift.heard(1000);
    slots.add(1000, 10, 10);
    now = 1055;
    expect(slots.next()).toBe(1040);
    expect(now - (slots.next() as number)).toBeLessThanOrEqual(LATE_MS);
    now = 2000;
    expect(slots.next()).toBeUndefined();
  });
});
