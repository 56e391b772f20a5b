import { decimalOf, evidentLocale, parseNumber, significant } from '../../core/codecs/number.ts';
import { normaliseHeader, saidName } from '../../core/header.ts';
import { type Bilingual, inOne, t } from '../../core/language.ts';
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
type Token = ReturnType<typeof tokensOf>[number];

const MOST_CHARACTERS = 500;
const DEEPEST = 30;

const TOKEN =
  /\s*(?:(?<number>\d[\d.,]*\s?%?)|['‘’](?<single>[^'‘’]*)['‘’]|["“”„](?<double>[^"“”„]*)["“”]|(?<word>[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*)|(?<sign>[<>!]=|<>|[=<>≤≥≠+\-−*×/÷()!|]))/uy;
const SAME_AS = new Map(
  Object.entries({
    ...{ en: 'and', of: 'or', leeg: 'empty', waar: 'true', onwaar: 'false', wijziging: 'change' },
    ...{ '<>': '!=', '≠': '!=', '≤': '<=', '≥': '>=', '×': '*', '÷': '/', '−': '-' },
  }),
);
const WORDS = ['and', 'or', 'empty', 'true', 'false', 'change'];
/** Those that bind least come first. */
const LEVELS = [['or'], ['and'], ['=', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*', '/']];
const KINDS = {
  ...({ integer: 'number', decimal: 'number', text: 'text', boolean: 'truth', datetime: 'date' } as const),
};
/** What begins a value that is no field, number or text. */
const SIGNS = new Set(['-', '(', 'change', 'empty', 'true', 'false']);
const DAY = /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/;

/** Cuts a rule into words, numbers, texts and signs, up to a `|`. Throws RuleMistake. */
function tokensOf(rule: string) {
  if (rule.length > MOST_CHARACTERS)
    throw new RuleMistake(
      MOST_CHARACTERS,
      t(
        `a rule has at most ${MOST_CHARACTERS} characters`,
        `een regel heeft hoogstens ${MOST_CHARACTERS} tekens`,
      ),
    );
  const tokens = [];
  let last = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(rule); match !== null && match.groups?.sign !== '|'; match = TOKEN.exec(rule)) {
    const { number, single, double, word, sign = '' } = match.groups ?? {};
    const said = word?.toLowerCase() ?? sign;
    const at = match.index + match[0].search(/\S/);
    tokens.push({ at, number, word, text: single ?? double, is: SAME_AS.get(said) ?? said });
    last = TOKEN.lastIndex;
  }
  const rest = rule.slice(last).trimStart();
  if (rest !== '' && !rest.startsWith('|')) throw new RuleMistake(rule.length - rest.length, notSign(rest));
  return [
    ...tokens,
    { at: rule.trimEnd().length - rest.trimEnd().length, is: '' } as (typeof tokens)[number],
  ];
}

const notSign = (rest: string): Bilingual =>
  t(`“${rest.slice(0, 1)}” is no sign of a rule`, `„${rest.slice(0, 1)}” is geen teken van een regel`);

/** The field that people mean by a name: the interface’s, or what they say. */
function fieldIn({ fields }: Resource, word: string): string | undefined {
  const name = normaliseHeader(word);
  const isSaid = ([field, { help }]: [string, Resource['fields'][string]]): boolean =>
    [field, saidName(help.en), saidName(help.nl)].some((one) => normaliseHeader(one) === name);
  return Object.hasOwn(fields, word) ? word : Object.entries(fields).find(isSaid)?.[0];
}

/**
 * Reads a rule, once for each of the resources that has all its fields. `strict`: it ends with a `!`;
 * `end`: where its `|` is, or its end. Throws RuleMistake
 * for what can't be read, for fields that none of them has, and for values that can't be compared.
 */
export function readRule(rule: string, resources: readonly Resource[]) {
  const tokens = tokensOf(rule);
  const strict = tokens.at(-2)?.is === '!';
  if (strict) tokens.splice(-2, 1);
  const named = tokens.flatMap(({ word, is, at }) =>
    word === undefined || WORDS.includes(is) ? [] : { word, at },
  );
  const [first] = named;
  if (first === undefined) throw new RuleMistake(tokens[0]?.at ?? 0, FIELD);
  let left = resources;
  for (const { word, at } of named) {
    const having = left.filter((one) => fieldIn(one, word) !== undefined);
    if (having.length === 0) throw new RuleMistake(at, noField(word, left));
    left = having;
  }
  const { at: end } = tokens.at(-1) as Token;
  return { strict, end, rules: left.map((resource) => [resource, compile(tokens, resource)] as const) };
}

const FIELD = t('a field or a value is expected', 'hier hoort een veld of een waarde');

function noField(word: string, resources: readonly Resource[]): Bilingual {
  const all = new Set(resources.flatMap(({ fields }) => Object.keys(fields)));
  const where = resources.map(({ sheet }) => sheet).join(' / ');
  const none = t(`${where} has no field ${word}.`, `${where} heeft geen veld ${word}.`);
  return inOne([
    none,
    nearestText(word, all, t('Use the headers of the template.', 'Gebruik de koppen van het sjabloon.')),
  ]);
}

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
    const { at, word } = token();
    const name = word === undefined ? undefined : fieldIn(resource, word);
    if (name === undefined) throw new RuleMistake(at, FIELD);
    next++;
    fields.add(name);
    const kind = KINDS[(resource.fields[name] as Field).codec.type];
    const of = (record: HeldRecord): Result => {
      const value = record.now(name);
      if (value === undefined) record.unknown = name;
      return value;
    };
    return { name, kind, of };
  };
  const primary = (): Part => {
    const { at, is, number, text } = token();
    if (number === undefined && text === undefined && !SIGNS.has(is)) return field();
    next++;
    if (number !== undefined) return { kind: 'number', of: constant(numberIn(number, at)) };
    if (text !== undefined) return { kind: DAY.test(text) ? 'day' : 'text', of: constant(text) };
    if (is === '-') return calculated('-', { kind: 'number', of: constant(0) }, primary(), at);
    if (is === 'empty') return { kind: is, of: constant(null) };
    if (is === '(') {
      if (++depth > DEEPEST) throw new RuleMistake(at, t('too many brackets', 'te veel haakjes'));
      const inner = level(0);
      take(')');
      depth--;
      return inner;
    }
    if (is !== 'change') return { kind: 'truth', of: constant(is === 'true') };
    take('(');
    const changed = field();
    if (changed.kind !== 'number') throw new RuleMistake(at, NUMBERS);
    take(')');
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
  const { at, is } = token();
  if (next < tokens.length - 1) throw new RuleMistake(at, is === '!' ? LAST : END);
  if (kind !== 'truth') throw new RuleMistake(at, COMPARISON);
  return {
    fields: [...fields],
    holds(record) {
      const result = of(record);
      return result === undefined ? result : result === true;
    },
  };
}

const LAST = t('! stands at the end', '! staat aan het einde');
const END = t('and, or, or the end is expected', 'hier hoort en, of, of het einde');
const COMPARISON = t('a comparison is expected', 'hier hoort een vergelijking');
const NUMBERS = t('numbers are expected', 'hier horen getallen');
const constant = (value: Value) => () => value;

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

function combined(is: string, left: Part, right: Part, at: number): Part {
  if (is === 'and' || is === 'or') {
    if (left.kind !== 'truth' || right.kind !== 'truth') throw new RuleMistake(at, COMPARISON);
    return { kind: 'truth', of: eachOf(left, right, is === 'or') };
  }
  if (Object.hasOwn(CALCULATIONS, is)) return calculated(is, left, right, at);
  const like = ({ kind }: Part, other: Part): Kind =>
    kind === 'day' ? (other.kind === 'date' ? 'date' : 'text') : kind;
  const [one, other] = [like(left, right), like(right, left)];
  const isFit =
    is === '=' || is === '!='
      ? one === other || one === 'empty' || other === 'empty'
      : one === other && (one === 'number' || one === 'date');
  if (!isFit) {
    const [a, b] = [WORDS_OF[one], WORDS_OF[other]];
    const both = t(
      `${a.en} and ${b.en} can’t be compared with ${is}`,
      `${a.nl} en ${b.nl} zijn niet te vergelijken met ${is}`,
    );
    throw new RuleMistake(at, both);
  }
  const compare = comparing(is, one === 'date');
  return {
    kind: 'truth',
    of(record) {
      const [a, b] = [left.of(record), right.of(record)];
      return a === undefined || b === undefined ? undefined : compare(a, b);
    },
  };
}

const WORDS_OF: Readonly<Record<Kind, Bilingual>> = {
  number: t('a number', 'een getal'),
  text: t('a text', 'een tekst'),
  date: t('a date', 'een datum'),
  day: t('a date', 'een datum'),
  truth: t('true or false', 'waar of onwaar'),
  empty: t('empty', 'leeg'),
};

/** `and` ends at the first part that is false, `or` at the first that is true. */
const eachOf = (left: Part, right: Part, end: boolean) => (record: HeldRecord) => {
  const a = left.of(record);
  if (a !== undefined && (a === true) === end) return end;
  const b = right.of(record);
  if (b !== undefined && (b === true) === end) return end;
  return a === undefined || b === undefined ? undefined : !end;
};

/** Compares what is known; undefined where one is empty and an order is asked for. A day is all of that day. */
function comparing(is: string, dates: boolean): (a: Value, b: Value) => boolean | undefined {
  const order = (a: Value, b: Value): number | undefined => {
    if (typeof a === 'number' && typeof b === 'number') return significant(a) - significant(b);
    if (typeof a !== 'string' || typeof b !== 'string') return undefined;
    const length = Math.min(a.length, b.length);
    const [one, other] = [a.slice(0, length), b.slice(0, length)];
    return one < other ? -1 : Number(one > other);
  };
  const isSame = (a: Value, b: Value): boolean => (dates && order(a, b) === 0) || sameValue(a, b);
  if (is === '=') return isSame;
  if (is === '!=') return (a, b) => !isSame(a, b);
  const [less, equal] = [is.startsWith('<'), is.endsWith('=')];
  return (a, b) => {
    const found = order(a, b);
    if (found === undefined) return found;
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

function calculated(is: string, left: Part, right: Part, at: number): Part {
  if (left.kind !== 'number' || right.kind !== 'number') throw new RuleMistake(at, NUMBERS);
  const sign = is as keyof typeof CALCULATIONS;
  return { kind: 'number', of: (record) => calculate(sign, left.of(record), right.of(record)) };
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
