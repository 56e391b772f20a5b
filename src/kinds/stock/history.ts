import type { PlannedRow, Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { byReference, neverSent, sentRow } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import { ofKind } from '../kind.ts';

/** The moment of a move of the books alone. */
export const BOOKS = '-';

/**
 * What the ledger knows of a product's stock stands in the names of its postings, which results take along to
 * other ledgers. A count tells what was there at its moment. A move tells what a posting did then; at BOOKS
 * where nothing came or went, as it takes back a count.
 */
interface Told {
  readonly kind: 'count' | 'move';
  readonly moment: string;
  /** The column it was counted in, or sent as. */
  readonly column: string;
  readonly micros: bigint;
  /** What a count of several places was added up of. */
  readonly parts?: readonly Part[];
}

/** What one place holds, and when that was counted. */
export interface Part {
  readonly place: string;
  readonly micros: bigint;
  readonly moment: string;
}

/** The same with the posting that has such a name. */
export interface StockFact extends Told {
  readonly posting: Posting;
  readonly name: string;
}

/** What identifies a count (with the user's `#key`), or makes a move of a posting (by its fingerprint) a name. */
export const stockName = (
  product: string,
  { kind, moment, column, micros, parts = [] }: Told,
  own: string | null,
): string => {
  const each = parts.map((part) => `@${packed(part.place)}=${part.micros},${packed(part.moment)}`);
  const amount = [micros, ...each.sort()].join('');
  return [kind, product, moment, column, amount, ...(own === null ? [] : [own])].join(':');
};

const NAME =
  /^(count|move):([^:]+:-?\d+):(-|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d):([^:]+):(-?\d+)(@[^:]*)?(?::|$)/;
const PART = /@([^=@]+)=(\d+),([^@]*)/g;

const packed = (text: string): string =>
  text.replace(/[%:@=,]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const unpacked = (text = ''): string =>
  text.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function readName(name: string): (Told & { readonly product: string }) | null {
  const [, kind, product = '', moment = '', column = '', micros, parts = ''] = NAME.exec(name) ?? [];
  if (micros === undefined) return null;
  const told = { kind: kind as Told['kind'], product, moment, column, micros: BigInt(micros) };
  if (parts === '') return told;
  const each = [...parts.matchAll(PART)].map(([, place, part = '0', at]) => ({
    ...{ place: unpacked(place), micros: BigInt(part), moment: unpacked(at) },
  }));
  return { ...told, parts: each };
}

/** What a planned count was added up of, by its names. */
export const plannedParts = ({ steps: [step], posted = [] }: PlannedRow): readonly Part[] =>
  [step?.fingerprint ?? [], step?.also ?? [], posted].flat().flatMap((name) => readName(name)?.parts ?? []);

/** The products of a planned step as its names have them, and what it moves. */
export function plannedFacts({ fingerprint = '', also = [] }: Pick<Step, 'fingerprint' | 'also'> = {}) {
  const facts = [fingerprint, ...also].flatMap((name) => readName(name) ?? []);
  const moves = facts.flatMap((fact) => (fact.kind === 'move' ? [[fact.column, fact] as const] : []));
  return {
    products: [...new Set(facts.map(({ product }) => product))],
    moves: [...new Map<string, Told>(moves).values()],
  };
}

/** Reads what the ledger knows of products as it came, but for what was certainly not sent. */
export async function readHistories(
  context: Context,
  products: readonly string[],
  kinds: readonly Told['kind'][],
): Promise<(products: readonly string[]) => StockFact[]> {
  const { ledger, serviceKey, resources } = context;
  const known = new Map<string, [key: string, fact: StockFact][]>();
  const beginnings = kinds.flatMap((kind) => products.map((product) => `${kind}:${product}:`));
  for (const resource of [...ofKind(resources, 'posting'), ...ofKind(resources, 'count')])
    for (const [name, posting] of await ledger.findPostings(
      serviceKey,
      resource.name,
      beginnings,
      'beginning',
    )) {
      const told = readName(name);
      const { fingerprint } = posting;
      if (told === null || (await neverSent({ ...context, resource }, posting))) continue;
      const facts = known.get(told.product) ?? [];
      known.set(told.product, facts);
      facts.push([`${told.kind} ${told.column} ${fingerprint}`, { ...told, posting, name }]);
    }
  // One that goes by several names is found by each of them.
  return (of) => [...new Map(of.flatMap((product) => known.get(product) ?? [])).values()].sort(asTheyCame);
}

/** Within a second the id of what was posted tells: a correction comes last. */
const asTheyCame = ({ posting: a }: StockFact, { posting: b }: StockFact): number =>
  a.at.localeCompare(b.at) || Number(a.id) - Number(b.id) || a.run.localeCompare(b.run) || a.seq - b.seq;

/** The `#key` of a mutation that takes a row back, which is posted once however often a run is undone. */
export const undoKey = (run: string, { sheet, row }: Pick<PlannedRow, 'sheet' | 'row'>): string =>
  `undo ${run} ${sheet}!${row}`;

const UNDO_KEY = /^(undo \d{8}-\d{6}-[a-z0-9]{4} .+!\d+?)(?: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d))?$/;

/** Of such a key its name, and the moment of what is taken back; null for any other. */
export function readUndoKey(key: string | null): { readonly name: string; readonly moment: string } | null {
  const [, name, moment = BOOKS] = UNDO_KEY.exec(key ?? '') ?? [];
  return name === undefined ? null : { name, moment };
}

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

/** Of counts that were not taken back: the last that was told with a moment, and of those of later moments the last. */
export async function countsFrom(context: Context, history: readonly StockFact[], from: string) {
  let [same, later]: (StockFact | undefined)[] = [];
  for (const fact of history) {
    const { kind, moment, posting } = fact;
    if (kind !== 'count' || moment < from || (await takenBackBy(context, posting)) !== undefined) continue;
    if (moment === from) same = fact;
    else if (later === undefined || later.moment <= moment) later = fact;
  }
  return { same, later };
}

/** Of counts up to a moment that were not taken back, the last. */
export async function lastCount(
  context: Context,
  history: readonly StockFact[],
  until: string,
): Promise<StockFact | undefined> {
  const counts = history.filter(({ kind, moment }) => kind === 'count' && moment <= until).reverse();
  for (const fact of counts.sort((one, other) => other.moment.localeCompare(one.moment)))
    if ((await takenBackBy(context, fact.posting)) === undefined) return fact;
  return undefined;
}

/** A moment to the second, as all that is about stock writes it. */
export const momentText = (value: unknown): string => String(value ?? '').slice(0, 19);

/** Whether something can't be told from a count of its day that has no time: a date alone is read as its midnight. */
export const isUnclear = (count: string, then: string): boolean =>
  then > count && /[ T]00:00:00$/.test(count) && then.slice(0, DAY) === count.slice(0, DAY);

/** Of a moment, its day. */
const DAY = 10;

/** What moves come to; null where one is in another unit. */
export const sumOfMoves = (moves: readonly Told[], column: string): bigint | null =>
  moves.every((move) => move.column === column) ? moves.reduce((sum, { micros }) => sum + micros, 0n) : null;

/** What came and went after a count; null where that can't be told. */
export function movedAfter(
  facts: readonly (Told & { readonly posting?: Posting })[],
  count: string,
  column: string,
): bigint | null {
  const later = facts.filter(({ kind, moment }) => kind === 'move' && moment !== BOOKS && moment > count);
  const isTold = later.every(
    ({ moment, posting }) => posting?.state !== 'sending' && !isUnclear(count, moment),
  );
  return isTold ? sumOfMoves(later, column) : null;
}
