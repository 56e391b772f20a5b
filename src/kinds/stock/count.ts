import { BigNumber } from 'bignumber.js';
import { foldName } from '../../core/header.ts';
import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMinute, shownMoment } from '../../core/shown-moment.ts';
import type { Values } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import {
  INVALID,
  type OnConflict,
  onConflictOf,
  type PlannerSetup,
  type RowDecision,
  type RunOf,
  refuseField,
} from '../../records/planning.ts';
import { noteUnsent } from '../../records/row-warnings.ts';
import { countedByEvidence, doubtfulText, hashOf, postStep } from '../../records/sent-before.ts';
import { wallClock } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { CountResource } from '../../schema/resource.ts';
import { checkAsked } from '../command-rows.ts';
import type { Kind } from '../kind.ts';
import {
  countsFrom,
  lastCount,
  momentText,
  movedAfter,
  type Part,
  plannedFacts,
  type StockFact,
  stockName,
  sumOfMoves,
} from './history.ts';
import {
  decidePosted,
  guardStock,
  leftOpen,
  MOST_PLACES,
  openText,
  planStock,
  postedText,
  unasked,
  undoPosting,
  type Way,
} from './mutation.ts';
import {
  amountText,
  checkAmountGiven,
  fromMicros,
  idOf,
  mutationBody,
  plannedMutations,
  productField,
  readShown,
  type StockProduct,
  type StockRow,
  sameAmount,
  signedText,
  sumOf,
  toMicros,
} from './products.ts';

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
  undoPosted: undoPosting,
  keyed: true,
  sentFor: ({ amounts }, shown) => amounts.find(({ total }) => total === shown)?.counted ?? null,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ counted }) => counted), alone: true }),
};

function openCounts(context: RunOf<CountResource>): Way {
  const { resource, time } = context;
  const { moment: at } = resource;
  // By product.
  const sums = new Map<string, CountedPlaces>();
  return {
    ...{ twice: 'counted-twice', kinds: ['count', 'move'] },
    unasked: (row) => unasked(row) ?? (isUncounted(resource, row) ? UNCOUNTED : undefined),
    read({ row, product, products }, end, setup) {
      const [name = ''] = products;
      const { place, isOwn, repeats } = placeOf(row);
      const field = productField(row);
      const about = product && { name, field, found: String(row.values[field]), place, repeats };
      // A place that is named and not counted lacks in the sum of the others.
      const idle = isOwn && about ? { ...about, like: null } : null;
      if (end !== undefined) return { end, said: idle };
      const was = exportedAmounts(resource, row, idOf(product), setup);
      const untouched = was && asExported(resource, row, was);
      if (untouched) return { end: untouched, said: idle };
      checkAsked(row, resource.product);
      const counted = readCounted(resource, row, was);
      const moment = momentText(row.values[at]);
      if (moment.replace('T', ' ') > wallClock(time.now() + DAY_MS))
        refuseField(row, at, 'counted-ahead', shownMinute(wallClock(time.now())));
      const like = counted === null ? moment : `${counted.amount.counted} ${moment}`;
      const said = about && { ...about, like };
      if (counted === null) return { said: place === null ? said : about && { ...about, like: null } };
      const { amount, micros } = counted;
      const sum = sums.get(name) ?? { parts: [], own: null, isOwn: false };
      // More are refused.
      if (about !== null && !stopsRow(row.issues) && sum.parts.length < MOST_PLACES) {
        sums.set(name, sum);
        sum.isOwn ||= isOwn;
        const isThere = (part: Part): boolean => repeats && foldName(part.place) === foldName(place ?? '');
        const there = sum.parts.filter(isThere);
        const added = { place: place ?? '', micros: micros + sumOfParts(there), moment };
        sum.parts = [...sum.parts.filter((part) => !there.includes(part)), added];
        const { reference } = row;
        if (reference !== null) sum.own = sum.own === null ? reference : hashOf({ key: sum.own, reference });
        sum.evidence ??= row.evidence;
        // Decided of one of them, it is of all.
        const onConflict = onConflictOf(setup.rules, row);
        if (onConflict !== setup.rules.onConflict) sum.onConflict = onConflict;
      }
      const { parts, own, evidence } = sum;
      const isAdded = sum.isOwn || parts.length > 1;
      const namesOf = (micros: bigint, parts: readonly Part[]): string[] => {
        const told = { kind: 'count', moment, column: amount.counted, micros, parts } as const;
        return products.map((one) => stockName(one, told, own));
      };
      return {
        names: namesOf(sumOfParts(parts), isAdded ? parts : []),
        said,
        async decide(product, history) {
          // The last row of the sum is decided for all.
          if (sum.parts !== parts) return { action: 'unchanged' };
          const mutations = await plannedMutations(context, name);
          const all = await withOtherPlaces({ context, history, moment, isAdded }, parts);
          const micros = sumOfParts(all.parts);
          const names = namesOf(micros, all.isAdded ? all.parts : []);
          // With the places that it leaves out it may be one that was told.
          const known = history.findLast(({ name }) => names.includes(name));
          if (known !== undefined) return await decidePosted(context, row, names, known.posting, true);
          const asked = { ...row, evidence };
          const count = {
            ...all,
            row: asked,
            amount,
            micros,
            product,
            names,
            moment,
            was,
            history,
            mutations,
            context,
          };
          const decision = await decideCount(count, sum.onConflict ?? setup.rules.onConflict);
          // A count that posts nothing is told all the same.
          return decision.action === 'unchanged' ? { ...decision, posted: names } : decision;
        },
      };
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
      const isAsPlanned = (held: bigint): boolean => sameAmount(held, from);
      const about = { context, amount, moment, history };
      const read = await readHeld({ id, known: true }, about, isAsPlanned);
      if (read === null) return PRODUCT_GONE;
      if ('message' in read) return read.message;
      return isAsPlanned(read.held) ? null : movedText(THE_PLAN, from, read, { amount, micros });
    },
  };
}

/** What the rows of a product count, in several places where there are several. */
interface CountedPlaces {
  parts: readonly Part[];
  /** What tells of their `#key`s. */
  own: string | null;
  /** A column names the places. */
  isOwn: boolean;
  evidence?: StockRow['evidence'];
  onConflict?: OnConflict;
}

/** Longer ones are cut off. */
const MOST_SIGNS = 40;

/**
 * The place that a row counts: of a column, else its sheet, where others count the same product too. `repeats`: all
 * rows have it (`--set`), as of a scanner, which tells a product as often as it was scanned.
 */
function placeOf({ values, mapping }: StockRow): {
  readonly place: string | null;
  readonly isOwn: boolean;
  readonly repeats: boolean;
} {
  const { resource, columnOf, sheet, set } = mapping;
  const column = 'place' in resource ? resource.place : '';
  const own = String(values[column] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_SIGNS);
  const repeats = set.some(({ field }) => field === column);
  if (own !== '') return { place: own, isOwn: true, repeats };
  return { place: columnOf.has(column) ? null : sheet, isOwn: false, repeats };
}

const sumOfParts = (parts: readonly Part[]): bigint => parts.reduce((sum, { micros }) => sum + micros, 0n);

/** What a count is added up of, with the places that it leaves out as they were counted last. */
async function withOtherPlaces(
  { context, history, moment, isAdded }: Pick<OpenCount, 'context' | 'history' | 'moment' | 'isAdded'>,
  parts: readonly Part[],
): Promise<Pick<OpenCount, 'parts' | 'isAdded' | 'last'>> {
  const named = new Set(parts.map(({ place }) => foldName(place)));
  const isNamed = ({ place }: Part): boolean => named.has(foldName(place));
  const counted = history.flatMap((fact) => fact.parts ?? []);
  // A sheet that alone has the product is a place where it was one before.
  if (!isAdded && !counted.some(isNamed)) return { parts, isAdded };
  if (counted.every(isNamed)) return { parts, isAdded: true };
  const last = await lastCount(context, history, moment);
  const others = (last?.parts ?? []).filter((part) => part.micros !== 0n && !isNamed(part));
  // A count of the whole since leaves open what is where.
  const isOpen = others.length > 0 || (last !== undefined && last.parts === undefined);
  return { parts: [...parts, ...others], isAdded: true, ...(isOpen && last ? { last } : {}) };
}

const THE_PLAN = t('the plan', 'het plan');

const PRODUCT_GONE = t(
  'the product is no longer on the service',
  'het product staat niet meer in het systeem',
);

/** Its amounts are empty. */
const UNCOUNTED: RowDecision = { action: 'skip', message: t('not counted', 'niet geteld') };

/** In no time zone anybody can have counted that far ahead. */
const DAY_MS = 86_400_000;

/** What was counted, and in which unit. */
interface Counted {
  readonly amount: CountResource['amounts'][number];
  readonly micros: bigint;
}

interface OpenCount extends Counted {
  /** What it was added up of. */
  readonly parts: readonly Part[];
  /** Whether these are places, which are told. */
  readonly isAdded: boolean;
  /** The count before, where places are taken as they were then. */
  readonly last?: StockFact;
  readonly row: StockRow;
  readonly product: StockProduct;
  readonly names: readonly string[];
  readonly moment: string;
  /** The amounts that the workbook was written with. */
  readonly was: Values | undefined;
  readonly history: readonly StockFact[];
  /** Rows of the plan that post on the product, and go first. */
  readonly mutations: readonly PlannedRow[];
  readonly context: RunOf<CountResource>;
}

/** Whether nobody counted a row's product. */
const isUncounted = ({ amounts }: CountResource, { action, values, issues, mapping }: StockRow): boolean =>
  action === 'auto' &&
  amounts.some(({ counted }) => mapping.columnOf.has(counted)) &&
  amounts.every(({ counted }) => values[counted] === undefined) &&
  !stopsRow(issues);

/**
 * The amounts that a row's workbook was written with: as that remembers them, or as the row says itself what
 * the total was, as a CSV has no memory. Undefined where neither tells.
 */
function exportedAmounts(
  { name, amounts, fields }: CountResource,
  row: StockRow,
  id: number | null,
  { base, rules }: PlannerSetup,
): Values | undefined {
  const kept = id === null ? undefined : base.find(name, `id:${id}`);
  if (kept !== undefined) noteUnsent({ row, existing: null, was: kept, base, rules });
  if (kept !== undefined || id === null) return kept?.values;
  for (const { counted } of amounts) {
    const cell = row.told?.find(({ instead }) => instead === counted)?.cell;
    const read = cell === undefined ? undefined : fields[counted]?.codec.decode(cell, rules.locale ?? 'nl');
    // One of the two units was exported, as the lister has it.
    if (read?.ok) return { [counted]: read.value };
  }
  return undefined;
}

/** Whether an amount is the one that the workbook was written with. */
const isUntouched = (
  { counted }: CountResource['amounts'][number],
  { values }: StockRow,
  was: Values,
): boolean => sameValue(was[counted] ?? null, values[counted] ?? null);

/**
 * The one amount that a row counts, but for an exported one that nobody touched where another was counted in
 * its place; null when there is none, or two, as the row's issues then say.
 */
function readCounted({ amounts }: CountResource, row: StockRow, was: Values | undefined): Counted | null {
  const filled = amounts.filter(({ counted }) => row.values[counted] != null);
  const touched = filled.filter((one) => was === undefined || !isUntouched(one, row, was));
  const given = touched.length === 1 ? touched : filled;
  const [amount, other] = given;
  const columns = amounts.map(({ counted }) => counted);
  const micros = amount === undefined ? null : toMicros(row.values[amount.counted]);
  if (amount === undefined) checkAmountGiven(row, columns);
  else if (other !== undefined) refuseField(row, other.counted, 'amount-twice', columns.join(' / '));
  else if (micros === null || micros < 0n) refuseField(row, amount.counted, 'amount-not-countable', '');
  else return { amount, micros };
  return null;
}

/** What becomes of a row that holds the total of its workbook, and no moment of its own: null for any other. */
function asExported({ amounts, moment }: CountResource, row: StockRow, was: Values): RowDecision | null {
  const { action, values, issues, mapping, filled = [] } = row;
  const isGiven = filled.includes(moment) || mapping.set.some(({ field }) => field === moment);
  const isOwn = values[moment] != null && !isGiven;
  if (action !== 'auto' || isOwn || !amounts.every((one) => isUntouched(one, row, was))) return null;
  return stopsRow(issues) ? INVALID : { action: 'unchanged' };
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
  const unit = String(row.told?.find(({ header }) => header === amount.unit)?.cell.value ?? '');
  const [sum, was, by] = [sumText(count, unit), amountText(told, unit), signedText(micros - told, unit)];
  const message = t(
    `counted ${was.en} in run ${posting.run}, corrected to ${sum.en}${by.en}`,
    `geteld ${was.nl} in run ${posting.run}, verbeterd naar ${sum.nl}${by.nl}`,
  );
  return { ...post(count, told), message };
}

/** Another count of the product is known, of a later moment, or of this one in another way. */
function laterText({ moment, column, micros, posting: { run } }: StockFact): Bilingual {
  return openText(
    `${column} ${amountText(micros).en} was counted on ${shownMoment(moment).en} (run ${run}), and that holds: nothing is posted. Is that one wrong: correct it, in its own column`,
    `${column} ${amountText(micros).nl} is geteld op ${shownMoment(moment).nl} (run ${run}), en dat geldt: er wordt niets geboekt. Klopt die niet: verbeter hem, in zijn eigen kolom`,
  );
}

interface Held {
  readonly now: bigint;
  readonly places: readonly AnswerRecord[];
  /** What came or went after the moment. */
  readonly came: bigint;
  readonly held: bigint;
}

/** Reads what a product's total held at the moment of a count, as far as this program knows. */
async function readHeld(
  product: Parameters<typeof readShown>[1],
  { context, amount, moment, history }: Pick<OpenCount, 'context' | 'amount' | 'moment' | 'history'>,
  isExpected?: (held: bigint) => boolean,
): Promise<Held | { readonly message: Bilingual } | null> {
  const came = movedAfter(history, moment, amount.sent);
  if (came === null) return { message: UNCLEAR };
  const isShown = isExpected && ((now: bigint): boolean => isExpected(now - came));
  const read = await readShown(context, product, amount, history, isShown);
  return read === null || 'message' in read ? read : { ...read, came, held: read.now - came };
}

/** Holds a count against the total at its moment, once the mutations of the same plan are posted. */
async function decideByTotal(count: OpenCount, onConflict: OnConflict): Promise<RowDecision> {
  const { context, row, product, amount, micros, moment, mutations } = count;
  const planned = mutations.flatMap(({ steps: [step] }) => plannedFacts(step).moves);
  const first = sumOfMoves(planned, amount.sent);
  const later = movedAfter(planned, moment, amount.sent);
  if (first === null || later === null) return conflict(UNCLEAR);
  const id = idOf(product);
  // What was found by its ExternalID is there.
  const known = row.values[context.resource.product] == null;
  const read = id === null ? NOTHING_YET : await readHeld({ id, known }, count);
  if (read === null) return refuseField(row, productField(row), 'record-missing', KINDS);
  if ('message' in read) return conflict(read.message);
  const current = read.held + first - later;
  const { last } = count;
  const unit = unitOf(read.places, amount);
  const isMoved = last !== undefined && (last.column !== amount.counted || !sameAmount(last.micros, current));
  if (isMoved && onConflict !== 'mine')
    return leftOpen(onConflict, openPlacesText(count, last, current, unit));
  const message = countText(count, current, unit);
  if (sameAmount(current, micros)) return { action: 'unchanged', ...(count.isAdded ? { message } : {}) };
  // What the total was at its moment no later read tells as well: it is kept, whatever becomes of the row.
  const name = `count of product ${id} at ${moment}`;
  const fact = id !== null && { fact: [name, `${context.run} ${amount.counted} ${current}`] as const };
  const moved = onConflict === 'mine' ? null : await findMoved(count, read, { name, current });
  return {
    ...(moved === null
      ? { ...post(count, current, worthOf(read, context.resource.worth, micros - current)), message }
      : leftOpen(onConflict, moved)),
    ...fact,
  };
}

/** The unit of a total; empty where the service names none. */
const unitOf = (places: readonly AnswerRecord[], { unit }: Counted['amount']): string =>
  places.map((place) => String(place[unit] ?? '').trim()).find((one) => one !== '') ?? '';

/** What was counted: `5 kg (Koelcel) + 7 kg (Vriezer) = 12 kg`. */
function sumText({ parts, isAdded, micros, moment }: OpenCount, unit: string): Bilingual {
  const whole = amountText(micros, unit);
  if (!isAdded) return whole;
  const text = (language: Language, counted: string): string => {
    const each = parts.map((part) => {
      const then = part.moment === moment ? '' : `, ${counted} ${shownMoment(part.moment)[language]}`;
      return `${amountText(part.micros, unit)[language]} (${part.place}${then})`;
    });
    return parts.length === 1 ? each.join() : `${each.join(' + ')} = ${whole[language]}`;
  };
  return t(text('en', 'counted'), text('nl', 'geteld'));
}

/** What a count comes to: the sum `was 10 kg: +2 kg`. */
function countText(count: OpenCount, current: bigint, unit: string): Bilingual {
  const [sum, was] = [sumText(count, unit), amountText(current, unit)];
  const by = signedText(count.micros - current, unit);
  return count.isAdded
    ? t(`${sum.en}, was ${was.en}${by.en}`, `${sum.nl}, was ${was.nl}${by.nl}`)
    : t(`${was.en}, counted ${sum.en}${by.en}`, `${was.nl}, geteld ${sum.nl}${by.nl}`);
}

/** Places were left out, and what is there now nobody knows. */
function openPlacesText({ parts }: OpenCount, last: StockFact, now: bigint, unit: string): Bilingual {
  const named = parts.map(({ place }) => place).join(', ');
  const [is, was] = [amountText(now, unit), amountText(last.micros, unit)];
  const [en, nl] = last.parts === undefined ? [' without places', ' zonder plaatsen'] : ['', ''];
  return openText(
    `the total is ${is.en}, and the last count (${shownMoment(last.moment).en}, run ${last.posting.run}) was of ${was.en}${en}: what is where by now can’t be told. Count every place again (${named})`,
    `het totaal is ${is.nl}, en de laatste telling (${shownMoment(last.moment).nl}, run ${last.posting.run}) was van ${was.nl}${nl}: wat waar nu ligt is niet bekend. Tel elke plaats opnieuw (${named})`,
  );
}

/** Where a product was looked for. */
const KINDS = t('recipes / packages', 'Recepten / Pakketten');

/** Of a product that this plan creates. */
const NOTHING_YET: Held = { now: 0n, came: 0n, held: 0n, places: [] };

/** What was posted after a count leaves open what the total was at its moment. */
const UNCLEAR = t(
  'what this program posted on the product after this count can’t be told apart from it: it is in another unit, has no known answer, or is of the day of a count without a time; settle that, give DatumTijd a time, or count again',
  'wat dit programma na deze telling op het product boekte is er niet van te scheiden: het is in een andere eenheid, heeft geen bekend antwoord, of is van de dag van een telling zonder tijd; regel dat, geef DatumTijd een tijd, of tel opnieuw',
);

/** Why a total is not taken as it is: the export, or an earlier run that did not post the count, read another. */
async function findMoved(
  count: OpenCount,
  { places, now, came }: Held,
  { name, current }: { readonly name: string; readonly current: bigint },
): Promise<Bilingual | null> {
  const { context, amount, was } = count;
  // The workbook was written with one of the units, before what was posted since the count or after it.
  for (const { counted, total, unit } of context.resource.amounts) {
    const [written, is] = [toMicros(was?.[counted]), sumOf(places, total, unit)];
    if (written !== null && is !== null && ![is, is - came].some((one) => sameAmount(one, written)))
      return movedText(THE_EXPORT, written, { now: is, places }, count);
  }
  const [run = '', column, then] =
    (await context.ledger.findFact(context.serviceKey, name))?.split(' ') ?? [];
  if (then === undefined || (column === amount.counted && sameAmount(BigInt(then), current))) return null;
  return movedText(t(`run ${run}`, `run ${run}`), BigInt(then), { now, places }, count);
}

const THE_EXPORT = t('the export', 'de export');

/** The total is not what it was to be. */
function movedText(
  by: Bilingual,
  was: bigint,
  { now, places }: Pick<Held, 'now' | 'places'>,
  { amount, micros }: Counted,
): Bilingual {
  const unit = unitOf(places, amount);
  const [before, is, counted] = [was, now, micros].map((one) => amountText(one, unit)) as [
    Bilingual,
    Bilingual,
    Bilingual,
  ];
  return openText(
    `according to ${by.en} the total would be ${before.en}: it is ${is.en} now, counted ${counted.en} (${amount.counted}). Count again, with a DatumTijd of its own`,
    `volgens ${by.nl} zou het totaal ${before.nl} zijn: het is nu ${is.nl}, geteld ${counted.nl} (${amount.counted}). Tel opnieuw, met een eigen DatumTijd`,
  );
}

/** What a difference is worth, to the cent, where the total has a value and is not 0; else null. */
function worthOf({ now, places }: Held, worth: string, difference: bigint): number | null {
  const value = sumOf(places, worth);
  if (value === null || now === 0n) return null;
  return new BigNumber(String(value * difference))
    .div(String(now * MICROS))
    .dp(2)
    .toNumber();
}

const MICROS = 1_000_000n;

function post(
  { context, row, product, names, amount, micros, mutations }: OpenCount,
  current: bigint,
  worth: number | null = null,
): RowDecision {
  const body = { ...mutationBody(row, product), [amount.sent]: fromMicros(micros - current) };
  return {
    action: 'create',
    changes: [{ field: amount.counted, from: fromMicros(current), to: fromMicros(micros), worth }],
    steps: [postStep(context.resource.requests.create.name, body, names)],
    needs: [
      ...('need' in product ? [product.need] : []),
      ...mutations.flatMap(({ resource, key }) => (key === null ? [] : [{ resource, key }])),
    ],
  };
}
