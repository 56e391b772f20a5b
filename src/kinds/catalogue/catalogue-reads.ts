import type { RecordReads } from '../../records/doubts.ts';
import {
  DETAILED,
  type ExistingRecord,
  isOff,
  LISTED,
  nullIfMissing,
  readExisting,
} from '../../records/existing-record.ts';
import { secondBefore } from '../../records/fresh.ts';
import { ListedRecords } from '../../records/keyed-records.ts';
import { EPOCH } from '../../records/listing.ts';
import { createRecordGuard } from '../../records/record-guard.ts';
import type { GuardSetup, RowGuard } from '../../records/row-guard.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { ProductQuery } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../service/pages.ts';
import { type CatalogueContext, listedRecords, wholeDownload } from './catalogue-list.ts';

export type Key = 'id' | 'external';

/** A list that was read. */
export class CatalogueList extends ListedRecords {
  /** It did not move while it was read, and lacks nothing. */
  whole = false;
  /** It showed a record that is off, as not every service's lists do. */
  showsOff = false;

  find(by: Key, key: number): ExistingRecord | null {
    return (by === 'id' ? this.ids : this.keys).get(key) ?? null;
  }

  take(resource: CatalogueResource, records: readonly AnswerRecord[]): void {
    for (const record of records) {
      const existing = readExisting(resource, record, LISTED);
      this.add(existing);
      this.showsOff ||= isOff(resource, existing);
    }
  }
}

export const WHOLE: ProductQuery = { LMT: EPOCH };

/** The list, from its first page on. */
export async function readList(
  context: CatalogueContext,
  query = WHOLE,
  first?: FirstPage,
): Promise<CatalogueList> {
  const list = new CatalogueList();
  const listed = listedRecords(context, query, first);
  for await (const records of listed) list.take(context.resource, records);
  list.whole = listed.complete;
  return list;
}

/** The list in one request; null where the service does not give it so. */
export async function downloadList(
  context: CatalogueContext,
  query: ProductQuery,
  first: FirstPage,
): Promise<CatalogueList | null> {
  const page = await wholeDownload(context, first, query);
  if (page === null) return null;
  const list = new CatalogueList();
  list.take(context.resource, page.data);
  list.whole = list.ids.size >= (first.page.meta.total ?? 0);
  return list;
}

/**
 * Reads one record by id or ExternalID; null when the service has none. Where it says so in a way of its own,
 * the list tells: `listed` reads it.
 */
export async function readDetail(
  context: CatalogueContext,
  key: number,
  by: Key = 'id',
  listed: () => Promise<CatalogueList> = () => readList(context),
): Promise<ExistingRecord | null> {
  const { resource, service } = context;
  const { findById, findByExternal } = resource.requests;
  const read = async (): Promise<ExistingRecord | null> => {
    const answer = await service.send(by === 'id' ? findById : findByExternal, { params: { ID: key } });
    const existing = answer === null ? null : readExisting(resource, answer, DETAILED);
    // One that says to be another than was asked for is none: nothing may be written on it.
    return (existing?.[by] ?? key) === key ? existing : null;
  };
  return await nullIfMissing(read, async (error) => {
    const list = await listed();
    const found = list.find(by, key);
    // A service that breaks down over a record that is there fails, and says nothing of others.
    if (found === null ? !list.whole : error.kind === 'lost') throw error;
    return found;
  });
}

/** How packages and recipes are read by themselves and by the list of what was written since. */
export function catalogueReads(context: CatalogueContext): RecordReads {
  const { resource, service, concurrency } = context;
  const { requests } = resource;
  const toRecords = (data: readonly AnswerRecord[]): ExistingRecord[] =>
    data.flatMap((record) => readExisting(resource, record, LISTED) ?? []);
  return {
    one: (id) => readDetail(context, id),
    async since(LMT) {
      const first = await firstPage(service, requests.list, { LMT });
      const found: ExistingRecord[] = [];
      for await (const { data } of first.all(concurrency)) for (const one of toRecords(data)) found.push(one);
      return found;
    },
    keyed: (key) => readDetail(context, key, 'external'),
    // What is newest is on the first page of the list or on the last, in any order of it.
    async ends() {
      const first = await firstPage(service, requests.list, { LMT: EPOCH });
      const last = await first.last();
      const records = toRecords([...first.page.data, ...(last?.data ?? [])]);
      return { records, whole: (first.page.meta.last ?? 1) <= 2 };
    },
    few: 3,
  };
}

/** Guards rows as records are guarded; a record is read with what the list alone tells. */
export const catalogueGuard = (context: GuardSetup<CatalogueResource>): RowGuard => ({
  ...createRecordGuard(context, catalogueReads(context)),
  readNow: async ({ id }) => (id === null ? null : await readWhole(context, id)),
});

/** All that reads tell of a record: the detail, and the list since its LMT where that tells more. */
async function readWhole(context: CatalogueContext, id: number) {
  const { resource } = context;
  const now = await readDetail(context, id);
  const isListed = Object.values(resource.fields).some(
    ({ reads, update }) => reads === 'list' && update !== 'none',
  );
  if (now?.lmt == null || !isListed) return now?.values ?? null;
  // Other rows were written since: the pages up to this record are enough.
  const first = await firstPage(context.service, resource.requests.list, { LMT: secondBefore(now.lmt) });
  for await (const page of first.all(1))
    for (const record of page.data) {
      const listed = readExisting(resource, record, LISTED);
      if (listed?.id === id) return { ...listed.values, ...now.values };
    }
  return now.values;
}
