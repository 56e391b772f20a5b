import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { asksNothing, issueOn } from '../../records/mapped-row.ts';
import {
  type ContextOf,
  NOTHING_READ,
  type PlannerSetup,
  planInWindows,
  type RowPlanner,
  type RunOf,
  type UnplacedRow,
} from '../../records/planning.ts';
import { arrivesText, arrivesUntil } from '../../records/posting-doubt.ts';
import { INVALID, placeDecision, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import { findPosted, neverSent, postStep, sentRow } from '../../records/sent-before.ts';
import type { CountResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import type { Kind } from '../kind.ts';
import {
  checkAction,
  checkRequired,
  createProducts,
  missingProduct,
  mutationBody,
  plannedMutations,
  productId,
  productName,
  productNames,
  type StockProduct,
} from '../stock/stock-row.ts';
import {
  amountText,
  createTotals,
  fromMicros,
  lookAtTotal,
  readTotal,
  type StockTotals,
  toMicros,
} from '../stock/stock-total.ts';
import { undoPosting } from '../stock/stock-undo.ts';
import { countLister } from './count-list.ts';
import {
  type Counted,
  type CountedProducts,
  type CountRow,
  checkAmount,
  countName,
  isUntouched,
  noteCounted,
  readCounted,
  sameAmount,
  withoutUntouched,
} from './counted.ts';

/** Stock counts: what is posted is the difference between what was counted and the current total. */
export const count: Kind<CountResource> = {
  plan(context) {
    const shared = { ...context, counted: new Map(), totals: createTotals(context) };
    return { openSheet: (setup) => openPlanner(setup, shared), summary: () => NOTHING_READ };
  },
  foundAgain: () =>
    t(
      'What is posted is the difference between the count and the current total of the product.',
      'Geboekt wordt het verschil tussen de telling en het huidige totaal van het product.',
    ),
  guard: countGuard,
  lister: countLister,
  total: ({ requests }) => requests.currentTotal,
  undoPosted: undoPosting,
  keyed: true,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ counted }) => counted), alone: true }),
};

interface CountShared extends RunOf<CountResource> {
  readonly counted: CountedProducts;
  readonly totals: ReturnType<typeof createTotals>;
}

interface ReadRow {
  readonly row: CountRow;
  readonly product: StockProduct | null;
  readonly counted: Counted | null;
  /** It equals the workbook as it was written. */
  readonly untouched?: true;
}

/** Plans the counts of a sheet together, as a later row may count the same product. */
function openPlanner(setup: PlannerSetup, shared: CountShared): RowPlanner {
  const productOf = createProducts(setup.references);
  return planInWindows<CountResource>({ window: Number.POSITIVE_INFINITY }, async (rows) => {
    const found = await Promise.all(rows.map((row) => (asksNothing(row) ? null : productOf(row))));
    const read = rows.map((row, at) => readRow(row, found[at] ?? null, setup, shared));
    return await planRows(shared, read);
  });
}

function readRow(
  given: CountRow,
  product: StockProduct | null,
  { base }: PlannerSetup,
  { resource, counted }: CountShared,
): ReadRow {
  if (asksNothing(given)) return { row: given, product, counted: null };
  const id = product !== null && 'id' in product ? product.id : null;
  const was = id === null ? undefined : base.find(resource.name, `id:${id}`);
  if (was !== undefined && isUntouched(given, was))
    return { row: given, product, counted: null, untouched: true };
  const row = was === undefined ? given : withoutUntouched(given, was);
  checkAction(row);
  if (product !== null) noteCounted(row, product, counted);
  return { row, product, counted: readCounted(row) };
}

async function planRows(shared: CountShared, rows: readonly ReadRow[]): Promise<UnplacedRow[]> {
  const { resource, totals } = shared;
  const products = rows.map(({ product }) => product);
  const namesOf = await productNames(shared, products);
  const readable = rows.flatMap(({ row, product, counted, untouched }) => {
    if (untouched === true || asksNothing(row)) return [];
    if (product === null || counted === null || stopsRow(row.issues)) {
      checkRequired(row);
      return [];
    }
    const names = namesOf(row, product).map((name) => countName(row, counted, name));
    return [{ row, product, counted, names }];
  });
  const findSent = await findPosted(
    shared,
    readable.flatMap(({ names }) => names),
  );
  // A product that this plan creates has nothing in stock yet.
  const nothing = Object.fromEntries(resource.amounts.map(({ total }) => [total, 0n]));
  const counts = readable.map(async (one): Promise<ReadCount> => {
    const total = 'id' in one.product ? await totalOf(one.row, one.product.id, totals) : nothing;
    return {
      ...one,
      total,
      mutations: await plannedMutations(shared, one.product),
      posting: findSent(one.names),
    };
  });
  const decided = new Map<CountRow, RowDecision>();
  for (const count of await Promise.all(counts))
    decided.set(count.row, {
      ...posted(count, await decideCount(shared, count)),
      ...(count.posting !== undefined && { posted: count.names }),
    });
  return rows.map(({ row, untouched }) => {
    const unsent = row.action === 'skip' ? SKIPPED : INVALID;
    return placeDecision(row, untouched === true ? asIs(row) : (decided.get(row) ?? unsent));
  });
}

/** A row that is posted must be complete; one that equals the total need not. */
function posted({ row, counted }: ReadCount, decided: RowDecision): RowDecision {
  if (decided.action !== 'create') return decided;
  checkRequired(row);
  checkAmount(row, counted);
  return stopsRow(row.issues) ? INVALID : decided;
}

const asIs = ({ issues }: CountRow): RowDecision => (stopsRow(issues) ? INVALID : { action: 'unchanged' });

interface ReadCount {
  readonly row: CountRow;
  readonly product: StockProduct;
  readonly counted: Counted;
  /** Null for a product that the service does not have. */
  readonly total: StockTotals | UnreadTotal | null;
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
  readonly mutations: readonly PlannedRow[];
  readonly posting: Posting | undefined;
}

/** The total of a row's product. An answer that is none is said of the row, and never taken for nothing. */
async function totalOf(
  row: CountRow,
  product: number,
  totals: CountShared['totals'],
): Promise<ReadCount['total']> {
  const { resource } = row.mapping;
  // Its ExternalID was found on the service.
  const isFound = productName(row)?.field !== resource.product;
  return await orUnread(() => totals(product, isFound));
}

/** What is read; why not, where the answer is not understood. */
async function orUnread<T>(read: () => Promise<T>): Promise<T | UnreadTotal> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RequestError && error.kind === 'malformed')) throw error;
    return new UnreadTotal(error.reasons);
  }
}

/** An answer that is no total. */
class UnreadTotal {
  readonly message: Bilingual;

  constructor(why: Bilingual) {
    this.message = unreadText(why);
  }
}

const unreadText = ({ en, nl }: Bilingual): Bilingual =>
  t(
    `the service's answer for the current total is not understood, so no difference is known: ${en}`,
    `het antwoord van de dienst op de vraag naar het totaal is niet te begrijpen, dus er is geen verschil bekend: ${nl}`,
  );

async function decideCount(context: ContextOf<CountResource>, count: ReadCount): Promise<RowDecision> {
  const { resource } = context;
  const { row, counted, posting } = count;
  if (count.total === null) {
    const name = productName(row) ?? { field: resource.product, value: 0 };
    row.issues.push(issueOn(row, name.field, missingProduct(row, name)));
    return INVALID;
  }
  if (count.total instanceof UnreadTotal) return { action: 'conflict', message: count.total.message };
  const now = count.total[counted.amount.total] ?? null;
  if (now === null) return { action: 'conflict', message: noTotalText(counted.amount.total) };
  const current = afterMutations(row, counted, now, count.mutations);
  if (current === null) return { action: 'conflict', message: mutatedText(count.mutations) };
  const same = sameAmount(counted.amount, current, counted.micros);
  if (posting?.state === 'sending') {
    const from = await sentFrom(context, posting);
    // The total proves nothing: stock moves by other hands too.
    const isUnsent = await neverSent(context, posting);
    if (!same && !isUnsent) {
      const until = await arrivesUntil(context, posting, posting.at);
      return { action: 'unknown', message: countDoubtfulText(posting, from, now, until) };
    }
  }
  if (same) return { action: 'unchanged' };
  if (posting?.state === 'done') return { action: 'conflict', message: countPostedText(posting, current) };
  return post(resource, count, current);
}

function post(resource: CountResource, count: ReadCount, current: bigint): RowDecision {
  const { row, product, counted, names } = count;
  const { amount, micros } = counted;
  const mutations = count.mutations.flatMap(({ resource, key }) => (key === null ? [] : [{ resource, key }]));
  const body = { ...mutationBody(row, product), [amount.sent]: fromMicros(micros - current) };
  return {
    action: 'create',
    changes: [{ field: amount.counted, from: fromMicros(current), to: fromMicros(micros) }],
    steps: [postStep(resource.requests.create.name, body, names)],
    needs: [...('need' in product ? [product.need] : []), ...mutations],
    message: differenceText(current, micros),
  };
}

/**
 * The total once the mutations of the same plan are posted, which go first. Null when that can't be told: one
 * is later than the count, or in the other unit.
 */
function afterMutations(
  { values, mapping: { resource } }: CountRow,
  { amount }: Counted,
  total: bigint,
  mutations: readonly PlannedRow[],
): bigint | null {
  let after = total;
  for (const { steps } of mutations) {
    const body = steps[0]?.body ?? {};
    const [when, counted] = [body[resource.moment], values[resource.moment]];
    const given = resource.amounts.filter(({ sent }) => body[sent] != null);
    const posted = body[amount.sent];
    const micros = typeof posted === 'number' && given.length === 1 ? toMicros(posted) : null;
    if (micros === null || String(when) > String(counted)) return null;
    after += micros;
  }
  return after;
}

function differenceText(current: bigint, micros: bigint): Bilingual {
  const [is, counted, apart] = [amountText(current), amountText(micros), amountText(micros - current)];
  const sign = micros < current ? '' : '+';
  return t(
    `total ${is.en}, counted ${counted.en}: difference ${sign}${apart.en}`,
    `totaal ${is.nl}, geteld ${counted.nl}: verschil ${sign}${apart.nl}`,
  );
}

const noTotalText = (total: string): Bilingual =>
  t(
    `the service gives no ${total} of this product that can be understood`,
    `de dienst geeft van dit product geen ${total} die te begrijpen is`,
  );

function mutatedText(mutations: readonly PlannedRow[]): Bilingual {
  const where = mutations.map(({ sheet, row }) => `${sheet}!${row}`).join(', ');
  return t(
    `the same file changes this product's stock later than the count, or in another unit (${where}); import the count once that is done`,
    `hetzelfde bestand verandert de voorraad van dit product na de telling, of in een andere eenheid (${where}); importeer de telling als dat gedaan is`,
  );
}

/** The count was posted before, and stock has moved since: posting it again would undo that. */
function countPostedText({ run, at }: Posting, current: bigint): Bilingual {
  const is = amountText(current);
  return t(
    `this count was posted before, in run ${run} at ${at}; the total has moved to ${is.en} since. A new count needs a DatumTijd of its own`,
    `deze telling is al eerder geboekt, in run ${run} om ${at}; het totaal is sindsdien ${is.nl} geworden. Een nieuwe telling heeft een eigen DatumTijd nodig`,
  );
}

/** `until`: it may still arrive. */
function countDoubtfulText({ run, at }: Posting, from: bigint | null, now: bigint, until: Date | null) {
  const is = amountText(now);
  const then = from === null ? null : amountText(from);
  const late = until === null ? null : arrivesText(until);
  const en = late === null ? '. Count again' : `; ${late.en}: count again after that`;
  const nl = late === null ? '. Tel opnieuw' : `; ${late.nl}: tel daarna opnieuw`;
  return t(
    `run ${run} sent the difference at ${at} and no answer is known, so it is not sent again by itself (${then === null ? '' : `total ${then.en} before, `}${is.en} now)${en}, with a DatumTijd of its own`,
    `run ${run} heeft het verschil om ${at} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd (${then === null ? '' : `totaal ${then.nl} ervoor, `}nu ${is.nl})${nl}, met een eigen DatumTijd`,
  );
}

/** Reads the total again right before the difference is posted; a lost answer is settled by no total. */
function countGuard(context: GuardSetup<CountResource>): RowGuard {
  const { resource } = context;
  const totalNow = async ({ amount }: PlannedCount, body: Step['body']): Promise<bigint | null> => {
    const product = await productId(context, body);
    const total = product === null ? null : await lookAtTotal(context, product);
    return total?.[amount.total] ?? null;
  };
  return {
    ...UNGUARDED,
    async check(planned) {
      const count = plannedCount(resource, planned);
      const product = await productId(context, planned.steps[0]?.body ?? {});
      // A product that was to be created and was not: that it lacks is said where its id is needed.
      if (count === null || product === null) return null;
      // The plan read its total, so the product was there.
      const total = await orUnread(() => readTotal(context, product, () => Promise.resolve(true)));
      if (total instanceof UnreadTotal) return total;
      const now = total?.[count.amount.total] ?? null;
      if (now === null) return { message: total === null ? PRODUCT_GONE : noTotalText(count.amount.total) };
      return sameAmount(count.amount, now, count.from) ? null : { message: movedText(count.from, now) };
    },
    async describeDoubt({ planned, body }) {
      const count = plannedCount(resource, planned);
      return count === null ? null : totalsText(count, await totalNow(count, body));
    },
  };
}

const PRODUCT_GONE = t('the product is no longer on the service', 'het product staat niet meer op de dienst');

function movedText(planned: bigint, now: bigint): Bilingual {
  const [then, is] = [amountText(planned), amountText(now)];
  return t(
    `the total moved since the plan: it was ${then.en}, it is ${is.en} now; import again to see the difference`,
    `het totaal is veranderd sinds het plan: het was ${then.nl}, het is nu ${is.nl}; importeer opnieuw om het verschil te zien`,
  );
}

function totalsText({ from, micros }: PlannedCount, now: bigint | null): Bilingual {
  const [then, counted] = [amountText(from), amountText(micros)];
  const is = now === null ? null : amountText(now);
  return t(
    `the total was ${then.en} before${is === null ? '' : `, is ${is.en} now`}, and would be ${counted.en}`,
    `het totaal was ${then.nl} ervoor${is === null ? '' : `, is nu ${is.nl}`}, en zou ${counted.nl} zijn`,
  );
}

/** The total from which an earlier run planned a count that it sent; null when its plan can't be read. */
async function sentFrom(context: ContextOf<CountResource>, posting: Posting): Promise<bigint | null> {
  const sent = await sentRow(context, posting);
  return sent === undefined ? null : (plannedCount(context.resource, sent.planned)?.from ?? null);
}

interface PlannedCount extends Counted {
  readonly from: bigint;
}

/** What a planned row counts; null for one that posts nothing. */
function plannedCount({ amounts }: CountResource, { changes: [change] }: PlannedRow): PlannedCount | null {
  const amount = amounts.find(({ counted }) => counted === change?.field);
  if (amount === undefined || typeof change?.from !== 'number' || typeof change.to !== 'number') return null;
  const [from, micros] = [toMicros(change.from), toMicros(change.to)];
  return from === null || micros === null ? null : { amount, from, micros };
}
