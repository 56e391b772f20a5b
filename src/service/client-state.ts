import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { buildConnector } from 'undici';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { aboutText } from '../core/shown-moment.ts';
import { systemTime, type Time } from '../core/time.ts';
import { Gate } from './gate.ts';
import { openScrub } from './read-answer.ts';
import { interruption } from './request-error.ts';
import type { SharedPace } from './shared-pace.ts';
import { openTransport } from './transport.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** So long writes that are out have at least to be answered when all is interrupted, ms. */
export const LAST_ANSWERS_MS = 5000;
/** And at least so many times what an answer usually takes. */
const TIMES_USUAL = 4;

/** The state that all requests of one service share. */
export type ClientState = ReturnType<typeof openClientState>;

/** What a token can be: it goes along in a header. */
export const TOKEN = /^[\x21-\x7e]+$/;

/** @throws StopError (usage) for a token or limit that can't be used. */
export function openClientState(base: URL, options: ServiceOptions) {
  const { token, concurrency, rate, timeout, signal, log, time, connect } = options;
  if (!TOKEN.test(token)) {
    throw new StopError(EXIT.usage, token === '' ? EMPTY_TOKEN : BAD_TOKEN, { next: PUT_TOKEN });
  }
  if (!(concurrency >= 1) || !((rate ?? 1) > 0)) {
    throw new StopError(EXIT.usage, BAD_LIMIT);
  }
  const maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
  const ending = new AbortController();
  // Every request in flight listens to this one signal.
  setMaxListeners(0, ending.signal);
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  const gate = new Gate({ concurrency, rate, time, shared: options.shared, closed: ending.signal });
  const latency = openLatency();
  const stats = openStats(gate, latency, timeout);
  const interrupt = () => {
    ending.abort(interruption(signal as AbortSignal));
    time.sleep(stats.lastAnswers, cut.signal).then(
      () => cut.abort(),
      () => {},
    );
  };
  if (signal?.aborted) interrupt();
  else signal?.addEventListener('abort', interrupt, { once: true });
  ending.signal.addEventListener('abort', () => signal?.removeEventListener('abort', interrupt), {
    once: true,
  });
  return {
    retries: options.retries,
    mayWrite: options.mayWrite,
    timeout,
    transport: openTransport({
      ...{ origin: base.origin, connections: concurrency, timeout, maxAnswerBytes, connect },
      // What comes by a socket takes the time of this machine.
      time: connect === undefined ? systemTime : time,
    }),
    gate,
    time,
    random: options.random ?? Math.random,
    latency,
    scrub: openScrub(token),
    log: log.child({ part: 'service' }),
    waits: openWaits(time, options.onWait),
    stats,
    /** Aborted when nothing more may be sent; its reason says why. */
    ending,
    /** Aborted when no answer is waited for any more. */
    cut,
  };
}

/** Counts since the service was opened; live. */
export function openStats(gate: Gate, latency: ReturnType<typeof openLatency>, timeout: number) {
  return {
    /** Attempts. */
    requests: 0,
    /** Attempts after the first of their request. */
    retried: 0,
    /** Answers that turned a request away for now (429, 503). */
    refused: 0,
    /** Attempts without a readable answer. */
    lost: 0,
    bytes: 0,
    /** Writes that are out and were not answered. */
    out: 0,
    /** How far the service's clock is ahead of ours, ms, by its last answer; null before one said so. */
    ahead: null as number | null,
    get inFlight() {
      return gate.inFlight;
    },
    /** Most requests in flight now. */
    get limit() {
      return gate.limit;
    },
    /** Most requests a second now; Infinity when unlimited. */
    get rate() {
      return gate.rate;
    },
    /** Median time of an answer, ms; null before the first. */
    get latency() {
      return latency.median();
    },
    /** How long answers to writes that are out are waited for after an interruption, ms. */
    get lastAnswers() {
      return Math.min(timeout, Math.max(LAST_ANSWERS_MS, TIMES_USUAL * (latency.median() ?? 0)));
    },
  };
}

const EMPTY_TOKEN = t('The token is empty.', 'Het token is leeg.');
const BAD_TOKEN = t(
  'The token holds characters that a token cannot have.',
  'In het token staan tekens die een token niet kan hebben.',
);
const PUT_TOKEN = withFlag(
  t('Give the token alone, on one line.', 'Geef alleen het token, op één regel.'),
  'CATERSHEET_TOKEN, --token-file',
);
const BAD_LIMIT = t(
  'At least one request must be allowed in flight, and a rate above 0.',
  'Er moet minstens één verzoek tegelijk mogen, en een tempo boven 0.',
);

/** Is told of a list how many records came, and how many it has as far as it says so. */
type ListTold = (endpoint: string, done: number, total: number | null) => void;

/** How a service is reached. */
export interface ServiceOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Most requests a second. */
  readonly rate?: number | undefined;
  /** Milliseconds for connecting, for the answer's head, and between its parts; ten times that for all. */
  readonly timeout: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Lets the token go over http to another machine. */
  readonly allowHttp?: boolean | undefined;
  /** 64 MB by default, for a file; half of that for any other answer. */
  readonly maxAnswerBytes?: number | undefined;
  readonly log: Logger;
  /** Is told how far a list is read, by the name of its endpoint. */
  readonly onList?: ListTold | undefined;
  /** When aborted nothing new is sent, reads are cut off, and writes that are out have some seconds left. */
  readonly signal?: AbortSignal | undefined;
  readonly time: Time;
  /** From 0 up to 1: by how much waits differ. */
  readonly random?: (() => number) | undefined;
  /**
   * Makes a connection, of whatever carries bytes both ways and lives in `time`, and keeps its own limit of time for
   * that; absent: a socket, or a proxy of the environment.
   */
  readonly connect?: buildConnector.connector | undefined;
  /** Throws where nothing may be written any more: asked of each write, right before its first byte goes out. */
  readonly mayWrite?: (() => void) | undefined;
  /** What several programs keep to together: their rate, their requests in flight, and push-back to any. */
  readonly shared?: SharedPace | undefined;
  /** Is told what is waited for, and why. */
  readonly onWait?: ((text: Bilingual) => void) | undefined;
}

const REMEMBERED = 64;

/** How long the service takes to answer: the median, as lists take longer than records. */
export function openLatency() {
  let last: number[] = [];
  let known: number | null | undefined;
  return {
    /** Notes how long an answer took, ms. */
    answered(ms: number) {
      if (last.length >= 2 * REMEMBERED) last = last.slice(-REMEMBERED);
      last.push(ms);
      known = undefined;
    },
    /** Of the last answers, ms; null before the first. */
    median(): number | null {
      const sorted = known === undefined ? last.slice(-REMEMBERED).sort((one, other) => one - other) : [];
      known ??= sorted[Math.floor(sorted.length / 2)] ?? null;
      return known;
    },
  };
}

/** A longer pause that the service asks for is not waited for, and a shorter one than this not told, ms. */
const LONGEST_MS = 300_000;
const TOLD_MS = 3000;

/** Tells of waits, each once; `tell` shows a text while the work goes on. */
export function openWaits(time: Time, tell: (text: Bilingual) => void = () => {}) {
  let toldUntil = Number.NEGATIVE_INFINITY;
  const told = (wait: number, text: (until: string) => Bilingual): void => {
    const until = time.steady() + wait;
    if (wait < TOLD_MS || until < toldUntil + TOLD_MS) return;
    toldUntil = until;
    tell(withFlag(text(new Date(time.now() + wait).toTimeString().slice(0, 8)), 'stop: Ctrl-C'));
  };
  return {
    /** A request is tried again after `wait` ms. */
    retry: (wait: number, endpoint: string, reason: Bilingual) =>
      told(wait, (until) =>
        t(
          `${endpoint}: ${reason.en}; it is tried again at ${until}.`,
          `${endpoint}: ${reason.nl}; om ${until} wordt het nog eens geprobeerd.`,
        ),
      ),
    /** The service asks for a pause of `wait` ms. @throws StopError (service) for one that is too long. */
    asked(wait: number, reason: Bilingual): void {
      const length = aboutText(wait);
      if (wait > LONGEST_MS) throw notWaited(length);
      told(wait, (until) =>
        t(
          `The service asks for a pause of ${length.en} (${reason.en}); waiting until ${until}.`,
          `Het systeem vraagt om een pauze van ${length.nl} (${reason.nl}); er wordt tot ${until} gewacht.`,
        ),
      );
    },
  };
}

function notWaited(length: Bilingual): StopError {
  const text = t(
    `The service asks for a pause of ${length.en} (Retry-After); more than 5 minutes is not waited for.`,
    `Het systeem vraagt om een pauze van ${length.nl} (Retry-After); langer dan 5 minuten wordt niet gewacht.`,
  );
  return new StopError(EXIT.service, text, {
    next: t('Nothing is lost: try again after that.', 'Er is niets verloren: probeer het daarna opnieuw.'),
  });
}

/**
 * About how long so many requests take, ms, by the service's latency so far (ms), the requests in flight and
 * the rate (requests/s); null when it has not answered yet.
 */
export function estimateMs(
  requests: number,
  { latency, limit, rate }: Pick<ClientState['stats'], 'latency' | 'limit' | 'rate'>,
): number | null {
  if (requests === 0) return 0;
  if (latency === null) return null;
  return Math.round(Math.max((requests * latency) / limit, (requests * 1000) / rate));
}
