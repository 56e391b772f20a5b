import type { Value, Values } from '../core/value.ts';
import type { Field } from '../schema/field.ts';
import { type ExistingRecord, sameValue } from './existing-record.ts';
import {
  AS_SENT,
  explains,
  findHabit,
  isByHand,
  type StoredPair,
  traitsOf,
  type ValueHabit,
} from './value-habits.ts';

/** So many values of a field are kept: each tells something the others don't. */
export const MOST_PAIRS = 16;

/** Of a text up to this length it is of no interest whether longer ones are cut. */
const SHORT = 8;

/** What was seen of one field. */
export interface FieldMemory {
  /** The oldest first. */
  readonly pairs: readonly StoredPair[];
  readonly habit: ValueHabit;
  readonly traits: ReadonlySet<string>;
  readonly longest: number;
}

/** Of a field of which nothing was seen. */
export const NOTHING_SEEN: FieldMemory = { pairs: [], habit: AS_SENT, traits: new Set(), longest: SHORT };

/** What pairs tell of a field. */
export function remembered(pairs: readonly StoredPair[], habit: ValueHabit): FieldMemory {
  const kept = onlyAsSeen(pairs, habit) ?? habit;
  const traits = new Set(pairs.flatMap(({ sent }) => traitsOf(sent)));
  const longest = Math.max(SHORT, ...pairs.map(({ sent }) => (typeof sent === 'string' ? sent.length : 0)));
  return { pairs, habit: kept, traits, longest };
}

/** What a hand may have done, and only one value shows, tells of that value alone. */
function onlyAsSeen(pairs: readonly StoredPair[], { hand }: ValueHabit): ValueHabit | null {
  const odd = hand === null ? [] : pairs.filter((pair) => hand.shows(pair));
  const [one] = odd;
  if (hand === null || one === undefined || !odd.every((pair) => isByHand(pair) && pair.sent === one.sent))
    return null;
  return { ...hand.rest, apply: (value) => (sameValue(value, one.sent) ? one.held : hand.rest.apply(value)) };
}

/** What is left of a memory where a text is held that is longer than its cut leaves; null where none is. */
export function withoutCut(
  { pairs, habit: { cut, hand } }: FieldMemory,
  held: readonly (Value | undefined)[],
): FieldMemory | null {
  if (cut === null || hand === null) return null;
  const longer = held.find((text) => typeof text === 'string' && [...text].length > cut);
  if (longer === undefined) return null;
  const kept = { sent: hand.rest.back(longer), held: longer };
  return remembered([...pairs.filter((pair) => !hand.shows(pair)), kept], hand.rest);
}

/** What a record holds, as far as it was read. */
export type HeldNow = Readonly<Record<string, Value | undefined>>;

/** In how many fields a record holds something else than was sent. */
export const apart = (sent: Values, { values }: Pick<ExistingRecord, 'values'>): number =>
  Object.entries(sent).filter(([field, value]) => !sameValue(values[field], value)).length;

/**
 * What was sent in each field and is held now. A field that holds what it `was` tells nothing, but where the
 * record was surely written since (`isMoved`) and holds nothing in it still.
 */
export function pairsOf(body: Values, held: HeldNow, was: Values, isMoved: boolean): [string, StoredPair][] {
  return Object.entries(body).flatMap(([field, sent]): [string, StoredPair][] => {
    const now = held[field];
    const isAsBefore = now !== sent && now === was[field] && !(isMoved && now === null);
    return now === undefined || isAsBefore ? [] : [[field, { sent, held: now }]];
  });
}

/** Pairs of one time, without those that others contradict and that a hand could have made since. */
export function believable(
  type: Field['codec']['type'],
  memory: FieldMemory | undefined,
  pairs: readonly StoredPair[],
): readonly StoredPair[] {
  const { pairs: before, habit } = memory ?? NOTHING_SEEN;
  const odd = pairs.filter((pair) => !explains(habit, pair));
  if (odd.length === 0 || findHabit(type, [...before, ...pairs]) !== null) return pairs;
  // A service may do otherwise by now: then more than one record shows it, or what no hand does.
  const isNew = (odd.length > 1 || !odd.some(isByHand)) && findHabit(type, pairs) !== null;
  return isNew ? pairs : pairs.filter((pair) => !odd.includes(pair) || !isByHand(pair));
}

/** Whether several texts end after so many characters, one of them within a word: no hand does that. */
export function cutTogether(pairs: readonly StoredPair[]): boolean {
  const { hand = null } = findHabit('text', pairs) ?? {};
  const shown = pairs.filter((pair) => hand?.shows(pair));
  const isWithinWord = ({ sent, held }: StoredPair): boolean =>
    /\p{L}$/u.test(String(held)) && /^\p{L}/u.test(String(sent).slice(String(held).length));
  return new Set(shown.map(({ sent }) => sent)).size > 1 && shown.some(isWithinWord);
}
