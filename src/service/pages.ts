import { createHash } from 'node:crypto';
import { sideBySide } from '../core/batches.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { RecordPage } from '../schema/page.ts';
import { findRoute } from './address.ts';
import { RequestError } from './request-error.ts';
import type { SendInput, Service } from './service.ts';

/** Pages of a list that is read for one row or name, asked for side by side. */
export const WIDTH = 4;

/** The first page of a list (interface 4.3); its counts tell what the others would cost. */
export interface FirstPage {
  readonly page: RecordPage;
  /** All pages in order, this one included, up to `concurrency` requests side by side. */
  all(concurrency: number): PageRun;
  /** The last page; null where this is it, or it can't be asked for by its number. */
  last(): Promise<RecordPage | null>;
}

interface PageRun extends AsyncIterable<RecordPage> {
  /** Live; final when the iteration has ended. */
  readonly tally: PageTally;
}

/** How a list is read. */
type PageOptions = Omit<SendInput<never>, 'body'>;

/** Asks for the first page of a list. @throws as `Service.send`. */
export async function firstPage<B>(
  service: Service,
  endpoint: Endpoint<B, RecordPage>,
  body: B,
  options: PageOptions = {},
): Promise<FirstPage> {
  service.onList?.(endpoint.name, 0, null);
  const page = await service.send(endpoint, { ...options, body });
  const list = { service, endpoint: endpoint as Endpoint<unknown, RecordPage>, body, ...options };
  return {
    page,
    async last() {
      const route = findRoute(list.endpoint as Endpoint, page, service.baseUrl, options.params);
      if (route === null || route.way === 'next' || route.last < 2) return null;
      return await further(list, route.link(route.last), route.last, options.signal);
    },
    all(concurrency) {
      const tally = new PageTally();
      return { tally, [Symbol.asyncIterator]: () => tally.counted(list, allPages(list, page, concurrency)) };
    },
  };
}

interface List extends PageOptions {
  readonly service: Service;
  readonly endpoint: Endpoint<unknown, RecordPage>;
  readonly body: unknown;
}

/** @throws as `Service.follow`; RequestError (malformed) for pages that contradict each other. */
async function* allPages(
  list: List,
  first: RecordPage,
  concurrency: number,
): AsyncGenerator<RecordPage, void> {
  yield first;
  const route = findRoute(list.endpoint as Endpoint, first, list.service.baseUrl, list.params);
  if (route === null) return;
  const most = mostPages(first);
  if (route.way === 'next') return yield* oneByOne(list, route.link, 2, most);
  if (route.last > most) throw contradiction(list, tooManyPages(first, route.last));
  let end: RecordPage | undefined;
  let both: AbortSignal | undefined;
  const read = (number: number, left: AbortSignal) => {
    both ??= list.signal === undefined ? left : AbortSignal.any([left, list.signal]);
    return numbered(list, route.link(number), number, both);
  };
  const numbers = Array.from({ length: Math.max(0, route.last - 1) }, (_, at) => at + 2);
  for await (const page of sideBySide(numbers, concurrency, read)) {
    end = page;
    yield page;
  }
  // The list may have grown while it was read.
  const next = end?.links.next;
  if (next != null) yield* oneByOne(list, next, route.last + 1, most);
}

/** Pages that are accepted past what the first one means: the list may grow. */
const MARGIN = 100;
/** No list of this service has more; and of one that tells nothing. */
const MOST_TOLD = 100_000;
const MOST_UNTOLD = 20_000;
/** So many pages in a row that bring no records, or the same again, end a list that says that more follow. */
const MOST_IDLE = 5;
/** Most records of a list that does not tell how many it has. */
const MOST_RECORDS = 1_000_000;

/** How many pages the counts of a first page can mean, with some for what is added meanwhile. */
function mostPages({ data, meta: { total, last, perPage } }: RecordPage): number {
  // Some services count the page alone.
  if (total === null || (last !== 1 && total <= data.length))
    return Math.min(last ?? MOST_UNTOLD, MOST_TOLD) + MARGIN;
  const sizes = [perPage, data.length].filter((size) => size !== null && size > 0);
  const meant = Math.max(0, total) / Math.min(Number.MAX_SAFE_INTEGER, ...(sizes as number[]));
  return Math.min(Math.ceil(meant), MOST_TOLD) + MARGIN;
}

const tooManyPages = ({ meta: { total } }: RecordPage, last: number): Bilingual =>
  t(
    `it says it has ${last} pages, and ${total ?? 'no number of'} records`,
    `hij zegt ${last} pagina’s te hebben, en ${total ?? 'geen aantal'} records`,
  );

/** A page whose number is known. A service that ignores the number would give one page again and again. */
async function numbered(list: List, link: string, number: number, signal: AbortSignal): Promise<RecordPage> {
  const page = await further(list, link, number, signal);
  const { current } = page.meta;
  if (current === null || current === number) return page;
  const reason = t(
    `page ${current} came where page ${number} was asked for`,
    `pagina ${current} kwam waar om pagina ${number} werd gevraagd`,
  );
  throw contradiction(list, reason);
}

/** A page that the one before announces; a 404 means that the list breaks off. */
async function further(
  list: List,
  link: string,
  number: number,
  signal: AbortSignal | undefined,
): Promise<RecordPage> {
  try {
    return await list.service.follow(list.endpoint, link, list.body, signal);
  } catch (cause) {
    if (!(cause instanceof RequestError) || cause.kind !== 'missing') throw cause;
    const reason = t(
      `the list breaks off: its page ${number} was ${cause.reasons.en}`,
      `de lijst breekt af: pagina ${number} ervan is ${cause.reasons.nl}`,
    );
    throw contradiction(list, reason, cause);
  }
}

/** The pages that a link leads to, the first of which has the number `from`. */
async function* oneByOne(
  list: List,
  start: string,
  from: number,
  most: number,
): AsyncGenerator<RecordPage, void> {
  const seen = new Set<string>();
  let link: string | null = start;
  for (let number = from; link !== null; number += 1) {
    if (seen.has(link)) throw contradiction(list, CIRCLE);
    seen.add(link);
    // Not the page's own count, which may grow with every page.
    if (number > most) throw contradiction(list, endlessText(number - 1, PAGES));
    const page: RecordPage = await further(list, link, number, list.signal);
    // A page without records ends a list that does not count its pages.
    const isLast = page.data.length === 0 && page.meta.last === null;
    yield page;
    link = isLast ? null : page.links.next;
  }
}

const CIRCLE = t('its pages link in a circle', 'de pagina’s verwijzen in een kring');
const PAGES = t('pages', 'pagina’s');
const RECORDS = t('records', 'records');
const endlessText = (count: number, what: Bilingual): Bilingual =>
  t(`it does not end: ${count} ${what.en} came`, `er komt geen einde aan: er kwamen ${count} ${what.nl}`);

function contradiction({ endpoint }: List, reason: Bilingual, cause?: RequestError): RequestError {
  const { status, words, attempts } = cause ?? { status: 200, words: null, attempts: 1 };
  const details = { status, words, attempts, cause };
  return new RequestError({ ...details, kind: 'malformed', endpoint: endpoint.name, reason });
}

/** What was read of a list, and what the service says it holds. */
class PageTally {
  pages = 0;
  records = 0;
  /** As the first page says; null where the service does not say. */
  total: number | null = null;
  #last: number | null = null;
  #ended = false;
  /** Every page gave the same total. */
  #steady = true;
  /** Pages without records that pages with records follow. */
  #gaps = 0;
  /** The last page that came says that more follows. */
  #more = false;
  /** What stands for the records of each page. */
  readonly #seen = new Set<string>();
  /** Pages in a row that brought no records, or the same again. */
  #idle = 0;

  /**
   * True at the end when every page gave the same total, that many records came on that many pages, and
   * nothing follows the last. False: records were added, moved or removed meanwhile, or can't be asked for,
   * and some may be missing.
   */
  get complete(): boolean {
    const { total, records } = this;
    const counted = this.#steady && (total === null || total === records);
    return this.#ended && counted && this.shortage() === null;
  }

  /** Why this can't be the whole list, or null. `different`: records without those that came twice. */
  readonly shortage = (different = this.records): Bilingual | null => {
    const { pages, records, total } = this;
    if (this.#idle >= MOST_IDLE || (this.#idle > 0 && this.#seen.size === 1)) return IDLE;
    if (this.#last !== null && pages < this.#last) return fewPages(pages, this.#last);
    if (total !== null && different < total) return fewRecords(different, records, total);
    if (this.#gaps > 0) return EMPTY_PAGE;
    return this.#more ? MORE : null;
  };

  async *counted(list: List, pages: AsyncIterable<RecordPage>): AsyncGenerator<RecordPage, void> {
    let empty = 0;
    for await (const page of pages) {
      const { total, last, more } = page.meta;
      const { length } = page.data;
      if (this.pages === 0) [this.total, this.#last] = [total, last];
      this.#steady &&= total === this.total;
      // The last pages of a list may be empty now; an empty one before others lacks its records.
      if (length > 0) this.#gaps += empty;
      empty = length === 0 ? empty + 1 : 0;
      const isNew = length > 0 && this.#seen.size < this.#seen.add(digestOf(page)).size;
      this.#idle = isNew ? 0 : this.#idle + 1;
      this.pages += 1;
      this.records += length;
      if (this.records > Math.max(MOST_RECORDS, 2 * (this.total ?? 0)))
        throw contradiction(list, endlessText(this.records, RECORDS));
      this.#more = more;
      list.service.onList?.(list.endpoint.name, this.records, this.total);
      yield page;
      const follows = page.links.next !== null || this.pages < (this.#last ?? 0);
      if (this.#idle >= MOST_IDLE && follows) return;
    }
    this.#ended = true;
  }
}

const digestOf = ({ data }: RecordPage): string =>
  createHash('sha1')
    .update(JSON.stringify([data.length, data[0], data.at(-1)]))
    .digest('base64');

const IDLE = t(
  'page after page came without records, or with the same again',
  'er kwam pagina na pagina zonder records, of met steeds dezelfde',
);

function fewRecords(different: number, came: number, total: number): Bilingual {
  const other = different < came ? t('different ', 'verschillende ') : t('', '');
  return t(
    `${different} ${other.en}records came, where the list says it has ${total}`,
    `er kwamen ${different} ${other.nl}records, terwijl de lijst er volgens zichzelf ${total} heeft`,
  );
}
const fewPages = (came: number, last: number): Bilingual =>
  t(`${came} of its ${last} pages came`, `er kwamen ${came} van de ${last} pagina’s`);
const EMPTY_PAGE: Bilingual = t(
  'a page without records came before others that have some',
  'er kwam een pagina zonder records vóór andere die er wel hebben',
);
const MORE: Bilingual = t(
  'it says that more follows, without a link to it',
  'hij zegt dat er meer volgt, zonder link daarheen',
);
