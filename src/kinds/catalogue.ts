import { cellText } from '../core/codec.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import { ArticleNumbers } from '../records/article-numbers.ts';
import { findDoubles, type RecordReads } from '../records/doubts.ts';
import {
  DETAILED,
  type ExistingRecord,
  LISTED,
  nullIfMissing,
  numberIn,
  readExisting,
  secondBefore,
} from '../records/existing-record.ts';
import {
  type KeyedMatching,
  keyedRows,
  ListedRecords,
  locateReferred,
  newKey,
  type Records,
} from '../records/keyed-records.ts';
import { EPOCH, type RecordBatches, type RecordList } from '../records/listing.ts';
import { issueOn, type MappedRow, type SheetColumns } from '../records/mapped-row.ts';
import type { ContextOf, PlannerSetup, SourceSummary } from '../records/planning.ts';
import { createRecordGuard } from '../records/record-guard.ts';
import { type RecordFinder, referenceColumn } from '../records/references.ts';
import type { GuardSetup, RowGuard } from '../records/row-guard.ts';
import { askedOnce } from '../records/shared-reading.ts';
import { undoRecord } from '../records/undo.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import { type NamedRecord, readOnly } from '../schema/field.ts';
import type { ProductQuery, RecordPage } from '../schema/page.ts';
import type { CatalogueResource } from '../schema/resource.ts';
import { type FirstPage, firstPage } from '../service/pages.ts';
import { RequestError } from '../service/request-error.ts';
import type { Kind } from './kind.ts';

/** Packages and recipes: found one by one or in one list, whichever takes fewer requests. */
export const catalogue: Kind<CatalogueResource> = {
  rows(context) {
    const source = new CatalogueSource(context);
    const matching = keyedRows(context, (setup) => matchingFor(setup, context, source));
    return { matching, summary: () => source.summary() };
  },
  guard: catalogueGuard,
  finder: catalogueFinder,
  doubles: (context) => findDoubles(context, catalogueReads(context)),
  undo: async (resource, history, { restore, newValues }) =>
    undoRecord(resource, history, restore, await newValues(resource, {})),
};

/** Up to so many records count as few. */
const FEW = 3;
/** The list is read also where it takes so many requests more: it alone shows two records with one key. */
const MORE = 2;

/**
 * What the service holds, for all sheets of a resource in a run: the whole list, by its pages or where those take
 * more requests than there are rows in one; else each record by itself. The first keys that a whole list lacks
 * are asked for all the same: where one is there, all that it lacks are.
 */
class CatalogueSource implements Records {
  private listed = new CatalogueList();
  private isListed = false;
  private leavesOut = false;
  private readonly asked: Readonly<Record<Key, Promise<void>[]>> = { id: [], external: [] };
  private first: Promise<FirstPage> | undefined;
  private pages: Promise<CatalogueList> | undefined;
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

  /**
   * Reads the list where that is cheaper for so many rows, or it alone tells; `mapping` is null for referring
   * rows. `isTold`: the workbook says itself what the columns were that are only read.
   */
  async prepare(mapping: SheetColumns | null, keyedRows: number, isTold = false): Promise<boolean> {
    if (this.isListed) return true;
    if (keyedRows === 0) return false;
    const { context } = this;
    const query = queryFor(mapping);
    this.first ??= firstPage(context.service, context.resource.requests.list, query);
    const first = await this.first;
    const worth = keyedRows <= FEW ? keyedRows + MORE : keyedRows;
    if (worth > (first.page.meta.last ?? 1) - 1 || needsList(mapping, isTold)) {
      this.pages ??= readList(context, query, first);
    } else {
      this.listed.take(context.resource, first.page.data);
      this.download ??= downloadList(context, query, first);
    }
    const listed = await (this.pages ?? this.download);
    if (!listed) return false;
    this.listed = listed;
    this.isListed = true;
    return true;
  }

  readonly byId = (id: number) => this.find('id', id);
  readonly byExternal = (external: number) => this.find('external', external);
  readonly twin = (external: number): number | null => this.listed.twin(external);

  /** Whether there certainly is no record with this ExternalID; false too where that takes asking. */
  lacks(external: number): boolean {
    const { listed, asked, leavesOut } = this;
    const isSure = listed.whole && !leavesOut && asked.external.length >= FEW;
    return isSure && listed.find('external', external) === null;
  }

  /** Gives a row that names its record by an article number alone the id of that. */
  identify(row: MappedRow, locale: Locale = 'nl'): void {
    const { resource } = this.context;
    for (const { header, cell } of articleCells(row, resource)) {
      const decoded = resource.fields[header]?.codec.decode(cell, locale);
      if (decoded === undefined) continue;
      const numbers = this.listed.numbers(resource, header);
      const found = decoded.ok ? numbers.find(String(decoded.value)) : decoded.finding;
      // What is to be made has no number yet: that it is not sent is said.
      if (row.action === 'create' && 'code' in found && found.code === 'record-missing') continue;
      if ('id' in found) row.values[resource.id] = found.id;
      else row.issues.push(issueOn(row, header, { found: cellText(cell).trim(), ...found }));
      return;
    }
  }

  summary(): SourceSummary {
    const mark = this.listed.seen.mark();
    const isWhole = this.isListed && this.listed.whole && !this.leavesOut;
    if (this.pages === undefined) return { strategy: 'rows', newest: mark.newest };
    return { strategy: isWhole ? 'list' : 'rows', ...mark };
  }

  private async find(by: Key, key: number): Promise<ExistingRecord | null> {
    const found = this.isListed ? this.listed.find(by, key) : null;
    if (found !== null || !this.listed.whole) return found ?? (await this.single[by](key));
    const asked = this.asked[by];
    if (asked.length < FEW) asked.push(this.probe(by, key));
    await Promise.all(asked);
    return this.leavesOut ? await this.single[by](key) : null;
  }

  private async probe(by: Key, key: number): Promise<void> {
    if ((await this.single[by](key)) !== null) this.leavesOut = true;
  }
}

/** The article numbers of a row that names its record by nothing else. */
function articleCells({ values, told = [] }: MappedRow, { id, external, articles }: CatalogueResource) {
  if (values[id] !== undefined || values[external] !== undefined) return [];
  return told.filter(({ header }) => articles.includes(header));
}

/** A column that only lists return can be compared only with the list; `isTold`: but for article numbers. */
function needsList(mapping: SheetColumns | null, isTold: boolean): boolean {
  if (mapping === null) return false;
  const used = [...mapping.columns.values(), ...mapping.set.map((value) => value.field)];
  const { fields } = mapping.resource;
  return used.some((name) => fields[name]?.reads === 'list' && !(isTold && readOnly(fields[name])));
}

/** What the whole list is asked with: for the declaration too, where the sheet has a column of it. */
function queryFor(mapping: SheetColumns | null): ProductQuery {
  const shown = [...(mapping?.told?.values() ?? [])];
  const isDeclared = shown.some(({ header }) => mapping?.resource.fields[header]?.declared === true);
  return isDeclared ? { ...WHOLE, exportWithDeclaration: true } : WHOLE;
}

/** So many rows wait at most: a million without a key would fill the memory. */
const MOST_WAITING = 20_000;

/** Rows wait until it is clear which way to look them up is cheaper. */
function matchingFor(
  { mapping, rules, base }: PlannerSetup,
  context: CatalogueContext,
  source: CatalogueSource,
): KeyedMatching {
  const { resource } = context;
  const { id, external } = resource;
  let keyed = 0;
  // What an export was written with stands in it.
  let isTold = base.at !== '';
  return {
    reads: catalogueReads(context),
    async ready(came, waiting, last) {
      for (const row of came)
        if (row.values[id] !== undefined || row.values[external] !== undefined) keyed++;
        else if (articleCells(row, resource).length > 0) {
          keyed++;
          isTold = false;
        }
      const isRead = await source.prepare(mapping, keyed, isTold);
      return isRead || last || waiting >= MOST_WAITING;
    },
    async open(rows, known) {
      for (const row of rows) source.identify(row, rules.locale);
      return (row) => {
        const external = newKey(row, known);
        return external !== undefined && source.lacks(external) ? null : source;
      };
    },
  };
}

/** Finds records that other sheets refer to: one by one, or in the list if that is cheaper. */
function catalogueFinder(context: CatalogueContext): RecordFinder {
  const { resource } = context;
  const source = new CatalogueSource(context);
  const wanted = new Set<number>();
  const of = labelOf(context);
  return async (external, { known }) => {
    wanted.add(external);
    // All that are asked for together count: how many there are tells which way is cheaper.
    await new Promise((next) => setImmediate(next));
    await source.prepare(null, wanted.size);
    const found = await locateReferred(source, resource, external, known);
    // It was read for that: the rows that refer to it show its name.
    const { id = null, values = {} } = (await source.byExternal(external)) ?? {};
    if (id !== null && of !== undefined) context.named.saw(of, id, values);
    return found;
  };
}

/** What the rows of other sheets are about, where it is these records. */
function labelOf({ resources, resource }: CatalogueContext): NamedRecord | undefined {
  const about = resources.find(({ labelled, fields }) =>
    labelled === undefined
      ? false
      : referenceColumn({ fields }, labelled[0])?.refers.resources.includes(resource.name),
  );
  return about?.labelled?.[1];
}

type Key = 'id' | 'external';

/** A list that was read. */
class CatalogueList extends ListedRecords {
  /** It did not move while it was read, and lacks nothing. */
  whole = false;
  private readonly numbered = new Map<string, ArticleNumbers>();

  find(by: Key, key: number): ExistingRecord | null {
    return (by === 'id' ? this.ids : this.keys).get(key) ?? null;
  }

  /** Its records by what stands in a field of article numbers. */
  numbers({ name, sheet, label }: CatalogueResource, field: string): ArticleNumbers {
    let numbers = this.numbered.get(field);
    if (numbers !== undefined) return numbers;
    numbers = new ArticleNumbers(t(name, sheet));
    numbers.lacks = !this.whole;
    for (const [id, { values }] of this.ids) numbers.add({ id, name: values[label] }, values[field]);
    this.numbered.set(field, numbers);
    return numbers;
  }

  take(resource: CatalogueResource, records: readonly AnswerRecord[]): void {
    for (const record of records) this.add(readExisting(resource, record, LISTED));
  }
}

const WHOLE: ProductQuery = { LMT: EPOCH };

/** The list, from its first page on. */
async function readList(context: CatalogueContext, query = WHOLE, first?: FirstPage): Promise<CatalogueList> {
  const list = new CatalogueList();
  const listed = listedRecords(context, query, first);
  for await (const records of listed) list.take(context.resource, records);
  list.whole = listed.complete;
  return list;
}

/** The list in one request; null where the service does not give it so. */
async function downloadList(
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
async function readDetail(
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
function catalogueReads(context: CatalogueContext): RecordReads {
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
  };
}

/** Guards rows as records are guarded; a record is read with what the list alone tells. */
function catalogueGuard(context: GuardSetup<CatalogueResource>): RowGuard {
  const readNow: RowGuard['readNow'] = async ({ id }) => (id === null ? null : await readWhole(context, id));
  return { ...createRecordGuard(context, catalogueReads(context)), readNow };
}

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

/** What working on packages and recipes is handed. */
type CatalogueContext = ContextOf<CatalogueResource>;

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
async function wholeDownload(
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
