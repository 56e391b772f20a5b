import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, FormData } from 'undici';
// The pool alone: the whole of undici takes longer to load than most commands to run.
import Pool from 'undici/lib/dispatcher/pool.js';
import { inflated, TOO_LARGE } from './content-coding.ts';

/** A request as it goes on the wire; `path` is complete, with prefix and query. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | FormData | null;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** No whole answer came. `written`: something of the request may have reached the service. */
export class TransportError extends Error {
  readonly written: boolean;
  readonly code: string;
  /** Of the answer that began, if any. */
  readonly status: number | null;

  constructor(code: string, written: boolean, status: number | null, message: string) {
    super(message === '' ? code : `${code}: ${message}`);
    this.name = 'TransportError';
    this.code = code;
    this.written = written;
    this.status = status;
  }
}

export interface TransportOptions {
  readonly origin: string;
  readonly connections: number;
  /** For connecting, for the headers, and between parts of the body; milliseconds. */
  readonly timeout: number;
  readonly maxAnswerBytes: number;
}

export interface Transport {
  /** One exchange; the signal cuts it off. @throws TransportError when no whole answer came. */
  exchange(request: WireRequest, signal?: AbortSignal): Promise<WireAnswer>;
  /** Waits for what is in flight. */
  close(): Promise<void>;
}

/** One pool of kept-alive connections to one origin. */
export function openTransport(options: TransportOptions): Transport {
  const { origin, connections, timeout, maxAnswerBytes } = options;
  const pool = new Pool(origin, {
    connections,
    connectTimeout: timeout,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    // One request at a time on a connection: a lost connection then says something about one request only.
    pipelining: 1,
  });
  return {
    exchange: (request, signal) =>
      new Promise((resolve, reject) => {
        const handler = answerHandler({ resolve, reject, maxAnswerBytes, signal });
        try {
          // `reset: false` keeps the connection after a GET or DELETE with a body, which undici would close.
          pool.dispatch(
            { ...request, method: request.method as Dispatcher.HttpMethod, reset: false },
            handler,
          );
        } catch (error) {
          reject(error);
        }
      }),
    close: () => pool.close(),
  };
}

interface Collecting {
  resolve(answer: WireAnswer): void;
  reject(error: TransportError): void;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Collects one answer. undici's handler is used rather than its promise API for one reason: `onRequestStart`
 * is called right before the first byte is written, so that "certainly not sent" is known, not guessed.
 */
function answerHandler({ resolve, reject, maxAnswerBytes, signal }: Collecting): Dispatcher.DispatchHandler {
  let control: Dispatcher.DispatchController | null = null;
  let status: number | null = null;
  let headers: IncomingHttpHeaders = {};
  let size = 0;
  const chunks: Buffer[] = [];

  const fail = (code: string, message = '') => {
    settle();
    reject(new TransportError(code, control !== null, status, message));
  };
  const cut = (code: string) => {
    fail(code);
    control?.abort(new Error(code));
  };
  const onAbort = () => cut('ABORTED');
  const settle = () => signal?.removeEventListener('abort', onAbort);
  signal?.addEventListener('abort', onAbort);

  const finish = (bytes: Buffer) => {
    settle();
    resolve({ status: status ?? 0, headers, bytes });
  };
  /** Of a failure the status matters more than the rest of its page. */
  const failed = () => status !== null && status >= 300;
  const tooLarge = (controller: Dispatcher.DispatchController) => {
    if (!failed()) return cut(TOO_LARGE);
    finish(Buffer.concat(chunks));
    controller.abort(new Error(TOO_LARGE));
  };

  return {
    onRequestStart(controller) {
      // undici may start a request again on a new connection; whether to repeat is decided elsewhere.
      if (control !== null) fail('STARTED_TWICE');
      if (control !== null || signal?.aborted) controller.abort(new Error('not to be sent'));
      control = controller;
    },
    onResponseStart(controller, statusCode, answerHeaders) {
      status = statusCode;
      headers = answerHeaders;
      if (Number(headers['content-length'] ?? 0) > maxAnswerBytes) tooLarge(controller);
    },
    onResponseData(controller, chunk) {
      size += chunk.length;
      if (size > maxAnswerBytes) return tooLarge(controller);
      chunks.push(chunk);
    },
    onResponseEnd() {
      const bytes = inflated(Buffer.concat(chunks), headers['content-encoding'], maxAnswerBytes);
      if (typeof bytes !== 'string') finish(bytes);
      else if (failed()) finish(Buffer.alloc(0));
      else fail(bytes);
    },
    onResponseError(_, error) {
      fail((error as { code?: string }).code ?? error.name, error.message);
    },
  };
}
