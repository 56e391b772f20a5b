import { isIPv4 } from 'node:net';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import { isPage, type RecordPage } from '../schema/page.ts';

export type PathParams = Readonly<Record<string, string | number>>;

/**
 * The service's address as the client uses it: the path ends in `/`, nothing but scheme, host, port and path.
 * The token travels in a header, so http is only for this machine, unless the user allows it.
 * @throws StopError (usage) for anything that is not such an address.
 */
export function serviceAddress(text: string, allowHttp = false): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const found = quoted(text);
    throw new StopError(
      EXIT.usage,
      t(
        `The base URL must start with http:// or https://; found ${found.en}.`,
        `Het adres van de dienst moet met http:// of https:// beginnen; gevonden: ${found.nl}.`,
      ),
      {
        next: t(
          'Write it as in https://catering.example/, up to and not including api/v1.',
          'Schrijf het zoals in https://catering.example/, tot en zonder api/v1.',
        ),
      },
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new StopError(
      EXIT.usage,
      t(
        'The base URL holds a user name or password, which is not how this service is reached.',
        'In het adres van de dienst staat een gebruikersnaam of wachtwoord, en zo is deze dienst niet te bereiken.',
      ),
      {
        next: t(
          'Leave the part before the @ out; the token goes in CATERSHEET_TOKEN.',
          'Laat het deel voor de @ weg; het token hoort in CATERSHEET_TOKEN.',
        ),
      },
    );
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new StopError(
      EXIT.usage,
      t(
        `The base URL ${url.origin} is not encrypted: the token could be read on the way.`,
        `Het adres ${url.origin} is niet versleuteld: het token zou onderweg gelezen kunnen worden.`,
      ),
      {
        next: t(
          'Use https://, or allow http for this address in the settings.',
          'Gebruik https://, of sta http voor dit adres toe in de instellingen.',
        ),
      },
    );
  }
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** What may be shown of a wrong base URL: up to an `@`, a `?` or a `#` it may hold a secret. */
function quoted(text: string): Bilingual {
  if (text.includes('@')) return t('an address with an @', 'een adres met een @');
  const shown = `"${text.replace(/[?#].*$/s, '').slice(0, 100)}"`;
  return { en: shown, nl: shown };
}

/** True for this machine itself: 127.0.0.0/8, ::1 and the name that is reserved for it. A name that only resolves there is not. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true;
  return isIPv4(host) && host.startsWith('127.');
}

/**
 * The path of an endpoint under the base address, each parameter one encoded segment.
 * @throws TypeError for a missing parameter, or one that would change the path.
 */
export function endpointPath(base: URL, endpoint: Endpoint, params: PathParams = {}): string {
  for (const name of pathParameters(endpoint)) {
    const value = String(params[name] ?? '');
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`${endpoint.name} needs ${name}, found "${value}"`);
    }
  }
  return (
    base.pathname + endpoint.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  );
}

/**
 * The path and query of a link that the service gave, when it leads back to the same scheme, host and port.
 * @throws StopError (service) for any other link: following it would hand the token to someone else.
 */
export function sameOriginPath(base: URL, link: string, endpoint: Endpoint): string {
  const url = URL.canParse(link, base.href) ? new URL(link, base) : null;
  if (url !== null && url.origin === base.origin && url.username === '' && url.password === '') {
    return url.pathname + url.search;
  }
  // Only the origin is told: the rest of a foreign link is none of ours and may hold anything.
  const where =
    url === null
      ? t('nowhere that can be read', 'iets wat niet te lezen is')
      : { en: url.origin, nl: url.origin };
  throw new StopError(
    EXIT.service,
    t(
      `${endpoint.name}: the service links to ${where.en}, not to ${base.origin}; not followed.`,
      `${endpoint.name}: de dienst verwijst naar ${where.nl}, niet naar ${base.origin}; niet gevolgd.`,
    ),
    {
      next: t(
        'If the service stands behind a proxy, have it answer with its public address.',
        'Staat de dienst achter een proxy, laat haar dan met haar openbare adres antwoorden.',
      ),
    },
  );
}

/**
 * Where the other pages are: by a template link that carries the page's number, so that they can be asked for side
 * by side; else one after the other; null when the first page is all there is.
 */
type PageRoute =
  | { readonly way: 'number'; readonly link: (page: number) => string; readonly last: number }
  | { readonly way: 'next'; readonly link: string };

/** The link to a page by its number, under our own address: for services whose own links lead to an inner host. */
function pageLink({ path }: Endpoint, params: PathParams, page: number): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  return `${filled}?page=${page}`;
}

/** Finds the route in a first page. `ownLinks`: the service's links are not used at all, only its counts. */
export function findRoute(
  endpoint: Endpoint,
  first: RecordPage,
  base: string,
  { ownLinks, params = {} }: { readonly ownLinks: boolean; readonly params?: PathParams | undefined },
): PageRoute | null {
  const { links, meta } = first;
  const { last } = meta;
  // Counts without links: taking the first page for everything would make known records look new.
  if (last !== null && last > 1 && (ownLinks || (links.next === null && links.first === null))) {
    return { way: 'number', last, link: (page) => pageLink(endpoint, params, page) };
  }
  if (links.next === null || ownLinks) return null;
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

/** One link of the header of that name (RFC 8288), and the part of its parameters that says what it is. */
const LINK = /<([^<>]*)>((?:\s*;\s*[^,;"\s]+(?:"[^"]*")?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]+))/i;

/** An answer that is a page, with the way to the next one that its header shows where the page itself shows none. */
export function withNextLink<A>(answer: A, header: string | string[] | undefined): A {
  if (header === undefined || !isPage(answer) || answer.links.next !== null) return answer;
  const links = [...[header].flat().join(', ').matchAll(LINK)];
  const next = links.find(([, , parameters = '']) => {
    const [, quoted, plain] = REL.exec(parameters) ?? [];
    return /(?:^|\s)next(?:\s|$)/i.test(quoted ?? plain ?? '');
  })?.[1];
  return next === undefined ? answer : { ...answer, links: { ...answer.links, next } };
}
