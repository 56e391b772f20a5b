import type { Endpoint } from '../schema/endpoint.ts';
import type { ProductPage } from '../schema/page.ts';
import type { Bilingual } from '../schema/value.ts';
import type { PathParams } from './address.ts';
import { findRoute } from './page-links.ts';
import { openTally, type PageTally } from './page-tally.ts';
import { RequestError } from './request-error.ts';
import type { Service } from './service.ts';

/** A paged list (interface 4.3) of which the first page is here; its counts tell what the others would cost. */
export interface FirstPage {
  readonly page: ProductPage;
  /** All pages in order, the first one included and not asked for again; up to `concurrency` side by side. */
  all(concurrency: number): PageRun;
}

interface PageRun extends AsyncIterable<ProductPage> {
  /** Live; final when the iteration has ended. */
  readonly tally: PageTally;
}

export interface PageOptions {
  /** Uses page numbers under our own address in place of the service's links, which may name an inner host. */
  readonly byNumber?: boolean | undefined;
  /** What stands in the path. */
  readonly params?: PathParams | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks for the first page of a list. @throws as `Service.send`. */
export async function firstPage<B>(
  service: Service,
  endpoint: Endpoint<B, ProductPage>,
  body: B,
  options: PageOptions = {},
): Promise<FirstPage> {
  const { params = {}, signal } = options;
  const page = await service.send(endpoint, { params, body, ...(signal && { signal }) });
  return {
    page,
    all(concurrency) {
      const tally = openTally();
      const list = { service, endpoint: endpoint as Endpoint<unknown, ProductPage>, body, ...options };
      return { tally, [Symbol.asyncIterator]: () => tally.counted(allPages(list, page, concurrency)) };
    },
  };
}

/** All pages of a list. @throws as `Service.follow`; RequestError (malformed) for pages that contradict each other. */
export async function* pages<B>(
  service: Service,
  endpoint: Endpoint<B, ProductPage>,
  body: B,
  options: PageOptions & { readonly concurrency: number },
): AsyncGenerator<ProductPage, void> {
  const first = await firstPage(service, endpoint, body, options);
  yield* first.all(options.concurrency);
}

interface List extends PageOptions {
  readonly service: Service;
  readonly endpoint: Endpoint<unknown, ProductPage>;
  readonly body: unknown;
}

async function* allPages(
  list: List,
  first: ProductPage,
  concurrency: number,
): AsyncGenerator<ProductPage, void> {
  yield first;
  const route = findRoute(list.endpoint as Endpoint, first, list.service.baseUrl, {
    ...{ ownLinks: list.byNumber === true, params: list.params },
  });
  if (route === null) return;
  if (route.way === 'next') return yield* oneByOne(list, route.link, 2);
  let end: ProductPage | undefined;
  for await (const page of sideBySide(list, route, concurrency)) {
    end = page;
    yield page;
  }
  // The list may have grown while it was read.
  const next = list.byNumber === true ? null : end?.links.next;
  if (next != null) yield* oneByOne(list, next, route.last + 1);
}

async function* sideBySide(
  list: List,
  route: { readonly link: (page: number) => string; readonly last: number },
  concurrency: number,
): AsyncGenerator<ProductPage, void> {
  const left = new AbortController();
  const both = list.signal === undefined ? left.signal : AbortSignal.any([left.signal, list.signal]);
  const flights: Promise<ProductPage>[] = [];
  let asked = 2;
  try {
    for (let number = 2; number <= route.last; number += 1) {
      for (; asked <= route.last && flights.length < Math.max(1, concurrency); asked += 1) {
        const flight = numbered(list, route.link(asked), asked, both);
        // A failure is reported when it is this page's turn, if that ever comes.
        flight.catch(() => {});
        flights.push(flight);
      }
      yield (await flights.shift()) as ProductPage;
    }
  } finally {
    left.abort();
  }
}

/** A page whose number is known: a service that ignores the number would have us read one page again and again. */
async function numbered(list: List, link: string, number: number, signal: AbortSignal): Promise<ProductPage> {
  const page = await further(list, link, number, signal);
  const { current } = page.meta;
  if (current !== null && current !== number)
    throw contradiction(list, {
      en: `page ${current} came where page ${number} was asked for`,
      nl: `pagina ${current} kwam waar om pagina ${number} werd gevraagd`,
    });
  return page;
}

/** A page that the one before announces. Where there is none the list breaks off, which is not to say that what it is of is not there. */
async function further(
  list: List,
  link: string,
  number: number,
  signal: AbortSignal | undefined,
): Promise<ProductPage> {
  try {
    return await list.service.follow(list.endpoint, link, list.body, signal);
  } catch (cause) {
    if (!(cause instanceof RequestError) || cause.kind !== 'missing') throw cause;
    const reason = {
      en: `the list breaks off: its page ${number} was ${cause.reasons.en}`,
      nl: `de lijst breekt af: pagina ${number} ervan is ${cause.reasons.nl}`,
    };
    throw contradiction(list, reason, cause);
  }
}

/** Growth that is still believed past the last page that was announced. */
const MARGIN = 100;
const MOST_PAGES = 100_000;

async function* oneByOne(list: List, start: string, from: number): AsyncGenerator<ProductPage, void> {
  const seen = new Set<string>();
  let link: string | null = start;
  for (let number = from; link !== null; number += 1) {
    if (seen.has(link)) throw contradiction(list, CIRCLE);
    seen.add(link);
    const page: ProductPage = await further(list, link, number, list.signal);
    if (number > (page.meta.last ?? MOST_PAGES) + MARGIN) throw contradiction(list, ENDLESS);
    yield page;
    // A page without records ends a list that does not count its pages.
    link = page.data.length === 0 && page.meta.last === null ? null : page.links.next;
  }
}

const CIRCLE = { en: 'its pages link in a circle', nl: 'de pagina’s verwijzen in een kring' };
const ENDLESS = { en: 'its pages do not end', nl: 'er komt geen einde aan de pagina’s' };

function contradiction({ endpoint }: List, reason: Bilingual, cause?: RequestError): RequestError {
  const { status, words, attempts } = cause ?? { status: 200, words: null, attempts: 1 };
  const details = { status, words, attempts, fields: {}, mayHaveTakenEffect: false, cause };
  return new RequestError({ ...details, kind: 'malformed', endpoint: endpoint.name, reason });
}
