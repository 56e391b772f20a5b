import {
  DETAILED,
  type ExistingRecord,
  LISTED,
  nullIfMissing,
  readExisting,
} from '../../records/existing-record.ts';
import { EPOCH } from '../../records/listing.ts';
import type { Records } from '../../records/locate.ts';
import type { SheetColumns } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import { type ContextOf, NOTHING_READ, type SourceSummary } from '../../records/planning.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { ProductQuery, RecordPage } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../service/pages.ts';
import { RequestError } from '../../service/request-error.ts';
import { wholeDownload } from './whole-download.ts';

/** What working on packages and recipes is handed. */
export type CatalogueContext = ContextOf<CatalogueResource>;

/**
 * Reads one record by id or ExternalID; null when the service has none. Where it says so in a way of its own,
 * the list tells: `listed` reads it.
 */
export async function readDetail(
  context: CatalogueContext,
  key: number,
  by: 'id' | 'external' = 'id',
  listed: () => Promise<ReadList> = async () => readList(context, await listAnew(context)),
): Promise<ExistingRecord | null> {
  const { resource } = context;
  const { findById, findByExternal } = resource.requests;
  const endpoint = by === 'id' ? findById : findByExternal;
  const read = async (): Promise<ExistingRecord | null> => {
    const answer = await context.service.send(endpoint, { params: { ID: key } });
    return answer === null ? null : asAsked(readExisting(resource, answer, DETAILED), key, by);
  };
  const existing = await nullIfMissing(read, async (error) => {
    const { source, whole } = await listed();
    const found = await (by === 'id' ? source.byId(key) : source.byExternal(key));
    // A service that breaks down over a record that is there fails, and says nothing of others.
    if (found === null ? !whole : error.kind === 'lost') throw error;
    return found;
  });
  return existing;
}

/** A record that says to be another than the one that was asked for is none: nothing may be written on it. */
function asAsked(existing: ExistingRecord | null, key: number, by: 'id' | 'external'): ExistingRecord | null {
  const said = existing?.[by] ?? key;
  return said === key ? existing : null;
}

/** A list that was read, and what it holds. */
interface ReadList {
  readonly source: Pick<Records, 'byId' | 'byExternal'>;
  /** It did not move while it was read, and lacks nothing. */
  readonly whole: boolean;
}

/** Where a plan reads what the service holds: the whole list once, or one record at a time. */
export interface RecordSource extends Records {
  summary(): SourceSummary;
}

/** One detail a record; `listed`: the records of a page that was read anyway. */
function rowSource(context: CatalogueContext, listed: readonly AnswerRecord[] = []): RecordSource {
  const seen = createMark();
  const idsOf = new Map<number, Set<number>>();
  const keep = (existing: ExistingRecord | null): void => {
    if (existing?.id == null || existing.external === null) return;
    const { id, external } = existing;
    idsOf.set(external, (idsOf.get(external) ?? new Set()).add(id));
  };
  for (const record of listed) keep(readExisting(context.resource, record, LISTED));
  const answered = new Map<number, number | null>();
  let whole: Promise<WholeList> | undefined;
  const readWhole = (): Promise<WholeList> => {
    whole ??= listAnew(context).then((first) => readList(context, first));
    return whole;
  };
  const reading = (by: 'id' | 'external') =>
    askedOnce(async (key: number): Promise<ExistingRecord | null> => {
      const existing = await readDetail(context, key, by, readWhole);
      if (existing !== null) seen.saw(existing);
      if (by === 'external') answered.set(key, existing?.id ?? null);
      return existing;
    });
  return {
    summary: () => ({ strategy: 'rows', newest: seen.mark().newest }),
    byId: reading('id'),
    byExternal: reading('external'),
    lacks: () => false,
    // A detail read answers one record, whether or not there are two: only the page tells.
    twin: (external) =>
      [...(idsOf.get(external) ?? [])].find((id) => id !== (answered.get(external) ?? id)) ?? null,
  };
}

/** Reads the whole list, in the resource's own fields only. */
async function listSource(
  context: CatalogueContext,
  pages: AsyncIterable<RecordPage> | Iterable<RecordPage>,
): Promise<RecordSource & { readonly size: number }> {
  const byId = new Map<number, ExistingRecord>();
  const byExternal = new Map<number, ExistingRecord>();
  const twins = new Map<number, number>();
  const seen = createMark();
  for await (const page of pages) {
    for (const record of page.data) {
      const existing = readExisting(context.resource, record, LISTED);
      if (existing?.id == null) continue;
      byId.set(existing.id, existing);
      seen.saw(existing);
      if (existing.external !== null) {
        // The same record again, as the list moved while it was read, is no second one.
        const other = byExternal.get(existing.external)?.id ?? existing.id;
        if (other !== existing.id) twins.set(existing.external, other);
        byExternal.set(existing.external, existing);
      }
    }
  }
  const beside = lookBeside(context, byId, byExternal);
  return {
    size: byId.size,
    byId: (id) => beside.byId(id),
    byExternal: (external) => beside.byExternal(external),
    lacks: (external) => !byExternal.has(external) && beside.lacks(),
    prove: beside.prove,
    twin: (external) => twins.get(external) ?? null,
    summary: () => ({ strategy: beside.leavesOut() ? 'rows' : 'list', ...seen.mark() }),
  };
}

/** Up to so many rows count as few. */
const FEW = 3;

/**
 * Looks beside a whole list: a few records that it lacks are asked for one by one. Where one is there, the list
 * leaves records out, and all that it lacks are asked for.
 */
function lookBeside(
  context: CatalogueContext,
  byId: ReadonlyMap<number, ExistingRecord>,
  byExternal: ReadonlyMap<number, ExistingRecord>,
) {
  const single = rowSource(context);
  const listed = {
    byId: async (id: number) => byId.get(id) ?? null,
    byExternal: async (external: number) => byExternal.get(external) ?? null,
  };
  let leavesOut = false;
  const left = { id: FEW, external: FEW };
  let waiting = 0;
  const look = async (key: number, by: 'id' | 'external'): Promise<ExistingRecord | null> => {
    left[by]--;
    // It is no more than a look: where no record can be read, the list is all there is.
    const found = await orNothing(context, () =>
      readDetail(context, key, by, async () => ({ source: listed, whole: true })),
    );
    if (found?.id == null) return null;
    leavesOut = true;
    return found;
  };
  let looking: Promise<unknown> = Promise.resolve();
  const ask = async (key: number, by: 'id' | 'external'): Promise<ExistingRecord | null> => {
    // Nearly all rows ask for nothing.
    if (!leavesOut && left[by] <= 0 && waiting === 0) return null;
    waiting++;
    const found = looking.then(() => (!leavesOut && left[by] > 0 ? look(key, by) : null));
    const over = (): void => void waiting--;
    looking = found.then(over, over);
    const first = await found;
    if (first !== null || !leavesOut) return first;
    return await (by === 'id' ? single.byId(key) : single.byExternal(key));
  };
  return {
    leavesOut: () => leavesOut,
    byId: async (id: number) => byId.get(id) ?? (await ask(id, 'id')),
    byExternal: async (external: number) => byExternal.get(external) ?? (await ask(external, 'external')),
    /** Whether there certainly is no record with an ExternalID, without asking for it. */
    lacks: () => !leavesOut && left.external <= 0,
    async prove(externals: readonly number[]): Promise<void> {
      for (const external of externals) {
        if (leavesOut || left.external <= 0) return;
        if (!byExternal.has(external)) await ask(external, 'external');
      }
    },
  };
}

async function orNothing<T>({ log, resource }: CatalogueContext, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    log.warn({ resource: resource.name, error: error.reason }, 'no record could be read beside the list');
    return null;
  }
}

/** The list is read also where it takes so many requests more: it alone shows two records with one key. */
const MORE = 2;

/** Chooses the cheaper way to read what exists, for all sheets of a resource in a run. */
export type SourcePicker = ReturnType<typeof createSourcePicker>;

/**
 * It is the pages of the whole list, or where that takes more requests than rows, the list in one request,
 * which shows two records with one key too; else one detail a row.
 */
export function createSourcePicker(context: CatalogueContext) {
  const { resource } = context;
  let chosen: RecordSource | undefined;
  let first: Promise<FirstPage> | undefined;
  let downloaded: Promise<RecordSource | null> | undefined;
  let page: readonly AnswerRecord[] = [];
  /** The whole list was read. */
  let isListed = false;
  const choose = (source: RecordSource): RecordSource => {
    chosen = source;
    context.log.info({ resource: resource.name, by: source.summary().strategy }, 'existing records are read');
    return source;
  };
  return {
    chosen: (): RecordSource | undefined => chosen,
    /** The source once it is clear which is cheaper, else undefined; `mapping` is null for referring rows. */
    async decide(mapping: SheetColumns | null, keyedRows: number): Promise<RecordSource | undefined> {
      if (isListed || keyedRows === 0) return chosen;
      const query = queryFor(mapping);
      first ??= listAnew(context, query);
      const { data, meta } = (await first).page;
      page = data;
      const remaining = (meta.last ?? 1) - 1;
      const worth = keyedRows <= FEW ? keyedRows + MORE : keyedRows;
      if (worth <= remaining && !needsList(mapping)) {
        downloaded ??= downloadedList(context, await first, query);
        const source = await downloaded;
        isListed = source !== null;
        return source === null ? undefined : choose(source);
      }
      isListed = true;
      return choose(await wholeList(context, await first, query));
    },
    /** The source when no more rows come. */
    settle: (): RecordSource => chosen ?? choose(rowSource(context, page)),
    summary: (): SourceSummary => chosen?.summary() ?? NOTHING_READ,
  };
}

/** A column that only lists return can be compared only with the list. */
function needsList(mapping: SheetColumns | null): boolean {
  if (mapping === null) return false;
  const used = [...mapping.columns.values(), ...mapping.set.map((value) => value.field)];
  return used.some((name) => mapping.resource.fields[name]?.reads === 'list');
}

/** What the whole list is asked with: for the declaration too, where the sheet has a column of it. */
function queryFor(mapping: SheetColumns | null): ProductQuery {
  const shown = [...(mapping?.told?.values() ?? [])];
  const isDeclared = shown.some(({ header }) => mapping?.resource.fields[header]?.declared === true);
  return isDeclared ? { ...WHOLE, exportWithDeclaration: true } : WHOLE;
}

const WHOLE: ProductQuery = { LMT: EPOCH };

/** The list as a source; a list that moved is read again, and what it lacks then is asked for one by one. */
async function wholeList(
  context: CatalogueContext,
  first: FirstPage,
  query: ProductQuery,
): Promise<RecordSource> {
  const list = await readList(context, first);
  if (list.whole) return list.source;
  const again = await readList(context, await listAnew(context, query));
  return again.whole ? again.source : backed(again.source, rowSource(context));
}

/** The list from one request; what it lacks is asked for one by one where it may not be whole. */
async function downloadedList(
  context: CatalogueContext,
  first: FirstPage,
  query: ProductQuery,
): Promise<RecordSource | null> {
  const page = await wholeDownload(context, first, query);
  if (page === null) return null;
  const list = await listSource(context, [page]);
  const { newest } = list.summary();
  // Rows that are fewer than pages are read one by one before they are sent.
  const source = { ...list, summary: (): SourceSummary => ({ strategy: 'rows', newest }) };
  return list.size >= (first.page.meta.total ?? 0) ? source : backed(source, rowSource(context));
}

interface WholeList extends ReadList {
  readonly source: RecordSource;
}

async function readList(context: CatalogueContext, first: FirstPage): Promise<WholeList> {
  const { resource } = context;
  const pages = first.all(context.concurrency);
  const source = await listSource(context, pages);
  const { complete, records, total } = pages.tally;
  const whole = complete && source.size === records;
  if (!whole)
    context.log.warn(
      { resource: resource.name, total, read: source.size },
      'the list moved while it was read',
    );
  return { source, whole };
}

const listAnew = ({ service, resource }: CatalogueContext, query = WHOLE): Promise<FirstPage> =>
  firstPage(service, resource.requests.list, query);

function backed(list: RecordSource, single: RecordSource): RecordSource {
  return {
    ...list,
    lacks: () => false,
    prove: undefined,
    byId: async (id) => (await list.byId(id)) ?? single.byId(id),
    byExternal: async (external) => (await list.byExternal(external)) ?? single.byExternal(external),
  };
}
