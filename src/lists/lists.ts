import { sideBySide } from '../core/batches.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Value } from '../core/value.ts';
import { listedRecords } from '../kinds/catalogue.ts';
import { ALL_DAYS, createEventCheck, eventLists, readDefinitive } from '../kinds/event-reads.ts';
import { ofKind } from '../kinds/kind.ts';
import { type LinkContext, listLinks, parentColumn } from '../kinds/links.ts';
import { cataloguesOf, findProduct, fromMicros, readPlaces, sumOf } from '../kinds/stock/products.ts';
import { BY_DAYS, tripLists } from '../kinds/trip.ts';
import { LISTED, numberIn, readValues } from '../records/existing-record.ts';
import {
  batched,
  EPOCH,
  type ExportedResource,
  exportedRecord,
  firstOf,
  inOne,
  isDeleted,
  LeftOut,
  listDays,
  OtherDays,
  periodRecords,
  type RecordBatches,
  type RecordList,
  type RecordLister,
  uncounted,
} from '../records/listing.ts';
import type { ContextOf } from '../records/planning.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type {
  CatalogueResource,
  CountResource,
  EventResource,
  LinkResource,
  Resource,
  TripResource,
} from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';

/** Current totals as a sheet to count on: of all stock products, or of those in a file. */
const countLister: RecordLister<CountResource> = {
  ways: () => ['all', 'file'],
  called: 'stock',
  filledIn: true,
  before: ({ told }) => told,
  list(context, chosen, { namedIn }) {
    const { resource, concurrency } = context;
    const leftOut = new LeftOut();
    const lists: RecordList[] = [];
    const file = chosen.way === 'file' ? chosen.file : null;
    async function* withTotals(): RecordBatches {
      const products =
        file === null
          ? keptProducts(context, lists)
          : namedProducts(context, await namedIn(resource, file, leftOut), leftOut);
      for await (const some of products)
        for await (const [product, stock] of sideBySide(some, concurrency, (one) => stockOf(context, one))) {
          if (stock === null) leftOut.add('untold', String(product[resource.product]));
          else yield [stock];
        }
    }
    return uncounted(
      batched(withTotals()),
      () => [...lists.flatMap(({ notes }) => notes), ...leftOut.notes()],
      () => !leftOut.any && lists.every(({ complete }) => complete),
    );
  },
  read(resource, record) {
    const id = numberIn(record, resource.product);
    // One of the two units: the other is for whoever counts in that.
    const told = resource.amounts.find(({ total }) => typeof record[total] === 'number');
    const amounts = resource.amounts.map((amount) => [
      amount.counted,
      amount === told ? record[amount.total] : null,
    ]);
    const values = { [resource.product]: id, ...Object.fromEntries(amounts) };
    return { key: id === null ? null : `id:${id}`, lmt: null, values };
  },
};

/** All products of which stock is kept, each once; one that says neither yes nor no too. */
async function* keptProducts(context: ContextOf<CountResource>, lists: RecordList[]): RecordBatches {
  const { product, kept } = context.resource;
  const seen = new Set<number>();
  for (const catalogue of cataloguesOf(context)) {
    const listed = listedRecords({ ...context, resource: catalogue }, { LMT: EPOCH });
    lists.push(listed);
    for await (const records of listed)
      yield records.filter((record) => {
        const id = numberIn(record, product);
        return (
          id !== null && record[kept] !== null && record[kept] !== false && seen.size < seen.add(id).size
        );
      });
  }
}

async function* namedProducts(
  context: ContextOf<CountResource>,
  ids: ReadonlyMap<number, Value | undefined>,
  leftOut: LeftOut,
): RecordBatches {
  const find = async (id: number) => [id, await findProduct(context, id)] as const;
  for await (const [id, record] of sideBySide(ids.keys(), context.concurrency, find))
    if (record === null) leftOut.add('unknown', String(id));
    // A record that is read by itself does not tell it.
    else yield [{ Artikelnummer: ids.get(id), ...record }];
}

/** A product with its line, summed over places; null where the service gives no total that is understood. */
async function stockOf(
  context: ContextOf<CountResource>,
  record: AnswerRecord,
): Promise<readonly [AnswerRecord, AnswerRecord | null]> {
  const { product, listed, amounts } = context.resource;
  const places = await readPlaces(context, numberIn(record, product) as number, true).catch((error) => {
    // What is not understood must not stop the others.
    if (error instanceof RequestError && error.kind === 'malformed') return null;
    throw error;
  });
  if (places === null) return [record, null];
  const members = Object.entries(listed).map(([name, type]): [string, unknown] => {
    if (record[name] !== undefined) return [name, record[name]];
    if (type !== 'float') return [name, places.find((place) => place[name] != null)?.[name] ?? null];
    const sum = sumOf(places, name, amounts.find(({ total }) => total === name)?.unit);
    return [name, sum === null ? null : fromMicros(sum)];
  });
  const stock = { [product]: record[product], ...Object.fromEntries(members) };
  return [record, amounts.some(({ total }) => stock[total] !== null) ? stock : null];
}

/** Links of the records of a period: their lists, side by side. */
const linkLister: RecordLister<LinkResource> = {
  ways: () => ['period'],
  beside: ({ beside }) => Object.keys(beside),
  list(context, chosen) {
    const { resource, concurrency } = context;
    if (chosen.way !== 'period') throw new TypeError(`links can't be listed by ${chosen.way}`);
    const parents = { ...context, resource: parentOf(context) };
    const lists = new LinkLists(context, resource, parents.resource);
    const otherDays = new OtherDays(parents.resource);
    const events = periodRecords(parents, eventLists(parents, false), chosen.days, otherDays);
    async function* linked(): RecordBatches {
      for await (const records of events)
        yield* sideBySide(records, concurrency, async (record, signal) => {
          const id = numberIn(record, parents.resource.id);
          const links = id === null ? null : await lists.of(id, signal);
          return (links ?? []).map((link) => ({ ...link, ...besideOf(resource, record) }));
        });
    }
    const told = (): Bilingual[] => [...otherDays.notes(), ...lists.notes()];
    return uncounted(batched(linked()), told, () => lists.complete);
  },
  read(resource, record) {
    const [parent, child] = [numberIn(record, resource.parent), numberIn(record, resource.child)];
    const key = parent === null || child === null ? null : `${parent}:${child}`;
    return { key, lmt: null, values: readValues(resource, record, LISTED) };
  },
};

function parentOf({ resources, resource }: LinkContext): EventResource {
  const named = parentColumn(resource)?.refers.resources ?? [];
  const found = ofKind(resources, 'event').find(({ name }) => named.includes(name));
  if (found === undefined) throw new TypeError(`resource ${resource.name} does not say whose links it has`);
  return found;
}

/** What an export shows of a link's parent. */
const besideOf = ({ beside }: LinkResource, parent: AnswerRecord): AnswerRecord =>
  Object.fromEntries(Object.entries(beside).map(([header, member]) => [header, parent[member] ?? null]));

/** Reads what is linked to listed records, and counts the lists that came, and those that did not. */
export class LinkLists {
  /** Records that the service has, and of which it found no list: they have none. */
  listless = 0;
  private came = 0;
  private readonly away: number[] = [];
  private readonly context: Context;
  private readonly links: LinkResource;
  private readonly parents: EventResource;
  private readonly isThere: (id: number) => Promise<boolean>;

  constructor(context: Context, links: LinkResource, parents: EventResource) {
    this.context = context;
    this.links = links;
    this.parents = parents;
    this.isThere = createEventCheck(context);
  }

  /** What is linked to one; null where it is gone. */
  async of(id: number, signal: AbortSignal): Promise<readonly AnswerRecord[] | null> {
    const found = await listLinks(this.context, this.links, id, this.isThere, signal);
    if (found === null) this.away.push(id);
    else if (found === 'none') this.listless++;
    else this.came++;
    // Whose list it is, whatever a link says of itself.
    return found === 'none' ? [] : (found?.map((link) => ({ ...link, [this.links.parent]: id })) ?? null);
  }

  /** Records that were listed, and not there any more when their lists were read. */
  get gone(): number {
    return this.away.length;
  }

  /** False where not one list came: a fault is likelier than a service without any links. */
  get complete(): boolean {
    return this.came > 0 || this.listless + this.gone === 0;
  }

  /** Notes on lists that did not come; `beside`: what else became of records that are gone. */
  notes(beside: Bilingual = t('', '')): Bilingual[] {
    const [what, of] = [named(this.links), named(this.parents)];
    const all = this.listless + this.gone;
    const ids = `${this.links.parent} ${firstOf(this.away.toSorted((one, two) => one - two).map(String))}`;
    const none = t(
      `${what.en} may be missing: the service answered 404 for those of all ${of.en} (${all})`,
      `er kunnen ${what.nl} ontbreken: het systeem antwoordde 404 op die van alle ${of.nl} (${all})`,
    );
    const away = t(
      `${ids}: listed, and gone (404) when the ${what.en} were read: left out${beside.en}`,
      `${ids}: wel in de lijst, maar weg (404) toen de ${what.nl} werden gelezen: weggelaten${beside.nl}`,
    );
    return [...(this.complete ? [] : [none]), ...(this.gone > 0 ? [away] : [])];
  }
}

const named = ({ name, sheet }: LinkResource | EventResource): Bilingual => ({
  en: name,
  nl: sheet.toLowerCase(),
});

/** Packages and recipes: the pages of their list by LMT (interface 4.3). */
const catalogue: RecordLister<CatalogueResource> = {
  ways: () => ['all', 'since'],
  declaration: true,
  list(context, chosen, { declaration }) {
    const LMT = chosen.way === 'since' ? chosen.moment : EPOCH;
    return listedRecords(context, { LMT, ...(declaration ? { exportWithDeclaration: true } : {}) });
  },
  // What is returned where the declaration is asked for.
  others: ({ fields }) => {
    const told = ['IngredientDeclaratie', 'IngredientDeclaratieCategorie'].filter((name) => name in fields);
    return told.length === 0 ? [] : [{ option: '--declaration', fields: told }];
  },
  read: (resource, record) => exportedRecord(resource, record),
};

/** Events: by their days, by LMT, or the definitive ones. */
const event: RecordLister<EventResource> = {
  ways: () => ['period', 'since', 'definitive'],
  list(context, chosen) {
    // Days that nobody named are not cut into months.
    return chosen.way === 'definitive' && chosen.days === null
      ? uncounted(inOne(() => readDefinitive(context, ALL_DAYS)))
      : listDays(context, eventLists(context, chosen.way === 'definitive'), chosen);
  },
  read: (resource, record) => exportedRecord(resource, record),
};

/** Trips: by their days, or by LMT. */
const trip: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: () => ['period', 'since'],
  list: (context, chosen) => listDays(context, tripLists(context), chosen),
  others: ({ fields }) => [
    { option: '--since', fields: Object.keys(fields).filter((name) => fields[name]?.reads === 'list') },
  ],
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

const LISTERS: { readonly [K in ExportedResource['kind']]: RecordLister<Extract<Resource, { kind: K }>> } = {
  ...{ catalogue, event, trip },
  link: linkLister,
  count: countLister,
};

/** How the records of a resource are listed. */
export function listerOf<R extends ExportedResource>(resource: R): RecordLister<R> {
  return LISTERS[resource.kind] as unknown as RecordLister<R>;
}

/** Whether the service gives a list of a resource's records. */
export const isExported = (resource: Resource): resource is ExportedResource => resource.kind in LISTERS;
