import { askedOnce } from '../../records/asked-once.ts';
import { nullIfMissing, numberIn } from '../../records/existing-record.ts';
import { EPOCH } from '../../records/listing.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage, WIDTH } from '../../service/pages.ts';
import type { RequestError } from '../../service/request-error.ts';
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
    const read = () => context.service.send(findById, { params: { ID }, signal });
    const record = await nullIfMissing(read, refusedAsNull);
    if (record !== null) return { ...record, [id]: ID };
  }
  return null;
}

/** A refusal is about the product, as the request holds nothing else. */
async function refusedAsNull(error: RequestError): Promise<null> {
  if (error.kind === 'refused') return null;
  throw error;
}

/** So many products are read by themselves before their lists are. */
const FEW = 3;

/** Whether the service has a product: by its own read, or where many are asked for by the lists. */
export function createKnownProducts(context: StockContext): (product: number) => Promise<boolean> {
  let asked = 0;
  let lists: Promise<ReadonlySet<number>> | undefined;
  const isListed = async (product: number): Promise<boolean> => {
    lists ??= listedProducts(context);
    return (await lists).has(product);
  };
  return askedOnce(async (product: number) => {
    if (++asked > FEW && (await isListed(product))) return true;
    const { detail } = context.resource;
    let isTold = true;
    const untold = async (): Promise<null> => {
      isTold = false;
      return null;
    };
    const read = () => context.service.send(detail, { params: { id: product } });
    const any = async () => (await nullIfMissing(read, untold)) ?? (await findProduct(context, product));
    if ((await nullIfMissing(any, untold)) !== null) return true;
    // Whatever its own reads mean, the lists tell.
    return !isTold && (await isListed(product));
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
