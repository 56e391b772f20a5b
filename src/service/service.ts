import type { Endpoint } from '../schema/endpoint.ts';
import { endpointPath, type PathParams, sameOriginPath, serviceAddress } from './address.ts';
import { openClientState, type ServiceOptions } from './client-state.ts';
import { sendUntilSettled } from './exchange.ts';
import { InterruptedError } from './request-error.ts';
import { encodeRequest } from './transport.ts';

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
  /** How long an answer takes, ms; null before the first. */
  readonly latency: number | null;
  /** How far the service's clock is ahead of this machine's, ms, by UTC; null where it does not say. */
  readonly ahead: number | null;
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

/**
 * Opens a service. Nothing is sent yet.
 * @throws StopError (usage) for an address or token that cannot be used.
 */
export function openService(options: ServiceOptions): Service {
  const base = serviceAddress(options.baseUrl, options.allowHttp);
  const wiring = openClientState(base, options);
  const { gate, counts, ending, latency } = wiring;
  let closing: Promise<void> | undefined;

  const call = async <A>(
    endpoint: Endpoint<never, A>,
    path: string,
    params: PathParams,
    body: unknown,
    signal?: AbortSignal,
  ) => {
    const request = await encodeRequest(endpoint as Endpoint, path, body, options.token);
    const both = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
    return sendUntilSettled(wiring, { endpoint, request, params, signal: both });
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
      latency: { get: latency.median, enumerable: true },
      ahead: { get: () => wiring.ahead, enumerable: true },
    }) as unknown as ServiceStats,
    close() {
      if (!ending.signal.aborted) ending.abort(new InterruptedError('closed'));
      closing ??= wiring.transport.close();
      return closing;
    },
  };
}

/** Of a link only the page number is worth logging. */
function pageOf(path: string): PathParams {
  const page = new URLSearchParams(path.split('?')[1] ?? '').get('page');
  return page !== null && /^\d+$/.test(page) ? { page } : {};
}
