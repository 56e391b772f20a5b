import type { z } from 'zod';
import { type Bilingual, inOne, same, t } from './language.ts';

type Problem = z.core.$ZodIssue;

/** At most this many problems are named. */
const SAID = 3;

/**
 * Which members of a value are wrong and what each should be, never its content. The type that was found is
 * named only where the value was parsed with `reportInput`.
 */
export function shapeWords({ issues }: Pick<z.ZodError, 'issues'>): Bilingual {
  const rest = issues.length - SAID;
  const more = rest > 0 ? [t(`and ${rest} more`, `en nog ${rest}`)] : [];
  return inOne([...issues.slice(0, SAID).map(said), ...more], '; ');
}

/** The second argument of `refine` for a check of our own, with what it says on failure. */
export function checkWords(words: Bilingual): { message: string; params: { words: Bilingual } } {
  return { message: words.en, params: { words } };
}

function said(issue: Problem): Bilingual {
  const inner = issue.code === 'invalid_union' ? deepest(issue) : undefined;
  if (inner !== undefined) return said({ ...inner, path: [...issue.path, ...inner.path] });
  const where = issue.path.map(keyText).join('.');
  const expected = expectedBy(issue);
  if (expected !== undefined) {
    const found = foundBy(issue);
    return t(
      `${where || 'it'} must be ${expected.en}${found.en}`,
      `${where || 'het'} moet ${expected.nl} zijn${found.nl}`,
    );
  }
  const what = wrongBy(issue);
  return where === '' ? what : t(`${where}: ${what.en}`, `${where}: ${what.nl}`);
}

function wrongBy(issue: Problem): Bilingual {
  const own = issue.code === 'custom' ? (issue.params?.words as Bilingual | undefined) : undefined;
  if (issue.code !== 'unrecognized_keys') return own ?? t('not as it should be', 'niet zoals het hoort');
  const keys = [...issue.keys.slice(0, LISTED).map(keyText), ...(issue.keys.length > LISTED ? ['…'] : [])];
  return t(`not known here: ${keys.join(', ')}`, `hier niet bekend: ${keys.join(', ')}`);
}

/** What stands there in place of a value of another type; empty where that tells nothing. */
function foundBy(issue: Problem): Bilingual {
  if (issue.code !== 'invalid_type' || !('input' in issue)) return same('');
  const { input, expected } = issue;
  const type = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input;
  if (type === 'number' && expected === 'int') return same('');
  const kind = KINDS[type] ?? AN_OBJECT;
  return t(`, not ${kind.en}`, `, niet ${kind.nl}`);
}

function expectedBy(issue: Problem): Bilingual | undefined {
  if (issue.code === 'invalid_type') return KINDS[issue.expected];
  if (issue.code === 'invalid_value') {
    const values = issue.values.join(', ');
    return t(`one of ${values}`, `een van ${values}`);
  }
  if (issue.code === 'too_small')
    return issue.inclusive === false
      ? t(`more than ${issue.minimum}`, `meer dan ${issue.minimum}`)
      : t(`at least ${issue.minimum}`, `minstens ${issue.minimum}`);
  if (issue.code === 'too_big') return t(`at most ${issue.maximum}`, `hoogstens ${issue.maximum}`);
  if (issue.code !== 'invalid_union') return undefined;
  const ways = issue.errors.flat().map(expectedBy);
  const known = ways.filter((way) => way !== undefined);
  if (known.length === 0 || known.length < ways.length) return undefined;
  const [en, nl] = [known.map((way) => way.en), known.map((way) => way.nl)];
  return t(en.join(' or '), nl.join(' of '));
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

const AN_OBJECT = t('an object', 'een object');
const KINDS: Readonly<Record<string, Bilingual | undefined>> = {
  string: t('a text', 'een tekst'),
  number: t('a number', 'een getal'),
  int: t('a whole number', 'een geheel getal'),
  boolean: t('true or false', 'true of false'),
  array: t('a list', 'een lijst'),
  object: AN_OBJECT,
  record: AN_OBJECT,
  null: same('null'),
  undefined: t('nothing', 'niets'),
};

/** At most so many members are named, and so deep. */
const NAMED = 5;
const DEEPEST = 3;
/** What members are called; any other name may be a value. */
const NAME = /^(?:[A-Za-z_]\w{0,29}|\d{1,4})$/;

/**
 * What came in short, such as `{success: true, data: [19 × {Aantal: 2.5, …}]}`: names, numbers and flags, and
 * no texts, as those may be about people.
 */
export function outline(value: unknown, depth = 0): string {
  if (value === undefined) return '(nothing)';
  if (typeof value === 'string') return value === '' ? '""' : '"…"';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return ofList(value, depth);
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  if (depth === DEEPEST) return '{…}';
  const said = names.slice(0, NAMED).map((name) => {
    const member = (value as Record<string, unknown>)[name];
    return `${NAME.test(name) ? name : '…'}: ${outline(member, depth + 1)}`;
  });
  return `{${[...said, ...(names.length > NAMED ? ['…'] : [])].join(', ')}}`;
}

function ofList(list: readonly unknown[], depth: number): string {
  if (list.length === 0) return '[]';
  if (depth === DEEPEST) return '[…]';
  const first = outline(list[0], depth + 1);
  return list.length === 1 ? `[${first}]` : `[${list.length} × ${first}]`;
}
