import {
  DETAILED,
  type ExistingRecord,
  LISTED,
  nullIfMissing,
  readExisting,
} from '../../records/existing-record.ts';
import { EPOCH } from '../../records/listing.ts';
import { ListedRecords, type Records } from '../../records/locate.ts';
import type { SheetColumns } from '../../records/mapped-row.ts';
import type { SourceSummary } from '../../records/planning.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { ProductQuery } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../service/pages.ts';
import { RequestError } from '../../service/request-error.ts';
import { type CatalogueContext, listedRecords, wholeDownload } from './catalogue-list.ts';

type Key = 'id' | 'external';

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

/** A list that was read. */
class CatalogueList extends ListedRecords {
  /** It did not move while it was read, and lacks nothing. */
  whole = false;

  find(by: Key, key: number): ExistingRecord | null {
    return (by === 'id' ? this.ids : this.keys).get(key) ?? null;
  }

  /** Takes records in the resource's own fields only. */
  take(resource: CatalogueResource, records: readonly AnswerRecord[]): void {
    for (const record of records) this.add(readExisting(resource, record, LISTED));
  }
}

/** Up to so many records count as few. */
const FEW = 3;
/** The list is read also where it takes so many requests more: it alone shows two records with one key. */
const MORE = 2;

/**
 * What the service holds, for all sheets of a resource in a run: the pages of the whole list, or where those
 * take more requests than there are rows, the list in one request; else each record by itself. The first keys
 * that a whole list lacks are asked for all the same: where one is there, all that it lacks are.
 */
export class CatalogueSource implements Records {
  private listed = new CatalogueList();
  private how: 'rows' | 'pages' | 'download' = 'rows';
  private leavesOut = false;
  private readonly asked: Readonly<Record<Key, Promise<void>[]>> = { id: [], external: [] };
  private first: Promise<FirstPage> | undefined;
  private reading: Promise<CatalogueList> | undefined;
  private download: Promise<CatalogueList | null> | undefined;
  private readonly context: CatalogueContext;
  private readonly single: Readonly<Record<Key, (key: number) => Promise<ExistingRecord | null>>>;

  constructor(context: CatalogueContext) {
    this.context = context;
    const list = askedOnce((_: 'all') => readList(context));
    const one = (by: Key) =>
      askedOnce(async (key: number) => {
        const whole = async () => (this.listed.whole ? this.listed : await list('all'));
        const existing = await readDetail(context, key, by, whole);
        this.listed.add(existing);
        return existing;
      });
    this.single = { id: one('id'), external: one('external') };
  }

  /** Reads the list where that is cheaper for so many rows; `mapping` is null for referring rows. */
  async prepare(mapping: SheetColumns | null, keyedRows: number): Promise<boolean> {
    if (this.how !== 'rows') return true;
    if (keyedRows === 0) return false;
    const query = queryFor(mapping);
    this.first ??= listAnew(this.context, query);
    const first = await this.first;
    const others = (first.page.meta.last ?? 1) - 1;
    const worth = keyedRows <= FEW ? keyedRows + MORE : keyedRows;
    if (worth > others || needsList(mapping)) {
      this.reading ??= readList(this.context, query, first);
      return this.have(await this.reading, 'pages');
    }
    this.listed.take(this.context.resource, first.page.data);
    this.download ??= downloadedList(this.context, first, query);
    const downloaded = await this.download;
    return downloaded !== null && this.have(downloaded, 'download');
  }

  readonly byId = (id: number) => this.find('id', id);
  readonly byExternal = (external: number) => this.find('external', external);
  readonly twin = (external: number): number | null => this.listed.twin(external);

  readonly lacks = (external: number): boolean => {
    const { listed, asked, leavesOut } = this;
    const isSure = listed.whole && !leavesOut && asked.external.length >= FEW;
    return isSure && listed.find('external', external) === null;
  };

  readonly prove = async (externals: readonly number[]): Promise<void> => {
    for (const external of externals) {
      if (!this.listed.whole || this.leavesOut || this.asked.external.length >= FEW) return;
      await this.byExternal(external);
    }
  };

  summary(): SourceSummary {
    const mark = this.listed.seen.mark();
    if (this.how !== 'pages') return { strategy: 'rows', newest: mark.newest };
    return { strategy: this.listed.whole && !this.leavesOut ? 'list' : 'rows', ...mark };
  }

  private have(listed: CatalogueList, how: 'pages' | 'download'): true {
    this.listed = listed;
    this.how = how;
    return true;
  }

  private async find(by: Key, key: number): Promise<ExistingRecord | null> {
    const found = this.how === 'rows' ? null : this.listed.find(by, key);
    if (found !== null || !this.listed.whole) return found ?? (await this.single[by](key));
    const asked = this.asked[by];
    if (asked.length < FEW) asked.push(this.probe(by, key));
    await Promise.all(asked);
    return this.leavesOut ? await this.single[by](key) : null;
  }

  /** It is no more than a look: where no record can be read, the list is all there is. */
  private async probe(by: Key, key: number): Promise<void> {
    const { log, resource } = this.context;
    try {
      if ((await this.single[by](key)) !== null) this.leavesOut = true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      log.warn({ resource: resource.name, error: error.reason }, 'no record could be read beside the list');
    }
  }
}

/** A column that only lists return can be compared only with the list. */
function needsList(mapping: SheetColumns | null): boolean {
  if (mapping === null) return false;
  const used = [...mapping.columns.values(), ...mapping.set.map((value) => value.field)];
  return used.some((name) => mapping.resource.fields[name]?.reads === 'list');
}

const WHOLE: ProductQuery = { LMT: EPOCH };

/** What the whole list is asked with: for the declaration too, where the sheet has a column of it. */
function queryFor(mapping: SheetColumns | null): ProductQuery {
  const shown = [...(mapping?.told?.values() ?? [])];
  const isDeclared = shown.some(({ header }) => mapping?.resource.fields[header]?.declared === true);
  return isDeclared ? { ...WHOLE, exportWithDeclaration: true } : WHOLE;
}

const listAnew = ({ service, resource }: CatalogueContext, query = WHOLE): Promise<FirstPage> =>
  firstPage(service, resource.requests.list, query);

/** The list, from its first page on. */
async function readList(context: CatalogueContext, query = WHOLE, first?: FirstPage): Promise<CatalogueList> {
  const list = new CatalogueList();
  const listed = listedRecords(context, query, first);
  for await (const records of listed) list.take(context.resource, records);
  list.whole = listed.complete;
  return list;
}

async function downloadedList(
  context: CatalogueContext,
  first: FirstPage,
  query: ProductQuery,
): Promise<CatalogueList | null> {
  const page = await wholeDownload(context, first, query);
  if (page === null) return null;
  const listed = new CatalogueList();
  listed.take(context.resource, page.data);
  listed.whole = listed.ids.size >= (first.page.meta.total ?? 0);
  return listed;
}
