import { sideBySide } from '../core/batches.ts';
import { listedRecords } from '../kinds/catalogue.ts';
import { cataloguesOf, findProduct, fromMicros, readPlaces, sumOf } from '../kinds/stock/products.ts';
import { numberIn } from '../records/existing-record.ts';
import {
  batched,
  EPOCH,
  LeftOut,
  type RecordBatches,
  type RecordList,
  type RecordLister,
  uncounted,
} from '../records/listing.ts';
import type { ContextOf } from '../records/planning.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { CountResource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';

/** Current totals as a sheet to count on: of all stock products, or of those in a file. */
export const countLister: RecordLister<CountResource> = {
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
  ids: readonly number[],
  leftOut: LeftOut,
): RecordBatches {
  const find = async (id: number) => [id, await findProduct(context, id)] as const;
  for await (const [id, record] of sideBySide(ids, context.concurrency, find))
    if (record === null) leftOut.add('unknown', String(id));
    else yield [record];
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
