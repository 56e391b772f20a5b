import { type Bilingual, type Language, same, t } from '../../core/language.ts';
import type { PlannedRow, RecordReference, RowDependency, Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { nullIfMissing } from '../../records/existing-record.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { type ContextOf, type RunOf, refuseField } from '../../records/planning.ts';
import { referenceColumn } from '../../records/references.ts';
import { arrivesUntil, momentOf } from '../../records/sent-before.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import {
  type CatalogueResource,
  type CountResource,
  countedAmounts,
  type PostingResource,
} from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { ofKind } from '../kind.ts';
import type { StockFact } from './history.ts';

/** The sheets whose rows are about a product's stock. */
export type StockResource = PostingResource | CountResource;

/** What working on stock is handed. */
type StockContext = ContextOf<StockResource>;

export type StockRow = MappedRow<StockResource>;

/** The product that a row is about; one that this plan creates has no id yet. */
export type StockProduct =
  | { readonly id: number }
  | { readonly reference: RecordReference; readonly need: RowDependency };

/** The id of a product that has one. */
export const idOf = (product: StockProduct | null): number | null =>
  product !== null && 'id' in product ? product.id : null;

/** The column in which a row names its product. */
export const productField = ({ values, mapping: { resource } }: StockRow): string =>
  resource.keys.find((key) => values[key] != null) ?? resource.product;

/**
 * Names postings on these rows' products: by id first, then by ExternalID, from before it had one. What the
 * ledger remembers of them is read at once.
 */
export async function productNames(
  { ledger, serviceKey, resource }: StockContext,
  products: readonly (StockProduct | null)[],
): Promise<(row: StockRow, product: StockProduct | null) => readonly string[]> {
  const column = referenceColumn(resource, resource.product);
  const ids = products.flatMap((product) => idOf(product) ?? []);
  const known = new Map<number, number>();
  for (const name of column?.refers.resources ?? [])
    for (const { id, external } of (await ledger.findKeys(serviceKey, name, ids, 'id')).values())
      known.set(id, external);
  return ({ values }, product) => {
    const id = idOf(product) ?? values[resource.product];
    const external = values[column?.name ?? ''] ?? known.get(Number(id));
    return [
      ...(typeof id === 'number' ? [`${resource.product}:${id}`] : []),
      ...(column !== null && typeof external === 'number' ? [`${column.name}:${external}`] : []),
    ];
  };
}

/** Puts an issue on a row without an amount in one of these columns. */
export function checkAmountGiven(row: StockRow, columns: readonly string[]): void {
  const { values, issues, mapping } = row;
  const isSaid = (name: string): boolean =>
    values[name] != null || issues.some(({ field, severity }) => field === name && severity === 'error');
  if (columns.some(isSaid)) return;
  const field = columns.find((name) => mapping.columnOf.has(name)) ?? columns[0] ?? '';
  refuseField(row, field, 'amount-missing', columns.join(' / '));
}

/** The members of a mutation that a row gives, with the product's id or what stands for it. */
export function mutationBody(
  { values, mapping: { resource } }: StockRow,
  product: StockProduct,
): Step['body'] {
  const apart = [resource.product, ...countedAmounts(resource).map(({ counted }) => counted)];
  const given = Object.entries(resource.fields).flatMap(([name, { create }]) =>
    create === 'none' || apart.includes(name) || values[name] == null ? [] : [[name, values[name]]],
  );
  const id = 'id' in product ? product.id : product.reference;
  return { [resource.product]: id, ...Object.fromEntries(given) };
}

/** Names a plan's mutations of a product one by one: none waits for another, and a count waits for all. */
export function createMutationKeys(): (product: string) => string {
  const counted = new Map<string, number>();
  return (product) => {
    const ordinal = (counted.get(product) ?? 0) + 1;
    counted.set(product, ordinal);
    return `${product} ${ordinal}`;
  };
}

/** The mutations of a product that a plan will post. */
export async function plannedMutations(
  { ledger, resources, run }: RunOf<StockResource>,
  product: string,
): Promise<PlannedRow[]> {
  const found: PlannedRow[] = [];
  for (const { name } of ofKind(resources, 'posting'))
    for (let ordinal = 1; ; ordinal++) {
      const [row] = await ledger.plannedFor(run, name, `${product} ${ordinal}`);
      if (row === undefined) break;
      found.push(row);
    }
  return found;
}

/** Beyond this, doubles no longer hold millionths. */
const LARGEST = 9e9;

/** An amount in millionths, exact; null for what is none, or too large to be exact. So 0.1 + 0.2 is 0.3. */
export function toMicros(amount: unknown): bigint | null {
  if (typeof amount !== 'number' || !(Math.abs(amount) <= LARGEST)) return null;
  return BigInt(amount.toFixed(6).replace('.', ''));
}

/** The amount as it is sent and shown. */
export const fromMicros = (micros: bigint): number => Number(micros) / 1e6;

/** The amount as messages say it, in its unit where that is known. */
export function amountText(
  micros: bigint,
  unit = '',
  signDisplay?: Intl.NumberFormatOptions['signDisplay'],
): Bilingual {
  const text = (language: Language): string =>
    `${fromMicros(micros).toLocaleString(language, { maximumFractionDigits: 6, signDisplay })} ${unit}`.trim();
  return t(text('en'), text('nl'));
}

/** Says behind two amounts by how much they differ, where they do. */
export function signedText(micros: bigint, unit: string): Bilingual {
  const { en, nl } = amountText(micros, unit, 'always');
  return micros === 0n ? same('') : t(`: ${en}`, `: ${nl}`);
}

/** Whether two amounts are equal: totals are sums and quotients, which the last decimal may miss. */
export const sameAmount = (a: bigint, b: bigint): boolean => a - b <= 1n && b - a <= 1n;

/** The sum of a member over all places; null if one has no amount (nothing stands for 0), or of several units. */
export function sumOf(places: readonly AnswerRecord[], member: string, unit?: string): bigint | null {
  const units = places.map((place) => String((unit && place[unit]) ?? '').trim());
  if (new Set(units.filter((one) => one !== '').map((one) => one.toLowerCase())).size > 1) return null;
  return places.reduce<bigint | null>((sum, place) => {
    const micros = toMicros(place[member]);
    return sum === null || micros === null ? null : sum + micros;
  }, 0n);
}

/**
 * Reads a product's stock place by place; null for a product that is not there. One without a single amount is
 * only believed to be there where it is `known`, or found by itself. Throws RequestError: malformed for an
 * answer without a total.
 */
export async function readPlaces(
  context: StockContext,
  product: number,
  known: boolean,
): Promise<readonly AnswerRecord[] | null> {
  const { service, resource } = context;
  const { currentTotal } = resource.requests;
  const isGone = async (): Promise<boolean> => !known && (await findProduct(context, product)) === null;
  const read = async () => {
    const body = { ProductID: product };
    return (await service.send(currentTotal, { params: { id: product }, body })) ?? { total: null };
  };
  const answer = await nullIfMissing(read, async (error) => {
    // A refusal is about the product, as the request holds nothing else; a service may break down over it.
    if (error.kind === 'refused' || (error.kind === 'lost' && (await isGone()))) return null;
    throw error;
  });
  if (answer === null) return null;
  const places = answer.total ?? [];
  const hasAmount = places.some((place) => resource.amounts.some(({ total }) => place[total] != null));
  if (!hasAmount && (await isGone())) return null;
  if (answer.total !== null) return places;
  throw new RequestError({ kind: 'malformed', endpoint: currentTotal.name, status: 200, reason: NO_TOTAL });
}

const NO_TOTAL = t('nothing came in place of a total', 'er kwam niets in plaats van een totaal');

/** The product resources that a stock sheet may refer to, in the order of asking. */
export function cataloguesOf({ resources, resource }: StockContext): CatalogueResource[] {
  const names = referenceColumn(resource, resource.product)?.refers.resources ?? [];
  const catalogues = ofKind(resources, 'catalogue');
  return names.flatMap((name) => catalogues.find((one) => one.name === name) ?? []);
}

/** Reads a product of any kind by itself; null where the service has none. */
export async function findProduct(context: StockContext, ID: number): Promise<AnswerRecord | null> {
  for (const { requests, id } of cataloguesOf(context)) {
    const read = () => context.service.send(requests.findById, { params: { ID } });
    const record = await nullIfMissing(read, async (error) => {
      // A refusal is about the product, as the request holds nothing else.
      if (error.kind === 'refused') return null;
      throw error;
    });
    if (record !== null) return { ...record, [id]: ID };
  }
  return null;
}

/** Until when totals may not show a posting, by steady time; one in doubt may still arrive. */
function shownBy(context: StockContext, posting: Posting): number {
  const { time, doubts } = context;
  if (posting.state === 'done') return doubts.ofDone(momentOf(posting.at));
  const until = arrivesUntil(context, posting.at, true);
  return until === null ? 0 : time.steady() + until.getTime() - time.now();
}

/** A product's total now, with what came of it place by place. */
interface StockTotal {
  readonly now: bigint;
  readonly places: readonly AnswerRecord[];
}

/**
 * Reads the total of a product that this program may have posted on lately: until the doubt time is over, or it
 * is what is expected, it may not show that yet. Answers null for a product that is not there, or why there is
 * no total, which is never taken for a value.
 */
export async function readShown(
  context: StockContext,
  product: { readonly id: number; readonly known: boolean },
  { total, unit }: CountResource['amounts'][number],
  history: readonly StockFact[],
  isExpected?: (now: bigint) => boolean,
): Promise<StockTotal | { readonly message: Bilingual } | null> {
  let until = 0;
  for (const { posting } of history) until = Math.max(until, shownBy(context, posting));
  const read = () => readPlaces(context, product.id, product.known);
  const isShown = (places: Awaited<ReturnType<typeof read>>): boolean => {
    const now = places && sumOf(places, total, unit);
    return now === null || isExpected === undefined || isExpected(now);
  };
  // Where nothing tells what it is to be, no look before the end tells more.
  if (isExpected === undefined) await context.doubts.passed(until);
  try {
    const seen = await context.doubts.look(until, read, isShown);
    const places = seen === undefined ? await read() : seen;
    if (places === null) return null;
    const now = sumOf(places, total, unit);
    if (now !== null) return { now, places };
    const came = places.map((place) => `${JSON.stringify(place[total]) ?? '–'} ${place[unit] ?? ''}`.trim());
    return { message: untoldText(total, same(came.join(', '))) };
  } catch (error) {
    if (!(error instanceof RequestError && error.kind === 'malformed')) throw error;
    return { message: untoldText(total, error.reasons) };
  }
}

const untoldText = (total: string, came: Bilingual): Bilingual =>
  t(
    `the service gives no ${total} of this product that can be understood (${came.en}), so no difference is known and nothing is posted`,
    `het systeem geeft van dit product geen ${total} die te begrijpen is (${came.nl}), dus er is geen verschil bekend en er wordt niets geboekt`,
  );
