import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { EXIT, StopError } from '../errors.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { endpointPath, type PathParams, sameOriginPath, serviceAddress } from './address.ts';
import { type Clock, systemClock } from './clock.ts';
import { encodeRequest } from './encode.ts';
import { openGate } from './gate.ts';
import { type House, settle } from './house.ts';
import { InterruptedError, interruption } from './interrupted-error.ts';
import { openTransport } from './transport.ts';
import { openScrub } from './words.ts';

export interface ServiceOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Most requests a second. */
  readonly rate?: number | undefined;
  /** Milliseconds for connecting, for the first byte of the answer, and between its parts. */
  readonly timeout: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Lets the token go over http to another machine. */
  readonly allowHttp?: boolean | undefined;
  /** 64 MB unless told. */
  readonly maxAnswerBytes?: number | undefined;
  readonly log: Logger;
  /** Aborted: nothing new is sent, reads are cut off, writes in flight get their answer. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

interface SendInput<B> {
  readonly params?: PathParams;
  readonly body?: B;
  readonly signal?: AbortSignal;
}

/** Counts since the service was opened; live. */
interface ServiceStats {
  /** Attempts that were sent. */
  readonly requests: number;
  /** Attempts beyond the first of their request. */
  readonly retried: number;
  /** Answers that turned a request away for now (429, 503). */
  readonly refused: number;
  /** Attempts without an answer that could be understood. */
  readonly lost: number;
  readonly bytes: number;
  readonly inFlight: number;
  /** How many may be in flight now. */
  readonly limit: number;
  /** Requests a second that are sent at most now; Infinity when unlimited. */
  readonly rate: number;
}

/** The service, as its endpoints: one pool of connections, one gate, one place where failures are judged. */
export interface Service {
  /** Ends in `/`. */
  readonly baseUrl: string;
  /**
   * Sends one request and reads its answer, with retries where a repeat is safe.
   * @throws RequestError for this request; StopError (service) when the token is refused, which ends all that follow;
   * InterruptedError when a signal stopped it; TypeError, before sending, for a body or parameter that is not as declared.
   */
  send<B, A>(endpoint: Endpoint<B, A>, input?: SendInput<B>): Promise<A>;
  /** As `send`, to a link from an answer of the same endpoint. @throws StopError (service) for a link to another origin. */
  follow<B, A>(endpoint: Endpoint<B, A>, link: string, body?: B, signal?: AbortSignal): Promise<A>;
  readonly stats: ServiceStats;
  /** Nothing new is sent; waits for the writes in flight. */
  close(): Promise<void>;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Opens a service. Nothing is sent yet.
 * @throws StopError (usage) for an address or token that cannot be used.
 */
export function openService(options: ServiceOptions): Service {
  const base = serviceAddress(options.baseUrl, options.allowHttp);
  const house = openHouse(base, options);
  const { gate, counts, ending } = house;
  let closing: Promise<void> | undefined;

  const call = <A>(
    endpoint: Endpoint<never, A>,
    path: string,
    params: PathParams,
    body: unknown,
    signal?: AbortSignal,
  ) => {
    const request = encodeRequest(endpoint as Endpoint, path, body, options.token);
    const both = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
    return settle(house, { endpoint, request, params, signal: both });
  };

  return {
    baseUrl: base.href,
    async send(endpoint, input = {}) {
      const { params = {}, body, signal } = input;
      return call(endpoint as never, endpointPath(base, endpoint as Endpoint, params), params, body, signal);
    },
    async follow(endpoint, link, body, signal) {
      const path = sameOriginPath(base, link, endpoint as Endpoint);
      return call(endpoint as never, path, pageOf(path), body, signal);
    },
    stats: Object.defineProperties(counts, {
      inFlight: { get: () => gate.inFlight, enumerable: true },
      limit: { get: () => gate.limit, enumerable: true },
      rate: { get: () => gate.rate, enumerable: true },
    }) as unknown as ServiceStats,
    close() {
      if (!ending.signal.aborted) ending.abort(new InterruptedError('closed'));
      closing ??= house.transport.close();
      return closing;
    },
  };
}

function openHouse(base: URL, options: ServiceOptions): House {
  const { token, concurrency, rate, timeout, signal, log, clock = systemClock } = options;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new StopError(
      EXIT.usage,
      `The token ${token === '' ? 'is empty' : 'holds characters that a token cannot have'}.`,
      {
        next: 'Put the token alone, on one line, in CATERSHEET_TOKEN or in the token file.',
      },
    );
  }
  const maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
  const ending = new AbortController();
  // Every request in flight listens to this one signal.
  setMaxListeners(0, ending.signal);
  const interrupt = () => ending.abort(interruption(signal as AbortSignal));
  if (signal?.aborted) interrupt();
  else signal?.addEventListener('abort', interrupt, { once: true });
  ending.signal.addEventListener('abort', () => signal?.removeEventListener('abort', interrupt), {
    once: true,
  });
  return {
    retries: options.retries,
    transport: openTransport({ origin: base.origin, connections: concurrency, timeout, maxAnswerBytes }),
    gate: openGate({ concurrency, rate, clock, ending: ending.signal }),
    clock,
    scrub: openScrub(token),
    log: log.child({ part: 'service' }),
    counts: { requests: 0, retried: 0, refused: 0, lost: 0, bytes: 0 },
    ending,
  };
}

/** Of a link only the page number is worth logging. */
function pageOf(path: string): PathParams {
  const page = new URLSearchParams(path.split('?')[1] ?? '').get('page');
  return page !== null && /^\d+$/.test(page) ? { page } : {};
}
