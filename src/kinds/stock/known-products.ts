import { askedOnce } from '../../records/asked-once.ts';
import { nullIfMissing, numberIn } from '../../records/existing-record.ts';
import { EPOCH } from '../../records/listing.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage, WIDTH } from '../../service/pages.ts';
import { ofKind } from '../kind.ts';
import { externalColumn, type StockContext } from './stock-row.ts';

/** The product resources that a stock sheet may refer to, in the order of asking. */
export function cataloguesOf({ resources, resource }: StockContext): CatalogueResource[] {
  const names = externalColumn(resource)?.refers.resources ?? [];
  const catalogues = ofKind(resources, 'catalogue');
  return names.flatMap((name) => catalogues.find((one) => one.name === name) ?? []);
}

/** Reads a product of any kind by itself; null where the service has none. */
export async function findProduct(
  context: StockContext,
  ID: number,
  signal?: AbortSignal,
): Promise<AnswerRecord | null> {
  for (const { requests, id } of cataloguesOf(context)) {
    const { findById } = requests;
    const record = await nullIfMissing(() => context.service.send(findById, { params: { ID }, signal }));
    if (record !== null) return { ...record, [id]: ID };
  }
  return null;
}

/** So many products are read by themselves before their lists are. */
const FEW = 3;

/** Whether the service has a product: by its own read, or where many are asked for by the lists. */
export function createKnownProducts(context: StockContext): (product: number) => Promise<boolean> {
  let asked = 0;
  let lists: Promise<ReadonlySet<number>> | undefined;
  return askedOnce(async (product: number) => {
    if (++asked > FEW) {
      lists ??= listedProducts(context);
      if ((await lists).has(product)) return true;
    }
    const { detail } = context.resource;
    const read = () => context.service.send(detail, { params: { id: product } });
    return (await nullIfMissing(read)) !== null || (await findProduct(context, product)) !== null;
  });
}

async function listedProducts(context: StockContext): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for (const { requests, id } of cataloguesOf(context)) {
    const first = await firstPage(context.service, requests.list, { LMT: EPOCH });
    for await (const { data } of first.all(WIDTH))
      for (const record of data) ids.add(numberIn(record, id) ?? 0);
  }
  return ids;
}
