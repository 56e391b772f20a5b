import { decimalOf, evidentLocale, parseNumber, significant } from '../../core/codecs/number.ts';
import { foldName, saidName } from '../../core/header.ts';
import { type Bilingual, inOne, same, t } from '../../core/language.ts';
import { nearestText } from '../../core/nearest.ts';
import type { Value } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';

/** A record that a rule is held against. */
export interface HeldRecord {
  /** What a field would be; undefined where it is not known. */
  now(field: string): Value | undefined;
  /** What it is, null where there is no record; undefined where it is not known. */
  was(field: string): Value | undefined;
  /** The field that was asked for last and is not known. */
  unknown?: string | undefined;
}

/** A rule as it holds for the records of one resource. */
export interface Rule {
  /** The fields that it names, in their order. */
  readonly fields: readonly string[];
  /** Undefined where that can't be told, as a field is not known, or has nothing to be compared. */
  readonly holds: (record: HeldRecord) => boolean | undefined;
}

/** A mistake in a rule: at which character, from 0, and what is wrong. */
export class RuleMistake extends Error {
  readonly at: number;
  readonly text: Bilingual;
  constructor(at: number, text: Bilingual) {
    super(text.en);
    this.at = at;
    this.text = text;
  }
}

type Result = Value | undefined;
/** A `day` is a text that is written as a date. */
type Kind = 'number' | 'text' | 'date' | 'day' | 'truth' | 'empty';
interface Part {
  readonly kind: Kind;
  of(record: HeldRecord): Result;
}
/** What a rule is made of: `is` is a word or sign in its one spelling. */
interface Token {
  readonly at: number;
  readonly is: string;
  readonly literal?: Part | undefined;
  /** The name of a field. */
  readonly word?: string | undefined;
}

const MOST_CHARACTERS = 500;
const DEEPEST = 30;

const TOKEN =
  /\s*(?:(?<amount>\d[\d.,]*\s?%?)|(['"])(?<text>.*?)\2|(?<word>[\p{L}_][\p{L}\p{N}_.]*)|(?<sign>[<>!]=|<>|[=<>≤≥≠+\-−*×/÷()]))/gsuy;
const SAME_AS = new Map(
  Object.entries({
    ...{ en: 'and', of: 'or', leeg: 'empty', waar: 'true', onwaar: 'false', wijziging: 'change' },
    ...{ '<>': '!=', '≠': '!=', '≤': '<=', '≥': '>=', '×': '*', '÷': '/', '−': '-' },
  }),
);
/** Those that bind least come first. */
const LEVELS = [['or'], ['and'], ['=', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*', '/']];
const KINDS = {
  integer: 'number',
  decimal: 'number',
  text: 'text',
  boolean: 'truth',
  datetime: 'date',
} as const;
const DAY = /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/;

/** Cuts a rule into fields, values, words and signs; the last one is its end. Throws RuleMistake. */
function tokensOf(rule: string): Token[] {
  if (rule.length > MOST_CHARACTERS) throw new RuleMistake(MOST_CHARACTERS, TOO_LONG);
  const startOf = (from: number): number => from + rule.slice(from).search(/\S|$/);
  const tokens: Token[] = [];
  let end = startOf(0);
  for (const { 0: all, index, groups = {} } of rule.matchAll(TOKEN)) {
    const { amount, text, word, sign = '' } = groups;
    const said = word?.toLowerCase() ?? sign;
    const is = SAME_AS.get(said) ?? said;
    const value =
      amount === undefined
        ? text !== undefined && constant(DAY.test(text) ? 'day' : 'text', text)
        : constant('number', numberIn(amount, end));
    tokens.push({ at: end, is, word, literal: value || LITERALS.get(is) });
    end = startOf(index + all.length);
  }
  if (end < rule.length) throw new RuleMistake(end, NO_SIGN);
  return [...tokens, { at: end, is: '' }];
}

/** The field that people mean by a name: the interface’s, or what they say. */
const fieldIn = ({ fields }: Resource, word: string): string | undefined =>
  Object.entries(fields).find(([name, { help }]) =>
    [name, saidName(help.en), saidName(help.nl)].some((one) => foldName(one) === foldName(word)),
  )?.[0];

/**
 * Reads a rule, once for each of the resources that has all its fields. Throws RuleMistake for what can't be read, for
 * fields that none of them has, and for values that can't be compared.
 */
export function readRule(rule: string, resources: readonly Resource[]): (readonly [Resource, Rule])[] {
  const tokens = tokensOf(rule);
  let left = resources;
  for (const { word, is, at, literal } of tokens) {
    if (word === undefined || literal !== undefined || WORDS.has(is)) continue;
    const having = left.filter((one) => fieldIn(one, word) !== undefined);
    const where = left.map(({ sheet }) => sheet).join(' / ');
    if (having.length === 0)
      throw notThere(
        at,
        word,
        left.flatMap(({ fields }) => Object.keys(fields)),
        t(`${where} has no field ${word}.`, `${where} heeft geen veld ${word}.`),
      );
    left = having;
  }
  return left.map((resource) => [resource, compile(tokens, resource)]);
}

const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'change']);
const TOO_LONG = t(
  `a rule has at most ${MOST_CHARACTERS} characters`,
  `een regel heeft hoogstens ${MOST_CHARACTERS} tekens`,
);
const NO_SIGN = t('this is no sign of a rule', 'dit is geen teken van een regel');
const FIELD = t('a field or a value is expected', 'hier hoort een veld of een waarde');

/** The mistake of a name that nothing has. */
export const notThere = (at: number, word: string, names: readonly string[], none: Bilingual): RuleMistake =>
  new RuleMistake(at, inOne([none, nearestText(word, new Set(names), same(''))]));

/** Compiles a rule for the records of a resource, to functions that are called for each of them. */
function compile(tokens: readonly Token[], resource: Resource): Rule {
  const fields = new Set<string>();
  let [next, depth] = [0, 0];
  const token = () => tokens[next] as Token;
  const take = (is: string): void => {
    if (token().is !== is) throw new RuleMistake(token().at, t(`${is} is expected`, `hier hoort ${is}`));
    next++;
  };
  const field = () => {
    const { at, word = '' } = token();
    const name = fieldIn(resource, word);
    if (name === undefined) throw new RuleMistake(at, FIELD);
    next++;
    fields.add(name);
    const kind = KINDS[(resource.fields[name] as Field).codec.type];
    const of = (record: HeldRecord): Result => {
      const value = record.now(name);
      if (value === undefined) record.unknown = name;
      // A flag that is empty is off.
      return kind === 'truth' && value === null ? false : value;
    };
    return { name, kind, of };
  };
  const inBrackets = <P>(read: () => P): P => {
    take('(');
    if (++depth > DEEPEST) throw new RuleMistake(token().at, t('too many brackets', 'te veel haakjes'));
    const inner = read();
    take(')');
    depth--;
    return inner;
  };
  const primary = (): Part => {
    const { at, is, literal } = token();
    if (is === '(') return inBrackets(() => level(0));
    if (literal === undefined && is !== '-' && is !== 'change') return field();
    next++;
    if (literal !== undefined) return literal;
    if (is === '-') return combined(is, constant('number', 0), primary(), at);
    const changed = inBrackets(field);
    if (changed.kind !== 'number') throw new RuleMistake(at, NUMBERS);
    return { kind: 'number', of: changeOf(changed) };
  };
  const level = (at: number): Part => {
    const signs = LEVELS[at];
    if (signs === undefined) return primary();
    let left = level(at + 1);
    while (signs.includes(token().is)) {
      const { is, at: place } = token();
      next++;
      left = combined(is, left, level(at + 1), place);
    }
    return left;
  };
  const { kind, of } = level(0);
  const { at } = token();
  if (next < tokens.length - 1) throw new RuleMistake(at, END);
  if (kind !== 'truth' || fields.size === 0) throw new RuleMistake(at, COMPARISON);
  return { fields: [...fields], holds: of as Rule['holds'] };
}

const END = t('and, or, or the end is expected', 'hier hoort en, of, of het einde');
const COMPARISON = t('a comparison with a field is expected', 'hier hoort een vergelijking met een veld');
const NUMBERS = t('numbers are expected', 'hier horen getallen');
const constant = (kind: Kind, value: Value): Part => ({ kind, of: () => value });
const LITERALS = new Map([
  ['empty', constant('empty', null)],
  ['true', constant('truth', true)],
  ['false', constant('truth', false)],
]);

/** A number of a rule. Throws RuleMistake for one that can be read in two ways. */
function numberIn(text: string, at: number): number {
  const plain = text.trim();
  const read =
    evidentLocale(plain) === null ? undefined : (parseNumber(plain, 'en') ?? parseNumber(plain, 'nl'));
  if (read !== undefined) return read.value;
  throw new RuleMistake(
    at,
    t(
      `write ${plain} as 1500 or 1.5, without a mark for thousands`,
      `schrijf ${plain} als 1500 of 1.5, zonder teken voor duizendtallen`,
    ),
  );
}

/** Two parts with a sign between them. Throws RuleMistake, at the sign, where they don't fit it. */
function combined(is: string, left: Part, right: Part, at: number): Part {
  const like = ({ kind }: Part, other: Part): Kind =>
    kind === 'day' ? (other.kind === 'date' ? 'date' : 'text') : kind;
  const [one, other] = [like(left, right), like(right, left)];
  const needs = (isFit: boolean, what: Bilingual): void => {
    if (!isFit) throw new RuleMistake(at, what);
  };
  if (is === 'and' || is === 'or') {
    needs(one === 'truth' && other === 'truth', COMPARISON);
    return { kind: 'truth', of: joined(left, right, is === 'or') };
  }
  const sign = is as keyof typeof CALCULATIONS;
  if (Object.hasOwn(CALCULATIONS, is)) {
    needs(one === 'number' && other === 'number', NUMBERS);
    return both('number', left, right, (a, b) => calculate(sign, a, b));
  }
  if (is === '=' || is === '!=') needs(one === other || one === 'empty' || other === 'empty', ONE_KIND);
  else needs(one === other && (one === 'number' || one === 'date'), ORDERED);
  return both('truth', left, right, comparing(is, one === 'date'));
}

const ONE_KIND = t('values of one kind are expected', 'hier horen waarden van één soort');
const ORDERED = t('numbers or dates are expected', 'hier horen getallen of datums');

const both = (kind: Kind, left: Part, right: Part, make: (a: Value, b: Value) => Result): Part => ({
  kind,
  of(record) {
    const [a, b] = [left.of(record), right.of(record)];
    return a === undefined || b === undefined ? undefined : make(a, b);
  },
});

/** `and` is false where one part is, `or` is true where one is, whatever the other. */
const joined = (left: Part, right: Part, end: boolean) => (record: HeldRecord) => {
  const [a, b] = [left.of(record), right.of(record)];
  if (a === end || b === end) return end;
  return a === undefined || b === undefined ? undefined : !end;
};

/** Numbers that are further apart than this part of themselves differ in their first 15 digits. */
const FLOAT_BLUR = 1e-12;

/** Compares what is known; undefined where one is empty and an order is asked for. A day is all of that day. */
function comparing(is: string, dates: boolean): (a: Value, b: Value) => boolean | undefined {
  const order = (a: Value, b: Value): number | undefined => {
    if (typeof a === 'number' && typeof b === 'number') {
      // Most are further apart than floats blur, and told at once.
      const apart = a - b;
      const isFar = Math.abs(apart) > FLOAT_BLUR * Math.max(Math.abs(a), Math.abs(b));
      return isFar ? apart : significant(a) - significant(b);
    }
    if (!dates || typeof a !== 'string' || typeof b !== 'string') return sameValue(a, b) ? 0 : undefined;
    const [one, other] = [a.slice(0, b.length), b.slice(0, a.length)];
    return one < other ? -1 : Number(one > other);
  };
  const [less, equal] = [is.startsWith('<'), is.endsWith('=')];
  return (a, b) => {
    const found = order(a, b);
    if (is === '=' || is === '!=') return (found === 0) === (is === '=');
    if (found === undefined) return undefined;
    return found === 0 ? equal : found < 0 === less;
  };
}

/** Amounts of up to four decimals are calculated as whole numbers, which is exact and quick; others as decimals. */
const SCALE = 10_000;
const scaled = (value: number): number => {
  const whole = Math.round(value * SCALE);
  return whole / SCALE === value ? whole : Number.NaN;
};
const CALCULATIONS = {
  '+': ['plus', (a: number, b: number) => (a + b) / SCALE],
  '-': ['minus', (a: number, b: number) => (a - b) / SCALE],
  '*': ['times', (a: number, b: number) => (a * b) / SCALE ** 2],
  '/': ['div', (a: number, b: number) => a / b],
} as const;

function calculate(is: keyof typeof CALCULATIONS, one: Result, other: Result): number | undefined {
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  const [method, quick] = CALCULATIONS[is];
  const [a, b] = [scaled(one), scaled(other)];
  const isQuick = Math.abs(a * b) <= Number.MAX_SAFE_INTEGER;
  const result = isQuick
    ? quick(a, b)
    : decimalOf(one)
        ?.[method](decimalOf(other) ?? 0)
        .toNumber();
  return Number.isFinite(result) ? result : undefined;
}

/** How much a field changes, as a part of what the record has; undefined for a new record, and for one that has 0. */
const changeOf =
  ({ name, of }: Part & { readonly name: string }) =>
  (record: HeldRecord): Result => {
    const was = record.was(name);
    if (was === undefined) record.unknown = name;
    return typeof was === 'number'
      ? calculate('/', calculate('-', of(record), was), Math.abs(was))
      : undefined;
  };
