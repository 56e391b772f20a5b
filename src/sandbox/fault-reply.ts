import type { Fault } from './faults.ts';
import type { Faults } from './options.ts';
import { json, type Reply } from './reply.ts';

function htmlPage(status: 200 | 502): Reply {
  const title = status === 200 ? 'Onderhoud' : '502 Bad Gateway';
  const bytes = Buffer.from(
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );
  return { kind: 'bytes', status, bytes, type: 'text/html; charset=utf-8' };
}

/** The answer of whatever stands in front of the service, given before the service does anything; null when it lets the request pass. */
export function faultReply(fault: Fault | null, faults: Faults): Reply | null {
  switch (fault) {
    case 'status503':
      return json(
        { message: 'Service Unavailable' },
        503,
        faults.retryAfter === null ? {} : { 'retry-after': String(faults.retryAfter) },
      );
    case 'html200':
      return htmlPage(200);
    case 'html502':
      return htmlPage(502);
    default:
      return null;
  }
}

/** 429 with the whole seconds after which there is room again. */
export function tooManyRequests(seconds: number): Reply {
  return json({ message: 'Too Many Attempts.' }, 429, {
    'retry-after': String(Math.max(1, Math.ceil(seconds))),
  });
}
