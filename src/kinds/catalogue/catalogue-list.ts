import { type Bilingual, t } from '../../core/language.ts';
import { numberIn } from '../../records/existing-record.ts';
import type { RecordBatches, RecordList } from '../../records/listing.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { ProductQuery, RecordPage } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../service/pages.ts';
import { RequestError } from '../../service/request-error.ts';

/** What working on packages and recipes is handed. */
export type CatalogueContext = ContextOf<CatalogueResource>;

const MOST_READINGS = 3;
const MANY_PAGES = 10;

/**
 * All records of a list, each once; a list that came incomplete is read again for what slipped by. Keeps ids
 * only. A list that stays so gets a note. `begun`: its first page, of a list that is read page by page.
 */
export function listedRecords(context: CatalogueContext, query: ProductQuery, begun?: FirstPage): RecordList {
  const { service, resource, log, concurrency } = context;
  const seen = new Set<number | null>();
  const notes: Bilingual[] = [];
  let total: number | null = null;
  const open = () => firstPage(service, resource.requests.list, query);
  const idsOf = ({ page }: FirstPage) => page.data.map((record) => numberIn(record, resource.id)).join();
  async function* read(): RecordBatches {
    for (let reading = 1; ; reading++) {
      const given = reading === 1 ? begun : undefined;
      const first = given ?? (await open());
      total ??= first.page.meta.total;
      const isLong = reading === 1 && begun === undefined && (first.page.meta.last ?? 0) >= MANY_PAGES;
      const download = isLong ? await wholeDownload(context, first, query) : null;
      const pages = first.all(concurrency);
      const [before, own] = [seen.size, new Set<number | null>()];
      for await (const { data } of download === null ? pages : [download]) {
        const unseen = data.filter((record) => {
          const id = numberIn(record, resource.id);
          own.add(id);
          return seen.size < seen.add(id).size;
        });
        if (unseen.length > 0) yield unseen;
      }
      const { tally } = pages;
      const found = seen.size - before;
      const isAll = total !== null && seen.size >= total;
      if (download !== null && isAll) return;
      const isWhole = tally.complete && own.size === tally.records;
      const isQuiet = begun !== undefined || found === 0 || tally.pages < 2;
      // What moved to a page that was read already moved others with it.
      if (isWhole && (isQuiet || idsOf(await open()) === idsOf(first))) return;
      const isLast = reading === MOST_READINGS;
      if (isLast || (found === 0 && reading > 1)) {
        if (isLast || !isAll) notes.push(shortText(tally.shortage(seen.size) ?? OVERLAP));
        return;
      }
      log.warn({ resource: resource.name, reading, found }, 'the list came incomplete');
    }
  }
  return {
    get total() {
      return total;
    },
    get complete() {
      return notes.length === 0;
    },
    notes,
    [Symbol.asyncIterator]: read,
  };
}

const OVERLAP: Bilingual = t(
  'its pages changed while they were read, or overlap',
  'de pagina’s veranderden terwijl ze gelezen werden, of overlappen elkaar',
);

const shortText = (why: Bilingual): Bilingual =>
  t(
    `the service's list came incomplete each time it was read (${why.en}): records may be missing here; ask whoever runs the service, or export again later`,
    `de lijst van het systeem kwam elke keer onvolledig binnen (${why.nl}): hier kunnen records ontbreken; vraag het de beheerder van het systeem, of exporteer later opnieuw`,
  );

/** So many records are asked for at once: some 15 MB. */
const MOST_RECORDS = 5000;

/** A service that takes longer, or gives no whole list, is asked in other ways for a day. */
const LONGEST_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * A whole list in one request (interface 4.3), where its first page tells that it is not too long; null where
 * the service does not give it so, which is remembered for a day.
 */
export async function wholeDownload(
  context: CatalogueContext,
  first: FirstPage,
  query: ProductQuery,
): Promise<RecordPage | null> {
  const { time, ledger, log, resource, service, serviceKey, signal } = context;
  const { total, last, perPage } = first.page.meta;
  const expected = total ?? (last === null || perPage === null ? null : last * perPage);
  if (expected === null || expected > MOST_RECORDS) return null;
  const fact = `no whole downloads of ${resource.name} since`;
  const now = time.now();
  const since = now - Date.parse((await ledger.findFact(serviceKey, fact)) ?? '');
  if (since >= 0 && since < DAY_MS) return null;
  const [late, came] = [new AbortController(), new AbortController()];
  time.sleep(Math.min(LONGEST_MS, service.timeout), came.signal).then(
    () => late.abort(),
    () => {},
  );
  try {
    const page = await service.send(resource.requests.list, {
      body: { ...query, downloadResponseAsJSON: true },
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
    if (!isPart(page, first.page)) return page;
  } catch (error) {
    if (signal?.aborted === true || !(late.signal.aborted || error instanceof RequestError)) throw error;
    log.warn({ resource: resource.name, late: late.signal.aborted }, 'no list came in one request');
  } finally {
    came.abort();
  }
  await ledger.rememberFact(serviceKey, fact, new Date(now).toISOString());
  return null;
}

/** Whether a page came where all records were asked for. */
function isPart({ data, links, meta }: RecordPage, first: RecordPage): boolean {
  if (links.next !== null || meta.more || (meta.last ?? 1) > 1) return true;
  return data.length === first.data.length && data.length < (first.meta.total ?? 0);
}
