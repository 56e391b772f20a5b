import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_PREFIX, type AdminContext, administer } from './admin.ts';
import { dispatch } from './dispatch.ts';
import { type createRateLimit, type Fault, pickFault, tooManyRequests, unavailable } from './faults.ts';
import { json, notFound, type Reply, unauthenticated } from './requests/reply.ts';
import type { createRouter, RouteMatch } from './requests/router.ts';

/** What it takes to answer requests, and what makes them fail. */
export interface Site extends AdminContext {
  readonly authenticated: (authorization: string | undefined) => boolean;
  readonly route: ReturnType<typeof createRouter>;
  readonly pageSize: number;
  readonly rateLimit: ReturnType<typeof createRateLimit>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The full address of the path as the client addressed it, without its query, for links. */
  readonly address: string;
  readonly match: RouteMatch | { readonly known: boolean };
}

async function answerOrFail(exchange: Exchange, site: Site): Promise<Reply> {
  try {
    return await answerRequest(exchange, site);
  } catch (fault) {
    // The client went away while its body was read, or the sandbox has a fault: other requests go on.
    return json({ message: `Server Error: ${(fault as Error).message}` }, 500);
  }
}

/**
 * The answer to a request that meets a fault; null where the connection is closed without one. Half of the
 * latency passes before the work, half after it: a client can end before or after it.
 */
async function answerWith(fault: Fault | null, exchange: Exchange, site: Site): Promise<Reply | null> {
  const { faults } = site.settings;
  if (fault === 'reset') return null;
  if (fault === 'status503') return unavailable(faults);
  if (faults.latencyMs > 0) await wait(faults.latencyMs / 2);
  const reply = await answerOrFail(exchange, site);
  if (faults.latencyMs > 0) await wait(faults.latencyMs / 2);
  return fault === null ? reply : null;
}

/** Serves one request and logs it. Requests to the sandbox itself meet no faults and are not logged. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
): Promise<void> {
  const exchange = openExchange(request, response, site.route);
  const { url, match } = exchange;
  if (!isOwnHost(request.headers.host)) {
    request.resume();
    sendReply(response, json({ message: 'Dit systeem luistert alleen op 127.0.0.1 en localhost.' }, 421));
    return;
  }
  if (url.pathname.startsWith(ADMIN_PREFIX)) {
    sendReply(response, await answerOrFail(exchange, site));
    return;
  }
  const { name: endpoint, effect } = 'endpoint' in match ? match.endpoint : { name: null, effect: null };
  const { method = 'GET' } = request;
  const leave = site.log.arrive({ method, path: url.pathname + url.search, endpoint, effect });
  const { faults } = site.settings;
  const seconds = site.rateLimit(faults.rateLimit);
  const fault = seconds === null ? pickFault(faults, effect !== null && effect !== 'none') : null;
  const reply = seconds === null ? await answerWith(fault, exchange, site) : tooManyRequests(seconds);
  if (reply === null) response.destroy();
  else sendReply(response, reply);
  leave(reply?.status ?? 0, fault);
}

/**
 * Whether a request is meant for this machine. A page on the web can have its own name lead to 127.0.0.1, and
 * then send here what its browser takes for requests to itself. Any port: one may be passed on to this one.
 */
const isOwnHost = (host: string | undefined): boolean =>
  host === undefined || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);

/** Reads the request line and finds its endpoint. */
function openExchange(request: IncomingMessage, response: ServerResponse, route: Site['route']): Exchange {
  const { method = 'GET', url: path = '/', headers, socket } = request;
  const host = headers.host ?? `127.0.0.1:${socket.localPort}`;
  const url = new URL(`http://127.0.0.1${path.startsWith('/') ? path : '/'}`);
  const match = route(method, url.pathname);
  return { request, response, url, address: `http://${host}${url.pathname}`, match };
}

/** The service's answer: the token is checked first, then the path, then the body (interface section 5). */
async function answerRequest({ request, url, address, match }: Exchange, site: Site): Promise<Reply> {
  const { method = 'GET', headers } = request;
  if (!site.authenticated(headers.authorization)) return unauthenticated();
  const body = Buffer.concat(await request.toArray());
  const raw = { address, query: url.searchParams, contentType: headers['content-type'] ?? '', body };
  if (url.pathname.startsWith(ADMIN_PREFIX))
    return administer(method, url.pathname.slice(ADMIN_PREFIX.length), raw, site);
  const { store, pageSize, settings } = site;
  if ('endpoint' in match) return dispatch(match, raw, { store, pageSize, dialect: settings.dialect });
  if (match.known) return json({ message: `De methode ${method} wordt hier niet ondersteund.` }, 405);
  return notFound(`Onbekende route: ${url.pathname}.`);
}

function sendReply(response: ServerResponse, reply: Reply): void {
  const { bytes, type } =
    reply.kind === 'bytes'
      ? reply
      : { bytes: Buffer.from(JSON.stringify(reply.body)), type: 'application/json' };
  response.writeHead(reply.status, {
    'content-type': type,
    'content-length': bytes.length,
    ...reply.headers,
  });
  response.end(bytes);
}
