import type { Value, Values } from '../core/value.ts';
import type { Field } from '../schema/field.ts';
import { type ExistingRecord, sameValue } from './existing-record.ts';
import { AS_SENT, findHabit, isByHand, type StoredPair, traitsOf, type ValueHabit } from './value-habits.ts';

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
  const kept = onlyAsSeen(pairs) ?? habit;
  const traits = new Set(pairs.flatMap(({ sent }) => traitsOf(sent)));
  const longest = Math.max(SHORT, ...pairs.map(({ sent }) => (typeof sent === 'string' ? sent.length : 0)));
  return { pairs, habit: kept, traits, longest };
}

/** One number that a hand may have written since tells of that number alone. */
function onlyAsSeen(pairs: readonly StoredPair[]): ValueHabit | null {
  const odd = pairs.filter(({ sent, held }) => !sameValue(held, sent));
  const [one] = odd;
  if (typeof one?.sent !== 'number' || !odd.every((pair) => isByHand(pair) && pair.sent === one.sent))
    return null;
  return { ...AS_SENT, apply: (value) => (sameValue(value, one.sent) ? one.held : value) };
}

/** What a record holds, as far as it was read. */
export type HeldNow = Readonly<Record<string, Value | undefined>>;

/** In how many fields a record holds something else than was sent. */
export const apart = (sent: Values, { values }: Pick<ExistingRecord, 'values'>): number =>
  Object.entries(sent).filter(([field, value]) => !sameValue(values[field], value)).length;

/** What was sent in each field and is held now; a field that holds what it `was` tells nothing. */
export function pairsOf(body: Values, held: HeldNow, was: Values): [string, StoredPair][] {
  return Object.entries(body).flatMap(([field, sent]): [string, StoredPair][] => {
    const now = held[field];
    return now === undefined || (now !== sent && now === was[field]) ? [] : [[field, { sent, held: now }]];
  });
}

/** Pairs of one time, without those that others contradict and that a hand could have made since. */
export function believable(
  type: Field['codec']['type'],
  memory: FieldMemory | undefined,
  pairs: readonly StoredPair[],
): readonly StoredPair[] {
  const { pairs: before, habit } = memory ?? NOTHING_SEEN;
  const odd = pairs.filter(({ sent, held }) => !sameValue(held, habit.apply(sent)));
  if (odd.length === 0 || findHabit(type, [...before, ...pairs]) !== null) return pairs;
  // A service may do otherwise by now: then more than one record shows it, or what no hand does.
  const isNew = (odd.length > 1 || !odd.some(isByHand)) && findHabit(type, pairs) !== null;
  return isNew ? pairs : pairs.filter((pair) => !odd.includes(pair) || !isByHand(pair));
}
