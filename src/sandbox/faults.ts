import type { Faults } from './requests/options.ts';
import { json, type Reply } from './requests/reply.ts';

/** What goes wrong with one request: the first two before anything is done, the last after it. */
export type Fault = 'reset' | 'status503' | 'lostAnswer';

/** Picks the fault of a request by its chances; null for none. */
export function pickFault(faults: Faults, isWrite: boolean): Fault | null {
  if (faults.onlyWrites && !isWrite) return null;
  const kinds = ['reset', 'status503', 'lostAnswer'] as const;
  return kinds.find((fault) => Math.random() < faults[fault]) ?? null;
}

/** 503, as of a gateway in front of the service, which does nothing. */
export function unavailable({ retryAfter }: Faults): Reply {
  const headers = retryAfter === null ? {} : { 'retry-after': String(retryAfter) };
  return json({ message: 'Service Unavailable' }, 503, headers);
}

/** 429 with a Retry-After in whole seconds. */
export function tooManyRequests(seconds: number): Reply {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(seconds))) };
  return json({ message: 'Too Many Attempts.' }, 429, headers);
}

/**
 * Counts requests against a limit: null when one may pass, else the seconds after which to try again. A token
 * bucket that holds one second of requests, at least one.
 */
export function createRateLimit() {
  let tokens = Number.POSITIVE_INFINITY;
  let filled = performance.now();
  return (perSecond: number | null): number | null => {
    const elapsed = performance.now() - filled;
    filled += elapsed;
    if (perSecond === null) {
      tokens = Number.POSITIVE_INFINITY;
      return null;
    }
    tokens = Math.min(Math.max(1, perSecond), tokens + (elapsed / 1000) * perSecond);
    if (tokens < 1) return (1 - tokens) / perSecond;
    tokens -= 1;
    return null;
  };
}
