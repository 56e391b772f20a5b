import type { Endpoint } from '../schema/endpoint.ts';
import { TOO_LARGE } from './content-coding.ts';
import type { Failure } from './failure.ts';
import type { TransportError } from './transport.ts';

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped halfway',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is cut off',
  CONTENT_CODING: 'the answer is compressed in a way that cannot be opened',
};

const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|EPROTO|SSL/;

/**
 * Judges an exchange without a whole answer. The line is drawn where the first byte is written: before it,
 * the service cannot know of the request. After it nothing is sure, not even for a reset on a kept-alive
 * connection that the service was just closing: it looks the same as a reset after the work was done.
 */
export function transportFailure(endpoint: Endpoint, error: TransportError, cause: Error): Failure {
  const nothing = { words: null, fields: {}, status: error.status, wait: null, cause };
  const write = endpoint.effect !== 'none';
  if (error.code === TOO_LARGE) {
    const reason = 'the answer is larger than is accepted';
    return { ...nothing, kind: 'too-large', reason, effect: write, transient: false };
  }
  if (!error.written) {
    const untrusted = NOT_TRUSTED.test(error.code);
    const reason = untrusted
      ? `the certificate is not trusted (${error.code})`
      : (CODES[error.code] ?? `no connection (${error.code})`);
    return { ...nothing, kind: 'unreachable', reason, effect: false, transient: !untrusted };
  }
  const reason =
    CODES[error.code] ?? `the connection was lost before the answer was complete (${error.code})`;
  return { ...nothing, kind: 'lost', reason, effect: write, transient: true };
}
