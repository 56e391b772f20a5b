import type { Context } from '../../run/context.ts';
import type { StockRequests } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { toMicros } from './micros.ts';
import type { StockResource } from './product.ts';

/** What is in stock of a product, in millionths, by the total's own members; null where the answer can't be understood. */
export type Total = Readonly<Record<string, bigint | null>>;

/**
 * Reads what is in stock of a product, several places summed up, none being 0. Null for a product that the service does
 * not have. Throws RequestError for what else the service does.
 */
export async function readTotal(
  context: Context,
  resource: StockResource,
  product: number,
): Promise<Total | null> {
  const places = await readPlaces(context, resource.requests, product);
  if (places === null) return null;
  return Object.fromEntries(resource.amounts.map(({ total, unit }) => [total, sumOf(places, total, unit)]));
}

/** What lies of a product at one place, as the service tells it. */
export type Place = Readonly<Record<string, unknown>>;

/** The sum of a member over all places, in millionths; null where one of them can't be understood, or where they are in different units. */
export function sumOf(places: readonly Place[], member: string, unit?: string): bigint | null {
  if (unit !== undefined && unitsOf(places, unit).size > 1) return null;
  return places.reduce<bigint | null>((sum, place) => add(sum, place[member]), 0n);
}

/** Whatever their capitals; a place that names none is in that of the others. */
function unitsOf(places: readonly Place[], unit: string): Set<string> {
  const named = places.flatMap((place) => place[unit] ?? []);
  return new Set(named.map((name) => String(name).trim().toLowerCase()).filter((name) => name !== ''));
}

/** What is in stock of a product, place by place. As `readTotal`. */
export async function readPlaces(
  { service }: Context,
  { currentTotal }: StockRequests,
  product: number,
): Promise<readonly Place[] | null> {
  try {
    const answer = await service.send(currentTotal, {
      params: { id: product },
      body: { ProductID: product },
    });
    return answer?.total ?? null;
  } catch (error) {
    if (error instanceof RequestError && saysNoSuchProduct(error)) return null;
    throw error;
  }
}

/** The product is all that this request holds, and so all that can be wrong with it. */
function saysNoSuchProduct({ kind, status }: RequestError): boolean {
  return kind === 'missing' || (kind === 'refused' && status !== 403);
}

/** Null stands for nothing in stock there; a member that is absent or no number is not understood. */
function add(sum: bigint | null, amount: unknown): bigint | null {
  if (sum === null || amount === undefined) return null;
  if (amount === null) return sum;
  const micros = typeof amount === 'number' ? toMicros(amount) : null;
  return micros === null ? null : sum + micros;
}

/** Totals of one moment: each product is read once, and one that can't be read stays unread. */
export function createTotals(
  context: Context,
  resource: StockResource,
): (product: number) => Promise<Total | null> {
  const read = new Map<number, Promise<Total | null>>();
  return (product) => {
    const reading = read.get(product) ?? readTotal(context, resource, product);
    read.set(product, reading);
    return reading;
  };
}

/** As `readTotal`, for what is only told: null too when it can't be read. */
export async function lookAtTotal(
  context: Context,
  resource: StockResource,
  product: number,
): Promise<Total | null> {
  try {
    return await readTotal(context, resource, product);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    context.log.warn({ product, error: error.reason }, 'the total could not be read');
    return null;
  }
}
