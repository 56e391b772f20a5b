import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { countedByEvidence } from '../../records/evidence.ts';
import { asksNothing, issueOn } from '../../records/mapped-row.ts';
import {
  inPieces,
  NOTHING_READ,
  onConflictOf,
  type PlannerSetup,
  type PlanRules,
  planInWindows,
  type RowPlanner,
  type RunOf,
  type UnplacedRow,
} from '../../records/planning.ts';
import { arrivesUntil, doubtfulText } from '../../records/posting-doubt.ts';
import { INVALID, placeDecision, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { findPosted, neverSent, postStep } from '../../records/sent-before.ts';
import type { OnConflict } from '../../records/three-way.ts';
import { noteUnsent } from '../../records/unsent-fields.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import {
  createLaterFinder,
  isUnclearDay,
  type LaterMutations,
  momentText,
  movedIn,
} from '../stock/later-mutations.ts';
import { createShownTotals, orUnread, UnreadTotal } from '../stock/shown-totals.ts';
import {
  checkAction,
  checkRequired,
  createProducts,
  missingProduct,
  mutationBody,
  plannedMutations,
  productName,
  productNames,
  type StockProduct,
} from '../stock/stock-row.ts';
import { createTotals, fromMicros, type StockTotals, sameAmount, toMicros } from '../stock/stock-total.ts';
import { undoPosting } from '../stock/stock-undo.ts';
import {
  beginningsIn,
  countName,
  findTellings,
  isBefore,
  type Known,
  retracted,
  type Telling,
  whatHolds,
} from '../stock/tellings.ts';
import { countGuard, sentFrom } from './count-guard.ts';
import { countLister } from './count-list.ts';
import {
  afterNoStock,
  correctedText,
  correctionText,
  countDoubtfulText,
  differenceText,
  laterCountText,
  midnightNotes,
  movedSinceText,
  mutatedText,
  NO_STOCK_YET,
  noTotalText,
  otherUnitText,
  takenBackText,
  toldText,
  unclearText,
  uncountedNotes,
} from './count-texts.ts';
import {
  asExported,
  type Counted,
  type CountedProducts,
  type CountRow,
  checkMoment,
  holdBack,
  isUncounted,
  isUntouched,
  noteCounted,
  readCounted,
  refusingTwice,
  shownTotal,
  UNCOUNTED,
  whole,
  withoutUntouched,
} from './counted.ts';
import { heldFact, movedSinceHeld } from './held-total.ts';

/** Stock counts: what is posted is the difference between what was counted and the current total. */
export const count: Kind<CountResource> = {
  plan(context) {
    const later = createLaterFinder(context);
    const shown = createShownTotals(context);
    const totals = createTotals(context);
    const empty = { counted: new Map(), midnights: [], uncounted: new Set<CountRow>() };
    const shared: CountShared = { ...context, later, shown, totals, ...empty };
    return {
      openSheet: (setup) => openPlanner(setup, shared),
      summary: () => NOTHING_READ,
      notes: () => [...midnightNotes(shared.midnights), ...uncountedNotes(shared.uncounted.size)],
    };
  },
  tells: true,
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
  sentFor: ({ amounts }, shown) => amounts.find(({ total }) => total === shown)?.counted ?? null,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ counted }) => counted), alone: true }),
};

interface CountShared extends RunOf<CountResource> {
  readonly counted: CountedProducts;
  readonly totals: ReturnType<typeof createTotals>;
  readonly later: ReturnType<typeof createLaterFinder>;
  readonly shown: ReturnType<typeof createShownTotals>;
  /** Rows that count at the beginning of a day, as one without a time does. */
  readonly midnights: string[];
  /** Rows whose product nobody counted. */
  readonly uncounted: Set<CountRow>;
}

interface ReadRow {
  readonly row: CountRow;
  readonly product: StockProduct | null;
  readonly counted: Counted | null;
  /** What the workbook was written with. */
  readonly was?: BaselineRecord | undefined;
  /** It equals the workbook as it was written. */
  readonly untouched?: true;
}

/** Plans the counts of a sheet together, as a later row may count the same product. */
function openPlanner(setup: PlannerSetup, shared: CountShared): RowPlanner {
  const productOf = createProducts(setup.references);
  return planInWindows<CountResource>({ window: Number.POSITIVE_INFINITY }, async (rows) => {
    for (const row of rows) if (isUncounted(row)) shared.uncounted.add(row);
    const asks = (row: CountRow): boolean => !asksNothing(row) && !shared.uncounted.has(row);
    const found = await inPieces(rows, async (row) => (asks(row) ? await productOf(row) : null));
    const read = rows.map((row, at) => readRow(row, found[at] ?? null, setup, shared));
    return await refusingTwice(shared.counted, read, setup, () => planRows(shared, read, setup.rules));
  });
}

function readRow(
  given: CountRow,
  product: StockProduct | null,
  { base, rules }: PlannerSetup,
  { resource, counted, midnights, uncounted, time }: CountShared,
): ReadRow {
  if (asksNothing(given) || uncounted.has(given)) return { row: given, product, counted: null };
  const id = product !== null && 'id' in product ? product.id : null;
  const kept = id === null ? undefined : base.find(resource.name, `id:${id}`);
  if (kept !== undefined) noteUnsent({ row: given, existing: null, was: kept, base, rules });
  const was = kept ?? (id === null ? undefined : shownTotal(given, rules.locale ?? 'nl'));
  if (was !== undefined && isUntouched(given, was))
    return { row: given, product, counted: null, untouched: true };
  const row = was === undefined ? given : withoutUntouched(given, was);
  checkAction(row);
  checkMoment(row, new Date(time.now()), midnights);
  if (product !== null) noteCounted(row, product, counted);
  return { row, product, counted: readCounted(row), was };
}

async function planRows(
  shared: CountShared,
  rows: readonly ReadRow[],
  { strict, ...rules }: PlanRules,
): Promise<UnplacedRow[]> {
  const { resource, totals, uncounted } = shared;
  const products = rows.map(({ product }) => product);
  const namesOf = await productNames(shared, products);
  const readable = rows.flatMap(({ row, product, counted, was, untouched }) => {
    if (untouched === true || asksNothing(row) || uncounted.has(row)) return [];
    if (product === null || counted === null || stopsRow(row.issues)) {
      checkRequired(row);
      return [];
    }
    const names = namesOf(row, product).map((name) => countName(row, counted, name));
    return [{ row, product, counted, names, was, onConflict: onConflictOf(rules, row), strict }];
  });
  const asked = readable.flatMap(({ names }) => names);
  const { here, unlessElsewhere } = await findPosted(shared, asked);
  const tellingsOf = await findTellings(shared, beginningsIn(asked));
  // A product that this plan creates has nothing in stock yet.
  const micros = Object.fromEntries(resource.amounts.map(({ total }) => [total, 0n]));
  const nothing: StockTotals = { micros, places: [] };
  const decided = new Map<CountRow, RowDecision>();
  const decide = async (one: (typeof readable)[number]): Promise<void> => {
    const { row, product, counted, names } = one;
    const count: ReadCount = {
      ...one,
      moment: momentText(row.values[resource.moment]),
      total: async () => ('id' in product ? await totalOf(row, product.id, totals) : nothing),
      mutations: await plannedMutations(shared, product),
      tellings: tellingsOf(beginningsIn(names)),
      posting: here(names),
    };
    const decision = unlessElsewhere(whole(row, counted, await decideCount(shared, count)), names);
    decided.set(row, isTold(count, decision) ? { ...decision, posted: names } : decision);
  };
  await inPieces(readable, decide);
  return rows.map(({ row, untouched }) => {
    const unsent = row.action === 'skip' ? SKIPPED : uncounted.has(row) ? UNCOUNTED : INVALID;
    return placeDecision(row, untouched === true ? asExported(row) : (decided.get(row) ?? unsent));
  });
}

/**
 * A count of some moment that posts nothing is remembered all the same, but one that is held back: it may be
 * posted yet. Below zero nobody counts.
 */
const isTold = ({ row, moment, counted, posting }: ReadCount, { action }: RowDecision): boolean =>
  posting !== undefined ||
  (action === 'unchanged' &&
    moment !== '' &&
    counted.micros >= 0n &&
    !row.issues.some(({ code }) => code === 'later-count'));

interface ReadCount {
  readonly row: CountRow;
  readonly product: StockProduct;
  readonly counted: Counted;
  /** When it was counted; empty where the row does not say. */
  readonly moment: string;
  /** What it was when the workbook was written. */
  readonly was?: BaselineRecord | undefined;
  readonly onConflict: OnConflict;
  readonly strict: boolean;
  /** Null for a product that the service does not have. */
  readonly total: () => Promise<StockTotals | UnreadTotal | null>;
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
  readonly mutations: readonly PlannedRow[];
  /** What the ledger knows of counts of the product. */
  readonly tellings: readonly Telling[];
  readonly posting: Posting | undefined;
}

/** The total of a row's product; why not, where the answer is not understood. */
async function totalOf(
  row: CountRow,
  product: number,
  totals: CountShared['totals'],
): Promise<StockTotals | UnreadTotal | null> {
  // Its ExternalID was found on the service.
  const isFound = productName(row)?.field !== row.mapping.resource.product;
  return await orUnread(() => totals(product, isFound));
}

/** A count is a fact of its moment: what was told before comes first, the total after that. */
async function decideCount(context: CountShared, count: ReadCount): Promise<RowDecision> {
  const { posting, tellings, moment } = count;
  const isUnsent = posting?.state === 'sending' && (await neverSent(context, posting));
  const own = isUnsent ? undefined : posting;
  if (own?.state === 'sending') return await decideByTotal(context, count, own);
  // Of a row that does not say when, nothing can be known.
  if (moment === '')
    return countedByEvidence(count.row, count.onConflict) ?? (await decideByTotal(context, count));
  const known = await whatHolds(context, tellings, moment, posting?.fingerprint);
  if (own !== undefined) return await decideTold(context, { posting: own }, known);
  const { same, later } = known;
  if (same?.posting.state === 'sending')
    return { action: 'conflict', message: await doubtfulText(context, same.posting) };
  if (later !== undefined && count.onConflict !== 'mine')
    return holdBack(count.row, laterCountText(later, moment), count.strict);
  if (later?.posting.state === 'sending')
    return { action: 'conflict', message: await doubtfulText(context, later.posting) };
  if (same !== undefined && later === undefined) return correct(context.resource, count, same);
  return (
    (same === undefined ? countedByEvidence(count.row, count.onConflict) : null) ??
    (await decideByTotal(context, count))
  );
}

/** What was told before is never posted again. */
async function decideTold(
  context: CountShared,
  { posting }: { readonly posting: Posting },
  { same, later }: Known,
): Promise<RowDecision> {
  const undone = await retracted(context, { posting });
  if (undone !== undefined) return { action: 'conflict', message: takenBackText(posting, undone) };
  if (same !== undefined && !isBefore(same, { posting }))
    return { action: 'unchanged', id: posting.id, message: correctedText(posting, same) };
  // One that was told before it does not hold: it was posted in spite of that one.
  const holds = later !== undefined && !isBefore(later, { posting }) ? later : undefined;
  return { action: 'unchanged', id: posting.id, message: toldText(posting, holds) };
}

/** Another amount than was told before of this moment: what was counted then says what is missing. */
function correct(resource: CountResource, count: ReadCount, told: Telling): RowDecision {
  const { amount, micros } = count.counted;
  if (told.field !== amount.counted) return { action: 'conflict', message: otherUnitText(told) };
  if (told.micros === micros) return { action: 'unchanged', message: toldText(told.posting, undefined) };
  return { ...post(resource, count, told.micros), message: correctionText(told, micros) };
}

/** `doubtful`: the row's own posting, of which no answer is known. */
async function decideByTotal(
  context: CountShared,
  count: ReadCount,
  doubtful?: Posting,
): Promise<RowDecision> {
  const { resource } = context;
  const [{ row, product, counted, moment, was }, read] = [count, await count.total()];
  // Of a count that is in doubt itself nothing tells whether the total shows it.
  const isFinal = doubtful !== undefined || read instanceof UnreadTotal || !('id' in product);
  const { amount, micros } = counted;
  const total = isFinal ? read : await orUnread(() => context.shown({ product: product.id, amount }, read));
  if (total === null) {
    const name = productName(row) ?? { field: resource.product, value: 0 };
    row.issues.push(issueOn(row, name.field, missingProduct(row, name)));
    return INVALID;
  }
  const id = 'id' in product && moment !== '' ? product.id : null;
  const held = id === null ? null : { product: id, moment, counted };
  const factOf = (at: bigint | null) => held !== null && { fact: heldFact(context, held, at) };
  const later = await laterThan(context, count, amount);
  const since = 'unclear' in later ? 0n : later.micros;
  if (total instanceof UnreadTotal) {
    const { due, message } = total;
    const atMoment = due == null || 'unclear' in later ? null : afterMutations(count, due - since);
    return { action: 'conflict', message, ...(due !== undefined && factOf(atMoment)) };
  }
  const now = total.micros[amount.total] ?? null;
  if (now === null) return { action: 'conflict', message: noTotalText(amount, total.places) };
  if ('unclear' in later && doubtful === undefined)
    return { action: 'conflict', message: unclearText(later, moment) };
  const current = afterMutations(count, now - since);
  if (current === null) return { action: 'conflict', message: mutatedText(count.mutations) };
  const same = isAsCounted(count, now, now - current + micros);
  // The total proves nothing: stock moves by other hands too.
  if (doubtful !== undefined && !same) {
    const until = await arrivesUntil(context, doubtful, doubtful.at);
    const from = await sentFrom(context, doubtful);
    return { action: 'unknown', message: countDoubtfulText(context, doubtful, from, now, until) };
  }
  const isNew = 'id' in product && total.places.length === 0;
  if (same) return { action: 'unchanged', ...(isNew && { message: NO_STOCK_YET }) };
  const moved =
    (was === undefined ? null : await movedSince(context, { ...count, was }, total)) ??
    (held === null ? null : await movedSinceHeld(context, held, current));
  if (moved !== null && count.onConflict !== 'mine')
    return {
      action: count.onConflict === 'theirs' ? 'unchanged' : 'conflict',
      message: moved,
      ...factOf(current),
    };
  const difference = differenceText(current, micros, since);
  return {
    ...post(resource, count, current),
    message: isNew ? afterNoStock(difference) : difference,
    ...factOf(current),
  };
}

/** Amounts that a service rounds are less than that apart, millionths. */
const CENT = 10_000n;

/** Whether a total is as it was counted: where it was counted so last, the service may show it rounded. */
function isAsCounted({ counted, tellings }: ReadCount, now: bigint, due: bigint): boolean {
  const last = tellings.findLast(({ posting }) => posting.state === 'done');
  const isAgain = last?.field === counted.amount.counted && last.micros === counted.micros;
  const apart = now < due ? due - now : now - due;
  // A little of something dear is no rounding.
  return sameAmount(now, due) || (isAgain && apart < CENT && apart * 100n < counted.micros);
}

const laterThan = async (
  { later }: CountShared,
  { product, moment }: ReadCount,
  amount: CountedAmount,
): Promise<LaterMutations> =>
  moment === '' || !('id' in product) ? { micros: 0n } : await later(product.id, moment, amount);

/** Says that the total is no longer what the workbook was written with; null where it is. */
async function movedSince(
  context: CountShared,
  count: ReadCount & { readonly was: BaselineRecord },
  total: StockTotals,
): Promise<Bilingual | null> {
  const { was, counted } = count;
  // Only one of the two units is in the workbook; it may have been counted in the other.
  for (const amount of context.resource.amounts) {
    const then = was.values[amount.counted];
    const [written, now] = [
      typeof then === 'number' ? toMicros(then) : null,
      total.micros[amount.total] ?? null,
    ];
    if (written === null || now === null) continue;
    const later = await laterThan(context, count, amount);
    const current = 'unclear' in later ? now : now - later.micros;
    // The sheet was written before what was posted since the count, or after it.
    if (![current, now].some((one) => sameAmount(one, written)))
      return movedSinceText({ written, now, unit: amount.counted }, counted);
  }
  return null;
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
  };
}

/**
 * The total at the moment of the count, once the mutations of the same plan are posted, which go first: what
 * is later than the count does not touch it. Null when that can't be told.
 */
function afterMutations(count: ReadCount, total: bigint): bigint | null {
  const { moment, mutations, counted } = count;
  const { resource } = count.row.mapping;
  let after = total;
  for (const { steps } of mutations) {
    const body = steps[0]?.body ?? {};
    const when = momentText(body[resource.moment]);
    const micros = movedIn(resource, body, counted.amount);
    if (micros === null || isUnclearDay(moment, when)) return null;
    if (moment === '' || when <= moment) after += micros;
  }
  return after;
}
