import { type Bilingual, t } from '../../core/language.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { mayBeMissing, nullIfMissing } from '../../records/existing-record.ts';
import { arrivesUntil } from '../../records/posting-doubt.ts';
import { momentOf } from '../../records/sent-before.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { CatalogueResource, CountedAmount } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { ofKind } from '../kind.ts';
import type { StockFact } from './history.ts';
import { externalColumn, type StockContext } from './products.ts';

/** Beyond this, doubles no longer hold millionths. */
const LARGEST = 9e9;

/** An amount in millionths, exact; null for what is none, or too large to be exact. So 0.1 + 0.2 is 0.3. */
export function toMicros(amount: unknown): bigint | null {
  if (typeof amount !== 'number' || !(Math.abs(amount) <= LARGEST)) return null;
  return BigInt(amount.toFixed(6).replace('.', ''));
}

/** The amount as it is sent and shown. */
export const fromMicros = (micros: bigint): number => Number(micros) / 1e6;

/** The amount as messages say it. */
export function amountText(micros: bigint): Bilingual {
  const en = String(fromMicros(micros));
  return t(en, en.replace('.', ','));
}

const apart = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b);

/** Whether two amounts are equal: totals are sums and quotients, which the last decimal may miss. */
export const sameAmount = (a: bigint, b: bigint): boolean => apart(a, b) <= 1n;

/** Amounts that a service rounds are less than that apart. */
const CENT = 10_000n;

/** Whether they may be one amount that the service rounds. A little of something dear is no rounding. */
export const isNear = (a: bigint, b: bigint): boolean =>
  sameAmount(a, b) || (apart(a, b) < CENT && apart(a, b) * 100n < apart(b, 0n));

/** A product's stock at one place, as the service tells it. */
export type StockPlace = Readonly<Record<string, unknown>>;

/** A product's stock. */
export interface StockTotals {
  /** By the total's members; null where no amount came, or none that is understood. */
  readonly micros: Readonly<Record<string, bigint | null>>;
  /** What came, place by place; none where the service has no stock of it on record. */
  readonly places: readonly StockPlace[];
}

/** Whether the service has a product, asked only where its total tells nothing. */
type IsKnown = (product: number) => Promise<boolean>;

/** For a product that is known to be there. */
export const isThere: IsKnown = async () => true;

/**
 * Reads a product's stock, summed over places; null for an unknown product. Throws RequestError: malformed
 * for an answer without a total.
 */
export async function readTotal(
  context: StockContext,
  product: number,
  isKnown: IsKnown,
): Promise<StockTotals | null> {
  const places = await readPlaces(context, product, isKnown);
  if (places === null) return null;
  const sums = context.resource.amounts.map(({ total, unit }) => [total, sumOf(places, total, unit)]);
  return { micros: Object.fromEntries(sums), places };
}

/** The sum of a member over all places; null if one has no amount (nothing stands for 0), or of several units. */
export function sumOf(places: readonly StockPlace[], member: string, unit?: string): bigint | null {
  const units = places.flatMap(
    (place) =>
      String((unit && place[unit]) ?? '')
        .trim()
        .toLowerCase() || [],
  );
  if (new Set(units).size > 1) return null;
  return places.reduce<bigint | null>((sum, place) => {
    const micros = toMicros(place[member]);
    return sum === null || micros === null ? null : sum + micros;
  }, 0n);
}

/** The same place by place. A product without a single amount is only believed to be there when it is known. */
export async function readPlaces(
  { service, resource }: StockContext,
  product: number,
  isKnown: IsKnown,
): Promise<readonly StockPlace[] | null> {
  const { currentTotal } = resource.requests;
  try {
    const answer = await service.send(currentTotal, {
      params: { id: product },
      body: { ProductID: product },
    });
    const { total: places = [] } = answer ?? {};
    const hasAmount = places.some((place) => resource.amounts.some(({ total }) => place[total] != null));
    if (hasAmount) return places;
    if (!(await isKnown(product))) return null;
    if (answer !== null) return places;
  } catch (error) {
    if (error instanceof RequestError && saysNoSuchProduct(error)) return null;
    // A service may break down over what it does not have.
    if (mayBeMissing(error) && error.kind === 'lost' && !(await isKnown(product))) return null;
    throw error;
  }
  throw new RequestError({ kind: 'malformed', endpoint: currentTotal.name, status: 200, reason: NO_TOTAL });
}

const NO_TOTAL = t('nothing came in place of a total', 'er kwam niets in plaats van een totaal');

/** A refusal is about the product, as the request holds nothing else. */
const saysNoSuchProduct = ({ kind, status }: RequestError): boolean =>
  kind === 'missing' || (kind === 'refused' && status !== 403);

/** The service gives no total in a unit, with what came in its place. */
function noTotalText(total: string, unit: string, places: readonly StockPlace[]): Bilingual {
  const came = places.map((place) => `${JSON.stringify(place[total]) ?? '–'} ${place[unit] ?? ''}`.trim());
  return t(
    `the service gives no ${total} of this product that can be understood (${came.join(', ')}), so no difference is known and nothing is posted`,
    `het systeem geeft van dit product geen ${total} die te begrijpen is (${came.join(', ')}), dus er is geen verschil bekend en er wordt niets geboekt`,
  );
}

/** Until when totals may not show a posting, by steady time; one in doubt may still arrive. */
async function shownBy(context: StockContext, posting: Posting): Promise<number> {
  const { time, doubts } = context;
  if (posting.state === 'done') return doubts.ofDone(momentOf(posting.at));
  const until = await arrivesUntil(context, posting, posting.at);
  return until === null ? 0 : time.steady() + until.getTime() - time.now();
}

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
    const read = () => context.service.send(requests.findById, { params: { ID }, signal });
    const record = await nullIfMissing(read, async (error) => {
      // A refusal is about the product, as the request holds nothing else.
      if (error.kind === 'refused') return null;
      throw error;
    });
    if (record !== null) return { ...record, [id]: ID };
  }
  return null;
}

/**
 * Reads the total of a product that this program may have posted on lately: until the doubt time is over, or it
 * is what is expected, it may not show that yet. Answers null for a product that is not there, or why there is no total.
 */
export async function readShown(
  context: StockContext,
  product: number,
  { total: member, unit }: CountedAmount,
  history: readonly StockFact[],
  isKnown: IsKnown,
  isExpected: ((now: bigint) => boolean) | null,
): Promise<(StockTotals & { readonly now: bigint }) | Unread | null> {
  let until = 0;
  for (const { posting } of history) until = Math.max(until, await shownBy(context, posting));
  const read = () => readTotal(context, product, isKnown);
  const isShown = (seen: StockTotals | null): boolean => {
    const now = seen?.micros[member] ?? null;
    return now === null || isExpected === null || isExpected(now);
  };
  // Where nothing tells what it is to be, no look before the end tells more.
  if (isExpected === null) await context.doubts.passed(until);
  try {
    const seen = await context.doubts.look(until, read, isShown);
    const total = seen === undefined ? await read() : seen;
    if (total === null) return null;
    const now = total.micros[member] ?? null;
    return now === null ? { message: noTotalText(member, unit, total.places) } : { ...total, now };
  } catch (error) {
    if (!(error instanceof RequestError && error.kind === 'malformed')) throw error;
    const { en, nl } = error.reasons;
    const message = t(
      `the service's answer for the current total is not understood, so no difference is known: ${en}`,
      `het antwoord van het systeem op de vraag naar het totaal is niet te begrijpen, dus er is geen verschil bekend: ${nl}`,
    );
    return { message };
  }
}

/** Why there is no total, which is never taken for a value. */
interface Unread {
  readonly message: Bilingual;
}
