import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_PREFIX } from './admin.ts';
import { type Application, answerRequest, type Target, targetOf } from './answer-request.ts';
import { faultReply, tooManyRequests } from './fault-reply.ts';
import type { Fault, FaultPicker } from './faults.ts';
import type { RateLimit } from './rate-limit.ts';
import { json, type Reply } from './reply.ts';
import { sendHalf, sendReply } from './send-reply.ts';

/** The application with what makes it misbehave. */
export interface Site extends Application {
  readonly pickFault: FaultPicker;
  readonly rateLimit: RateLimit;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
}

/** What was sent: the status, 0 for a connection closed without one. */
interface Served {
  readonly status: number;
  readonly fault: string | null;
}

async function answerOrFail({ request, target }: Exchange, site: Site): Promise<Reply> {
  try {
    return await answerRequest(request, target, site);
  } catch (fault) {
    // The client went away while its body was read, or the sandbox itself is wrong; either way nobody else is to suffer.
    return json({ message: `Server Error: ${(fault as Error).message}` }, 500);
  }
}

async function send({ response }: Exchange, reply: Reply, fault: Fault | null): Promise<Served> {
  if (fault === 'lostAnswer') response.destroy();
  else if (fault === 'truncate') await sendHalf(response, reply);
  else await sendReply(response, reply);
  return { status: fault === 'lostAnswer' ? 0 : reply.status, fault };
}

/** Half of the latency passes before the work and half after it, so a client that dies may leave work done or undone. */
async function serveAfterFaults(exchange: Exchange, site: Site, fault: Fault | null): Promise<Served> {
  const { latencyMs } = site.settings.faults;
  if (latencyMs > 0) await wait(latencyMs / 2);
  const reply = await answerOrFail(exchange, site);
  if (latencyMs > 0) await wait(latencyMs / 2);
  return send(exchange, reply, fault);
}

/** What stands in front of the service has its say before the service sees the request. */
async function serve(exchange: Exchange, site: Site): Promise<Served> {
  const { faults } = site.settings;
  const { match } = exchange.target;
  const fault = site.pickFault(faults, 'endpoint' in match && match.endpoint.effect !== 'none');
  const seconds = site.rateLimit(faults.rateLimit);
  if (seconds !== null) {
    await sendReply(exchange.response, tooManyRequests(seconds));
    return { status: 429, fault: null };
  }
  if (fault === 'reset') {
    exchange.request.socket.destroy();
    return { status: 0, fault };
  }
  const instead = faultReply(fault, faults);
  if (instead === null) return serveAfterFaults(exchange, site, fault);
  await sendReply(exchange.response, instead);
  return { status: instead.status, fault };
}

/** Serves one request and notes it. Requests to the sandbox itself meet no faults and are not noted. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
): Promise<void> {
  const target = targetOf(request, site.route);
  const exchange = { request, response, target };
  const { method, url, match } = target;
  if (url.pathname.startsWith(ADMIN_PREFIX)) {
    await sendReply(response, await answerOrFail(exchange, site));
    return;
  }
  const { name: endpoint, effect } = 'endpoint' in match ? match.endpoint : { name: null, effect: null };
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
