import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Dispatcher, FormData } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { z } from 'zod';
import type { Endpoint } from '../schema/endpoint.ts';
import { isLoopback } from './address.ts';
import { openProxied } from './proxy.ts';

// The pool alone: all of undici takes longer to load than most commands to run.

/** A request as it is sent; `path` has prefix and query. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | FormData | null;
  /** A file comes back, which is not parsed. */
  readonly forFile: boolean;
}

/** An answer as it came, decompressed. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** No whole answer came; `written`: the request may have reached the service. */
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

interface TransportOptions {
  readonly origin: string;
  readonly connections: number;
  /** The limit of silence: for connecting, for the headers, and between parts of the body; milliseconds. */
  readonly timeout: number;
  readonly maxAnswerBytes: number;
}

/** How long a whole answer may take, in times the limit of silence: a byte a second is never silent. */
export const WHOLE = 10;

/** One pool of kept-alive connections to one origin, by a proxy where the environment names one. */
export function openTransport(options: TransportOptions) {
  const { origin, connections, timeout, maxAnswerBytes } = options;
  const limits = {
    connections,
    connectTimeout: timeout,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    // One request at a time on a connection: losing it then concerns one request.
    pipelining: 1,
  };
  const proxied = isLoopback(new URL(origin).hostname) ? null : openProxied(limits);
  const pool: Dispatcher = proxied ?? new Pool(origin, limits);
  return {
    /**
     * One exchange; `cut` cuts it off, and so does `stop` before its first byte is written. `onSending` is
     * called right before that.
     * @throws TransportError when no whole answer came; what `onSending` throws, before a byte is written.
     */
    exchange: ({ forFile, ...request }: WireRequest, { stop, cut }: Cuts, onSending = () => {}) =>
      new Promise<WireAnswer>((resolve, reject) => {
        const mayGo = (): boolean => {
          try {
            onSending();
            return true;
          } catch (error) {
            reject(error);
            return false;
          }
        };
        // What is parsed takes some times its size.
        const most = forFile ? maxAnswerBytes : maxAnswerBytes / 2;
        const handler = answerHandler({ resolve, reject, maxAnswerBytes: most, timeout, stop, cut, mayGo });
        try {
          // `reset: false`: undici would close the connection after a GET or DELETE with a body.
          pool.dispatch(
            { ...request, origin, method: request.method as Dispatcher.HttpMethod, reset: false },
            handler,
          );
        } catch (error) {
          reject(error);
        }
      }),
    /** Waits for what is in flight. */
    close: () => pool.close(),
    /** Does not: what waits for a connection would hold it for as long as connecting may take. */
    destroy: () => pool.destroy(),
  };
}

/** What ends an exchange before its answer is there. */
export interface Cuts {
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

interface Collecting extends Cuts, Pick<TransportOptions, 'maxAnswerBytes' | 'timeout'> {
  resolve(answer: WireAnswer): void;
  reject(error: TransportError): void;
  /** Called once, before the first byte goes out; false keeps it in. */
  mayGo(): boolean;
}

/** Calls `onAbort` at either signal, and `onLate` when the answer is not whole in its time. */
function watch({ stop, cut, timeout }: Collecting, onAbort: () => void, onLate: () => void) {
  let deadline: NodeJS.Timeout | undefined;
  let isOver = false;
  for (const signal of [stop, cut]) signal.addEventListener('abort', onAbort);
  return {
    /** The time begins, or begins anew. */
    sent(): void {
      if (deadline === undefined) deadline = setTimeout(onLate, WHOLE * timeout);
      else if (!isOver) deadline.refresh();
    },
    over(): void {
      isOver = true;
      for (const signal of [stop, cut]) signal.removeEventListener('abort', onAbort);
      clearTimeout(deadline);
    },
  };
}

const NOT_TO_BE_SENT = new Error('not to be sent');

const isOff = ({ stop, cut }: Cuts): boolean => stop.aborted || cut.aborted;

/**
 * Collects one answer. undici's handler is used, not its promises: `onRequestStart` comes right before the
 * first byte is written, so that "certainly not sent" is known; what is thrown there keeps the connection.
 * undici may start a request again on a new connection; our own retries decide that.
 */
function answerHandler(collecting: Collecting): Dispatcher.DispatchHandler {
  const { resolve, reject, maxAnswerBytes, cut, mayGo } = collecting;
  let control: Dispatcher.DispatchController | null = null;
  let status: number | null = null;
  let headers: IncomingHttpHeaders = {};
  let size = 0;
  const chunks: Buffer[] = [];

  const fail = (code: string, message = '') => {
    watching.over();
    reject(new TransportError(code, control !== null, status, message));
  };
  const end = (code: string) => {
    fail(code);
    control?.abort(new Error(code));
  };
  const cutOff = () => (control === null || cut.aborted) && end(ENDED);
  const watching = watch(collecting, cutOff, () => end(NOT_WHOLE));
  const finish = (bytes: Buffer) => {
    watching.over();
    resolve({ status: status ?? 0, headers, bytes });
  };
  // Of a failure the status matters more than the rest of its page.
  const failed = () => status !== null && status >= 300;
  const tooLarge = (controller: Dispatcher.DispatchController) => {
    if (!failed()) return end(TOO_LARGE);
    finish(Buffer.concat(chunks));
    controller.abort(new Error(TOO_LARGE));
  };

  return {
    onRequestStart(controller) {
      if (control !== null) fail('STARTED_TWICE');
      if (control !== null || isOff(collecting)) return controller.abort(NOT_TO_BE_SENT);
      if (!mayGo()) throw NOT_TO_BE_SENT;
      control = controller;
      watching.sent();
    },
    // A large document may take long to go out.
    onBodySent: () => watching.sent(),
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
      const came = Buffer.concat(chunks.splice(0));
      const bytes = inflated(came, headers['content-encoding'], maxAnswerBytes);
      if (typeof bytes !== 'string') finish(bytes);
      else if (failed()) finish(Buffer.alloc(0));
      else fail(bytes);
    },
    onResponseError: (_, error) => fail((error as { code?: string }).code ?? error.name, error.message),
  };
}

/**
 * The request of an endpoint.
 * @throws TypeError that names the fields of a body not as declared: a fault of the program.
 */
export async function encodeRequest(
  endpoint: Endpoint,
  path: string,
  body: unknown,
  token: string,
): Promise<WireRequest> {
  const headers = ['authorization', `Bearer ${token}`, 'user-agent', 'catersheet'];
  // Without this, some frameworks answer an API client with a redirect to a login page.
  const forFile = endpoint.returns === 'binary';
  headers.push('accept', forFile ? '*/*' : 'application/json');
  const checked = checkedBody(endpoint, body);
  const { method } = endpoint;
  if (checked === undefined) return { method, path, headers, forFile, body: null };
  if (endpoint.sends === 'multipart') return { method, path, headers, forFile, body: await formOf(checked) };
  headers.push('content-type', 'application/json');
  return { method, path, headers, forFile, body: Buffer.from(JSON.stringify(checked)) };
}

function checkedBody(endpoint: Endpoint, body: unknown): unknown {
  if (endpoint.body === undefined) {
    if (body !== undefined) throw new TypeError(`${endpoint.name} takes no body`);
    return undefined;
  }
  const checked = endpoint.body.safeParse(body);
  if (!checked.success) throw new TypeError(`${endpoint.name} cannot be sent: ${zodWords(checked.error)}`);
  return checked.data;
}

/** The wrong members and why, without their values. */
function zodWords(error: z.ZodError): string {
  const parts = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return parts.length <= 5
    ? parts.join('; ')
    : `${parts.slice(0, 5).join('; ')}; and ${parts.length - 5} more`;
}

async function formOf(body: unknown): Promise<FormData> {
  // Loaded when needed: few requests are forms, and it imports much.
  const { FormData } = await import('undici/lib/web/fetch/formdata.js');
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined && value !== null) form.append(name, String(value));
  }
  return form;
}

const INFLATE: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The code of an exchange that was ended from our side. */
export const ENDED = 'ABORTED';
/** The code of an answer that was not whole in the time for that. */
export const NOT_WHOLE = 'ANSWER_NOT_WHOLE';
/** The code of an answer over the size limit. */
export const TOO_LARGE = 'ANSWER_TOO_LARGE';
/** The code of a compressed answer that can't be decompressed. */
const BROKEN = 'CONTENT_CODING';

/** The decompressed bytes, or the code of what is wrong with them: some gateways compress unasked. */
function inflated(bytes: Buffer, coding: unknown, maxOutputLength: number): Buffer | string {
  const name = String(coding ?? '').trim();
  const inflate = INFLATE[name.toLowerCase()];
  if (inflate === undefined) return bytes;
  try {
    return inflate(bytes, { maxOutputLength });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : BROKEN;
  }
}
