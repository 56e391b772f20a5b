import type { Endpoint } from '../schema/endpoint.ts';
import { isPage, type ProductPage } from '../schema/page.ts';
import type { PathParams } from './address.ts';

/**
 * Where the other pages are: by a template link that carries the page's number, so that they can be asked for side
 * by side; else one after the other; null when the first page is all there is.
 */
export type Route =
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
  first: ProductPage,
  base: string,
  { ownLinks, params = {} }: { readonly ownLinks: boolean; readonly params?: PathParams | undefined },
): Route | null {
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
