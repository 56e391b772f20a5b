import type { Endpoint } from '../schema/endpoint.ts';
import { endpointPath, type PathParams, sameOriginPath, serviceAddress } from './address.ts';
import { type ClientState, type ListTold, openClientState, type ServiceOptions } from './client-state.ts';
import { type SendMarks, sendUntilSettled } from './exchange.ts';
import { InterruptedError } from './request-error.ts';
import { encodeRequest } from './transport.ts';

/** What goes with a request. */
export interface SendInput<B> {
  readonly params?: PathParams | undefined;
  readonly body?: B | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly marks?: SendMarks | undefined;
}

/** The HTTP client of one service: one pool of connections, one gate for all requests. */
export interface Service {
  /** Ends in `/`. */
  readonly baseUrl: string;
  /** How long an answer may take, ms. */
  readonly timeout: number;
  /**
   * Sends one request and reads its answer, with retries where a repeat is safe.
   * @throws RequestError when it failed; StopError (service) when the token is refused, then for all that
   * follow; InterruptedError when a signal stopped it; what `marks` throws; TypeError, before sending, for a
   * body or parameter not as declared.
   */
  send<B, A>(endpoint: Endpoint<B, A>, input?: SendInput<B>): Promise<A>;
  /**
   * As `send`, to a link from an answer of the same endpoint.
   * @throws StopError (service) for a link to another origin.
   */
  follow<B, A>(endpoint: Endpoint<B, A>, link: string, body?: B, signal?: AbortSignal): Promise<A>;
  /** Is told how far lists are read. */
  readonly onList?: ListTold | undefined;
  /** Live. */
  readonly stats: Readonly<ClientState['stats']>;
  /** Sends nothing new and waits for the writes in flight. */
  close(): Promise<void>;
}

/**
 * Opens a service without sending anything.
 * @throws StopError (usage) for an address or token that can't be used.
 */
export function openService(options: ServiceOptions): Service {
  const base = serviceAddress(options.baseUrl, options.allowHttp);
  const client = openClientState(base, options);
  const { ending } = client;
  let closing: Promise<void> | undefined;

  const call = async <A>(
    endpoint: Endpoint<never, A>,
    path: string,
    params: PathParams,
    body: unknown,
    { signal, marks }: Pick<SendInput<never>, 'signal' | 'marks'>,
  ) => {
    const request = await encodeRequest(endpoint as Endpoint, path, body, options.token);
    const both = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
    return sendUntilSettled(client, { endpoint, request, params, signal: both, marks });
  };

  return {
    baseUrl: base.href,
    timeout: options.timeout,
    async send(endpoint, input = {}) {
      const { params = {}, body, ...rest } = input;
      return call(endpoint as never, endpointPath(base, endpoint as Endpoint, params), params, body, rest);
    },
    async follow(endpoint, link, body, signal) {
      const path = sameOriginPath(base, link, endpoint as Endpoint);
      return call(endpoint as never, path, pageOf(path), body, { signal });
    },
    onList: options.onList,
    stats: client.stats,
    close() {
      if (!ending.signal.aborted) ending.abort(new InterruptedError('closed'));
      const { transport, stats, cut } = client;
      closing ??= (stats.out === 0 ? transport.destroy() : transport.close()).finally(() => cut.abort());
      return closing;
    },
  };
}

/** What the log says of a link: its page. */
function pageOf(path: string): PathParams {
  const page = new URLSearchParams(path.split('?')[1] ?? '').get('page');
  return page !== null && /^\d+$/.test(page) ? { page } : {};
}
