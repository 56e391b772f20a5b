import type { Time } from '../core/time.ts';

/** So long after its moment, ms, a slot may still be used: what is later counts in the next one's second. */
export const LATE_MS = 20;
/** What requests may be late by, in the program and on their way, without too many in a second, ms. */
const SPREAD_MS = 60;
/** More than the rate in any second: so much of it may be. */
const OVER = 1.05;

/**
 * Milliseconds between two slots of a rate: so many that no second sees over 5 % more, also where each comes
 * up to 60 ms late.
 */
export function spacingOf(rate: number): number {
  const most = Math.max(1, Math.ceil(rate), Math.floor(OVER * rate + 1e-9));
  return Math.max(1000 / rate, (1000 + SPREAD_MS) / most);
}

/** Slots are reserved so far ahead, ms. */
const AHEAD_MS = 150;

/**
 * How far the shared clock's moments are from the local ones. Of each answer only the latest moment is known
 * at which it can have been made: the least of the last minute is taken, so that a slow answer delays nothing
 * and no slot comes too early.
 */
export function openShift(time: Pick<Time, 'steady'>, keep = 30_000) {
  let current = Number.POSITIVE_INFINITY;
  let before = Number.POSITIVE_INFINITY;
  let since = time.steady();
  return {
    /** An answer came that was made at `shared`. */
    heard(shared: number): void {
      const now = time.steady();
      if (now - since > keep) [before, current, since] = [current, Number.POSITIVE_INFINITY, now];
      current = Math.min(current, now - shared);
    },
    forget(): void {
      current = Number.POSITIVE_INFINITY;
      before = Number.POSITIVE_INFINITY;
    },
    local: (shared: number): number => shared + Math.min(current, before),
  };
}

/** How many slots to reserve: for what waits and as much as was used lately, not far ahead of its time. */
function slotsToReserve(held: number, waiting: number, usedLately: number, spacing: number): number {
  const most = Math.max(1, Math.ceil(AHEAD_MS / spacing));
  const target = Math.min(most, waiting + usedLately);
  const missing = target - held;
  // Few at a time would ask often.
  return missing > 0 && missing >= target / 2 ? missing : 0;
}

/** The slots that a program reserved and did not use yet, in their order. */
export function openSlots(time: Pick<Time, 'steady'>) {
  const shift = openShift(time);
  let held: number[] = [];
  let used: number[] = [];
  return {
    shift,
    /** Adds what was reserved, as moments of the shared clock. */
    add(first: number, count: number, spacing: number): void {
      for (let at = 0; at < count; at++) held.push(first + at * spacing);
    },
    /** The next one that can be used, by the local clock; those that were missed are dropped. */
    next(): number | undefined {
      const now = time.steady();
      while (held.length > 0 && shift.local(held[0] as number) + LATE_MS < now) held.shift();
      const [first] = held;
      return first === undefined ? undefined : shift.local(first);
    },
    /** Uses that one. */
    take(): void {
      held.shift();
      used.push(time.steady());
    },
    /** How many more are to be reserved for what waits. */
    missing(waiting: number, spacing: number): number {
      const now = time.steady();
      used = used.filter((moment) => moment > now - AHEAD_MS);
      return slotsToReserve(held.length, waiting, used.length, spacing);
    },
    /** What was known of moments is not known any more. */
    forget(): void {
      held = [];
      shift.forget();
    },
  };
}
