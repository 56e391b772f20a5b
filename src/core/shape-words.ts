import type { z } from 'zod';
import type { Bilingual, Language } from './language.ts';

type Problem = z.core.$ZodIssue;

/** At most this many problems are named. */
const SAID = 3;

/**
 * Which members of a value are wrong and what each should be, never its content. The type that was found is
 * named only where the value was parsed with `reportInput`.
 */
export function shapeWords({ issues }: Pick<z.ZodError, 'issues'>): Bilingual {
  const rest = issues.length - SAID;
  const say = (language: Language): string => {
    const said = issues.slice(0, SAID).map((issue) => sayIn(language, issue));
    return [...said, ...(rest > 0 ? [MORE[language](rest)] : [])].join('; ');
  };
  return { en: say('en'), nl: say('nl') };
}

/** The second argument of `refine` for a check of our own, with what it says on failure. */
export function checkWords(words: Bilingual): { message: string; params: { words: Bilingual } } {
  return { message: words.en, params: { words } };
}

function sayIn(language: Language, issue: Problem): string {
  const inner = issue.code === 'invalid_union' ? deepest(issue) : undefined;
  if (inner !== undefined) return sayIn(language, { ...inner, path: [...issue.path, ...inner.path] });
  const where = issue.path.map(keyText).join('.');
  const words = WORDS[language];
  const expected = expectedIn(language, issue);
  if (expected !== null) return words.must(where, expected, foundIn(language, issue));
  const what =
    issue.code === 'unrecognized_keys'
      ? `${words.unknown}: ${listText(issue.keys)}`
      : ((issue.code === 'custom' ? ownWords(issue)?.[language] : undefined) ?? words.wrong);
  return where === '' ? what : `${where}: ${what}`;
}

/** What stands there in place of a value of another type; empty where that tells nothing. */
function foundIn(language: Language, issue: Problem): string {
  if (issue.code !== 'invalid_type' || !('input' in issue)) return '';
  const kind = kindOf(issue.input);
  const { not, kinds } = WORDS[language];
  return kind === 'number' && issue.expected === 'int' ? '' : `, ${not} ${kinds[kind]}`;
}

function expectedIn(language: Language, issue: Problem): string | null {
  const { kinds, oneOf, least, above, most, or } = WORDS[language];
  const kind = (name: string): string | null => (isKind(name) ? kinds[name] : null);
  if (issue.code === 'invalid_type') return kind(issue.expected);
  if (issue.code === 'invalid_value') return `${oneOf} ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return `${issue.inclusive === false ? above : least} ${issue.minimum}`;
  if (issue.code === 'too_big') return `${most} ${issue.maximum}`;
  if (issue.code !== 'invalid_union') return null;
  const ways = issue.errors.flat().map((one) => expectedIn(language, one));
  return ways.length === 0 || ways.includes(null) ? null : ways.join(` ${or} `);
}

/** Of several shapes that all fail, the problem inside the one that fits so far. */
const deepest = ({ errors }: z.core.$ZodIssueInvalidUnion): Problem | undefined =>
  errors.flat().find(({ path }) => path.length > 0);

/** Keys are what someone wrote, of any length and number. */
const keyText = (key: PropertyKey): string => {
  const text = String(key);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
};

const LISTED = 20;

const listText = (keys: readonly string[]): string =>
  [...keys.slice(0, LISTED).map(keyText), ...(keys.length > LISTED ? ['…'] : [])].join(', ');

const ownWords = ({ params }: z.core.$ZodIssueCustom): Bilingual | undefined =>
  params?.words as Bilingual | undefined;

type Kind = keyof typeof EN_KINDS;

const EN_KINDS = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object', null: 'null', undefined: 'nothing' },
} as const;

const NL_KINDS: Readonly<Record<Kind, string>> = {
  ...{ string: 'een tekst', number: 'een getal', int: 'een geheel getal', boolean: 'true of false' },
  ...{ array: 'een lijst', object: 'een object', record: 'een object', null: 'null', undefined: 'niets' },
};

const isKind = (name: string): name is Kind => Object.hasOwn(EN_KINDS, name);

function kindOf(input: unknown): Kind {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  const name = typeof input;
  return isKind(name) ? name : 'object';
}

const MORE = {
  en: (rest: number) => `and ${rest} more`,
  nl: (rest: number) => `en nog ${rest}`,
} as const;

const WORDS = {
  en: {
    must: (where: string, what: string, found: string) => `${where || 'it'} must be ${what}${found}`,
    ...{ not: 'not', oneOf: 'one of', or: 'or', kinds: EN_KINDS },
    ...{ least: 'at least', above: 'more than', most: 'at most' },
    ...{ unknown: 'not known here', wrong: 'not as it should be' },
  },
  nl: {
    must: (where: string, what: string, found: string) => `${where || 'het'} moet ${what} zijn${found}`,
    ...{ not: 'niet', oneOf: 'een van', or: 'of', kinds: NL_KINDS },
    ...{ least: 'minstens', above: 'meer dan', most: 'hoogstens' },
    ...{ unknown: 'hier niet bekend', wrong: 'niet zoals het hoort' },
  },
} as const;
