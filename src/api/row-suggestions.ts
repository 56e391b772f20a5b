import { asNumberOf, parseNumber } from '../core/codecs/parse-number.ts';
import type { Language } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { Locale } from '../core/value.ts';
import type { ColumnReader } from '../import/map/column-reader.ts';
import { type Choice, choicesOf } from '../import/map/lookup-names.ts';
import { ACTION_WORDS } from '../import/map/map-row.ts';
import type { LookupLists } from '../run/lookup-lists.ts';
import { holdsNumber, type Lookup } from '../schema/field.ts';

/** What can be chosen for a cell. */
export interface Suggestions {
  /** `names`: of the service; `words`: few, the same everywhere; `none`: anything can be typed. */
  readonly kind: 'names' | 'words' | 'none';
  /** What is typed for each, and the id that it stands for; null for a word. */
  readonly entries: readonly { readonly text: string; readonly id: number | null }[];
  /** There are more than these. */
  readonly more: boolean;
}

/** Which choices are wanted. */
export interface SuggestionWishes {
  readonly language: Language;
  /** Words that they hold; empty for all. */
  readonly search: string;
  /** The most of them. */
  readonly limit: number;
}

/** Words that a flag is read by. */
const FLAGS: Readonly<Record<Language, readonly string[]>> = { en: ['yes', 'no'], nl: ['ja', 'nee'] };

/** The words that a column takes; undefined where it takes others. */
function wordsOf(reader: ColumnReader | undefined, language: Language): readonly string[] | undefined {
  if (reader?.name === '#action') return [...ACTION_WORDS];
  return reader?.field?.codec.type === 'boolean' ? FLAGS[language] : undefined;
}

const lookupsOf = (reader: ColumnReader | undefined): readonly Lookup[] =>
  [reader?.field?.lookup, reader?.field?.updateLookup].filter((one) => one !== undefined);

/** Whether there is something to choose from for the cells of a column. */
export const hasChoices = (reader: ColumnReader | undefined): boolean =>
  wordsOf(reader, 'en') !== undefined || lookupsOf(reader).length > 0;

/**
 * What can be chosen for the cells of a column: the names of its list that hold all words of `search`, those
 * that begin with it first, or the few words that it takes. Nothing where the list can't be read.
 */
export async function suggestionsFor(
  reader: ColumnReader | undefined,
  lists: Pick<LookupLists, 'read'>,
  { language, search, limit }: SuggestionWishes,
): Promise<Suggestions> {
  const wanted = plain(search);
  const holds = (text: string): boolean => wanted.split(/\s+/).every((word) => plain(text).includes(word));
  const words = wordsOf(reader, language)?.filter(holds);
  if (words !== undefined)
    return { kind: 'words', entries: words.map((text) => ({ text, id: null })), more: false };
  const read = await Promise.all(lookupsOf(reader).map((lookup) => lists.read(lookup)));
  const all = read.flatMap((list) => ('entries' in list ? choicesOf(list.entries) : []));
  if (all.length === 0) return { kind: 'none', entries: [], more: false };
  const isLater = ({ text }: Choice): number => (plain(text).startsWith(wanted) ? 0 : 1);
  const found = [...new Map(all.map((one) => [one.text, one])).values()]
    .filter(({ text, id }) => holds(text) || String(id) === search.trim())
    .sort((one, other) => isLater(one) - isLater(other));
  return { kind: 'names', entries: found.slice(0, limit), more: found.length > limit };
}

/** The one number that a text holds among words, as it is written there. */
const NUMBER = /^[^\d-]*(-?\d[\d.,]*\d|-?\d)[^\d]*$/;

/**
 * What was probably meant by a text that a column can't read: the names or words that are nearest, or the number
 * that stands among words or is written another way.
 */
export async function answersFor(
  reader: ColumnReader | undefined,
  lists: Pick<LookupLists, 'read'>,
  text: string,
  { locale, language }: { readonly locale: Locale; readonly language: Language },
): Promise<readonly string[]> {
  if (hasChoices(reader)) {
    const wishes = { language, search: '', limit: Number.POSITIVE_INFINITY };
    const { entries } = await suggestionsFor(reader, lists, wishes);
    return nearest(text, new Set(entries.map((one) => one.text)), 2);
  }
  const field = reader?.field ?? null;
  const [, number] = (field !== null && holdsNumber(field) && NUMBER.exec(plain(text))) || [];
  if (number === undefined) return [];
  const from = parseNumber(number, locale) === undefined ? (locale === 'nl' ? 'en' : 'nl') : locale;
  const answer = asNumberOf(number, from, locale);
  return parseNumber(answer, locale) === undefined || answer === text ? [] : [answer];
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
