import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import { countedByEvidence } from '../../records/evidence.ts';
import { onConflictOf, type RunOf } from '../../records/planning.ts';
import { doubtfulText } from '../../records/posting-doubt.ts';
import { INVALID, type RowDecision } from '../../records/row-decision.ts';
import { postStep } from '../../records/sent-before.ts';
import type { OnConflict } from '../../records/three-way.ts';
import type { CountResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { countLister } from './count-list.ts';
import { type Counted, type ReadCount, readCount, UNCOUNTED, unaskedCount } from './count-row.ts';
import {
  BOOKS,
  countsFrom,
  momentText,
  movedAfter,
  movingStep,
  plannedFacts,
  type StockFact,
  type StockHistory,
  sumOfMoves,
} from './history.ts';
import { guardStock, planStock, postedText, undoPosting, type Way } from './planner.ts';
import {
  checkRequired,
  missingProduct,
  mutationBody,
  plannedMutations,
  productName,
  type StockProduct,
} from './products.ts';
import {
  amountText,
  createTotals,
  fromMicros,
  isNear,
  isThere,
  readTotal,
  rememberBefore,
  sameAmount,
  type TotalAt,
  toMicros,
  totalAt,
  UNCLEAR,
} from './total.ts';

/** Stock counts: what is posted is the difference between what was counted and the current total. */
export const count: Kind<CountResource> = {
  plan: (context) => planStock(context, openCounts(context)),
  guard: (setup) => guardStock(setup, openCounts(setup)),
  tells: true,
  foundAgain: () =>
    t(
      'What is posted is the difference between the count and the current total of the product.',
      'Geboekt wordt het verschil tussen de telling en het huidige totaal van het product.',
    ),
  lister: countLister,
  total: ({ requests }) => requests.currentTotal,
  undoPosted: undoPosting,
  keyed: true,
  sentFor: ({ amounts }, shown) => amounts.find(({ total }) => total === shown)?.counted ?? null,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ counted }) => counted), alone: true }),
};

function openCounts(context: RunOf<CountResource>): Way<CountResource, ReadCount> {
  const { resource, run, time } = context;
  const totals = createTotals(context);
  let uncounted = 0;
  return {
    // A later row of the sheet may count the same product.
    ...{ window: Number.POSITIVE_INFINITY, twice: 'counted-twice', kinds: ['count', 'move'] },
    unasked: unaskedCount,
    notes: () => (uncounted === 0 ? [] : [t(`not counted: ${uncounted}`, `niet geteld: ${uncounted}`)]),
    read(found, setup) {
      const read = readCount(found, setup, new Date(time.now()));
      if (read.end === UNCOUNTED) uncounted++;
      return read;
    },
    async decide(count, history, { rules }) {
      const { row, product, moment, names, counted } = count;
      if (counted === null) return INVALID;
      const onConflict = onConflictOf(rules, row);
      const mutations = await plannedMutations(context, product);
      const decision = await decideCount(
        { ...count, ...counted, history, mutations, context, totals },
        onConflict,
      );
      if (decision.action === 'create') checkRequired(row);
      // A count of some moment that posts nothing is told all the same.
      return decision.action === 'unchanged' && moment !== '' ? { ...decision, posted: names } : decision;
    },
    /** What came after the plan must not have moved the total. */
    async check({ step, change, product, history: { counts, moves }, isNew }) {
      const amount = resource.amounts.find(({ counted }) => counted === change?.field);
      const [from, micros] = [toMicros(change?.from), toMicros(change?.to)];
      if (amount === undefined || from === null || micros === null) return null;
      const moment = momentText(step.body[resource.moment]);
      const { same, later } = await countsFrom(context, counts, moment);
      if (later !== undefined && isNew(later)) return laterText(later);
      if (same !== undefined && later === undefined) {
        const isOpen =
          same.posting.state !== 'done' || same.column !== amount.counted || same.micros !== from;
        if (isOpen) return laterText(same);
        await rememberBefore(context, { run, product });
        return null;
      }
      const at = await totalAt(context, { product, amount, moment, moves }, () =>
        readTotal(context, product, isThere),
      );
      if (at === null) return PRODUCT_GONE;
      if ('message' in at) return at.message;
      const { now, came, late, total } = at;
      const planned = t(
        `at the plan the total was ${amountText(from).en}`,
        `bij het plan was het totaal ${amountText(from).nl}`,
      );
      if (late !== null || !isNear(now - came, from))
        return movedText(late ? lateText(late) : planned, now, { amount, micros });
      await rememberBefore(context, { run, product }, total);
      return null;
    },
  };
}

interface OpenCount extends ReadCount, Counted {
  readonly product: StockProduct;
  readonly history: StockHistory;
  /** Rows of the plan that post on the product, and go first. */
  readonly mutations: readonly PlannedRow[];
  readonly context: RunOf<CountResource>;
  readonly totals: ReturnType<typeof createTotals>;
}

const conflict = (message: Bilingual): RowDecision => ({ action: 'conflict', message });

/** A count is a fact of its moment: what was told before comes first, the total after that. */
async function decideCount(count: OpenCount, onConflict: OnConflict): Promise<RowDecision> {
  const { row, moment, history, context, amount, micros } = count;
  // Of a row that does not say when, nothing can be known.
  const { same, later } = await countsFrom(context, moment === '' ? [] : history.counts, moment);
  const doubtful = [same, later].find((one) => one?.posting.state === 'sending');
  if (doubtful !== undefined) return conflict(await doubtfulText(context, doubtful.posting));
  if (later !== undefined && onConflict !== 'mine')
    return { action: onConflict === 'theirs' ? 'unchanged' : 'conflict', message: laterText(later) };
  if (same === undefined)
    return countedByEvidence(row, onConflict) ?? (await decideByTotal(count, onConflict));
  if (later !== undefined) return await decideByTotal(count, onConflict);
  // Another amount than was told before of this moment: what was counted then says what is missing.
  const { column, micros: told, posting } = same;
  if (column !== amount.counted) return conflict(laterText(same));
  if (told === micros) return { action: 'unchanged', message: postedText(posting) };
  const message = t(
    `counted ${amountText(told).en} in run ${posting.run}, corrected to ${amountText(micros).en}: difference ${signed(micros - told).en}`,
    `geteld ${amountText(told).nl} in run ${posting.run}, verbeterd naar ${amountText(micros).nl}: verschil ${signed(micros - told).nl}`,
  );
  return { ...post(count, told), message };
}

/** Another count of the product is known, of a later moment, or of this one in another way. */
function laterText({ moment, column, micros, posting: { run } }: StockFact): Bilingual {
  const [en, nl] = [
    `${column} ${amountText(micros).en} was counted on ${shownMoment(moment).en} (run ${run}), and that holds: nothing is posted. Is that one wrong: correct it, in its own column`,
    `${column} ${amountText(micros).nl} is geteld op ${shownMoment(moment).nl} (run ${run}), en dat geldt: er wordt niets geboekt. Klopt die niet: verbeter hem, in zijn eigen kolom`,
  ];
  return t(
    `${en}, or import with --on-conflict mine to post this one`,
    `${nl}, of importeer met --on-conflict mine om deze te boeken`,
    t(en, nl),
  );
}

function signed(micros: bigint): Bilingual {
  const { en, nl } = amountText(micros);
  return micros < 0n ? t(en, nl) : t(`+${en}`, `+${nl}`);
}

/** Holds a count against the total at its moment, once the mutations of the same plan are posted. */
async function decideByTotal(count: OpenCount, onConflict: OnConflict): Promise<RowDecision> {
  const { context, totals, row, product, amount, micros, moment, history, mutations } = count;
  const { moves, counts } = history;
  const id = 'id' in product ? product.id : null;
  // What was found by its ExternalID is there.
  const isFound = productName(row)?.field !== context.resource.product;
  const read = (of: number) =>
    totalAt(context, { product: of, amount, moment, moves }, () => totals(of, isFound));
  const at = id === null ? NOTHING_YET : await read(id);
  if (at === null) {
    missingProduct(row);
    return INVALID;
  }
  if ('message' in at) return conflict(at.message);
  const planned = mutations.flatMap(({ steps: [step] }) => plannedFacts(step).moves);
  const [first, later] = [sumOfMoves(planned, amount.sent), movedAfter(planned, moment, amount.sent)];
  if (first === null || later === null) return conflict(UNCLEAR);
  const { now, late, came, total } = at;
  const current = now - came + first - later;
  const last = counts.findLast(({ posting }) => posting.state === 'done');
  // What is counted as it was last, the service may show rounded.
  const isAgain = last?.column === amount.counted && last.micros === micros;
  const isNew = id !== null && total.places.length === 0;
  if (late === null && (isAgain ? isNear : sameAmount)(current, micros))
    return { action: 'unchanged', ...(isNew && { message: NO_STOCK_YET }) };
  // What the total was at its moment no later read tells as well: it is kept, whatever becomes of the row.
  const name = `count of product ${id} at ${moment}`;
  const due = late === null ? current : late.due && late.due - now + current;
  const fact = id !== null &&
    moment !== '' &&
    due !== null && {
      fact: [name, [context.run, amount.counted, due].join(' ')] as const,
    };
  const was = late
    ? lateText(late)
    : (movedSinceExport(count, at) ?? (await movedSinceHeld(count, name, current)));
  if (was !== null && onConflict !== 'mine')
    return {
      action: onConflict === 'theirs' ? 'unchanged' : 'conflict',
      message: movedText(was, now, count),
      ...fact,
    };
  const [without, zonder] =
    came === 0n
      ? ['', '']
      : [` (without ${signed(came).en} of later)`, ` (zonder ${signed(came).nl} van later)`];
  const [en, nl] = [
    `total ${amountText(current).en}${without}, counted ${amountText(micros).en}: difference ${signed(micros - current).en}`,
    `totaal ${amountText(current).nl}${zonder}, geteld ${amountText(micros).nl}: verschil ${signed(micros - current).nl}`,
  ];
  const message = isNew ? t(`${NO_STOCK_YET.en}; ${en}`, `${NO_STOCK_YET.nl}; ${nl}`) : t(en, nl);
  return { ...post(count, current), message, ...fact };
}

/** Of a product that this plan creates. */
const NOTHING_YET: TotalAt = { total: { micros: {}, places: [] }, now: 0n, came: 0n, late: null };

/** The service has no stock of a known product on record. */
const NO_STOCK_YET = t(
  'no stock on record yet: counted from 0',
  'nog geen voorraad vastgelegd: geteld vanaf 0',
);

const PRODUCT_GONE = t(
  'the product is no longer on the service',
  'het product staat niet meer in het systeem',
);

const lateText = ({ run, due }: NonNullable<TotalAt['late']>): Bilingual =>
  t(
    `with all that was posted last, in run ${run}, the total would be ${due === null ? 'another' : amountText(due).en}`,
    `met alles wat het laatst geboekt is, in run ${run}, zou het totaal ${due === null ? 'anders' : amountText(due).nl} zijn`,
  );

/** What the total was when the workbook was written, in the unit that it was written in; null where it still is. */
function movedSinceExport(
  { context, was, moment, history }: OpenCount,
  { total }: TotalAt,
): Bilingual | null {
  const exported = context.resource.amounts.find(({ counted }) => typeof was?.values[counted] === 'number');
  if (exported === undefined) return null;
  const [written, now] = [toMicros(was?.values[exported.counted]), total.micros[exported.total] ?? null];
  // The sheet was written before what was posted since the count, or after it.
  const came = movedAfter(history.moves, moment, exported.sent) ?? 0n;
  if (written === null || now === null || [now, now - came].some((one) => sameAmount(one, written)))
    return null;
  return t(
    `at the export the total was ${amountText(written).en} (${exported.counted})`,
    `bij de export was het totaal ${amountText(written).nl} (${exported.counted})`,
  );
}

/** The total against which an earlier run held the count, and did not post it; null where it still is that. */
async function movedSinceHeld(
  { context, amount }: OpenCount,
  name: string,
  current: bigint,
): Promise<Bilingual | null> {
  const [run, column, was] = (await context.ledger.findFact(context.serviceKey, name))?.split(' ') ?? [];
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

function post(
  { context, row, product, products, names, amount, micros, mutations }: OpenCount,
  current: bigint,
): RowDecision {
  const { sent: column, counted: field } = amount;
  const difference = micros - current;
  const body = { ...mutationBody(row, product), [column]: fromMicros(difference) };
  const step = postStep(context.resource.requests.create.name, body, names);
  return {
    action: 'create',
    changes: [{ field, from: fromMicros(current), to: fromMicros(micros) }],
    steps: [movingStep(step, products, [{ kind: 'move', moment: BOOKS, column, micros: difference }])],
    needs: [
      ...('need' in product ? [product.need] : []),
      ...mutations.flatMap(({ resource, key }) => (key === null ? [] : [{ resource, key }])),
    ],
  };
}
