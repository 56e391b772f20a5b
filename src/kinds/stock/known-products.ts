import { nullIfMissing, numberIn } from '../../records/existing-record.ts';
import { EPOCH } from '../../records/listing.ts';
import { askedOnce } from '../../records/shared-reading.ts';
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
  let lists: Promise<ReadonlyMap<number, AnswerRecord>> | undefined;
  const of = context.resource.labelled?.[1];
  // Its name is shown, and not asked for again.
  const saw = (product: number, record: AnswerRecord): true => {
    if (of !== undefined) context.named.saw(of, product, record);
    return true;
  };
  const isListed = async (product: number): Promise<boolean> => {
    lists ??= listedProducts(context);
    const record = (await lists).get(product);
    return record !== undefined && saw(product, record);
  };
  return askedOnce(async (product: number) => {
    if (++asked > FEW && (await isListed(product))) return true;
    let isTold = true;
    const untold = async (): Promise<null> => {
      isTold = false;
      return null;
    };
    const read = async () =>
      of && ((await context.service.send(of.each, { params: { id: product } })) as AnswerRecord | null);
    const any = async () => (await nullIfMissing(read, untold)) ?? (await findProduct(context, product));
    const found = await nullIfMissing(any, untold);
    if (found !== null) return saw(product, found);
    // Whatever its own reads mean, the lists tell.
    return !isTold && (await isListed(product));
  });
}

/** The products that are listed, each with the members that make its name. */
async function listedProducts(context: StockContext): Promise<ReadonlyMap<number, AnswerRecord>> {
  const { label = [] } = context.resource.labelled?.[1] ?? {};
  const found = new Map<number, AnswerRecord>();
  for (const { requests, id } of cataloguesOf(context)) {
    const first = await firstPage(context.service, requests.list, { LMT: EPOCH });
    for await (const { data } of first.all(WIDTH))
      for (const record of data)
        found.set(numberIn(record, id) ?? 0, Object.fromEntries(label.map((name) => [name, record[name]])));
  }
  return found;
}
