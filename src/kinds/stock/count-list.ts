import { basename } from 'node:path';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Values } from '../../core/value.ts';
import { numberIn } from '../../records/existing-record.ts';
import {
  batched,
  EPOCH,
  LeftOut,
  type RecordBatches,
  type RecordList,
  type RecordLister,
  sideBySide,
  uncounted,
} from '../../records/listing.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { CountResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { listedRecords } from '../catalogue/catalogue-list.ts';
import { cataloguesOf, findProduct, fromMicros, readPlaces, type StockPlace, sumOf } from './total.ts';

/** Current totals as a sheet to count on: of all stock products, or of those in a file. */
export const countLister: RecordLister<CountResource> = {
  ways: () => ['all', 'file'],
  called: 'stock',
  filledIn: true,
  before: ({ told }) => told,
  list(context, chosen, options) {
    const { resource } = context;
    const work = { ...context, leftOut: new LeftOut(), notes: [], lists: [], strange: [] };
    const { leftOut, notes, lists, strange }: StockListing = work;
    const named = chosen.way === 'file' ? chosen.file : null;
    const products =
      named === null
        ? keptProducts(work)
        : namedProducts(work, () => options.namedIn(resource, named, leftOut));
    async function* read(): RecordBatches {
      let empty = true;
      for await (const records of batched(withTotals(work, products))) {
        empty = false;
        yield records;
      }
      // Of all products it is no fault of one of them.
      if (empty && named === null && strange[0] !== undefined) throw strange[0];
      if (empty && named !== null) throw noProductNamed(named, resource.product, leftOut);
    }
    // Of what a file names all was asked for; of the rest a product without a total is none that is counted.
    const all = (): boolean => (named === null ? strange.length === 0 : !leftOut.any);
    const told = (): Bilingual[] => [...notes, ...leftOut.notes(), ...strange.slice(0, 1).map(strangeText)];
    return uncounted(read(), told, () => all() && lists.every(({ complete }) => complete));
  },
  read(resource, record) {
    const id = numberIn(record, resource.product);
    // One of the two units: the other is for whoever counts in that.
    const told = resource.amounts.find(({ total }) => numberOf(record[total]) !== null);
    const values: Values = {
      [resource.product]: id,
      ...Object.fromEntries(resource.amounts.map(({ counted }) => [counted, null])),
      ...(told === undefined ? {} : { [told.counted]: numberOf(record[told.total]) }),
    };
    return { key: id === null ? null : `id:${id}`, lmt: null, values };
  },
};

interface StockListing extends ContextOf<CountResource> {
  readonly leftOut: LeftOut;
  readonly notes: Bilingual[];
  /** The lists of products that were read. */
  readonly lists: RecordList[];
  /** Totals that were not understood. */
  readonly strange: RequestError[];
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** All products of which stock is kept, each once; one that says neither yes nor no too. */
async function* keptProducts(work: StockListing): RecordBatches {
  const { resource, notes, lists } = work;
  const seen = new Set<number>();
  for (const catalogue of cataloguesOf(work)) {
    const listed = listedRecords({ ...work, resource: catalogue }, { LMT: EPOCH });
    lists.push(listed);
    for await (const records of listed)
      yield records.filter((record) => {
        const [id, kept] = [numberIn(record, resource.product), record[resource.kept]];
        if (id === null || kept === null || kept === false || seen.size === seen.add(id).size) return false;
        return true;
      });
    notes.push(...listed.notes);
  }
}

async function* namedProducts(work: StockListing, named: () => Promise<readonly number[]>): RecordBatches {
  const ids = await named();
  const find = (id: number, signal: AbortSignal) => findProduct(work, id, signal);
  let at = 0;
  for await (const record of sideBySide(ids, work.concurrency, find)) {
    if (record === null) work.leftOut.add('unknown', String(ids[at]));
    else yield [record];
    at++;
  }
}

async function* withTotals(work: StockListing, products: RecordBatches): RecordBatches {
  const { resource, leftOut, concurrency } = work;
  const total = async (product: AnswerRecord): Promise<AnswerRecord | string> => {
    const id = numberIn(product, resource.product) as number;
    const places = await placesOf(work, id);
    return (places === null ? null : stockOf(resource, product, places)) ?? String(id);
  };
  for await (const some of products)
    for await (const stock of sideBySide(some, concurrency, total)) {
      if (typeof stock === 'string') leftOut.add('untold', stock);
      else yield [stock];
    }
}

/** A product's places; null for an answer that is not understood, which must not stop the others. */
async function placesOf(work: StockListing, product: number): Promise<readonly StockPlace[] | null> {
  try {
    // It was listed, or read by itself.
    return await readPlaces(work, product, () => Promise.resolve(true));
  } catch (error) {
    if (!(error instanceof RequestError && error.kind === 'malformed' && error.status === OK)) throw error;
    work.strange.push(error);
    return null;
  }
}

const OK = 200;

/** A product's line, summed over places; null where the answer can't be understood. */
function stockOf(
  { product, listed, amounts }: CountResource,
  record: AnswerRecord,
  places: readonly StockPlace[],
): AnswerRecord | null {
  const members = Object.entries(listed).map(([name, type]): [string, unknown] => {
    if (record[name] !== undefined) return [name, record[name]];
    if (type !== 'float') return [name, places.find((place) => place[name] != null)?.[name] ?? null];
    const sum = sumOf(places, name, amounts.find(({ total }) => total === name)?.unit);
    return [name, sum === null ? null : fromMicros(sum)];
  });
  const stock = { [product]: record[product], ...Object.fromEntries(members) };
  return amounts.some(({ total }) => stock[total] !== null) ? stock : null;
}

const strangeText = ({ reasons: { en, nl } }: RequestError): Bilingual =>
  t(`of the first of these: ${en}`, `van het eerste daarvan: ${nl}`);

/** How the sheets of products call what the stock sheets call by a name with a dot. */
export const PRODUCT_EXTERNAL_ID = 'ExternalID';

/** That a file names no product to put in a sheet, with what stands there instead. */
export function noProductNamed(file: string, product: string, leftOut: LeftOut): StopError {
  const name = basename(file);
  if (!leftOut.any)
    return new StopError(EXIT.file, t(`${name} names no products.`, `${name} noemt geen producten.`), {
      next: t(
        `Give it a column ${product} or ${PRODUCT_EXTERNAL_ID}, with a product in each row.`,
        `Geef het een kolom ${product} of ${PRODUCT_EXTERNAL_ID}, met in elke rij een product.`,
      ),
    });
  const why = leftOut.notes();
  const [en, nl] = [why.map((note) => note.en).join('; '), why.map((note) => note.nl).join('; ')];
  return new StopError(
    EXIT.file,
    t(
      `${name} names no product that can be in the sheet (${en}).`,
      `${name} noemt geen product dat op het werkblad kan komen (${nl}).`,
    ),
    { next: t('Correct that, then export again.', 'Verbeter dat en exporteer dan opnieuw.') },
  );
}
