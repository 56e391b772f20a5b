import { sideBySide } from '../core/batches.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { RecordPage } from '../schema/page.ts';
import { findRoute } from './address.ts';
import { RequestError } from './request-error.ts';
import type { SendInput, Service } from './service.ts';

/** Pages of a list that is read for one row or name, asked for side by side. */
const WIDTH = 4;

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
  if (route.way === 'next') return yield* oneByOne(list, route.link, 2);
  if (route.last > mostPages(first)) throw contradiction(list, tooManyPages(first, route.last));
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
  if (next != null) yield* oneByOne(list, next, route.last + 1);
}

/** Pages that are accepted past what the first one means: the list may grow. */
const MARGIN = 100;
/** No list of this service has more. */
const MOST_PAGES = 100_000;
const MOST_RECORDS = 1_000_000;
/** So many pages in a row that bring no records, or the same again, end a list that says that more follow. */
const MOST_IDLE = 5;

/** How many pages the counts of a first page can mean, with some for what is added meanwhile. */
function mostPages({ data, meta: { total, last, perPage } }: RecordPage): number {
  const sizes = [perPage, data.length].filter((size) => size !== null && size > 0) as number[];
  // Some services count the page alone.
  const isCounted = total !== null && (last === 1 || total > data.length) && sizes.length > 0;
  const meant = isCounted ? Math.ceil(total / Math.min(...sizes)) : (last ?? MOST_PAGES);
  return Math.min(meant, MOST_PAGES) + MARGIN;
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
async function* oneByOne(list: List, start: string, from: number): AsyncGenerator<RecordPage, void> {
  const seen = new Set<string>();
  let link: string | null = start;
  for (let number = from; link !== null; number += 1) {
    if (seen.has(link)) throw contradiction(list, CIRCLE);
    seen.add(link);
    const page: RecordPage = await further(list, link, number, list.signal);
    // A page without records ends a list that does not count its pages.
    const isLast = page.data.length === 0 && page.meta.last === null;
    yield page;
    link = isLast ? null : page.links.next;
  }
}

const CIRCLE = t('its pages link in a circle', 'de pagina’s verwijzen in een kring');

const endlessText = (count: number): Bilingual =>
  t(`it does not end: ${count} records came`, `er komt geen einde aan: er kwamen ${count} records`);

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
  #last = 0;
  #ended = false;
  /** Every page gave the same total. */
  #steady = true;
  /** The last page that came says that more follows. */
  #more = false;
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
    const isSame = this.#idle > 0 && this.#idle === this.pages - 1;
    if (isSame || this.#idle >= MOST_IDLE) return IDLE;
    if (this.total !== null && different < this.total) return fewRecords(different, this.records, this.total);
    return this.#more || this.pages < this.#last ? MORE : null;
  };

  async *counted(list: List, pages: AsyncIterable<RecordPage>): AsyncGenerator<RecordPage, void> {
    let [before, most] = ['', 0];
    for await (const page of pages) {
      const { data, meta, links } = page;
      if (this.pages === 0) [this.total, this.#last, most] = [meta.total, meta.last ?? 0, mostPages(page)];
      this.#steady &&= meta.total === this.total;
      const now = JSON.stringify([data.length, data[0], data.at(-1)]);
      this.#idle = data.length === 0 || now === before ? this.#idle + 1 : 0;
      before = now;
      this.pages += 1;
      this.records += data.length;
      // Not by the page's own counts, which may grow with every page.
      if (this.pages > most || this.records > Math.max(MOST_RECORDS, 2 * (this.total ?? 0)))
        throw contradiction(list, endlessText(this.records));
      this.#more = meta.more;
      list.service.onList?.(list.endpoint.name, this.records, this.total);
      yield page;
      if (this.#idle >= MOST_IDLE && (links.next !== null || this.pages < this.#last)) return;
    }
    this.#ended = true;
  }
}

const IDLE = t(
  'page after page came without records, or with the same again',
  'er kwam pagina na pagina zonder records, of met steeds dezelfde',
);
const MORE = t('it says that more follows than came', 'volgens de lijst zelf volgt er meer dan er kwam');

function fewRecords(different: number, came: number, total: number): Bilingual {
  const other = different < came ? t('different ', 'verschillende ') : t('', '');
  return t(
    `${different} ${other.en}records came, where the list says it has ${total}`,
    `er kwamen ${different} ${other.nl}records, terwijl de lijst er volgens zichzelf ${total} heeft`,
  );
}

interface ListInput<B> extends SendInput<B> {
  /** The id member, which shows a record that came on two pages; absent where records may be equal. */
  readonly id?: string;
}

/** Most times that a list is read which changes meanwhile. */
const MOST_READINGS = 3;

/**
 * All records of a list that mostly comes at once. One in pages is read to its last, and again where it
 * changed meanwhile.
 * @throws as `Service.follow`; RequestError: missing where the record whose list it is doesn't exist,
 * malformed for a list that stays shorter than it says, as its other records would look new or deleted.
 */
export async function listRecords<B>(
  service: Service,
  endpoint: Endpoint<B, RecordPage>,
  { id, body, ...options }: ListInput<B>,
): Promise<AnswerRecord[]> {
  const failure = (kind: 'missing' | 'malformed', reason: Bilingual) =>
    new RequestError({ kind, endpoint: endpoint.name, reason, status: 200 });
  let last = -1;
  for (let reading = 1; ; reading++) {
    const first = await firstPage(service, endpoint as Endpoint<unknown, RecordPage>, body, options);
    if (first.page.missing) throw failure('missing', NO_RECORD);
    const run = first.all(WIDTH);
    const records: AnswerRecord[] = [];
    for await (const page of run) {
      // The first page was a list, so it breaks off here.
      if (page.missing) throw failure('malformed', NO_RECORD);
      for (const record of page.data) records.push(record);
    }
    const { tally } = run;
    const isApart = id !== undefined && tally.pages > 1;
    const different = isApart ? new Set(records.map((record) => record[id])).size : records.length;
    const wrong = tally.shortage(different) ?? (tally.complete ? null : MOVING);
    if (wrong === null && (different === records.length || different === last)) return records;
    if (reading === MOST_READINGS) throw failure('malformed', wrong ?? MOVING);
    last = different;
  }
}

const NO_RECORD = t('success false in place of a list', 'success false in plaats van een lijst');
const MOVING = t(
  `it changed each of the ${MOST_READINGS} times it was read`,
  `hij veranderde alle ${MOST_READINGS} keren dat hij gelezen werd`,
);
