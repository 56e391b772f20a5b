import { EPOCH } from '../../records/listing.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { ProductQuery, RecordPage } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import type { FirstPage } from '../../service/pages.ts';
import { RequestError } from '../../service/request-error.ts';

/** So many records are asked for at once: some 15 MB. */
const MOST_RECORDS = 5000;

/** A service that takes longer, or than any answer may take, is asked in other ways for a day. */
const LONGEST_MS = 10_000;
const DAY_MS = 86_400_000;

/** From so many pages on a list takes less in one request, also where pages are asked for side by side. */
export const MANY_PAGES = 10;

/**
 * A whole list in one request (interface 4.3), where its first page tells that it is not too long; null where
 * the service does not give it so. That it gives a page instead, refuses, or takes too long is remembered.
 */
export async function wholeDownload(
  context: ContextOf<CatalogueResource>,
  first: FirstPage,
  query: ProductQuery = { LMT: EPOCH },
): Promise<RecordPage | null> {
  const { time, ledger, log, resource, service, serviceKey, signal } = context;
  const { total, last, perPage } = first.page.meta;
  const expected = total ?? (last === null || perPage === null ? null : last * perPage);
  if (expected === null || expected > MOST_RECORDS) return null;
  const fact = `whole downloads of ${resource.name}`;
  const known = await ledger.findFact(serviceKey, fact);
  const now = time.now();
  const since = now - Date.parse(known?.replace(LATE, '') ?? '');
  if (known === 'no' || (since >= 0 && since < DAY_MS)) return null;
  const longest = Math.min(LONGEST_MS, service.timeout);
  const [late, came] = [new AbortController(), new AbortController()];
  time.sleep(longest, came.signal).then(
    () => late.abort(),
    () => {},
  );
  const body = { ...query, downloadResponseAsJSON: true };
  try {
    const page = await service.send(resource.requests.list, {
      body,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
    if (!isPart(page, first.page)) return page;
  } catch (error) {
    if (signal?.aborted === true || !(late.signal.aborted || error instanceof RequestError)) throw error;
    log.warn(
      { resource: resource.name, late: late.signal.aborted },
      'the list could not be read in one request',
    );
    if (late.signal.aborted) {
      await ledger.rememberFact(serviceKey, fact, LATE + new Date(now).toISOString());
    }
    if (!isAnswer(error)) return null;
  } finally {
    came.abort();
  }
  await ledger.rememberFact(serviceKey, fact, 'no');
  return null;
}

/** What stands before the moment in the ledger at which it took too long. */
const LATE = 'late ';

/** Whether a page came where all records were asked for. */
function isPart({ data, links, meta }: RecordPage, first: RecordPage): boolean {
  if (links.next !== null || meta.more || (meta.last ?? 1) > 1) return true;
  return data.length === first.data.length && data.length < (first.meta.total ?? 0);
}

const isAnswer = (error: unknown): boolean =>
  error instanceof RequestError && !['unreachable', 'lost', 'busy'].includes(error.kind);
