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
import { countsFrom, momentText, movedAfter, plannedFacts, type StockFact, sumOfMoves } from './history.ts';
import { guardStock, leftOpen, planStock, postedText, undoPosting, type Way } from './posting.ts';
import { idOf, missingProduct, mutationBody, plannedMutations, type StockProduct } from './products.ts';
import { amountText, fromMicros, readShown, type StockTotal, sameAmount, sumOf, toMicros } from './total.ts';

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

function openCounts(context: RunOf<CountResource>): Way<ReadCount> {
  const { resource, time } = context;
  let uncounted = 0;
  return {
    ...{ twice: 'counted-twice', kinds: ['count', 'move'] },
    unasked: (row) => unaskedCount(resource, row),
    notes: () => (uncounted === 0 ? [] : [t(`not counted: ${uncounted}`, `niet geteld: ${uncounted}`)]),
    read(found, setup) {
      if (found.end === UNCOUNTED) uncounted++;
      return readCount(resource, found, setup, new Date(time.now()));
    },
    async decide(count, product, history, { rules }) {
      const { row, names, counted } = count;
      if (counted === null) return INVALID;
      const mutations = await plannedMutations(context, product);
      const open = { ...count, ...counted, product, history, mutations, context };
      const decision = await decideCount(open, onConflictOf(rules, row));
      // A count that posts nothing is told all the same.
      return decision.action === 'unchanged' ? { ...decision, posted: names } : decision;
    },
    /** What came after the plan must not have moved the total, nor been counted. */
    async check({ changes: [change], steps: [step] }, id, history, [told]) {
      const amount = resource.amounts.find(({ counted }) => counted === change?.field);
      const [from, micros] = [toMicros(change?.from), toMicros(change?.to)];
      if (amount === undefined || from === null || micros === null) return null;
      if (told !== undefined) return laterText(told);
      const moment = momentText(step?.body[resource.moment]);
      const { same, later } = await countsFrom(context, history, moment);
      // A correction takes no total: what was counted before still stands.
      if (same !== undefined && later === undefined) return null;
      const came = movedAfter(history, moment, amount.sent);
      if (came === null) return UNCLEAR;
      const isExpected = (now: bigint): boolean => sameAmount(now - came, from);
      const read = await readShown(context, { id, known: true }, amount, history, isExpected);
      if (read === null) return PRODUCT_GONE;
      if ('message' in read) return read.message;
      return isExpected(read.now) ? null : movedText(THE_PLAN, from, read.now, { amount, micros });
    },
  };
}

const THE_PLAN = t('the plan', 'het plan');

const PRODUCT_GONE = t(
  'the product is no longer on the service',
  'het product staat niet meer in het systeem',
);

interface OpenCount extends ReadCount, Counted {
  readonly product: StockProduct;
  readonly history: readonly StockFact[];
  /** Rows of the plan that post on the product, and go first. */
  readonly mutations: readonly PlannedRow[];
  readonly context: RunOf<CountResource>;
}

const conflict = (message: Bilingual): RowDecision => ({ action: 'conflict', message });

/** A count is a fact of its moment: what was told before comes first, the total after that. */
async function decideCount(count: OpenCount, onConflict: OnConflict): Promise<RowDecision> {
  const { row, moment, history, context, amount, micros } = count;
  const { same, later } = await countsFrom(context, history, moment);
  const doubtful = [same, later].find((one) => one?.posting.state === 'sending');
  if (doubtful !== undefined) return conflict(await doubtfulText(context, doubtful.posting));
  if (later !== undefined && onConflict !== 'mine') return leftOpen(onConflict, laterText(later));
  const before = same === undefined ? countedByEvidence(row, onConflict) : null;
  if (same === undefined || later !== undefined) return before ?? (await decideByTotal(count, onConflict));
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
  const { context, row, product, amount, micros, moment, history, mutations } = count;
  const { sent, counted } = amount;
  const planned = mutations.flatMap(({ steps: [step] }) => plannedFacts(step).moves);
  const first = sumOfMoves(planned, sent);
  const [came, later] = [history, planned].map((facts) => movedAfter(facts, moment, sent));
  if (first === null || came == null || later == null) return conflict(UNCLEAR);
  const id = idOf(product);
  // What was found by its ExternalID is there.
  const known = row.values[context.resource.product] == null;
  const read = id === null ? NOTHING_YET : await readShown(context, { id, known }, amount, history, null);
  if (read === null) return missingProduct(row);
  if ('message' in read) return conflict(read.message);
  const current = read.now - came + first - later;
  const isNew = id !== null && read.places.length === 0;
  const message = t(
    `${isNew ? 'no stock on record yet: counted from 0; ' : ''}total ${amountText(current).en}, counted ${amountText(micros).en}: difference ${signed(micros - current).en}`,
    `${isNew ? 'nog geen voorraad vastgelegd: geteld vanaf 0; ' : ''}totaal ${amountText(current).nl}, geteld ${amountText(micros).nl}: verschil ${signed(micros - current).nl}`,
  );
  if (sameAmount(current, micros)) return { action: 'unchanged', message: isNew ? message : null };
  // What the total was at its moment no later read tells as well: it is kept, whatever becomes of the row.
  const name = `count of product ${id} at ${moment}`;
  const fact = id !== null && { fact: [name, `${context.run} ${counted} ${current}`] as const };
  const moved = onConflict === 'mine' ? null : await findMoved(count, read, { name, current, came });
  return {
    ...(moved === null ? { ...post(count, current), message } : leftOpen(onConflict, moved)),
    ...fact,
  };
}

/** Of a product that this plan creates. */
const NOTHING_YET: StockTotal = { now: 0n, places: [] };

/** What was posted after a count leaves open what the total was at its moment. */
const UNCLEAR = t(
  'what this program posted on the product after this count can’t be told apart from it: it is in another unit, has no known answer, or is of the day of a count without a time; settle that, give DatumTijd a time, or count again',
  'wat dit programma na deze telling op het product boekte is er niet van te scheiden: het is in een andere eenheid, heeft geen bekend antwoord, of is van de dag van een telling zonder tijd; regel dat, geef DatumTijd een tijd, of tel opnieuw',
);

/** Why a total is not taken as it is: the export, or an earlier run that did not post the count, read another. */
async function findMoved(
  count: OpenCount,
  { places, now }: StockTotal,
  held: { readonly name: string; readonly current: bigint; readonly came: bigint },
): Promise<Bilingual | null> {
  const { context, amount, was } = count;
  // The workbook was written with one of the units, before what was posted since the count or after it.
  for (const { counted, total, unit } of context.resource.amounts) {
    const [written, is] = [toMicros(was?.[counted]), sumOf(places, total, unit)];
    if (written !== null && is !== null && ![is, is - held.came].some((one) => sameAmount(one, written)))
      return movedText(THE_EXPORT, written, is, count);
  }
  const [run = '', column, then] =
    (await context.ledger.findFact(context.serviceKey, held.name))?.split(' ') ?? [];
  if (then === undefined || (column === amount.counted && sameAmount(BigInt(then), held.current)))
    return null;
  return movedText(t(`run ${run}`, `run ${run}`), BigInt(then), now, count);
}

const THE_EXPORT = t('the export', 'de export');

/** The total is not what it was to be. */
function movedText(by: Bilingual, was: bigint, now: bigint, { amount, micros }: Counted): Bilingual {
  const [en, nl] = [
    `according to ${by.en} the total would be ${amountText(was).en}: it is ${amountText(now).en} now, counted ${amountText(micros).en} (${amount.counted}). Count again, with a DatumTijd of its own`,
    `volgens ${by.nl} zou het totaal ${amountText(was).nl} zijn: het is nu ${amountText(now).nl}, geteld ${amountText(micros).nl} (${amount.counted}). Tel opnieuw, met een eigen DatumTijd`,
  ];
  return t(
    `${en}, or import with --on-conflict mine to post up to what was counted`,
    `${nl}, of importeer met --on-conflict mine om te boeken tot wat er geteld is`,
    t(en, nl),
  );
}

function post(
  { context, row, product, names, amount, micros, mutations }: OpenCount,
  current: bigint,
): RowDecision {
  const body = { ...mutationBody(row, product), [amount.sent]: fromMicros(micros - current) };
  return {
    action: 'create',
    changes: [{ field: amount.counted, from: fromMicros(current), to: fromMicros(micros) }],
    steps: [postStep(context.resource.requests.create.name, body, names)],
    needs: [
      ...('need' in product ? [product.need] : []),
      ...mutations.flatMap(({ resource, key }) => (key === null ? [] : [{ resource, key }])),
    ],
  };
}
