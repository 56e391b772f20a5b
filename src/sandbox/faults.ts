import type { Faults } from './requests/options.ts';
import { json, type Reply } from './requests/reply.ts';

/** What goes wrong with one request. The first four come before anything is done, the last two after it. */
export type Fault = 'reset' | 'status503' | 'html200' | 'html502' | 'lostAnswer' | 'truncate';

export type FaultPicker = (faults: Faults, writes: boolean) => Fault | null;

/**
 * Decides which request meets which fault. Every request takes the same draws from the sequence, so the same
 * requests in the same order meet the same faults, whatever the other chances are.
 */
export function createFaultPicker(seed: number): FaultPicker {
  const random = createRandom(seed);
  return (faults, writes) => {
    const [reset, unavailable, html, page, lost, cut] = [
      random(),
      random(),
      random(),
      random(),
      random(),
      random(),
    ];
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

/** The answer of whatever stands in front of the service, given before the service does anything; null when it lets the request pass. */
export function faultReply(fault: Fault | null, faults: Faults): Reply | null {
  switch (fault) {
    case 'status503':
      return json(
        { message: 'Service Unavailable' },
        503,
        faults.retryAfter === null ? {} : { 'retry-after': String(faults.retryAfter) },
      );
    case 'html200':
      return htmlPage(200);
    case 'html502':
      return htmlPage(502);
    default:
      return null;
  }
}

/** 429 with the whole seconds after which there is room again. */
export function tooManyRequests(seconds: number): Reply {
  return json({ message: 'Too Many Attempts.' }, 429, {
    'retry-after': String(Math.max(1, Math.ceil(seconds))),
  });
}

/** Takes a request; null when it may go on, else the seconds after which to try again. */
export type RateLimit = (perSecond: number | null) => number | null;

/** A token bucket that holds one second's worth, at least one request. `now` is in ms. */
export function createRateLimit(now: () => number = () => performance.now()): RateLimit {
  let tokens = Number.POSITIVE_INFINITY;
  let filled = now();
  return (perSecond) => {
    const moment = now();
    if (perSecond === null) {
      tokens = Number.POSITIVE_INFINITY;
      filled = moment;
      return null;
    }
    tokens = Math.min(Math.max(1, perSecond), tokens + ((moment - filled) / 1000) * perSecond);
    filled = moment;
    if (tokens < 1) return (1 - tokens) / perSecond;
    tokens -= 1;
    return null;
  };
}

/** An endless sequence of numbers from 0 up to 1 that is the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
