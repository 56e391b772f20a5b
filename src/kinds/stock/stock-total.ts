import { type Bilingual, t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import { mayBeMissing } from '../../records/existing-record.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { RequestError } from '../../service/request-error.ts';
import { createKnownProducts } from './known-products.ts';
import type { StockContext, StockResource } from './stock-row.ts';

/** Beyond this, doubles no longer hold millionths. */
const LARGEST = 9e9;

/** An amount in millionths, exact; null for one that is too large to be exact. So 0.1 + 0.2 is 0.3. */
export function toMicros(amount: number): bigint | null {
  if (!(Math.abs(amount) <= LARGEST)) return null;
  return BigInt(amount.toFixed(6).replace('.', ''));
}

/** The amount as it is sent and shown. */
export function fromMicros(micros: bigint): number {
  return Number(micros) / 1e6;
}

/** The amount as messages say it. */
export function amountText(micros: bigint): Bilingual {
  const en = String(fromMicros(micros));
  return t(en, en.replace('.', ','));
}

/** Whether two amounts (millionths) are equal: totals are sums and quotients, which the last decimal may miss. */
export const sameAmount = (a: bigint, b: bigint): boolean => a - b <= 1n && b - a <= 1n;

/** A product's stock. */
export interface StockTotals {
  /** In millionths, by the total's members; null where no amount came, or none that is understood. */
  readonly micros: Readonly<Record<string, bigint | null>>;
  /** What came, place by place; none where the service has no stock of it on record. */
  readonly places: readonly StockPlace[];
}

/** Whether the service has a product, asked only where its total tells nothing. */
type IsKnown = (product: number) => Promise<boolean>;

/**
 * Reads a product's stock, summed over places; null for an unknown product. Throws RequestError: malformed
 * for an answer without a total.
 */
export async function readTotal(
  context: StockContext,
  product: number,
  isKnown: IsKnown,
): Promise<StockTotals | null> {
  const { resource } = context;
  const places = await readPlaces(context, product, isKnown);
  if (places === null) return null;
  const sums = resource.amounts.map(({ total, unit }) => [total, sumOf(places, total, unit)]);
  return { micros: Object.fromEntries(sums), places };
}

/** A product's stock at one place, as the service tells it. */
export type StockPlace = Readonly<Record<string, unknown>>;

/** The sum of a member over all places, in millionths; null if one has no amount, or of several units. */
export function sumOf(places: readonly StockPlace[], member: string, unit?: string): bigint | null {
  if (unit !== undefined && unitsOf(places, unit).size > 1) return null;
  return places.reduce<bigint | null>((sum, place) => {
    const micros = amountOf(place[member]);
    return sum === null || micros === null ? null : sum + micros;
  }, 0n);
}

/** In millionths; null for what is no amount: nothing stands for 0. */
const amountOf = (amount: unknown): bigint | null => (typeof amount === 'number' ? toMicros(amount) : null);

/** The units of places, whatever their capitals; a place that names none has that of the others. */
export function unitsOf(places: readonly StockPlace[], unit: string): Set<string> {
  const named = places.flatMap((place) => place[unit] ?? []);
  return new Set(named.map((name) => String(name).trim().toLowerCase()).filter((name) => name !== ''));
}

/**
 * What is in stock of a product, place by place. As `readTotal`: where no amount came, the product may be one
 * that the service does not have.
 */
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
function saysNoSuchProduct({ kind, status }: RequestError): boolean {
  return kind === 'missing' || (kind === 'refused' && status !== 403);
}

/** Totals of one moment: each product is read once, and one that can't be read stays unread. */
export function createTotals(
  context: StockContext,
): (product: number, known?: boolean) => Promise<StockTotals | null> {
  const isKnown = createKnownProducts(context);
  return askedOnce((product: number, known = false) => readTotal(context, product, known ? isOne : isKnown));
}

/** For a product that the service is known to have. */
export const isOne = (): Promise<boolean> => Promise.resolve(true);

/** As `readTotal` for a product that is known; null too when it can't be read, as it is only told. */
export async function lookAtTotal(context: StockContext, product: number): Promise<StockTotals | null> {
  try {
    return await readTotal(context, product, isOne);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    context.log.warn({ product, error: error.reason }, 'the total could not be read');
    return null;
  }
}

interface PostedProduct {
  readonly run: string;
  readonly product: number;
}

const factName = ({ run, product }: PostedProduct): string => `total before ${run}, product ${product}`;

/** Remembers a product's total from before a run first posts on it; reads it where it is not given. */
export async function rememberBefore(
  context: StockContext,
  place: PostedProduct,
  read?: StockTotals,
): Promise<void> {
  const { ledger, serviceKey } = context;
  const name = factName(place);
  if ((await ledger.findFact(serviceKey, name)) !== undefined) return;
  const total = read ?? (await lookAtTotal(context, place.product));
  if (total === null) return;
  const plain = Object.entries(total.micros).map(([member, micros]) => [member, micros?.toString() ?? null]);
  await ledger.rememberFact(serviceKey, name, JSON.stringify(Object.fromEntries(plain)));
}

/** The same, as it is remembered; null where it is not. */
export async function totalBefore(
  context: StockContext,
  place: PostedProduct,
): Promise<StockTotals['micros'] | null> {
  const fact = await context.ledger.findFact(context.serviceKey, factName(place));
  if (fact === undefined) return null;
  const plain = Object.entries(JSON.parse(fact) as Record<string, string | null>);
  return Object.fromEntries(
    plain.map(([member, micros]) => [member, micros === null ? null : BigInt(micros)]),
  );
}

/** The member of a total that tells of what a request posts. */
function toldBy({ amounts }: StockResource, body: Step['body']): string {
  const told = amounts.find(({ sent }) => body[sent] != null) ?? amounts[0];
  return told?.total ?? '';
}

/** The product's total before the run posted on it, and now; null when neither is known. */
export async function tellTotals(
  context: StockContext,
  place: PostedProduct,
  body: Step['body'],
  now: StockTotals | null,
): Promise<Bilingual | null> {
  const { resource } = context;
  const member = toldBy(resource, body);
  const [then, today] = [(await totalBefore(context, place))?.[member], now?.micros[member]];
  const { run, product } = place;
  const told: Bilingual[] = [];
  if (then != null) {
    const was = amountText(then);
    told.push(
      t(
        `${member} of product ${product} was ${was.en} before run ${run} posted on it`,
        `${member} van product ${product} was ${was.nl} voordat run ${run} erop boekte`,
      ),
    );
  }
  if (today != null) told.push(t(`it is ${amountText(today).en} now`, `het is nu ${amountText(today).nl}`));
  if (told.length === 0) return null;
  return t(told.map(({ en }) => en).join(', '), told.map(({ nl }) => nl).join(', '));
}
