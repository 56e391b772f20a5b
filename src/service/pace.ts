/** Lateness of timers that is caught up with, so that the rate holds without ever sending a burst. */
const SLACK_MS = 25;
/** After this long without push-back the pace has grown by e, after twice as long by e⁴: careful, then curious. */
const RECOVERY_MS = 45_000;
const SLOWEST = 0.1;
const REMEMBERED = 1024;
/** Fewer accepted requests than this say too little about a rate. */
const ENOUGH = 5;

/** When the next request may start: pauses the service asked for, and the rate it was seen to bear. */
export interface Pace {
  /** The earliest moment for the next start. */
  next(): number;
  started(now: number): void;
  /** The service dealt with a request. */
  accepted(now: number): void;
  /** Nothing starts for `wait` ms: the service asks for it. */
  pause(now: number, wait: number): void;
  /** The service turned away a request that started after the last reduction: less, from the end of the pause on. */
  slowDown(now: number): void;
  /** Requests a second; Infinity when nothing limits it. */
  rate(now: number): number;
}

/** `ceiling` is the user's own limit, in requests a second. */
export function openPace(ceiling = Number.POSITIVE_INFINITY): Pace {
  let learned = Number.POSITIVE_INFINITY;
  let learnedAt = 0;
  let pausedUntil = 0;
  let dueAt = 0;
  let times: number[] = [];

  const grown = (now: number) => learned * Math.exp((Math.max(0, now - learnedAt) / RECOVERY_MS) ** 2);
  const rate = (now: number) => Math.min(ceiling, grown(now));

  return {
    next: () => Math.max(pausedUntil, dueAt),
    started(now) {
      dueAt = Math.max(dueAt, now - SLACK_MS) + 1000 / rate(now);
    },
    accepted(now) {
      if (times.length >= 2 * REMEMBERED) times = times.slice(-REMEMBERED);
      times.push(now);
    },
    pause(now, wait) {
      pausedUntil = Math.max(pausedUntil, now + wait);
    },
    slowDown(now) {
      const until = Math.max(pausedUntil, now);
      learned = Math.max(SLOWEST, slower(rate(now), borne(times, until), times.length));
      learnedAt = until;
      dueAt = until;
      times = [];
    },
    rate,
  };
}

/**
 * The rate the service bore since the last push-back, with the pause it now asks for counted in: a service that
 * takes 20 at once and then asks for a second's rest bears 19 a second, not a thousand. The best stretch that
 * ends now counts, so that a quiet time before does not.
 */
function borne(times: readonly number[], until: number): number {
  let best = 0;
  for (const [index, time] of times.entries()) {
    best = Math.max(best, ((times.length - index) * 1000) / Math.max(1, until - time));
  }
  return best;
}

function slower(current: number, measured: number, samples: number): number {
  if (samples >= ENOUGH || (samples > 0 && current === Number.POSITIVE_INFINITY))
    return Math.min(measured, current * 0.9);
  return current / 2;
}
