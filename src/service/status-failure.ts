import type { Endpoint } from '../schema/endpoint.ts';
import type { Failure } from './failure.ts';
import { retryAfter } from './retry-timing.ts';
import type { WireAnswer } from './transport.ts';
import type { Words } from './words.ts';

type Judgement = Pick<Failure, 'kind' | 'reason' | 'transient'> & { readonly effect?: boolean };

const CONFLICT: Judgement = {
  kind: 'conflict',
  reason: 'in conflict with what the service holds',
  transient: false,
};
const MISSING: Judgement = { kind: 'missing', reason: 'not found by the service', transient: false };
/** Turned away at the door, by the meaning of these codes before anything was done: safe to repeat, a create too. */
const busy = (reason: string): Judgement => ({ kind: 'busy', reason, transient: true });
/** A gateway or the service itself broke down, who knows how far along. */
const broken = (reason: string, transient: boolean): Judgement => ({
  kind: 'lost',
  reason,
  transient,
  effect: true,
});

const STATUS: Readonly<Record<number, Judgement>> = {
  403: { kind: 'refused', reason: 'the token is not allowed to do this', transient: false },
  404: MISSING,
  408: busy('the service gave up waiting for the request'),
  409: CONFLICT,
  410: MISSING,
  412: CONFLICT,
  425: busy('the service asks to come back later'),
  429: busy('the service turns requests away'),
  501: { kind: 'refused', reason: 'the service does not offer this', transient: false },
  502: broken('the gateway got no answer from the service', true),
  503: busy('the service is unavailable'),
  504: broken('the gateway waited too long for the service', true),
};

/** A 429 without a time still means that everyone should stay away for a moment. */
const UNNAMED_PAUSE_MS = 1000;

/** Judges an answer whose status is not a success; `html`: a page came instead of JSON. */
export function statusFailure(
  endpoint: Endpoint,
  answer: WireAnswer,
  said: Words & { readonly html: boolean; readonly now: number },
): Failure {
  const { status, headers } = answer;
  const { words, fields, html, now } = said;
  const { effect, ...judged } = STATUS[status] ?? judgeOther(answer, html);
  const asked = status === 429 || status === 503 ? retryAfter(headers, now) : null;
  return {
    ...judged,
    words,
    fields,
    status,
    reason: `${judged.reason} (${status})`,
    effect: effect === true && endpoint.effect !== 'none',
    wait: asked ?? (status === 429 ? UNNAMED_PAUSE_MS : null),
  };
}

function judgeOther({ status, headers }: WireAnswer, html: boolean): Judgement {
  if (status >= 300 && status < 400) return redirected(status, headers.location);
  if (status < 500) return { kind: 'refused', reason: 'refused by the service', transient: false };
  // 520 and up are those of content delivery networks: the service behind was not reached, or not heard.
  return broken('the service broke down', html || status >= 520);
}

function redirected(status: number, location: string | undefined): Judgement {
  const target = location !== undefined && URL.canParse(location) ? new URL(location).origin : 'another page';
  // 302 and 303 are also how a server answers after it did what was asked.
  const effect = status === 302 || status === 303;
  return {
    kind: 'redirected',
    reason: `the service redirects to ${target}, not followed`,
    transient: false,
    effect,
  };
}
