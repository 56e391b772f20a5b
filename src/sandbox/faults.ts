import type { Faults } from './requests/options.ts';
import { json, type Reply } from './requests/reply.ts';

/** What goes wrong with one request: the first four before anything is done, the last two after it. */
export type Fault = 'reset' | 'status503' | 'html200' | 'html502' | 'lostAnswer' | 'truncate';

/**
 * Picks the fault of each request by a seeded random sequence; null for none. Every request takes the same
 * number of draws, so the same requests in the same order meet the same faults, whatever the other chances
 * are.
 */
export function createFaultPicker(seed: number) {
  const random = createRandom(seed);
  return (faults: Faults, writes: boolean): Fault | null => {
    const draws = Array.from({ length: 6 }, random);
    const [reset = 0, unavailable = 0, html = 0, page = 0, lost = 0, cut = 0] = draws;
    if (faults.onlyWrites && !writes) return null;
    if (reset < faults.reset) return 'reset';
    if (unavailable < faults.status503) return 'status503';
    if (html < faults.html) return page < 0.5 ? 'html200' : 'html502';
    if (lost < faults.lostAnswer) return 'lostAnswer';
    return cut < faults.truncate ? 'truncate' : null;
  };
}

function htmlPage(status: 200 | 502): Reply {
  const title = status === 200 ? 'Onderhoud' : '502 Bad Gateway';
  const bytes = Buffer.from(
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );
  return { kind: 'bytes', status, bytes, type: 'text/html; charset=utf-8' };
}

/** The answer of a gateway in front of the service, which does nothing; null when the request passes. */
export function faultReply(fault: Fault | null, { retryAfter }: Faults): Reply | null {
  if (fault === 'html200') return htmlPage(200);
  if (fault === 'html502') return htmlPage(502);
  if (fault !== 'status503') return null;
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

/** Random numbers from 0 up to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
