import type { Endpoint } from '../schema/endpoint.ts';
import type { Bilingual } from '../schema/value.ts';
import { TOO_LARGE } from './content-coding.ts';
import type { Failure } from './failure.ts';
import type { TransportError } from './transport.ts';

const both = (en: string, nl: string): Bilingual => ({ en, nl });

const CODES: Readonly<Record<string, Bilingual>> = {
  ECONNREFUSED: both('the connection is refused', 'de verbinding wordt geweigerd'),
  ENOTFOUND: both('the host name is not known', 'de naam van de server is niet bekend'),
  EAI_AGAIN: both(
    'the host name cannot be looked up now',
    'de naam van de server kan nu niet worden opgezocht',
  ),
  EHOSTUNREACH: both('the host cannot be reached', 'de server is niet bereikbaar'),
  ENETUNREACH: both('the network cannot be reached', 'het netwerk is niet bereikbaar'),
  UND_ERR_CONNECT_TIMEOUT: both(
    'no connection within the time allowed',
    'geen verbinding binnen de toegestane tijd',
  ),
  UND_ERR_HEADERS_TIMEOUT: both(
    'no answer within the time allowed',
    'geen antwoord binnen de toegestane tijd',
  ),
  UND_ERR_BODY_TIMEOUT: both('the answer stopped halfway', 'het antwoord hield halverwege op'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: both('the answer is cut off', 'het antwoord is afgekapt'),
  CONTENT_CODING: both(
    'the answer is compressed in a way that cannot be opened',
    'het antwoord is gecomprimeerd op een manier die niet te openen is',
  ),
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
    const reason = both(
      'the answer is larger than is accepted',
      'het antwoord is groter dan wordt aangenomen',
    );
    return { ...nothing, kind: 'too-large', reason, effect: write, transient: false };
  }
  if (!error.written) {
    const untrusted = NOT_TRUSTED.test(error.code);
    const reason = untrusted
      ? both(
          `the certificate is not trusted (${error.code})`,
          `het certificaat wordt niet vertrouwd (${error.code})`,
        )
      : (CODES[error.code] ?? both(`no connection (${error.code})`, `geen verbinding (${error.code})`));
    return { ...nothing, kind: 'unreachable', reason, effect: false, transient: !untrusted };
  }
  const reason =
    CODES[error.code] ??
    both(
      `the connection was lost before the answer was complete (${error.code})`,
      `de verbinding viel weg voordat het antwoord compleet was (${error.code})`,
    );
  return { ...nothing, kind: 'lost', reason, effect: write, transient: true };
}
