/** Most requests in flight, up to `most`: lowered by push-back, one more after each round of successes. */
export function openConcurrencyLimit(most: number) {
  let limit = most;
  let streak = 0;
  return {
    get limit() {
      return limit;
    },
    accepted() {
      if (limit === most) return;
      streak += 1;
      if (streak < limit) return;
      streak = 0;
      limit += 1;
    },
    /** `keep`: the share that remains. */
    lower(keep: number) {
      limit = Math.max(1, Math.floor(limit * keep));
      streak = 0;
    },
  };
}

/** Lateness of timers that is made up for: the rate holds, without bursts. */
const SLACK_MS = 25;
/** After this long without push-back the pace has grown by e, after twice as long by e⁴. */
const RECOVERY_MS = 45_000;
const SLOWEST = 0.1;
const REMEMBERED = 1024;
/** Fewer accepted requests than this say too little about a rate. */
const ENOUGH_ACCEPTED = 5;

/**
 * When the next request may start: after asked pauses, at the rate that the service was seen to bear and at
 * most at `ceiling`, the user's own limit, in requests a second.
 */
export function openPace(ceiling = Number.POSITIVE_INFINITY) {
  let learned = Number.POSITIVE_INFINITY;
  let learnedAt = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;
  let times: number[] = [];

  const grown = (now: number) => learned * Math.exp((Math.max(0, now - learnedAt) / RECOVERY_MS) ** 2);
  const rate = (now: number) => Math.min(ceiling, grown(now));

  return {
    /** The earliest moment for the next start. */
    next: () => Math.max(pausedUntil, dueAt),
    started(now: number) {
      dueAt = Math.max(dueAt, now - SLACK_MS) + 1000 / rate(now);
    },
    accepted(now: number) {
      if (times.length >= 2 * REMEMBERED) times = times.slice(-REMEMBERED);
      times.push(now);
    },
    /** The service asks for a pause of `wait` ms. */
    pause(now: number, wait: number) {
      pausedUntil = Math.max(pausedUntil, now + wait);
    },
    /** Lowers the rate from the end of the pause on, after a request that was turned away. */
    slowDown(now: number) {
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
 * The rate that the service bore since the last push-back, the pause that it now asks for included: 20
 * requests at once and then a second's pause is about 20 a second. The best stretch that ends now counts, so
 * that a quiet time does not.
 */
function borne(times: readonly number[], until: number): number {
  let best = 0;
  for (const [index, time] of times.entries()) {
    best = Math.max(best, ((times.length - index) * 1000) / Math.max(1, until - time));
  }
  return best;
}

function slower(current: number, measured: number, samples: number): number {
  if (samples >= ENOUGH_ACCEPTED || (samples > 0 && current === Number.POSITIVE_INFINITY))
    return Math.min(measured, current * 0.9);
  return current / 2;
}

const WINDOW = 50;
/** Fewer answers than this say too little about their share. */
const ENOUGH_ANSWERS = 20;

/** Which of the last answers turned a request away. */
export function openRefusals() {
  let last: boolean[] = [];
  return {
    note(refused: boolean) {
      last.push(refused);
      if (last.length > WINDOW) last.shift();
    },
    /** The share of them, 0 to 1; 0 while too few are known. */
    share: () => (last.length < ENOUGH_ANSWERS ? 0 : last.filter((refused) => refused).length / last.length),
    /** Starts again, at another pace. */
    forget() {
      last = [];
    },
  };
}
