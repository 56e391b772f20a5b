import type { Posting } from '../../ledger/ledger.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { ContextOf } from '../../records/planning.ts';
import { neverSent, sentRow } from '../../records/sent-before.ts';
import { wallClock } from '../../run/context.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { momentText } from './later-mutations.ts';
import type { ProductName } from './stock-row.ts';
import { takenBackBy } from './stock-undo.ts';

/** What the user once told: at a moment, so much of a product was counted, whatever was posted for it. */
export interface Telling {
  readonly moment: string;
  /** The column it was counted in. */
  readonly field: string;
  readonly micros: bigint;
  readonly posting: Posting;
}

/** What identifies a count: product (by one of its names), moment, amount, and the user's `#key`. */
export function countName(
  row: MappedRow<CountResource>,
  { amount, micros }: { readonly amount: CountedAmount; readonly micros: bigint },
  { field, value }: ProductName,
): string {
  const moment = momentText(row.values[row.mapping.resource.moment]);
  const own = row.reference === null ? [] : [row.reference];
  return `${beginningOf({ field, value })}${[moment, amount.counted, micros, ...own].join(':')}`;
}

/** Of a name: the product, the moment, the column, the amount. */
const NAME = /^(count:[^:]+:-?\d+:)(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d):([^:]+):(-?\d+)(?::|$)/;

/** How the names of all counts of a product begin. */
export const beginningOf = ({ field, value }: ProductName): string => `count:${field}:${value}:`;

/** Reads what the ledger knows of counts by the beginnings of names; of one, the last told comes last. */
export async function findTellings(
  { ledger, serviceKey, resource }: ContextOf<CountResource>,
  beginnings: readonly string[],
): Promise<(beginnings: readonly string[]) => readonly Telling[]> {
  const byProduct = new Map<string, Telling[]>();
  const found = await ledger.findPostingsLike(serviceKey, resource.name, beginnings);
  for (const [name, posting] of found) {
    const [, beginning = '', moment, field = '', amount = ''] = NAME.exec(name) ?? [];
    if (moment === undefined) continue;
    const known = byProduct.get(beginning) ?? [];
    byProduct.set(beginning, [...known, { moment, field, micros: BigInt(amount), posting }]);
  }
  return (of) => {
    const all = of.flatMap((beginning) => byProduct.get(beginning) ?? []);
    // One that goes by several names is found by each of them.
    const each = new Map(all.map((telling) => [telling.posting.fingerprint, telling]));
    return [...each.values()].sort((a, b) => (orderOf(a.posting) < orderOf(b.posting) ? -1 : 1));
  };
}

/** How the names of these products' counts begin, by some of those names. */
export const beginningsIn = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => NAME.exec(name)?.[1] ?? [])),
];

/** Sorts postings as they came. Within a second the id of what was posted tells: a correction comes last. */
export const orderOf = ({ at, run, seq, id }: Posting): string =>
  [at, String(id ?? 0).padStart(16, '0'), run, String(seq).padStart(9, '0')].join(' ');

/** The run that took a telling back; undefined where it holds. */
export async function retracted(
  context: ContextOf<CountResource>,
  { posting }: Pick<Telling, 'posting'>,
): Promise<string | undefined> {
  const sent = await sentRow(context, posting);
  return sent === undefined ? undefined : await takenBackBy(context, posting, sent.planned);
}

/** What is known of a product's counts beside the one that a row tells. */
export interface Known {
  /** The last that was told with its moment. */
  readonly same: Telling | undefined;
  /** One of a later moment, the last of them; none that `same` was posted in spite of. */
  readonly later: Telling | undefined;
}

const DAY = 86_400_000;

/** Whether a moment is more than a day ahead, so that in no time zone anybody can have counted then. */
export const isAhead = (moment: string, now: Date): boolean =>
  moment.replace('T', ' ') > wallClock(new Date(now.getTime() + DAY));

/** What holds beside the one of that fingerprint: none that was taken back, never sent, or is ahead. */
export async function whatHolds(
  context: ContextOf<CountResource>,
  tellings: readonly Telling[],
  moment: string,
  own: string | undefined,
): Promise<Known> {
  let [same, later]: (Telling | undefined)[] = [];
  for (const telling of tellings) {
    const { posting } = telling;
    if (telling.moment < moment || posting.fingerprint === own) continue;
    if (isAhead(telling.moment, new Date(context.time.now()))) continue;
    if (posting.state === 'sending' && (await neverSent(context, posting))) continue;
    if ((await retracted(context, telling)) !== undefined) continue;
    if (telling.moment === moment) same = telling;
    else if (later === undefined || later.moment <= telling.moment) later = telling;
  }
  const isOverruled = same !== undefined && later !== undefined && isBefore(later, same);
  return { same, later: isOverruled ? undefined : later };
}

/** Whether one was told before another. */
export const isBefore = (one: Telling, other: Pick<Telling, 'posting'>): boolean =>
  orderOf(one.posting) < orderOf(other.posting);
