import { type Bilingual, t } from '../core/language.ts';

/** Levels of lists and objects in one another; a trip with its event and contact has six. */
const DEEPEST = 64;
/** Lists and objects, and values of any kind: a list of the largest records has a third of them. */
const MOST_NESTED = 100_000;
const MOST_VALUES = 4_000_000;
/** Members of one object, and values of each on average: an object of more takes seconds. */
const MOST_MEMBERS = 10_000;

/** Why a JSON text would take more memory than an answer may; null for any other. It is not yet parsed. */
export function tooMuch(text: string): Bilingual | null {
  const nested = countOf('[', text, MOST_NESTED) + countOf('{', text, MOST_NESTED);
  if (nested > MOST_NESTED) return TOO_MUCH;
  const most = Math.min(MOST_VALUES, (nested + 1) * MOST_MEMBERS);
  // A value takes two signs at least: most texts are too short to hold so many.
  return text.length > 2 * most && countOf(',', text, most) > most ? TOO_MUCH : null;
}

/** How often a sign stands in a text, to one more than `most`: the engine's own search outruns any loop. */
function countOf(sign: string, text: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

/** Why a parsed answer can't be read on: what reads or writes it calls itself once a level, or copies it. */
export function tooLarge(json: unknown): Bilingual | null {
  let level: object[] = isNested(json) ? [json] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) return TOO_DEEP;
    const next: object[] = [];
    for (const one of level) if (addNested(one, next) > MOST_MEMBERS) return TOO_MUCH;
    level = next;
  }
  return null;
}

/** Adds what is nested in a list or object; answers how many members it has, 0 of a list. */
function addNested(one: object, found: object[]): number {
  if (Array.isArray(one)) {
    for (const value of one) if (isNested(value)) found.push(value);
    return 0;
  }
  const members = one as Record<string, unknown>;
  let count = 0;
  for (const name in members) {
    count++;
    const value = members[name];
    if (isNested(value)) found.push(value);
  }
  return count;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Of so many values that fewer may well be read: a list may be asked for in parts. */
export const TOO_MUCH = t(
  'it holds more values than are accepted',
  'er staan meer waarden in dan worden aangenomen',
);
const TOO_DEEP = t(
  `it is nested more than ${DEEPEST} levels deep`,
  `het is meer dan ${DEEPEST} niveaus diep genest`,
);
