import { type Bilingual, t } from '../core/language.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { type AnswerWords, RequestError } from './request-error.ts';
import {
  AT_PROXY,
  ENDED,
  NOT_WHOLE,
  TOO_LARGE,
  type TransportError,
  WHOLE,
  type WireAnswer,
} from './transport.ts';

/** A failed attempt: what it means, and whether another could help. */
export interface AttemptFailure extends AnswerWords {
  readonly kind: RequestError['kind'];
  readonly status: number | null;
  readonly reason: Bilingual;
  /** The service may have carried the request out. */
  readonly effect: boolean;
  /** It may pass by itself. */
  readonly transient: boolean;
  /** Turned down, and not surely by the service itself, or for what an earlier try of it did. */
  readonly unclear?: boolean;
  /** How long the service asks everyone to stay away, in ms; null when it does not. */
  readonly wait: number | null;
  readonly cause?: Error;
}

/** Of an answer that says nothing. */
export const SILENT: AnswerWords = { words: null, fields: {} };

const NOT_READ = t('the answer is not read', 'het antwoord wordt niet gelezen');
const UNREADABLE = {
  html: t('a page came instead of an answer', 'er kwam een webpagina in plaats van een antwoord'),
  cut: t('the answer is cut off or not JSON', 'het antwoord is afgekapt of geen JSON'),
  shape: t('the answer is not as expected', 'het antwoord is niet zoals verwacht'),
  limit: NOT_READ,
  /** Of so many values that fewer may well be read: a list may be asked for in parts. */
  much: NOT_READ,
} as const satisfies Record<string, Bilingual>;

/** Judges a success whose body can't be used; `wrong` says what is wrong with its shape. */
export function unreadableFailure(
  endpoint: Pick<Endpoint, 'effect'>,
  status: number,
  why: keyof typeof UNREADABLE,
  told: AnswerWords & { readonly wrong?: Bilingual },
): AttemptFailure {
  const { wrong, ...words } = told;
  const { en, nl } = UNREADABLE[why];
  const reason = wrong === undefined ? { en, nl } : t(`${en}: ${wrong.en}`, `${nl}: ${wrong.nl}`);
  const read = endpoint.effect === 'none';
  // A wrong shape stays wrong; a page or a cut text often comes from a gateway, for a moment.
  const transient = why === 'html' || why === 'cut';
  const kind = why === 'much' ? 'too-large' : 'malformed';
  const judged = { kind: read ? kind : 'lost', effect: !read, transient } as const;
  return { ...words, ...judged, status, reason, wait: null };
}

/** Whether an attempt may be repeated; a create or posting only when it certainly had no effect. */
export function mayRetry(endpoint: Endpoint, failure: AttemptFailure): boolean {
  return failure.transient && (endpoint.effect !== 'each' || !failure.effect);
}

/** The error for the sender; `earlier`: a previous attempt may have taken effect. */
export function toRequestError(
  endpoint: Endpoint,
  failure: AttemptFailure,
  attempts: number,
  earlier: boolean,
): RequestError {
  const { effect, transient, kind, wait: _, ...rest } = failure;
  // A definite answer stays what it is; "busy" or "unreachable" after a lost answer settles nothing.
  const settled = (earlier || effect) && transient ? 'lost' : kind;
  const details = { ...rest, kind: settled, endpoint: endpoint.name, attempts };
  // What is refused now was refused then: it was the same request.
  return new RequestError({ ...details, mayHaveTakenEffect: effect || (earlier && kind !== 'refused') });
}

type Judgement = Pick<AttemptFailure, 'kind' | 'reason' | 'transient'> & { readonly effect?: boolean };

/** Understood and turned down: repeating changes nothing. */
const final = (kind: RequestError['kind'], reason: Bilingual): Judgement => ({
  kind,
  reason,
  transient: false,
});
/** Turned away for now, before anything was done where the service itself says it. */
const busy = (reason: Bilingual): Judgement => ({ kind: 'busy', reason, transient: true });
/** A gateway or the service broke down; how far it came is not known. */
const broken = (reason: Bilingual, transient: boolean): Judgement => ({
  ...{ kind: 'lost', reason, transient, effect: true },
});

/**
 * Turned away, but a proxy in between gives these codes as well, after the service did the work: a write is
 * in doubt, whatever Retry-After says.
 */
export const FROM_PROXIES: ReadonlySet<number | null> = new Set([408, 425, 503]);

/** By these a gateway tells that no answer came from the service, which may be at work on it. */
const FROM_GATEWAYS: ReadonlySet<number> = new Set([444, 460, 499, 502, 504]);

/** Words by which a service says that it has what it is sent. */
const SAYS_THERE = /\b(already|exists?|duplicate|twice|taken|bestaat|dubbele?|reeds|al (eerder|aanwezig))\b/i;

/** With these a proxy itself turns away what it passes on to nobody. */
const BEFORE_WORK: ReadonlySet<number> = new Set([403, 405, 411, 413, 414, 415, 431, 501]);

/** A refusal in the service's own words (interface 7) is clear, but for one that says that it is there. */
const isUnclear = (
  kind: RequestError['kind'],
  status: number,
  html: boolean,
  words: string | null,
): boolean =>
  (kind === 'refused' || kind === 'conflict') &&
  !BEFORE_WORK.has(status) &&
  (html || words === null || (kind === 'conflict' && SAYS_THERE.test(words)));

/** The pause after a 429 that names no time. */
const UNNAMED_PAUSE_MS = 1000;

/** Judges an answer whose status is no success; `html`: a page came instead of JSON. */
export function statusFailure(
  endpoint: Pick<Endpoint, 'effect'>,
  answer: WireAnswer,
  said: AnswerWords & { readonly html: boolean; readonly now: number },
): AttemptFailure {
  const { status, headers } = answer;
  const { words, fields, html, now } = said;
  const { effect, ...plain } = judgeStatus(answer, html);
  const doubted = endpoint.effect !== 'none' && FROM_PROXIES.has(status);
  const judged = doubted && endpoint.effect === 'each' ? { ...plain, kind: 'lost' as const } : plain;
  const asked = status === 429 || status === 503 ? retryAfter(headers, now) : null;
  return {
    ...judged,
    words,
    fields,
    status,
    reason: t(`${judged.reason.en} (${status})`, `${judged.reason.nl} (${status})`),
    effect: doubted || (effect === true && endpoint.effect !== 'none'),
    unclear: endpoint.effect === 'each' && isUnclear(plain.kind, status, html, words),
    wait: asked ?? (status === 429 ? UNNAMED_PAUSE_MS : null),
  };
}

function judgeStatus({ status, headers }: WireAnswer, html: boolean): Judgement {
  if (status >= 300 && status < 400) return redirected(headers.location);
  if (status === 403)
    return final('refused', t('the token is not allowed to do this', 'het token mag dit niet'));
  if (status === 404 || status === 410)
    return final('missing', t('not found by the service', 'niet gevonden door het systeem'));
  if (status === 409 || status === 412)
    return final(
      'conflict',
      t('in conflict with what the service holds', 'in strijd met wat het systeem heeft staan'),
    );
  if (status === 429) return busy(t('the service turns requests away', 'het systeem wijst verzoeken af'));
  if (FROM_PROXIES.has(status))
    return busy(t('the service is unavailable', 'het systeem is niet beschikbaar'));
  if (FROM_GATEWAYS.has(status))
    return broken(
      t('a gateway got no answer from the service', 'een gateway kreeg geen antwoord van het systeem'),
      true,
    );
  if (status < 500 || status === 501)
    return final('refused', t('refused by the service', 'geweigerd door het systeem'));
  // 520 and up come from content delivery networks that got no answer from the service.
  return broken(t('the service broke down', 'er ging iets stuk bij het systeem'), html || status >= 520);
}

function redirected(location: string | undefined): Judgement {
  const target =
    location !== undefined && URL.canParse(location)
      ? t(new URL(location).origin, new URL(location).origin)
      : t('another page', 'een andere pagina');
  const reason = t(
    `the service redirects to ${target.en}, not followed`,
    `het systeem verwijst naar ${target.nl}, niet gevolgd`,
  );
  // A server may answer like this after it did what was asked, whichever of them it takes.
  return { ...final('redirected', reason), effect: true };
}

const CODES: Readonly<Record<string, Bilingual>> = {
  ECONNREFUSED: t('the connection is refused', 'de verbinding wordt geweigerd'),
  ENOTFOUND: t('the host name is not known', 'de naam van de server is niet bekend'),
  EAI_AGAIN: t('the host name cannot be looked up now', 'de naam van de server kan nu niet worden opgezocht'),
  EHOSTUNREACH: t('the host cannot be reached', 'de server is niet bereikbaar'),
  ENETUNREACH: t('the network cannot be reached', 'het netwerk is niet bereikbaar'),
  [ENDED]: t(
    'no answer came before it was interrupted',
    'er kwam geen antwoord voordat het onderbroken werd',
  ),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: t('the answer is cut off', 'het antwoord is afgekapt'),
  CONTENT_CODING: t(
    'the answer is compressed in a way that cannot be opened',
    'het antwoord is gecomprimeerd op een manier die niet te openen is',
  ),
};

/** What took too long, by the time that it had, s. */
const TIMED: Readonly<Record<string, (seconds: number) => Bilingual>> = {
  UND_ERR_CONNECT_TIMEOUT: (s) =>
    t(`no connection within ${s} s (timeout)`, `geen verbinding binnen ${s} s (timeout)`),
  UND_ERR_HEADERS_TIMEOUT: (s) =>
    t(`no answer within ${s} s (timeout)`, `geen antwoord binnen ${s} s (timeout)`),
  UND_ERR_BODY_TIMEOUT: (s) =>
    t(
      `the answer stopped halfway: no byte for ${s} s (timeout)`,
      `het antwoord hield halverwege op: ${s} s lang geen byte (timeout)`,
    ),
  [NOT_WHOLE]: (s) =>
    t(
      `the answer was not whole after ${s * WHOLE} s (${WHOLE} times timeout)`,
      `het antwoord was na ${s * WHOLE} s niet compleet (${WHOLE} keer timeout)`,
    ),
};

/** What stood in the way of a connection by https, and can't pass by itself: the first that fits. */
const NOT_SECURE: readonly (readonly [codes: RegExp, reason: Bilingual])[] = [
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    t(
      'its certificate is not valid on the day that this machine has',
      'het certificaat is niet geldig op de dag die deze machine aangeeft',
    ),
  ],
  [/ALTNAME_INVALID/, t('its certificate is of another address', 'het certificaat is van een ander adres')],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/,
    t(
      'its certificate is not trusted; if your company has an authority of its own, name the file of that in NODE_EXTRA_CA_CERTS',
      'het certificaat wordt niet vertrouwd; heeft je bedrijf een eigen uitgever, noem dan het bestand daarvan in NODE_EXTRA_CA_CERTS',
    ),
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/,
    t(
      'the service speaks http at this address, not https',
      'het systeem spreekt op dit adres http, geen https',
    ),
  ],
  [/ERR_TLS|EPROTO|SSL/, t('no https could be agreed on', 'er kon geen https worden afgesproken')],
];

/** Why the proxy of the environment made no connection; a status is its own answer. */
function atProxyFailure(what: string): Pick<AttemptFailure, 'reason' | 'transient'> {
  if (what === '407') {
    const reason = t(
      'the proxy asks for a name and a password: HTTPS_PROXY=http://name:password@host:port (407)',
      'de proxy vraagt om een naam en wachtwoord: HTTPS_PROXY=http://naam:wachtwoord@server:poort (407)',
    );
    return { reason, transient: false };
  }
  if (/^[1-4]\d\d$/.test(what)) {
    const reason = t(`the proxy refuses to connect (${what})`, `de proxy weigert te verbinden (${what})`);
    return { reason, transient: what === '408' || what === '429' };
  }
  const reason = t(
    `no connection by the proxy of HTTPS_PROXY or HTTP_PROXY (${what})`,
    `geen verbinding via de proxy van HTTPS_PROXY of HTTP_PROXY (${what})`,
  );
  return { reason, transient: true };
}

/**
 * Judges an exchange without a whole answer. Before the first byte is written the service can't know of the
 * request; after it nothing is sure: a reset of an idle connection looks like one after the work was done.
 */
export function transportFailure(
  endpoint: Endpoint,
  error: TransportError,
  { cause, timeout }: { readonly cause: Error; readonly timeout: number },
): AttemptFailure {
  const known = TIMED[error.code]?.(timeout / 1000) ?? CODES[error.code];
  const nothing = { ...SILENT, status: error.status, wait: null, cause };
  const write = endpoint.effect !== 'none';
  if (error.code === TOO_LARGE) {
    const reason = t('the answer is larger than is accepted', 'het antwoord is groter dan wordt aangenomen');
    return { ...nothing, kind: 'too-large', reason, effect: write, transient: false };
  }
  if (!error.written) {
    const unsent = { ...nothing, kind: 'unreachable', effect: false } as const;
    if (error.code.startsWith(AT_PROXY))
      return { ...unsent, ...atProxyFailure(error.code.slice(AT_PROXY.length)) };
    // EPROTO says no more than its message.
    const said = `${error.code} ${error.message.toUpperCase().replaceAll(' ', '_')}`;
    const [, insecure] = NOT_SECURE.find(([codes]) => codes.test(said)) ?? [];
    const told = insecure ?? t('no connection', 'geen verbinding');
    const coded = t(`${told.en} (${error.code})`, `${told.nl} (${error.code})`);
    return { ...unsent, reason: known ?? coded, transient: insecure === undefined };
  }
  const reason =
    known ??
    t(
      `the connection was lost before the answer was complete (${error.code})`,
      `de verbinding viel weg voordat het antwoord compleet was (${error.code})`,
    );
  const transient = write || error.code !== NOT_WHOLE;
  return { ...nothing, kind: 'lost', reason, effect: write, transient };
}

const FIRST_MS = 250;
const LONGEST_MS = 20_000;
/** Longer than anyone could mean; a date so far ahead can still be told. */
const LONGEST_ASKED_MS = 1e12;

/** Milliseconds before the attempt after `attempt` (from 1): exponential, with full jitter. */
export function backoff(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));
}

/** What Retry-After asks for, ms, or null. A date counts from the answer's Date. */
export function retryAfter(
  headers: { readonly 'retry-after'?: unknown; readonly date?: unknown },
  now: number,
): number | null {
  const asked = headers['retry-after'];
  if (typeof asked !== 'string' || asked.trim() === '') return null;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(asked) ? Number(asked) * 1000 : dateAfter(asked, headers.date, now);
  return Number.isNaN(ms) ? null : Math.min(LONGEST_ASKED_MS, Math.max(0, Math.ceil(ms)));
}

function dateAfter(asked: string, answered: unknown, now: number): number {
  const from = typeof answered === 'string' ? Date.parse(answered) : Number.NaN;
  return Date.parse(asked) - (Number.isNaN(from) ? now : from);
}
