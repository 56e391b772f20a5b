import type { IncomingMessage } from 'node:http';
import { ADMIN_PREFIX, administer, type Managed } from './admin.ts';
import { dispatch, type RawRequest } from './dispatch.ts';
import { readRequestBody } from './read-body.ts';
import { json, notFound, type Reply, unauthenticated } from './reply.ts';
import type { Match, Router } from './router.ts';
import type { Handlers, Service } from './service.ts';

/** Everything it takes to answer a request. */
export interface Application extends Managed {
  readonly authenticated: (authorization: string | undefined) => boolean;
  readonly route: Router;
  readonly handlers: Handlers;
  readonly service: Service;
}

/** A request's target with what the table makes of it. */
export interface Target {
  readonly method: string;
  readonly url: URL;
  /** The path as the client addressed it, without its query, so that links lead back to where it came from. */
  readonly address: string;
  readonly match: Match | { readonly known: boolean };
}

/** Reads the request line. */
export function targetOf(request: IncomingMessage, route: Router): Target {
  const { method = 'GET', url: path = '/', headers, socket } = request;
  const own = `127.0.0.1:${socket.localPort}`;
  const host = /^[\w.-]+(:\d+)?$/.test(headers.host ?? '') ? headers.host : own;
  const url = new URL(`http://127.0.0.1${path.startsWith('/') ? path : '/'}`);
  return { method, url, address: `http://${host}${url.pathname}`, match: route(method, url.pathname) };
}

/** The service's answer to a request: who it is comes first, then where it goes, then what it holds (interface section 5). */
export async function answerRequest(
  request: IncomingMessage,
  target: Target,
  application: Application,
): Promise<Reply> {
  const { method, url, address, match } = target;
  if (!application.authenticated(request.headers.authorization)) return unauthenticated();
  const body = await readRequestBody(request);
  if (body === null) return json({ message: 'De aanvraag is te groot.' }, 413, { connection: 'close' });
  const raw: RawRequest = {
    address,
    query: url.searchParams,
    contentType: request.headers['content-type'] ?? '',
    body,
  };
  if (url.pathname.startsWith(ADMIN_PREFIX))
    return administer(method, url.pathname.slice(ADMIN_PREFIX.length), raw, application);
  if ('endpoint' in match) return dispatch(match, raw, application.handlers, application.service);
  if (match.known) return json({ message: `De methode ${method} wordt hier niet ondersteund.` }, 405);
  return notFound(`Onbekende route: ${url.pathname}.`);
}
