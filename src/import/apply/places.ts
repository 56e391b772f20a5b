import pLimit from 'p-limit';
import type { Context } from '../../run/context.ts';

/** Rows at work beyond those whose requests are in flight: while one writes to the ledger, another sends. */
const AHEAD = 8;
/** Rows at work wait for the pace, or for the answers of others, at most so long, s. */
const PACED = 2;

/** Room for so many rows at work at once, in the order of asking; one that only waits leaves its room to others. */
export type Places = ReturnType<typeof createPlaces>;

/** Places for as many rows as keep the pipe full: what waits long after it was looked at could change. */
export function createPlaces({ service, concurrency }: Pick<Context, 'service' | 'concurrency'>) {
  const most = (): number => {
    const { latency, rate, limit: inFlight } = service.stats;
    const answered = latency === null ? AHEAD : Math.floor((concurrency * PACED * 1000) / latency);
    return Math.min(Math.min(concurrency, inFlight) + Math.min(AHEAD, answered), Math.ceil(rate * PACED));
  };
  const limit = pLimit(1);
  const waiting: (() => void)[] = [];
  let aside = 0;
  const adjust = (): void => {
    limit.concurrency = Math.max(1, most()) + aside;
  };
  const freed = (): void => {
    adjust();
    for (const tell of waiting.splice(0)) tell();
  };
  return {
    /** Does work in a place. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      adjust();
      try {
        return await limit(work);
      } finally {
        freed();
      }
    },
    /** Does work that only waits, of a row that has a place: others have it meanwhile. */
    async aside<T>(work: () => Promise<T>): Promise<T> {
      aside++;
      freed();
      try {
        return await work();
      } finally {
        aside--;
        adjust();
      }
    },
    /** Rows that have a place or ask for one, those that ask, and rows that left theirs for a while. */
    counts: () => ({
      busy: limit.activeCount + limit.pendingCount - aside,
      waiting: limit.pendingCount,
      aside,
    }),
    /** Resolves when a row next leaves its place. */
    freed: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}
