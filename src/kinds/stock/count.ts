import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMinute, shownMoment } from '../../core/shown-moment.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { countedByEvidence } from '../../records/evidence.ts';
import { issueOn } from '../../records/mapped-row.ts';
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
import { doubtfulText } from '../../records/posting-doubt.ts';
import { INVALID, placeDecision, type RowDecision } from '../../records/row-decision.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import { findPosted, postStep } from '../../records/sent-before.ts';
import type { OnConflict } from '../../records/three-way.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { countLister } from './count-list.ts';
import { type Counted, type CountRow, type ReadRow, readRow, UNCOUNTED, unasked } from './count-row.ts';
import {
  BOOKS,
  beforeText,
  countsFrom,
  isFree,
  keyOf,
  momentText,
  movedAfter,
  movingStep,
  plannedFacts,
  readHistories,
  rememberBefore,
  type StockFact,
  type StockHistory,
  shownTotal,
  stockName,
  sumOfMoves,
  takenBackBy,
  toldSince,
} from './history.ts';
import {
  checkRequired,
  createOnlyOnce,
  createProducts,
  missingProduct,
  mutationBody,
  type ProductName,
  plannedMutations,
  productId,
  productKey,
  productName,
  productNames,
  type StockContext,
  type StockProduct,
} from './products.ts';
import {
  amountText,
  createTotals,
  fromMicros,
  isNear,
  isThere,
  noTotalText,
  readTotal,
  type StockTotals,
  sameAmount,
  toMicros,
  understood,
} from './total.ts';
import { undoPosting } from './undo.ts';

/** Stock counts: what is posted is the difference between what was counted and the current total. */
export const count: Kind<CountResource> = {
  plan(context) {
    const shared: Counting = {
      ...context,
      totals: createTotals(context),
      products: createOnlyOnce(context, 'counted-twice'),
      uncounted: { rows: 0 },
    };
    const { uncounted } = shared;
    return {
      openSheet: (setup) => openPlanner(setup, shared),
      summary: () => NOTHING_READ,
      notes: () =>
        uncounted.rows === 0 ? [] : [t(`not counted: ${uncounted.rows}`, `niet geteld: ${uncounted.rows}`)],
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

interface Counting extends RunOf<CountResource> {
  readonly totals: ReturnType<typeof createTotals>;
  /** The rows that count each product. */
  readonly products: ReturnType<typeof createOnlyOnce>;
  readonly uncounted: { rows: number };
}

/** Plans the counts of a sheet together, as a later row may count the same product. */
function openPlanner(setup: PlannerSetup, shared: Counting): RowPlanner {
  const { products, uncounted, time } = shared;
  const productOf = createProducts(setup.references);
  return planInWindows<CountResource>(
    { window: Number.POSITIVE_INFINITY, begin: products.saved },
    async (rows) => {
      const found = await inPieces(rows, async (row) => (unasked(row) ? null : await productOf(row)));
      const read = rows.map((row, at): ReadRow => {
        const end = unasked(row);
        const product = found[at] ?? null;
        if (end !== undefined) return { row, product, counted: null, end };
        return readRow(row, product, setup, new Date(time.now()));
      });
      for (const { row, product, end } of read) {
        if (end === UNCOUNTED) uncounted.rows++;
        // Rows of several places of one product are to be told apart here.
        const name = productName(row);
        if (end === undefined && product !== null && name !== null)
          products.take(row, productKey(product), { field: name.field, found: String(name.value) });
      }
      const revised = await products.refuse();
      if (revised.length > 0) await setup.revise(revised);
      const planned = await planRows(shared, read, setup.rules);
      products.planned(
        read.map(({ row }) => row),
        planned,
      );
      return planned;
    },
  );
}

async function planRows(
  shared: Counting,
  rows: readonly ReadRow[],
  rules: PlanRules,
): Promise<UnplacedRow[]> {
  const namesOf = await productNames(
    shared,
    rows.map(({ product }) => product),
  );
  const counts = rows.flatMap(({ row, product, counted, was, end }) => {
    if (end !== undefined) return [];
    if (product === null || counted === null || stopsRow(row.issues)) {
      checkRequired(row);
      return [];
    }
    const products = namesOf(row, product);
    const moment = momentText(row.values[shared.resource.moment]);
    const told = { moment, column: counted.amount.counted, micros: counted.micros };
    const names = products.map((one) => stockName('count', one, told, row.reference));
    return [{ ...counted, row, product, products, moment, names, was, rules }];
  });
  const { here, unlessElsewhere } = await findPosted(
    shared,
    counts.flatMap(({ names }) => names),
  );
  const historyOf = await readHistories(
    shared,
    counts.flatMap(({ products }) => products.map(keyOf)),
  );
  const decided = new Map<CountRow, RowDecision>();
  await inPieces(counts, async (one) => {
    const { row, product, products, names, moment } = one;
    const mutations = await plannedMutations(shared, product);
    const count = { ...one, mutations, history: historyOf(products.map(keyOf)) };
    const posting = here(names);
    const decision = unlessElsewhere(await decide(shared, count, posting), names);
    if (decision.action === 'create') checkRequired(row);
    // A count of some moment that posts nothing is told all the same, unless it is held back and may be posted yet.
    const isTold =
      posting !== undefined ||
      (decision.action === 'unchanged' &&
        moment !== '' &&
        !row.issues.some(({ code }) => code === 'later-count'));
    decided.set(row, stopsRow(row.issues) ? INVALID : isTold ? { ...decision, posted: names } : decision);
  });
  return rows.map(({ row, end }) => placeDecision(row, end ?? decided.get(row) ?? INVALID));
}

interface ReadCount extends Counted {
  readonly row: CountRow;
  readonly product: StockProduct;
  readonly products: readonly ProductName[];
  /** When it was counted; empty where the row does not say. */
  readonly moment: string;
  /** What it was when the workbook was written. */
  readonly was: ReadRow['was'];
  readonly rules: PlanRules;
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
  /** Rows of the plan that post on the product, and go first. */
  readonly mutations: readonly PlannedRow[];
  readonly history: StockHistory;
}

const conflict = (message: Bilingual): RowDecision => ({ action: 'conflict', message });

/** A count is a fact of its moment: what was told before comes first, the total after that. */
async function decide(
  context: Counting,
  count: ReadCount,
  posting: Posting | undefined,
): Promise<RowDecision> {
  const { row, moment, history, rules, names } = count;
  const onConflict = onConflictOf(rules, row);
  if (posting !== undefined && !(await isFree(context, posting))) return await decideTold(context, posting);
  // Of a row that does not say when, nothing can be known.
  const { same, later } =
    moment === '' ? NOTHING_TOLD : await countsFrom(context, history.counts, moment, names[0]);
  const doubtful = [same, later].find((one) => one?.posting.state === 'sending');
  if (doubtful !== undefined) return conflict(await doubtfulText(context, doubtful.posting));
  if (later !== undefined && onConflict !== 'mine') {
    const hint = laterText(later, true);
    row.issues.push(
      issueOn(row, context.resource.moment, { code: 'later-count', found: moment, hint }, rules.strict),
    );
    return { action: 'unchanged' };
  }
  if (same !== undefined && later === undefined) return correct(context, count, same);
  const before = same === undefined ? countedByEvidence(row, onConflict) : null;
  return before ?? (await decideByTotal(context, count, onConflict));
}

const NOTHING_TOLD = { same: undefined, later: undefined };

/** What was told before is never posted again. */
async function decideTold(context: Counting, posting: Posting): Promise<RowDecision> {
  const { run, id } = posting;
  if (posting.state === 'sending')
    return { action: 'unknown', message: await doubtfulText(context, posting) };
  const undone = await takenBackBy(context, posting);
  if (undone === undefined) return { action: 'unchanged', id, message: toldText(posting) };
  return conflict(
    t(
      `this count was posted in run ${run} and taken back in run ${undone}. A new count needs a DatumTijd of its own, or a #key`,
      `deze telling is geboekt in run ${run} en teruggedraaid in run ${undone}. Een nieuwe telling heeft een eigen DatumTijd nodig, of een #key`,
    ),
  );
}

const toldText = ({ run, at }: Posting): Bilingual =>
  t(
    `this count was imported before, in run ${run} on ${shownMinute(at).en}, and is not posted again. Give a new count a DatumTijd of its own, or a #key`,
    `deze telling is al eerder geïmporteerd, in run ${run} op ${shownMinute(at).nl}, en wordt niet opnieuw geboekt. Geef een nieuwe telling een eigen DatumTijd, of een #key`,
  );

/** A later count of the product is known; `isOpen`: with the ways out. */
function laterText({ moment, posting: { run } }: StockFact, isOpen: boolean): Bilingual {
  const [en, nl] = [
    `the count of ${shownMoment(moment).en} (run ${run}) is later and holds: nothing is posted`,
    `de telling van ${shownMoment(moment).nl} (run ${run}) is van later en geldt: er wordt niets geboekt`,
  ];
  if (!isOpen) return t(en, nl);
  return t(
    `${en}. Is that one wrong: correct it, or --on-conflict mine posts this one`,
    `${nl}. Klopt die niet: verbeter hem, of --on-conflict mine boekt deze`,
    t(`${en}. Is that one wrong: correct it`, `${nl}. Klopt die niet: verbeter hem`),
  );
}

/** Another amount than was told before of this moment: what was counted then says what is missing. */
function correct(
  context: Counting,
  count: ReadCount,
  { column, micros: told, posting }: StockFact,
): RowDecision {
  const { amount, micros } = count;
  const { run } = posting;
  if (column !== amount.counted)
    return conflict(
      t(
        `this count was entered in ${column} (${amountText(told).en}, run ${run}); correct it in that column`,
        `deze telling is ingevuld in ${column} (${amountText(told).nl}, run ${run}); verbeter hem in die kolom`,
      ),
    );
  if (told === micros) return { action: 'unchanged', message: toldText(posting) };
  const message = t(
    `counted ${amountText(told).en} in run ${run}, corrected to ${amountText(micros).en}: difference ${signed(micros - told).en}`,
    `geteld ${amountText(told).nl} in run ${run}, verbeterd naar ${amountText(micros).nl}: verschil ${signed(micros - told).nl}`,
  );
  return { ...post(context, count, told), message };
}

function signed(micros: bigint): Bilingual {
  const { en, nl } = amountText(micros);
  return micros < 0n ? t(en, nl) : t(`+${en}`, `+${nl}`);
}

/** What a product's total is to a count. */
interface TotalAt {
  readonly total: StockTotals;
  readonly now: bigint;
  /** Without what came and went after the moment of the count. */
  readonly before: bigint;
  readonly came: bigint;
  readonly late: { readonly run: string; readonly due: bigint | null } | null;
}

/** Reads the total at the moment of a count; null for a product that is not there, or why it can't be told. */
async function totalAt(
  context: StockContext,
  { amount, moment }: { readonly amount: CountedAmount; readonly moment: string },
  { product, moves }: { readonly product: number; readonly moves: readonly StockFact[] },
  read: () => Promise<StockTotals | null>,
): Promise<TotalAt | { readonly message: Bilingual } | null> {
  const shown = await understood(async () => shownTotal(context, { product, amount }, moves, await read()));
  if ('message' in shown) return shown;
  const { total, late } = shown;
  if (total === null) return null;
  const now = total.micros[amount.total] ?? null;
  if (now === null) return { message: noTotalText(amount, total.places) };
  const came = movedAfter(moves, moment, amount.sent);
  return came === null ? { message: UNCLEAR } : { total, now, before: now - came, came, late };
}

const UNCLEAR = t(
  'what this program posted on the product after this count can’t be told apart from it: it is in another unit, has no known answer, or is of the day of a count without a time; settle that, give DatumTijd a time, or count again',
  'wat dit programma na deze telling op het product boekte is er niet van te scheiden: het is in een andere eenheid, heeft geen bekend antwoord, of is van de dag van een telling zonder tijd; regel dat, geef DatumTijd een tijd, of tel opnieuw',
);

/** Holds a count against the total at its moment, once the mutations of the same plan are posted, which go first. */
async function decideByTotal(
  context: Counting,
  count: ReadCount,
  onConflict: OnConflict,
): Promise<RowDecision> {
  const { row, product, amount, micros, moment, history, mutations } = count;
  const id = 'id' in product ? product.id : null;
  // What was found by its ExternalID is there.
  const isFound = productName(row)?.field !== context.resource.product;
  const at =
    id === null
      ? NOTHING_YET
      : await totalAt(context, count, { product: id, moves: history.moves }, () =>
          context.totals(id, isFound),
        );
  if (at === null) {
    missingProduct(row);
    return INVALID;
  }
  if ('message' in at) return conflict(at.message);
  const planned = mutations.flatMap(({ steps: [step] }) => plannedFacts(step ?? {}).moves);
  const [first, later] = [sumOfMoves(planned, amount.sent), movedAfter(planned, moment, amount.sent)];
  if (first === null || later === null) return conflict(UNCLEAR);
  const { now, late, came } = at;
  const current = at.before + first - later;
  const last = history.counts.findLast(({ posting }) => posting.state === 'done');
  // What is counted as it was last, the service may show rounded.
  const isAgain = last?.column === amount.counted && last.micros === micros;
  const isNew = id !== null && at.total.places.length === 0;
  if (late === null && (isAgain ? isNear : sameAmount)(current, micros))
    return { action: 'unchanged', ...(isNew && { message: NO_STOCK_YET }) };
  const name = `count of product ${id} at ${moment}`;
  const moved =
    (late && lateText(late)) ??
    movedSinceExport(context, count, at) ??
    (await movedSinceHeld(context, name, count, current));
  // What the total was at its moment no later read tells as well: it is kept, whatever becomes of the row.
  const due = late === null ? current : late.due && late.due - now + current;
  const fact: RowDecision['fact'] = [name, [context.run, amount.counted, due].join(' ')];
  const kept = id !== null && moment !== '' && due !== null && { fact };
  if (moved !== null && onConflict !== 'mine')
    return {
      action: onConflict === 'theirs' ? 'unchanged' : 'conflict',
      message: movedText(moved, now, count),
      ...kept,
    };
  const [en, nl] = [
    `total ${amountText(current).en}${came === 0n ? '' : ` (without ${signed(came).en} of later)`}, counted ${amountText(micros).en}: difference ${signed(micros - current).en}`,
    `totaal ${amountText(current).nl}${came === 0n ? '' : ` (zonder ${signed(came).nl} van later)`}, geteld ${amountText(micros).nl}: verschil ${signed(micros - current).nl}`,
  ];
  const message = isNew ? t(`${NO_STOCK_YET.en}; ${en}`, `${NO_STOCK_YET.nl}; ${nl}`) : t(en, nl);
  return { ...post(context, count, current), message, ...kept };
}

/** Of a product that this plan creates. */
const NOTHING_YET: TotalAt = { total: { micros: {}, places: [] }, now: 0n, before: 0n, came: 0n, late: null };

/** The service has no stock of a known product on record. */
const NO_STOCK_YET = t(
  'no stock on record yet: counted from 0',
  'nog geen voorraad vastgelegd: geteld vanaf 0',
);

const lateText = ({ run, due }: NonNullable<TotalAt['late']>): Bilingual =>
  t(
    `with all that was posted last, in run ${run}, the total would be ${due === null ? 'another' : amountText(due).en}`,
    `met alles wat het laatst geboekt is, in run ${run}, zou het totaal ${due === null ? 'anders' : amountText(due).nl} zijn`,
  );

/** What the total was when the workbook was written, in the unit that it was written in; null where it still is. */
function movedSinceExport({ resource }: Counting, { was, moment, history }: ReadCount, { total }: TotalAt) {
  const exported = resource.amounts.find(({ counted }) => typeof was?.values[counted] === 'number');
  const written = toMicros(was?.values[exported?.counted ?? '']);
  const now = total.micros[exported?.total ?? ''] ?? null;
  if (exported === undefined || written === null || now === null) return null;
  // The sheet was written before what was posted since the count, or after it.
  const came = movedAfter(history.moves, moment, exported.sent) ?? 0n;
  if ([now, now - came].some((one) => sameAmount(one, written))) return null;
  return t(
    `at the export the total was ${amountText(written).en} (${exported.counted})`,
    `bij de export was het totaal ${amountText(written).nl} (${exported.counted})`,
  );
}

/** The total against which an earlier run held the count, and did not post it; null where it still is that. */
async function movedSinceHeld(
  { ledger, serviceKey }: Counting,
  name: string,
  { amount }: Counted,
  current: bigint,
) {
  const [run, column, was] = (await ledger.findFact(serviceKey, name))?.split(' ') ?? [];
  if (was === undefined || (column === amount.counted && sameAmount(BigInt(was), current))) return null;
  const total = amountText(BigInt(was));
  return t(
    `run ${run} held this count (${column}) against a total of ${total.en}`,
    `run ${run} hield deze telling (${column}) tegen een totaal van ${total.nl}`,
  );
}

/** The total is not what it was to be. */
function movedText(was: Bilingual, now: bigint, { amount, micros }: Counted): Bilingual {
  const [en, nl] = [
    `${was.en}: it is ${amountText(now).en} now, counted ${amountText(micros).en} (${amount.counted}). Count again, with a DatumTijd of its own`,
    `${was.nl}: het is nu ${amountText(now).nl}, geteld ${amountText(micros).nl} (${amount.counted}). Tel opnieuw, met een eigen DatumTijd`,
  ];
  return t(
    `${en}, or import with --on-conflict mine to post up to what was counted`,
    `${nl}, of importeer met --on-conflict mine om te boeken tot wat er geteld is`,
    t(en, nl),
  );
}

function post({ resource }: Counting, count: ReadCount, current: bigint): RowDecision {
  const { row, product, products, names, amount, micros, mutations } = count;
  const { sent: column, counted: field } = amount;
  const difference = { moment: BOOKS, column, micros: micros - current };
  const body = { ...mutationBody(row, product), [column]: fromMicros(difference.micros) };
  const step = postStep(resource.requests.create.name, body, names);
  return {
    action: 'create',
    changes: [{ field, from: fromMicros(current), to: fromMicros(micros) }],
    steps: [movingStep(step, products, [difference])],
    needs: [
      ...('need' in product ? [product.need] : []),
      ...mutations.flatMap(({ resource: name, key }) => (key === null ? [] : [{ resource: name, key }])),
    ],
  };
}

/** Reads the total again right before the difference is posted: what came after the plan must not have moved it. */
function countGuard(context: GuardSetup<CountResource>): RowGuard {
  const { resource, run } = context;
  return {
    ...UNGUARDED,
    async check({ changes: [change], steps: [step] }) {
      const amount = resource.amounts.find(({ counted }) => counted === change?.field);
      const [from, micros] = [toMicros(change?.from), toMicros(change?.to)];
      const product = await productId(context, step?.body ?? {});
      // A product that was to be created and was not: that it lacks is said where its id is needed.
      if (step === undefined || amount === undefined || from === null || micros === null || product === null)
        return null;
      const moment = momentText(step.body[resource.moment]);
      const { products } = plannedFacts(step);
      const { counts, moves } = (await readHistories(context, products))(products);
      const { same, later } = await countsFrom(context, counts, moment, step.fingerprint);
      if (later !== undefined && (await toldSince(context, run))(later))
        return { message: laterText(later, false) };
      if (same !== undefined && later === undefined) {
        const stands =
          same.posting.state === 'done' && same.column === amount.counted && same.micros === from;
        if (!stands) return { message: correctedText(same) };
        await rememberBefore(context, { run, product });
        return null;
      }
      // While the row waits for its turn its own posting is claimed already.
      const others = moves.filter(({ posting }) => posting.fingerprint !== step.fingerprint);
      const at = await totalAt(context, { amount, moment }, { product, moves: others }, () =>
        readTotal(context, product, isThere),
      );
      if (at === null) return { message: PRODUCT_GONE };
      if ('message' in at) return at;
      const planned = amountText(from);
      const was =
        at.late !== null
          ? lateText(at.late)
          : t(`at the plan the total was ${planned.en}`, `bij het plan was het totaal ${planned.nl}`);
      if (at.late !== null || !isNear(at.before, from))
        return { message: movedText(was, at.now, { amount, micros }) };
      await rememberBefore(context, { run, product }, at.total);
      return null;
    },
    describeDoubt: ({ body }) => beforeText(context, run, body),
  };
}

const PRODUCT_GONE = t(
  'the product is no longer on the service',
  'het product staat niet meer in het systeem',
);

/** The count that a planned correction is about was corrected by another run. */
const correctedText = ({ micros, posting: { run } }: StockFact): Bilingual =>
  t(
    `run ${run} counted ${amountText(micros).en} for this moment since the plan; import again to see the difference`,
    `run ${run} heeft sinds het plan ${amountText(micros).nl} geteld voor dit moment; importeer opnieuw om het verschil te zien`,
  );
