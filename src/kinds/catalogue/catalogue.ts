import type { ExistingRecord } from '../../records/existing-record.ts';
import {
  type KeyedMatching,
  keyedRows,
  locateReferred,
  newKey,
  type Records,
} from '../../records/keyed-records.ts';
import { findDoubles } from '../../records/late-doubles.ts';
import type { SheetColumns } from '../../records/mapped-row.ts';
import type { PlannerSetup, SourceSummary } from '../../records/planning.ts';
import { type RecordFinder, referenceColumn } from '../../records/references.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { undoRecord } from '../../records/undo.ts';
import type { NamedRecord } from '../../schema/field.ts';
import type { ProductQuery } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../service/pages.ts';
import type { Kind } from '../kind.ts';
import type { CatalogueContext } from './catalogue-list.ts';
import {
  CatalogueList,
  catalogueGuard,
  catalogueReads,
  downloadList,
  type Key,
  readDetail,
  readList,
  WHOLE,
} from './catalogue-reads.ts';

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

  /** Reads the list where that is cheaper for so many rows; `mapping` is null for referring rows. */
  async prepare(mapping: SheetColumns | null, keyedRows: number): Promise<boolean> {
    if (this.isListed) return true;
    if (keyedRows === 0) return false;
    const { context } = this;
    const query = queryFor(mapping);
    this.first ??= firstPage(context.service, context.resource.requests.list, query);
    const first = await this.first;
    const worth = keyedRows <= FEW ? keyedRows + MORE : keyedRows;
    if (worth > (first.page.meta.last ?? 1) - 1 || needsList(mapping)) {
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

  summary(): SourceSummary {
    const { showsOff } = this.listed;
    const mark = this.listed.seen.mark();
    const isWhole = this.isListed && this.listed.whole && !this.leavesOut;
    if (this.pages === undefined) return { strategy: 'rows', newest: mark.newest, showsOff };
    return { strategy: isWhole ? 'list' : 'rows', ...mark, showsOff };
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

/** So many rows wait at most: a million without a key would fill the memory. */
const MOST_WAITING = 20_000;

/** Rows wait until it is clear which way to look them up is cheaper. */
function matchingFor(
  { mapping }: PlannerSetup,
  context: CatalogueContext,
  source: CatalogueSource,
): KeyedMatching {
  const { id, external } = context.resource;
  let keyed = 0;
  return {
    reads: catalogueReads(context),
    async ready(came, waiting, last) {
      for (const { values } of came) if (values[id] !== undefined || values[external] !== undefined) keyed++;
      const isRead = await source.prepare(mapping, keyed);
      return isRead || last || waiting >= MOST_WAITING;
    },
    open: async (_, known) => (row) => {
      const external = newKey(row, known);
      return external !== undefined && source.lacks(external) ? null : source;
    },
  };
}

/** Finds records that other sheets refer to: one by one, or in the list if that is cheaper. */
function catalogueFinder(context: CatalogueContext): RecordFinder {
  const { resource } = context;
  const source = new CatalogueSource(context);
  const wanted = new Set<number>();
  const of = labelOf(context);
  return {
    async byExternal(external, { known }) {
      wanted.add(external);
      // All that are asked for together count: how many there are tells which way is cheaper.
      await new Promise((next) => setImmediate(next));
      await source.prepare(null, wanted.size);
      const found = await locateReferred(source, resource, external, known);
      // It was read for that: the rows that refer to it show its name.
      const { id = null, values = {} } = (await source.byExternal(external)) ?? {};
      if (id !== null && of !== undefined) context.named.saw(of, id, values);
      return found;
    },
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
