import { type Bilingual, t } from '../core/language.ts';

/** Levels of lists and objects in one another; a trip with its event and contact has six. */
const DEEPEST = 64;
/** Lists and objects, and values of any kind: the largest answer that is accepted holds half so many. */
const MOST_NESTED = 1_000_000;
const MOST_VALUES = 6_000_000;
/** A shorter text can't hold more values. */
const SHORT = 2 * MOST_VALUES;

/** Why a JSON text would take more memory than an answer may; null for any other. It is not yet parsed. */
export function tooMuch(text: string): Bilingual | null {
  if (countOf('[', text, MOST_NESTED) + countOf('{', text, MOST_NESTED) > MOST_NESTED) return TOO_MUCH;
  return text.length > SHORT && countOf(',', text, MOST_VALUES) > MOST_VALUES ? TOO_MUCH : null;
}

/** How often a sign stands in a text, to one more than `most`: the engine's own search outruns any loop. */
function countOf(sign: string, text: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

/** Why a parsed answer can't be read on: what reads or writes it calls itself once a level. */
export function tooDeep(json: unknown): Bilingual | null {
  let level: object[] = isNested(json) ? [json] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) return TOO_DEEP;
    const next: object[] = [];
    for (const one of level) addNested(one, next);
    level = next;
  }
  return null;
}

/** Adds the lists and objects in one of them. Names are not listed first, which would take most of the time. */
function addNested(one: object, found: object[]): void {
  if (Array.isArray(one)) {
    for (const value of one) if (isNested(value)) found.push(value);
    return;
  }
  const members = one as Record<string, unknown>;
  for (const name in members) {
    const value = members[name];
    if (isNested(value)) found.push(value);
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const TOO_MUCH = t(
  'it holds more values than are accepted',
  'er staan meer waarden in dan worden aangenomen',
);
const TOO_DEEP = t(
  `it is nested more than ${DEEPEST} levels deep`,
  `het is meer dan ${DEEPEST} niveaus diep genest`,
);
