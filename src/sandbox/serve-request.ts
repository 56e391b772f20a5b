import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { endpoints, lookups } from '../resources/registry.ts';
import { dispatch, fieldErrors } from './dispatch.ts';
import { json, notFound, type Reply, refused } from './handler.ts';
import { faultsSchema, type SandboxDialect } from './options.ts';
import { RECORD_KINDS, type Store } from './store.ts';

/** The paths of the sandbox itself, which are no part of the service's interface. */
const ADMIN_PREFIX = '/_sandbox/';

type Faults = ReturnType<typeof faultsSchema.parse>;

/** The settings of the service; its faults can be changed while it runs. */
interface LiveSettings {
  readonly dialect: SandboxDialect;
  readonly pageSize: number;
  faults: Faults;
}

/** Serves the requests of one sandbox and logs them, but for those to the sandbox itself, which meet no faults. */
export function createListener(
  settings: LiveSettings,
  store: Store,
  token: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const log = createRequestLog();
  const rateLimit = createRateLimit();
  const expected = digest(`Bearer ${token}`);

  /** The service's answer: the token is checked first, then the path, then the body (interface section 5). */
  async function answer(request: IncomingMessage, url: URL): Promise<Reply> {
    const { method = 'GET', headers, socket } = request;
    const { pathname, searchParams: query } = url;
    // In constant time.
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected))
      return json({ errors: 'De aanvraag is niet toegestaan.', message: 'Unauthenticated.' }, 401);
    const body = Buffer.concat(await request.toArray());
    if (pathname.startsWith(ADMIN_PREFIX)) {
      const action = ACTIONS[`${method} ${pathname.slice(ADMIN_PREFIX.length)}`];
      return action?.(body) ?? notFound(`Onbekende route: ${method} ${pathname}.`);
    }
    // As the client addressed it, for links.
    const address = `http://${headers.host ?? `127.0.0.1:${socket.localPort}`}${pathname}`;
    const { endpoint, parameters, isKnown } = route(method, pathname);
    if (endpoint !== undefined) {
      const raw = { address, query, contentType: headers['content-type'] ?? '', body };
      return dispatch(endpoint, parameters, raw, { ...settings, store });
    }
    if (isKnown) return json({ message: `De methode ${method} wordt hier niet ondersteund.` }, 405);
    return notFound(`Onbekende route: ${pathname}.`);
  }

  async function answerOrFail(request: IncomingMessage, url: URL): Promise<Reply> {
    try {
      return await answer(request, url);
    } catch (fault) {
      // The client went away while its body was read, or the sandbox has a fault: other requests go on.
      return json({ message: `Server Error: ${(fault as Error).message}` }, 500);
    }
  }

  /**
   * The answer to a request that meets a fault; null where the connection is closed without one. Half of the
   * latency passes before the work, half after it: a client can end before or after it.
   */
  async function answerWith(fault: Fault | null, request: IncomingMessage, url: URL): Promise<Reply | null> {
    const { latencyMs, retryAfter } = settings.faults;
    if (fault === 'reset') return null;
    // As of a gateway in front of the service, which does nothing.
    if (fault === 'status503') return refusal(503, 'Service Unavailable', retryAfter);
    if (latencyMs > 0) await wait(latencyMs / 2);
    const reply = await answerOrFail(request, url);
    if (latencyMs > 0) await wait(latencyMs / 2);
    return fault === null ? reply : null;
  }

  const ACTIONS: Readonly<Record<string, (body: Buffer) => Reply>> = {
    'GET faults': () => json(settings.faults),
    // Sets the faults that are sent, and leaves the others.
    'PUT faults': (body) => {
      const sent = parsed(body.toString('utf8'));
      const object = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
      const result = faultsSchema.safeParse(object ? { ...settings.faults, ...sent } : sent);
      if (!result.success) return refused(fieldErrors(result.error.issues, sent), 400);
      settings.faults = result.data;
      return json(settings.faults);
    },
    'GET log': () => json(log.report()),
    'DELETE log': () => {
      log.clear();
      return json({});
    },
    'GET dump': () => {
      const records = (kind: (typeof RECORD_KINDS)[number]) =>
        store.all(kind).map(({ id, lmt, values }) => ({ id, ...values, LMT: lmt }));
      return json(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, records(kind)])));
    },
  };

  return async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const url = new URL(`http://127.0.0.1${path.startsWith('/') ? path : '/'}`);
    if (!isOwnHost(headers.host)) {
      request.resume();
      sendReply(response, json({ message: 'Dit systeem luistert alleen op 127.0.0.1 en localhost.' }, 421));
      return;
    }
    if (url.pathname.startsWith(ADMIN_PREFIX)) {
      sendReply(response, await answerOrFail(request, url));
      return;
    }
    const { name: endpoint, effect } = route(method, url.pathname).endpoint ?? { name: null, effect: null };
    const leave = log.arrive({ method, path: url.pathname + url.search, endpoint, effect });
    const { faults } = settings;
    const seconds = rateLimit(faults.rateLimit);
    const fault = seconds === null ? pickFault(faults, effect !== null && effect !== 'none') : null;
    const reply =
      seconds === null
        ? await answerWith(fault, request, url)
        : refusal(429, 'Too Many Attempts.', Math.max(1, Math.ceil(seconds)));
    if (reply === null) response.destroy();
    else sendReply(response, reply);
    leave(reply?.status ?? 0, fault);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Whether a request is meant for this machine. A page on the web can have its own name lead to 127.0.0.1, and
 * then send here what its browser takes for requests to itself. Any port: one may be passed on to this one.
 */
const isOwnHost = (host: string | undefined): boolean =>
  host === undefined || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendReply(response: ServerResponse, { status, body, type, headers }: Reply): void {
  const bytes = type === undefined ? Buffer.from(JSON.stringify(body)) : (body as Buffer);
  const described = { 'content-type': type ?? 'application/json', 'content-length': bytes.length };
  response.writeHead(status, { ...described, ...headers });
  response.end(bytes);
}

/** Paths with fewer parameters go first: `event/all` before `event/{ID}`. */
const ROUTES = [...endpoints, ...lookups]
  .map((endpoint) => ({
    endpoint,
    open: endpoint.path.split('{').length,
    pattern: new RegExp(`^/${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  .sort((one, other) => one.open - other.open);

/** The endpoint of a request, if there is one; `isKnown`: the path exists, maybe under another method. */
function route(method: string, path: string) {
  const fitting = ROUTES.filter(({ pattern }) => pattern.test(path));
  const found = fitting.find(({ endpoint }) => endpoint.method === method);
  const parameters = found?.pattern.exec(path)?.groups ?? {};
  return { endpoint: found?.endpoint, parameters, isKnown: fitting.length > 0 };
}

/** What goes wrong with one request: the first two before anything is done, the last after it. */
const FAULTS = ['reset', 'status503', 'lostAnswer'] as const;
type Fault = (typeof FAULTS)[number];

/** Picks the fault of a request by its chances; null for none. */
function pickFault(faults: Faults, isWrite: boolean): Fault | null {
  if (faults.onlyWrites && !isWrite) return null;
  return FAULTS.find((fault) => Math.random() < faults[fault]) ?? null;
}

/** A refusal before anything is done, with its Retry-After in seconds. */
const refusal = (status: number, message: string, seconds: number | null): Reply => ({
  ...json({ message }, status),
  headers: seconds === null ? {} : { 'retry-after': String(seconds) },
});

/**
 * Counts requests against a limit: null when one may pass, else the seconds after which to try again. A token
 * bucket that holds one second of requests, at least one.
 */
function createRateLimit() {
  let tokens = Number.POSITIVE_INFINITY;
  let filled = performance.now();
  return (perSecond: number | null): number | null => {
    const elapsed = performance.now() - filled;
    filled += elapsed;
    if (perSecond === null) {
      tokens = Number.POSITIVE_INFINITY;
      return null;
    }
    tokens = Math.min(Math.max(1, perSecond), tokens + (elapsed / 1000) * perSecond);
    if (tokens < 1) return (1 - tokens) / perSecond;
    tokens -= 1;
    return null;
  };
}

/** One request as the service saw it. */
interface LoggedRequest {
  /** Arrival, in ms since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The endpoint's name in the table; null for a path that is not in it. */
  readonly endpoint: string | null;
  readonly effect: 'none' | 'same' | 'each' | null;
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly ms: number;
  /** The fault that it met. */
  readonly fault: string | null;
}

const KEPT = 200_000;

/** Keeps the last 200,000 requests since it was cleared. */
function createRequestLog() {
  let requests: LoggedRequest[] = [];
  let inFlight = 0;

  return {
    /** Logs an arrival; the returned function logs its end. */
    arrive(request: Pick<LoggedRequest, 'method' | 'path' | 'endpoint' | 'effect'>) {
      const started = performance.now();
      inFlight += 1;
      return (status: number, fault: string | null): void => {
        inFlight -= 1;
        const times = { at: performance.timeOrigin + started, ms: performance.now() - started };
        if (requests.length >= 2 * KEPT) requests = requests.slice(-KEPT);
        requests.push({ ...request, ...times, status, fault });
      };
    },
    /** Those that have ended, and how many have not. */
    report: () => ({ requests, inFlight }),
    clear: () => {
      requests = [];
    },
  };
}
