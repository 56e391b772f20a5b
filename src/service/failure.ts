import type { Endpoint } from '../schema/endpoint.ts';
import { TOO_LARGE } from './content-coding.ts';
import { RequestError, type RequestErrorKind } from './request-error.ts';
import { retryAfter } from './retry-timing.ts';
import type { TransportError, WireAnswer } from './transport.ts';
import type { Words } from './words.ts';

/** One failed attempt, judged: what it means and whether another attempt could help. */
export interface Failure extends Words {
  readonly kind: RequestErrorKind;
  readonly status: number | null;
  readonly reason: string;
  /** The service may have carried the request out. */
  readonly effect: boolean;
  /** It may pass by itself. */
  readonly transient: boolean;
  /** How long the service asks everyone to stay away, in ms; null when it does not. */
  readonly wait: number | null;
  readonly cause?: Error;
}

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

/** Judges a success whose body cannot be used: a page, a cut text, or another shape than the interface's. */
export function unreadableFailure(
  endpoint: Endpoint,
  status: number,
  why: 'html' | 'cut' | 'shape',
  words: Words,
): Failure {
  const reason = {
    html: 'a page came instead of an answer',
    cut: 'the answer is cut off or not JSON',
    shape: 'the answer is not as the interface describes',
  }[why];
  const read = endpoint.effect === 'none';
  // A wrong shape stays wrong; a page or a cut text often comes from something in between, for a moment.
  const judged = { kind: read ? 'malformed' : 'lost', effect: !read, transient: why !== 'shape' } as const;
  return { ...words, ...judged, status, reason, wait: null };
}

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped halfway',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is cut off',
  CONTENT_CODING: 'the answer is compressed in a way that cannot be opened',
};

const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|EPROTO|SSL/;

/**
 * Judges an exchange without a whole answer. The line is drawn where the first byte is written: before it,
 * the service cannot know of the request. After it nothing is sure, not even for a reset on a kept-alive
 * connection that the service was just closing: it looks the same as a reset after the work was done.
 */
export function transportFailure(endpoint: Endpoint, error: TransportError, cause: Error): Failure {
  const nothing = { words: null, fields: {}, status: error.status, wait: null, cause };
  const write = endpoint.effect !== 'none';
  if (error.code === TOO_LARGE) {
    const reason = 'the answer is larger than is accepted';
    return { ...nothing, kind: 'too-large', reason, effect: write, transient: false };
  }
  if (!error.written) {
    const untrusted = NOT_TRUSTED.test(error.code);
    const reason = untrusted
      ? `the certificate is not trusted (${error.code})`
      : (CODES[error.code] ?? `no connection (${error.code})`);
    return { ...nothing, kind: 'unreachable', reason, effect: false, transient: !untrusted };
  }
  const reason =
    CODES[error.code] ?? `the connection was lost before the answer was complete (${error.code})`;
  return { ...nothing, kind: 'lost', reason, effect: write, transient: true };
}

/**
 * Whether the attempt may be repeated. What takes place anew each time (a create, a posting) is repeated only
 * when it certainly had no effect; everything else whenever it may pass by itself.
 */
export function mayRepeat(endpoint: Endpoint, failure: Failure): boolean {
  return failure.transient && (endpoint.effect !== 'each' || !failure.effect);
}

/** The error for the sender; `earlier`: a previous attempt may have taken effect, whatever this one came to. */
export function toRequestError(
  endpoint: Endpoint,
  failure: Failure,
  attempts: number,
  earlier: boolean,
): RequestError {
  const { effect, transient, kind, wait: _, ...rest } = failure;
  // A definite answer stays what it is; "busy" or "unreachable" after a lost answer settles nothing.
  const settled = earlier && transient ? 'lost' : kind;
  const details = { ...rest, kind: settled, endpoint: endpoint.name, attempts };
  return new RequestError({ ...details, mayHaveTakenEffect: effect || earlier });
}
