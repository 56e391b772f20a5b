import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_PREFIX, type AdminContext, administer } from './admin.ts';
import { dispatch } from './dispatch.ts';
import { type createRateLimit, pickFault, tooManyRequests, unavailable } from './faults.ts';
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

/** What was sent; `status` is 0 for a connection closed without an answer. */
interface Served {
  readonly status: number;
  readonly fault: string | null;
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
 * The faults of a gateway come before the service sees the request. Half of the latency passes before the
 * work, half after it: a client can end before or after it.
 */
async function serve(exchange: Exchange, site: Site): Promise<Served> {
  const { faults } = site.settings;
  const { match, request, response } = exchange;
  const seconds = site.rateLimit(faults.rateLimit);
  const isWrite = 'endpoint' in match && match.endpoint.effect !== 'none';
  const fault = seconds === null ? pickFault(faults, isWrite) : null;
  const answer = async (reply: Reply): Promise<Served> => {
    await sendReply(response, reply);
    return { status: reply.status, fault };
  };
  if (seconds !== null) return await answer(tooManyRequests(seconds));
  if (fault === 'status503') return await answer(unavailable(faults));
  if (fault === 'reset') request.socket.destroy();
  else {
    if (faults.latencyMs > 0) await wait(faults.latencyMs / 2);
    const reply = await answerOrFail(exchange, site);
    if (faults.latencyMs > 0) await wait(faults.latencyMs / 2);
    if (fault === null) return await answer(reply);
    response.destroy();
  }
  return { status: 0, fault };
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
    await sendReply(
      response,
      json({ message: 'Dit systeem luistert alleen op 127.0.0.1 en localhost.' }, 421),
    );
    return;
  }
  if (url.pathname.startsWith(ADMIN_PREFIX)) {
    await sendReply(response, await answerOrFail(exchange, site));
    return;
  }
  const { name: endpoint, effect } = 'endpoint' in match ? match.endpoint : { name: null, effect: null };
  const { method = 'GET' } = request;
  const leave = site.log.arrive({ method, path: url.pathname + url.search, endpoint, effect });
  let served: Served = { status: 0, fault: null };
  try {
    served = await serve(exchange, site);
  } catch {
    response.destroy();
  } finally {
    leave(served.status, served.fault);
  }
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
  const body = await readRequestBody(request);
  if (body === null) return json({ message: 'De aanvraag is te groot.' }, 413, { connection: 'close' });
  const raw = { address, query: url.searchParams, contentType: headers['content-type'] ?? '', body };
  if (url.pathname.startsWith(ADMIN_PREFIX))
    return administer(method, url.pathname.slice(ADMIN_PREFIX.length), raw, site);
  const { store, pageSize, settings } = site;
  if ('endpoint' in match) return dispatch(match, raw, { store, pageSize, dialect: settings.dialect });
  if (match.known) return json({ message: `De methode ${method} wordt hier niet ondersteund.` }, 405);
  return notFound(`Onbekende route: ${url.pathname}.`);
}

/** The largest body that is read, in bytes; uploads hold documents. */
const LARGEST = 32 * 1024 * 1024;

/** The whole body; null when it is too large. Throws when the client goes away. */
async function readRequestBody(request: IncomingMessage): Promise<Buffer | null> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > LARGEST) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not close the connection: the refusal is still to be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Sends an answer; resolves when it has been handed to the connection. */
async function sendReply(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.kind === 'stream') {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    await pipeline(Readable.from(reply.chunks), response);
    return;
  }
  const { bytes, type } =
    reply.kind === 'bytes'
      ? reply
      : { bytes: Buffer.from(JSON.stringify(reply.body)), type: 'application/json' };
  const headers = { 'content-type': type, 'content-length': bytes.length, ...reply.headers };
  response.writeHead(reply.status, headers);
  response.end(bytes);
}
