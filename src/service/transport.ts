import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { buildConnector, Dispatcher, FormData } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { z } from 'zod';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { isLoopback } from './address.ts';

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
  /** By which the limits of an answer are kept. */
  readonly time: Pick<Time, 'steady' | 'sleep'>;
  /** Absent: sockets. */
  readonly connect?: buildConnector.connector | undefined;
}

/** How long a whole answer may take, in times the limit of silence: a byte a second is never silent. */
export const WHOLE = 10;

/**
 * One pool of kept-alive connections to one origin, by a proxy where the environment names one, or made by
 * `connect`.
 */
export function openTransport(options: TransportOptions) {
  const { origin, connections, timeout, maxAnswerBytes, time, connect } = options;
  const limits = {
    connections,
    connectTimeout: timeout,
    // Of a proxy; those of an answer are kept by `time`.
    headersTimeout: timeout,
    bodyTimeout: timeout,
    // One request at a time on a connection: losing it then concerns one request.
    pipelining: 1,
  };
  const isProxied = connect === undefined && !isLoopback(new URL(origin).hostname);
  const proxied = isProxied ? openProxied(limits) : null;
  const pool: Dispatcher = proxied ?? new Pool(origin, { ...limits, ...(connect && { connect }) });
  const deadlines = openDeadlines(time);
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
        // How far a form has gone out undici alone knows.
        const isForm = request.body !== null && !Buffer.isBuffer(request.body);
        const limit = deadlines.open(timeout, isForm);
        const handler = answerHandler({ resolve, reject, maxAnswerBytes: most, limit, stop, cut, mayGo });
        try {
          pool.dispatch(
            {
              ...request,
              ...{ origin, method: request.method as Dispatcher.HttpMethod },
              headersTimeout: isForm ? timeout : 0,
              bodyTimeout: 0,
              // undici would close the connection after a GET or DELETE with a body.
              reset: false,
            },
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
type Cuts = Readonly<Record<'stop' | 'cut', AbortSignal>>;

interface Collecting extends Cuts, Pick<TransportOptions, 'maxAnswerBytes'> {
  readonly limit: Limit;
  resolve(answer: WireAnswer): void;
  reject(error: TransportError): void;
  /** Called once, before the first byte goes out; false keeps it in. */
  mayGo(): boolean;
}

/** The time that one answer has. */
interface Limit {
  /** The request goes out; `onLate` is called when the answer is silent, or not whole, for too long. */
  begin(onLate: (code: string) => void): void;
  /** Something of the answer came; its body follows. */
  came(): void;
  end(): void;
}

interface Deadline {
  readonly wholeBy: number;
  silentBy: number;
  silence: string;
  late(code: string): void;
}

/** One for all: to make an error for each takes longer than the rest of the wait. */
const OVER = new Error('no answer is waited for');

/** The limits of all answers that are waited for, kept by one wait: none that begins later ends sooner. */
function openDeadlines(time: TransportOptions['time']) {
  const all = new Set<Deadline>();
  /** Ends the wait when no answer is waited for any more. */
  let wait: AbortController | undefined;
  const tellLate = (): void => {
    const now = time.steady();
    for (const one of [...all]) {
      if (one.wholeBy <= now) one.late(NOT_WHOLE);
      else if (one.silentBy <= now) one.late(one.silence);
    }
  };
  const waitForFirst = async ({ signal }: AbortController): Promise<void> => {
    while (!signal.aborted) {
      let first = Number.POSITIVE_INFINITY;
      for (const { silentBy, wholeBy } of all) first = Math.min(first, silentBy, wholeBy);
      const left = first - time.steady();
      if (left <= 0) tellLate();
      else {
        await time.sleep(Math.ceil(left), signal).catch(() => {});
        // What came while this process was held up is read first.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  return {
    /** `isForm`: until something of the answer came, its silence is not looked at. */
    open(timeout: number, isForm: boolean): Limit {
      let deadline: Deadline | undefined;
      return {
        begin(late) {
          const now = time.steady();
          const silentBy = isForm ? Number.POSITIVE_INFINITY : now + timeout;
          deadline = { late, silentBy, silence: NO_HEADERS, wholeBy: now + WHOLE * timeout };
          all.add(deadline);
          if (all.size > 1) return;
          wait = new AbortController();
          void waitForFirst(wait);
        },
        came() {
          if (deadline === undefined) return;
          deadline.silentBy = time.steady() + timeout;
          deadline.silence = NO_MORE;
        },
        end() {
          if (deadline !== undefined && all.delete(deadline) && all.size === 0) wait?.abort(OVER);
        },
      };
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
  const { resolve, reject, maxAnswerBytes, limit, stop, cut, mayGo } = collecting;
  let control: Dispatcher.DispatchController | null = null;
  let status: number | null = null;
  let headers: IncomingHttpHeaders = {};
  let size = 0;
  const chunks: Buffer[] = [];

  const over = () => {
    for (const signal of [stop, cut]) signal.removeEventListener('abort', cutOff);
    limit.end();
  };
  const fail = (code: string, message = '') => {
    over();
    reject(new TransportError(code, control !== null, status, message));
  };
  const end = (code: string) => {
    fail(code);
    control?.abort(new Error(code));
  };
  const cutOff = () => (control === null || cut.aborted) && end(ENDED);
  for (const signal of [stop, cut]) signal.addEventListener('abort', cutOff);
  const finish = (bytes: Buffer) => {
    over();
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
      limit.begin(end);
    },
    onResponseStart(controller, statusCode, answerHeaders) {
      limit.came();
      status = statusCode;
      headers = answerHeaders;
      if (Number(headers['content-length'] ?? 0) > maxAnswerBytes) tooLarge(controller);
    },
    onResponseData(controller, chunk) {
      limit.came();
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
/** The codes of an answer that did not begin, or not go on, within the limit of silence: those of undici. */
const NO_HEADERS = 'UND_ERR_HEADERS_TIMEOUT';
const NO_MORE = 'UND_ERR_BODY_TIMEOUT';
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

/** What connects to a service: how many connections, and the limits of silence, ms. */
type PoolOptions = Required<
  Pick<Pool.Options, 'connections' | 'connectTimeout' | 'headersTimeout' | 'bodyTimeout' | 'pipelining'>
>;

/** The variables that name a proxy, for each scheme: the first that is there counts. */
const NAMES = {
  httpProxy: ['http_proxy', 'HTTP_PROXY'],
  httpsProxy: ['https_proxy', 'HTTPS_PROXY'],
} as const;

/** Before the code of what went wrong with the proxy itself, before a byte of a request was written. */
export const AT_PROXY = 'PROXY_';

/**
 * Connections by the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY, and not for NO_PROXY);
 * null where it names none. A tunnel (CONNECT) is made for http as well: the proxy is sent no request.
 * @throws StopError (usage) for a proxy that can't be used.
 */
function openProxied(options: PoolOptions): Dispatcher | null {
  const [httpProxy, httpsProxy] = [proxyOf('httpProxy'), proxyOf('httpsProxy')];
  if (httpProxy === '' && httpsProxy === '') return null;
  // undici adds where to connect to.
  const tls = { timeout: options.connectTimeout } as buildConnector.BuildOptions;
  return new EnvHttpProxyAgent({
    ...options,
    ...{ httpProxy, httpsProxy },
    ...{ proxyTls: tls, requestTls: tls },
    clientFactory: (origin, made) => toldApart(new Pool(origin, { ...made, ...options })),
  });
}

/** The address of a proxy; empty where none is named. One without a scheme is of http, as everywhere. */
function proxyOf(scheme: keyof typeof NAMES): string {
  const name = NAMES[scheme].find((one) => process.env[one] !== undefined);
  const value = (name && process.env[name]?.trim()) ?? '';
  const address = value === '' || value.includes('://') ? value : `http://${value}`;
  if (address === '' || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    return address;
  // It may hold a password.
  throw usageStop(
    t(`${name} is no address of a proxy.`, `${name} is geen adres van een proxy.`),
    t('Write it as http://host:port.', 'Schrijf het als http://server:poort.'),
  );
}

/**
 * The connections to a proxy, which undici gives a way to connect only as a whole. What fails there is
 * not taken for a fault of the service, nor tried for ever.
 */
function toldApart(pool: Pool): Pool {
  const told = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const made = await connect.call(pool, options).catch((error: { code?: string; name: string }) => {
      throw atProxy(error.code ?? error.name);
    });
    if (made.statusCode === 200) return made;
    made.socket.on('error', () => {}).destroy();
    throw atProxy(String(made.statusCode));
  };
  return Object.assign(pool, { connect: told });
}

const atProxy = (what: string): Error => Object.assign(new Error(what), { code: `${AT_PROXY}${what}` });
