import { type Bilingual, t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { RowPlace } from '../../records/mapped-row.ts';
import { arrivesUntil } from '../../records/posting-doubt.ts';
import { byReference, momentOf, neverSent, sentRow } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import type { CountedAmount } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { ofKind } from '../kind.ts';
import { type ProductName, productId, type StockContext } from './products.ts';
import { amountText, isNear, isThere, readTotal, type StockTotals } from './total.ts';

/** The moment of a move of the books alone. */
export const BOOKS = '-';

/**
 * What the ledger knows of a product's stock stands in the names of its postings, which results take along to
 * other ledgers. A count tells what was there at its moment. A move tells what a posting did then; at BOOKS
 * where nothing came or went: the difference of a count, or its undo.
 */
export interface Told {
  readonly moment: string;
  /** The column it was counted in, or sent as. */
  readonly column: string;
  readonly micros: bigint;
}

/** The same with the posting that has such a name. */
export interface StockFact extends Told {
  readonly posting: Posting;
}

/** A product's counts and moves, each as they came. */
export interface StockHistory {
  readonly counts: readonly StockFact[];
  readonly moves: readonly StockFact[];
}

/** A product as names have it. */
export const keyOf = ({ field, value }: ProductName): string => `${field}:${value}`;

/** What identifies a count (with the user's `#key`), or makes a move of a posting (by its fingerprint) a name. */
export const stockName = (
  kind: 'count' | 'move',
  product: ProductName,
  { moment, column, micros }: Told,
  own: string | null,
): string => [kind, keyOf(product), moment, column, micros, ...(own === null ? [] : [own])].join(':');

const NAME = /^(count|move):([^:]+:-?\d+):(-|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d):([^:]+):(-?\d+)(?::|$)/;

function readName(name: string): (Told & { readonly kind: string; readonly product: string }) | null {
  const [, kind = '', product = '', moment = '', column = '', micros] = NAME.exec(name) ?? [];
  return micros === undefined ? null : { kind, product, moment, column, micros: BigInt(micros) };
}

/** A step that is also known by what it moves, by all names of its product. */
export function movingStep(step: Step, products: readonly ProductName[], moved: readonly Told[]): Step {
  const { also = [], fingerprint = '' } = step;
  const names = products.flatMap((product) =>
    moved.map((one) => stockName('move', product, one, fingerprint)),
  );
  return { ...step, also: [...also, ...names] };
}

/** All names of a step. */
export const namesOf = ({
  fingerprint = '',
  also = [],
}: Pick<Step, 'fingerprint' | 'also'>): readonly string[] => [fingerprint, ...also];

/** The products of a planned step, and what it moves. */
export function plannedFacts(step: Pick<Step, 'fingerprint' | 'also'>) {
  const facts = namesOf(step).flatMap((name) => readName(name) ?? []);
  const moves = facts.filter(({ kind }) => kind === 'move');
  return {
    products: [...new Set(facts.map(({ product }) => product))],
    moves: [...new Map(moves.map((move) => [move.column, move])).values()] as readonly Told[],
  };
}

/** Whether a posting was certainly not sent, so that its names are free again. */
export const isFree = async (context: StockContext, posting: Posting): Promise<boolean> =>
  posting.state === 'sending' && (await neverSent(context, posting));

/** Reads what the ledger knows of products, by their names; what was certainly not sent is left out. */
export async function readHistories(
  context: Context,
  products: readonly string[],
  kinds: readonly ('count' | 'move')[] = ['count', 'move'],
): Promise<(names: readonly string[]) => StockHistory> {
  const { ledger, serviceKey, resources } = context;
  const known = new Map<string, [key: string, fact: StockFact & { readonly kind: string }][]>();
  const beginnings = kinds.flatMap((kind) => products.map((product) => `${kind}:${product}:`));
  for (const resource of [...ofKind(resources, 'posting'), ...ofKind(resources, 'count')])
    for (const [name, posting] of await ledger.findPostingsLike(serviceKey, resource.name, beginnings)) {
      const told = readName(name);
      if (told === null || (await isFree({ ...context, resource }, posting))) continue;
      const facts = known.get(told.product) ?? [];
      known.set(told.product, facts);
      facts.push([`${told.kind} ${told.column} ${posting.fingerprint}`, { ...told, posting }]);
    }
  return (names) => {
    // One that goes by several names is found by each of them.
    const facts = new Map(names.flatMap((name) => known.get(name) ?? []));
    const of = (kind: string): StockFact[] =>
      [...facts.values()].filter((fact) => fact.kind === kind).sort(asTheyCame);
    return { counts: of('count'), moves: of('move') };
  };
}

/** Within a second the id of what was posted tells: a correction comes last. */
function asTheyCame({ posting: a }: StockFact, { posting: b }: StockFact): number {
  const order = ({ at, id, run, seq }: Posting): string =>
    [at, String(id ?? 0).padStart(16, '0'), run, String(seq).padStart(9, '0')].join(' ');
  return order(a) < order(b) ? -1 : 1;
}

/** The `#key` of a mutation that takes a row back, which is posted once however often a run is undone. */
export const undoKey = (run: string, { sheet, row }: RowPlace): string => `undo ${run} ${sheet}!${row}`;

/** The run that took a posting back; undefined where none did, or that was taken back in its turn. */
export async function takenBackBy(
  context: Context,
  posting: Pick<Posting, 'run' | 'seq'>,
): Promise<string | undefined> {
  const { ledger, serviceKey, resources } = context;
  const [mutations] = ofKind(resources, 'posting');
  const sent = await sentRow(context, posting);
  if (mutations === undefined || sent === undefined) return undefined;
  const key = byReference(undoKey(posting.run, sent.planned));
  const undo = (await ledger.findPostings(serviceKey, mutations.name, [key])).get(key);
  if (undo?.state !== 'done' || (await takenBackBy(context, undo)) !== undefined) return undefined;
  return undo.run;
}

/**
 * Of a product's counts that were not taken back: the last that was told with a moment, and of those of later
 * moments the last. `own`: the name of one that is left out.
 */
export async function countsFrom(
  context: Context,
  counts: readonly StockFact[],
  moment: string,
  own?: string,
): Promise<{ readonly same: StockFact | undefined; readonly later: StockFact | undefined }> {
  let [same, later]: (StockFact | undefined)[] = [];
  for (const count of counts) {
    if (count.moment < moment || count.posting.fingerprint === own) continue;
    if ((await takenBackBy(context, count.posting)) !== undefined) continue;
    if (count.moment === moment) same = count;
    else if (later === undefined || later.moment <= count.moment) later = count;
  }
  return { same, later };
}

/** A moment to the second, as all that is about stock writes it. */
export const momentText = (value: unknown): string => String(value ?? '').slice(0, 19);

/** The day of a moment that has no time: a date alone is read as its midnight. Empty for any other. */
const dayAlone = (moment: string): string => /^(.+?)[ T]00:00:00$/.exec(moment)?.[1] ?? '';

/** Whether what happened then can't be told from a count of that day, which has no time of day. */
export const isUnclear = (count: string, then: string): boolean =>
  then > count && dayAlone(count) !== '' && then.startsWith(dayAlone(count));

/** What moves come to; null where one is in another unit. */
export const sumOfMoves = (
  moves: readonly (Told & { readonly posting?: Posting })[],
  column: string,
): bigint | null =>
  moves.every((move) => move.column === column) ? moves.reduce((sum, { micros }) => sum + micros, 0n) : null;

/** What came and went after a count; null where that can't be told. */
export function movedAfter(
  moves: readonly (Told & { readonly posting?: Posting })[],
  count: string,
  column: string,
): bigint | null {
  const later = moves.filter(({ moment }) => count !== '' && moment !== BOOKS && moment > count);
  const untold = later.some(
    ({ moment, posting }) => posting?.state === 'sending' || isUnclear(count, moment),
  );
  return untold ? null : sumOfMoves(later, column);
}

/** Tells of counts whether another run told them since this one was planned. */
export async function toldSince({ ledger }: Context, run: string): Promise<(fact: StockFact) => boolean> {
  const began = (await ledger.findRun(run))?.startedAt ?? '';
  return ({ posting }) => posting.at > began && posting.run !== run;
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
  if ((await ledger.findFact(serviceKey, factName(place))) !== undefined) return;
  const total = read ?? (await lookAtTotal(context, place.product));
  const amounts = Object.entries(total?.micros ?? {}).map(([member, micros]) => [member, micros?.toString()]);
  if (total !== null)
    await ledger.rememberFact(serviceKey, factName(place), JSON.stringify(Object.fromEntries(amounts)));
}

/** A member of it, as it is remembered; null where it is not. */
async function totalBefore(
  { ledger, serviceKey }: Context,
  place: PostedProduct,
  { total }: { readonly total: string },
) {
  const fact = JSON.parse(
    (await ledger.findFact(serviceKey, factName(place))) ?? '{}',
  ) as StockTotals['micros'];
  return fact[total] == null ? null : BigInt(fact[total]);
}

/** The total of a product that is known, to tell it alone: null too where it can't be read. */
async function lookAtTotal(context: StockContext, product: number): Promise<StockTotals | null> {
  try {
    return await readTotal(context, product, isThere);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    context.log.warn({ product, error: error.reason }, 'the total could not be read');
    return null;
  }
}

/** What a product's total was before a run posted on it: that and the total of now tell whether it took effect. */
export async function beforeText(
  context: StockContext,
  run: string,
  body: Step['body'],
): Promise<Bilingual | null> {
  const { amounts } = context.resource;
  const amount = amounts.find(({ sent }) => body[sent] != null) ?? amounts[0];
  const product = await productId(context, body);
  const was =
    product === null || amount === undefined ? null : await totalBefore(context, { run, product }, amount);
  if (was === null) return null;
  return t(
    `${amount?.total} of product ${product} was ${amountText(was).en} before run ${run} posted on it`,
    `${amount?.total} van product ${product} was ${amountText(was).nl} voordat run ${run} erop boekte`,
  );
}

/** A total that may not show what this program posted last; `due`: what it is to be, null where nobody can tell. */
export interface ShownTotal {
  readonly total: StockTotals | null;
  readonly late: { readonly run: string; readonly due: bigint | null } | null;
}

/**
 * Holds a total against what it was before this program posted last, and that: within the doubt time it is
 * read again until it shows it.
 */
export async function shownTotal(
  context: StockContext,
  { product, amount }: { readonly product: number; readonly amount: CountedAmount },
  moves: readonly StockFact[],
  read: StockTotals | null,
): Promise<ShownTotal> {
  const { time, doubts, signal } = context;
  let [until, run]: [number, string | undefined] = [0, undefined];
  for (const { posting } of moves) {
    const latest = await shownBy(context, posting);
    if (latest < time.steady()) continue;
    until = Math.max(until, latest);
    run ??= posting.run;
  }
  const base = run === undefined ? null : await totalBefore(context, { run, product }, amount);
  if (run === undefined || base === null) return { total: read, late: null };
  const since = moves.slice(moves.findIndex(({ posting }) => posting.run === run));
  const moved = sumOfMoves(since, amount.sent);
  const isLate = (total: StockTotals | null): boolean => {
    const now = total?.micros[amount.total] ?? null;
    return now !== null && (moved === null ? now === base : !isNear(now, base + moved));
  };
  const look = () => readTotal(context, product, isThere);
  const seen = isLate(read) ? await doubts.look(until, look, (total) => !isLate(total)) : read;
  signal?.throwIfAborted();
  const total = seen === undefined ? read : seen;
  const due = moved === null ? null : base + moved;
  return { total, late: isLate(total) ? { run: since.at(-1)?.posting.run ?? run, due } : null };
}

/** Until when totals may not show a posting, by steady time; one in doubt may still arrive. */
async function shownBy(context: Context, posting: Posting): Promise<number> {
  const { time, doubts } = context;
  if (posting.state === 'done') return doubts.ofDone(momentOf(posting.at));
  const until = await arrivesUntil(context, posting, posting.at);
  return until === null ? 0 : time.steady() + until.getTime() - time.now();
}
