import { BigNumber } from 'bignumber.js';
import { decimalOf } from '../core/decimal.ts';
import type { Value } from '../core/value.ts';
import type { Field } from '../schema/field.ts';
import { sameValue } from './existing-record.ts';

/** A value that was sent, and what the service held after. */
export interface StoredPair {
  readonly sent: Value;
  readonly held: Value;
}

/** What a service makes of the values of a field. */
export interface ValueHabit {
  apply(value: Value): Value;
  /** So many characters of a text are kept; null where all are. */
  readonly cut: number | null;
  /** Whether a text is cut. */
  cuts(text: string): boolean;
  /** What to send so that this is held. */
  back(held: Value): Value;
  /** What of it a hand may have done as well: what shows it, and the habit without it. */
  readonly hand: { shows(pair: StoredPair): boolean; readonly rest: ValueHabit } | null;
  /** Nothing is held of what is sent. */
  readonly keepsNone?: true;
}

/** Values are held as they are sent. */
export const AS_SENT: ValueHabit = {
  ...{ apply: (value) => value, cut: null, cuts: () => false },
  ...{ back: (held) => held, hand: null },
};

/** Whether a field holds what a habit makes of what it was sent. */
export const explains = ({ apply, keepsNone }: ValueHabit, { sent, held }: StoredPair): boolean =>
  sameValue(held, apply(sent)) || (keepsNone === true && held === null);

const NONE_KEPT: ValueHabit = { ...AS_SENT, keepsNone: true };
const isNoneKept = ({ sent, held }: StoredPair): boolean => held === null || !sent;

type FieldType = Field['codec']['type'];
type TextStep = (text: string) => string;
type Change = (value: Value) => Value;

/** The plainest habit that makes of each value what the service held; null where none does. */
export function findHabit(type: FieldType, pairs: readonly StoredPair[]): ValueHabit | null {
  const found = type === 'text' ? findTextHabit(pairs) : findChange(type, pairs);
  const isNone = pairs.every(isNoneKept) && pairs.some(({ sent }) => sent);
  return found ?? (isNone ? NONE_KEPT : null);
}

function findChange(type: Exclude<FieldType, 'text'>, pairs: readonly StoredPair[]): ValueHabit | null {
  const change = CHANGES[type].find((one) => pairs.every(({ sent, held }) => sameValue(held, one(sent))));
  if (change === asSent) return AS_SENT;
  if (change === undefined) return type === 'datetime' ? findShift(pairs) : null;
  // People round too, but cut no seconds off.
  return { ...AS_SENT, apply: change, hand: type === 'datetime' ? null : OTHER };
}

/** Each value that is not held as it was sent. */
const OTHER: ValueHabit['hand'] = { shows: ({ sent, held }) => !sameValue(held, sent), rest: AS_SENT };

const onNumber =
  (change: (value: number) => Value): Change =>
  (value) =>
    typeof value === 'number' ? change(value) : value;

const rounded = (places: number, mode: BigNumber.RoundingMode): Change =>
  onNumber((value) => decimalOf(value)?.decimalPlaces(places, mode).toNumber() ?? value);

const MODES = [BigNumber.ROUND_HALF_UP, BigNumber.ROUND_HALF_EVEN, BigNumber.ROUND_DOWN];
const MOST_PLACES = 6;
const asSent: Change = (value) => value;
const ROUNDED = Array.from({ length: MOST_PLACES + 1 }, (_, at) => MOST_PLACES - at).flatMap((places) =>
  MODES.map((mode) => rounded(places, mode)),
);
const inSingles = onNumber(Math.fround);
const NUMBERS: readonly Change[] = [
  asSent,
  ...ROUNDED,
  inSingles,
  ...ROUNDED.map(
    (round): Change =>
      (value) =>
        inSingles(round(value)),
  ),
];

const orNull =
  (nothing: Value, change: Change): Change =>
  (value) => {
    const made = change(value);
    return made === nothing ? null : made;
  };

/** A moment without what comes after its seconds, its minutes or its day, as reads give it. */
const upTo =
  (length: number, rest: string): Change =>
  (value) =>
    typeof value === 'string' && value.length > length ? value.slice(0, length) + rest : value;

/** What may be made of values that are no text, the plainest first. */
const CHANGES: Readonly<Record<Exclude<FieldType, 'text'>, readonly Change[]>> = {
  decimal: [...NUMBERS, ...NUMBERS.map((change) => orNull(0, change))],
  integer: [asSent, orNull(0, asSent)],
  boolean: [asSent, orNull(false, asSent)],
  datetime: [asSent, upTo(19, ''), upTo(16, ':00'), upTo(10, ' 00:00:00')],
};

const CUT_MOMENTS: readonly Change[] = [asSent, upTo(19, ''), upTo(16, ':00')];

/** Moments of another zone: so many minutes away, in summer often an hour more or less. */
function findShift(pairs: readonly StoredPair[]): ValueHabit | null {
  for (const cut of CUT_MOMENTS) {
    const away = pairs.map(({ sent, held }) => [sent, minutesApart(cut(sent), held)] as const);
    const of = (season: string) =>
      new Set(away.flatMap(([sent, minutes]) => (seasonOf(sent) === season ? [minutes] : [])));
    const [winter, summer] = [of('winter'), of('summer')];
    const [cold = null] = winter.size > 0 ? winter : summer;
    const [warm = cold] = summer;
    if (away.some(([, minutes]) => minutes === null) || winter.size > 1 || summer.size > 1) continue;
    if (cold === null || warm === null || ![0, 60].includes(Math.abs(cold - warm))) continue;
    const apply: Change = (value) => shifted(cut(value), seasonOf(value) === 'winter' ? cold : warm);
    const back = (held: Value): Value =>
      [shifted(held, -cold), shifted(held, -warm)].find((sent) => apply(sent) === held) ?? held;
    return { ...AS_SENT, apply, back, hand: OTHER };
  }
  return null;
}

const MINUTE = 60_000;
const inMs = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}Z`);

function shifted(value: Value, minutes: number): Value {
  if (typeof value !== 'string') return value;
  const moved = inMs(value) + minutes * MINUTE;
  if (Number.isNaN(moved)) return value;
  return new Date(moved).toISOString().replace('T', ' ').slice(0, value.length);
}

/** Whole quarters of an hour between two moments, as zones have them; null where it is no such. */
function minutesApart(sent: Value, held: Value): number | null {
  if (sent === held) return 0;
  if (typeof sent !== 'string' || typeof held !== 'string') return null;
  const minutes = (inMs(held) - inMs(sent)) / MINUTE;
  return minutes % 15 === 0 && Math.abs(minutes) <= 14 * 60 ? minutes : null;
}

/** Summer is from the last Sunday of March to that of October. */
function seasonOf(moment: Value): 'summer' | 'winter' | null {
  if (typeof moment !== 'string') return null;
  const lastSunday = (month: number): string => {
    const end = new Date(Date.UTC(Number(moment.slice(0, 4)), month, 0, 2));
    end.setUTCDate(end.getUTCDate() - end.getUTCDay());
    return end.toISOString().slice(0, 13).replace('T', ' ');
  };
  const hour = moment.slice(0, 13);
  return hour >= lastSunday(3) && hour < lastSunday(10) ? 'summer' : 'winter';
}

/** What a service may do to texts, in the order in which services do it; of each list at most one. */
const TEXT_STEPS: readonly (readonly TextStep[])[] = [
  [(text) => text.replace(/<[^>]*>/g, '')],
  [(text) => text.normalize('NFC'), (text) => text.normalize('NFD')],
  [(text) => text.replace(/[ \t\u00a0]+/g, ' '), (text) => text.replace(/\s+/g, ' ')],
  [(text) => text.toUpperCase(), (text) => text.toLowerCase()],
  // What a column can't hold: signs of four bytes, those that its code page lacks, or all but plain letters.
  [
    (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
    (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
    (text) => text.replace(/[\u{10000}-\u{10ffff}].*/su, ''),
    (text) => text.replace(/[^\0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu, '?'),
    (text) => text.replace(/[\u{100}-\u{10ffff}]/gu, '?'),
    (text) => text.replace(/[\u{100}-\u{10ffff}]/gu, ''),
    (text) => text.replace(/[^\0-\x7f]/gu, '?'),
    (text) => text.replace(/[^\0-\x7f]/gu, ''),
    (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
  ],
  [
    escaping('&<>"\'', '&#039;'),
    escaping('&<>"\'', '&#39;'),
    escaping('&<>"\'', '&apos;'),
    escaping('&<>"', ''),
    escaping('&<>', ''),
  ],
];

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

function escaping(signs: string, apostrophe: string): TextStep {
  const found = new RegExp(`[${signs}]`, 'g');
  return (text) => text.replace(found, (sign) => (sign === "'" ? apostrophe : `&${ENTITIES[sign] ?? ''};`));
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text as it was before a service escaped it. */
function unescaped(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#0?39);/g,
    (_, name?: string) => SIGNS[name ?? 'apos'] ?? '',
  );
}

/** All ways in which the steps that change any of these texts go together, the plainest first. */
function textWays(pairs: readonly StoredPair[]): (readonly TextStep[])[] {
  let made: (readonly TextStep[])[] = [[]];
  for (const choices of TEXT_STEPS) {
    const telling = choices.filter((step) =>
      pairs.some(({ sent }) => typeof sent === 'string' && step(sent) !== sent),
    );
    made = made.flatMap((steps) => [steps, ...telling.map((step) => [...steps, step])]);
  }
  return made.filter(({ length }) => length <= MOST_STEPS).sort((one, other) => one.length - other.length);
}

/** A service does so many things to a text at most, but for cutting it. */
const MOST_STEPS = 3;

function findTextHabit(pairs: readonly StoredPair[]): ValueHabit | null {
  // Most texts that differ are of another hand: telling that takes no search.
  if (!pairs.every(isAlike)) return null;
  let best: { readonly habit: ValueHabit; readonly steps: number } | null = null;
  for (const steps of textWays(pairs)) {
    if (best !== null && steps.length > best.steps) break;
    const cut = cutOf(steps, pairs);
    if (cut === undefined) continue;
    const length = steps.length + (cut === null ? 0 : 1);
    // What ends at a sign that its column can't hold is not cut after so many characters.
    if (
      best === null ||
      length < best.steps ||
      (length === best.steps && best.habit.cut !== null && cut === null)
    )
      best = { habit: textHabit(steps, cut), steps: length };
  }
  return best?.habit ?? null;
}

function textHabit(steps: readonly TextStep[], cut: number | null): ValueHabit {
  const apply: Change = (value) => {
    if (typeof value !== 'string') return value;
    const made = through(steps, value);
    const kept = (cut === null ? made : [...made].slice(0, cut).join('')).trim();
    return kept === '' ? null : kept;
  };
  const cuts = (text: string): boolean => cut !== null && [...through(steps, text)].length > cut;
  const rest = cut === null ? null : textHabit(steps, null);
  const hand = rest && { shows: ({ sent }: StoredPair) => typeof sent === 'string' && cuts(sent), rest };
  return { apply, cut, cuts, back: (held) => (typeof held === 'string' ? unescaped(held) : held), hand };
}

const through = (steps: readonly TextStep[], text: string): string =>
  steps.reduce((made, step) => step(made), text);

/** After how many characters texts are cut that went through these steps; undefined where that is not it. */
function cutOf(steps: readonly TextStep[], pairs: readonly StoredPair[]): number | null | undefined {
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const { sent, held } of pairs) {
    if (typeof sent !== 'string' || typeof held !== 'string') {
      if (sent !== held) return undefined;
      continue;
    }
    const made = through(steps, sent);
    if (made.trim() === held) least = Math.max(least, [...made.trimEnd()].length);
    else if (!made.startsWith(held)) return undefined;
    else {
      // Reads give texts without the blanks at their end.
      const blanks = made.slice(held.length).match(/^\s*/)?.[0].length ?? 0;
      least = Math.max(least, [...held].length);
      most = Math.min(most, [...held].length + blanks);
    }
  }
  if (most === Number.POSITIVE_INFINITY) return null;
  // Between two that may be it, the rounder one.
  const round = Math.ceil(least / 5) * 5;
  return least > most ? undefined : round <= most ? round : least;
}

/** Whether one text may come of the other, by its plain letters and digits. */
function isAlike({ sent, held }: StoredPair): boolean {
  if (typeof sent !== 'string' || typeof held !== 'string') return sent === held;
  const [letters = ''] = lettersOf(held);
  return lettersOf(sent).some((text) => text.startsWith(letters));
}

/** So many texts are known again: each is compared with many. */
const MOST_KNOWN = 20_000;
const knownLetters = new Map<string, readonly string[]>();

/** A text's plain letters and digits, and the same without its accents and without its tags. */
function lettersOf(text: string): readonly string[] {
  const known = knownLetters.get(text);
  if (known !== undefined) return known;
  const shapes = [text, text.normalize('NFD').replace(/\p{M}/gu, ''), text.replace(/<[^>]*>/g, '')];
  const made = [...new Set(shapes.map(plainLetters))];
  if (knownLetters.size >= MOST_KNOWN) knownLetters.clear();
  knownLetters.set(text, made);
  return made;
}

function plainLetters(text: string): string {
  const bare = unescaped(text).replace(/&#?\w*;?/g, '');
  return bare.replace(/[a-z0-9]\p{M}+|[^a-z0-9]+/giu, '').toLowerCase();
}

/** Whether someone may have written a value in place of another: people round, cut and clean, and no more. */
export function isByHand({ sent, held }: StoredPair): boolean {
  if (typeof held === 'number') return (decimalOf(held)?.decimalPlaces() ?? 0) <= 4;
  if (typeof sent !== 'string' || typeof held !== 'string' || isTorn(sent, held)) return false;
  const plain = (text: string): string => unescaped(text).normalize('NFC').replace(/\s+/g, ' ').trim();
  const lost = (text: string): number => text.split(/[?\ufffd]/).length;
  return plain(sent) !== plain(held) && lost(held) <= lost(sent);
}

/** Whether a text of several words ends in the middle of one, with more after it: no hand leaves that. */
const isTorn = (sent: string, held: string): boolean =>
  sent.startsWith(held) && /\P{L}\p{L}+$/u.test(held) && /^\p{L}+\P{L}+\p{L}/u.test(sent.slice(held.length));

/** What a value can tell of habits; a record that has more of it is worth more to look at. */
export function traitsOf(value: Value): string[] {
  if (value === 0 || value === false) return ['nothing'];
  if (value === null || value === '') return [];
  if (typeof value === 'number')
    return Number.isInteger(value) ? ['value'] : ['value', ...fractionTraits(value)];
  if (typeof value !== 'string') return ['value'];
  return ['value', ...TEXT_TRAITS.flatMap(([name, found]) => (found.test(value) ? [name] : []))];
}

const TEXT_TRAITS: readonly (readonly [string, RegExp])[] = [
  ['markup', /[<>&"']/],
  ['blanks', /\s{2}|[\t\u00a0]/],
  ['lines', /\n/],
  ['accents', /[^\0-\x7f]/],
  ['small letters', /[a-z]/],
  ['seconds', /^\d{4}-\d\d-\d\d .*:(?!00)\d\d/],
  ['time', /^\d{4}-\d\d-\d\d (?!00:00)/],
];

function fractionTraits(value: number): string[] {
  const digits = decimalOf(value)?.toFixed().split('.')[1] ?? '';
  const half = /[02468]5$/.test(digits) ? ['half'] : [];
  return [`${Math.min(digits.length, 4)} decimals`, ...half];
}
