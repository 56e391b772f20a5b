import { isIPv4 } from 'node:net';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, same, t, withFlag } from '../core/language.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { RecordPage } from '../schema/page.ts';

/** The values of a path's parameters, by name. */
export type PathParams = Readonly<Record<string, string | number>>;

/**
 * An address written in full. `https:host` and `https:\\host` are read as one too, and a `#` cuts off what
 * follows: so a file whose name begins with `--base-url=` could name one, as names of files hold no `/`.
 */
const WHOLE_ADDRESS = /^https?:\/\/[^\\?#\s]+$/i;

/**
 * The service's address: scheme, host, port, and a path that ends in `/`. A header carries the token, so http
 * is for this machine alone, unless the user allows it.
 * @throws StopError (usage) for any other address.
 */
export function serviceAddress(text: string, allowHttp = false): URL {
  const url = WHOLE_ADDRESS.test(text.trim()) && URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null) {
    const found = quoted(text);
    throw usageStop(
      t(
        `The base URL must start with http:// or https://, without ? or #; found ${found.en}.`,
        `Het adres van het systeem moet met http:// of https:// beginnen, zonder ? of #; gevonden: ${found.nl}.`,
      ),
      t(
        'Write it as in https://catering.example/, up to and not including api/v1.',
        'Schrijf het zoals in https://catering.example/, tot en zonder api/v1.',
      ),
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw usageStop(
      t(
        'The base URL holds a user name or password, which is not how this service is reached.',
        'In het adres van het systeem staat een gebruikersnaam of wachtwoord, en zo is dit systeem niet te bereiken.',
      ),
      withFlag(
        t(
          'Leave the part before the @ out; the token has a place of its own.',
          'Laat het deel voor de @ weg; het token heeft een eigen plek.',
        ),
        'CATERSHEET_TOKEN',
      ),
    );
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw usageStop(
      t(
        `The base URL ${url.origin} is not encrypted: the token could be read on the way.`,
        `Het adres ${url.origin} is niet versleuteld: het token zou onderweg gelezen kunnen worden.`,
      ),
      t(
        'Use https://, or allow http for this address in the settings.',
        'Gebruik https://, of sta http voor dit adres toe in de instellingen.',
      ),
    );
  }
  refuseUnchecked(url);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Throws StopError where nobody looks whether the service is who it says. */
function refuseUnchecked({ protocol, hostname, origin }: URL): void {
  if (protocol !== 'https:' || isLoopback(hostname)) return;
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw usageStop(
    t(
      `NODE_TLS_REJECT_UNAUTHORIZED=0 is set: whoever poses as ${origin} would be given the token.`,
      `NODE_TLS_REJECT_UNAUTHORIZED=0 staat aan: wie zich voordoet als ${origin} zou het token krijgen.`,
    ),
    t(
      'Take it out of the environment. Name a certificate of your own authority in NODE_EXTRA_CA_CERTS.',
      'Haal het uit de omgeving. Noem een certificaat van je eigen uitgever in NODE_EXTRA_CA_CERTS.',
    ),
  );
}

/** Whether two addresses are one and the same, whichever way they name this machine or end their host. */
export const sameAddress = (one: string, other: string): boolean => plainAddress(one) === plainAddress(other);

function plainAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return address;
  const host = url.hostname.replace(/\.$/, '');
  url.hostname = host === '127.0.0.1' || host === '[::1]' ? 'localhost' : host;
  return url.href.replace(/\/*$/, '/');
}

/** A wrong base URL as it may be shown: what stands before an `@` or after a `?` or `#` may be secret. */
function quoted(text: string): Bilingual {
  if (text.includes('@')) return t('an address with an @', 'een adres met een @');
  const shown = `"${text.replace(/[?#].*$/s, '').slice(0, 100)}"`;
  return same(shown);
}

/** This machine: 127.0.0.0/8, ::1 and the reserved name localhost, but no name that only resolves to it. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true;
  return isIPv4(host) && host.startsWith('127.');
}

/**
 * The path of an endpoint under the base address.
 * @throws TypeError for a missing parameter, or one that changes the path.
 */
export function endpointPath(base: URL, endpoint: Endpoint, params: PathParams = {}): string {
  for (const name of pathParameters(endpoint)) {
    const value = String(params[name] ?? '');
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`${endpoint.name} needs ${name}, found "${value}"`);
    }
  }
  return base.pathname + filledPath(endpoint, params);
}

/** The endpoint's path, each parameter one encoded segment. */
const filledPath = ({ path }: Endpoint, params: PathParams): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

/**
 * The path and query of a link that the service gave.
 * @throws StopError (service) for another scheme, host or port: following it would give the token to someone
 * else.
 */
export function sameOriginPath(base: URL, link: string, endpoint: Endpoint): string {
  const url = URL.canParse(link, base.href) ? new URL(link, base) : null;
  if (url !== null && url.origin === base.origin && url.username === '' && url.password === '') {
    return url.pathname + url.search;
  }
  // Only the origin is shown: the rest of a foreign link may hold anything.
  const where =
    url === null
      ? t('nowhere that can be read', 'iets wat niet te lezen is')
      : { en: url.origin, nl: url.origin };
  throw new StopError(
    EXIT.service,
    t(
      `${endpoint.name}: the service links to ${where.en}, not to ${base.origin}; not followed.`,
      `${endpoint.name}: het systeem verwijst naar ${where.nl}, niet naar ${base.origin}; niet gevolgd.`,
    ),
    {
      next: t(
        'If the service stands behind a proxy, have it answer with its public address.',
        'Staat het systeem achter een proxy, laat het dan met zijn openbare adres antwoorden.',
      ),
    },
  );
}

/** Where the other pages are: by number, to be asked for side by side; else one by one. */
type PageRoute =
  | { readonly way: 'number'; readonly link: (page: number) => string; readonly last: number }
  | { readonly way: 'next'; readonly link: string };

/** The route that a first page shows; null when it is the only page. */
export function findRoute(
  endpoint: Endpoint,
  first: RecordPage,
  base: string,
  params: PathParams = {},
): PageRoute | null {
  const { links, meta } = first;
  const { last } = meta;
  // Counts without links: taking the first page for everything would make known records look new.
  if (last !== null && last > 1 && links.next === null && links.first === null) {
    return { way: 'number', last, link: (page) => `${filledPath(endpoint, params)}?page=${page}` };
  }
  if (links.next === null) return null;
  const url = URL.canParse(links.next, base) ? new URL(links.next, base) : null;
  if (url === null || last === null || url.searchParams.get('page') !== String((meta.current ?? 1) + 1)) {
    return { way: 'next', link: links.next };
  }
  const numbered = (page: number) => {
    const other = new URL(url);
    other.searchParams.set('page', String(page));
    return other.href;
  };
  return { way: 'number', last, link: numbered };
}
