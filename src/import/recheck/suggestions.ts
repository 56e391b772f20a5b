import type { Language } from '../../core/language.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup } from '../../schema/field.ts';
import type { ColumnReader } from '../map/column-reader.ts';
import { type Choice, choicesOf } from '../map/lookup-names.ts';
import { ACTION_WORDS } from '../map/map-row.ts';

/** What can be chosen for a cell. */
export interface Suggestions {
  /** `names`: of the service; `words`: few, the same everywhere; `none`: anything can be typed. */
  readonly kind: 'names' | 'words' | 'none';
  /** What is typed for each, and the id that it stands for; null for a word. */
  readonly entries: readonly { readonly text: string; readonly id: number | null }[];
  /** There are more than these. */
  readonly more: boolean;
}

const NONE: Suggestions = { kind: 'none', entries: [], more: false };

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

const isFlag = (reader: ColumnReader | undefined): boolean => reader?.field?.codec.type === 'boolean';

const lookupsOf = (reader: ColumnReader | undefined): readonly Lookup[] =>
  [reader?.field?.lookup, reader?.field?.updateLookup].filter((one) => one !== undefined);

/** Whether there is something to choose from for the cells of a column. */
export const hasChoices = (reader: ColumnReader | undefined): boolean =>
  reader?.name === '#action' || isFlag(reader) || lookupsOf(reader).length > 0;

/**
 * What can be chosen for the cells of a column: the names of its list that hold all words of `search`, those
 * that begin with it first, or the few words that it takes. Nothing where the list can't be read.
 */
export async function suggestionsFor(
  reader: ColumnReader | undefined,
  lists: Pick<LookupLists, 'read'>,
  { language, search, limit }: SuggestionWishes,
): Promise<Suggestions> {
  const words = reader?.name === '#action' ? [...ACTION_WORDS] : isFlag(reader) ? FLAGS[language] : undefined;
  if (words !== undefined) {
    const entries = words.map((text) => ({ text, id: null }));
    return { kind: 'words', entries: entries.filter(({ text }) => holds(text, search)), more: false };
  }
  const read = await Promise.all(lookupsOf(reader).map((lookup) => lists.read(lookup)));
  const entries = read.flatMap((list) => ('entries' in list ? choicesOf(list.entries) : []));
  if (entries.length === 0) return NONE;
  const found = [...new Map(entries.map((one) => [one.text, one])).values()]
    .filter(({ text, id }) => holds(text, search) || String(id) === search.trim())
    .sort(byStart(search));
  return { kind: 'names', entries: found.slice(0, limit), more: found.length > limit };
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

function holds(text: string, search: string): boolean {
  const own = plain(text);
  return plain(search)
    .split(/\s+/)
    .every((word) => own.includes(word));
}

const byStart = (search: string) => {
  const start = plain(search);
  const rank = ({ text }: Choice): number => (plain(text).startsWith(start) ? 0 : 1);
  return (one: Choice, other: Choice): number => rank(one) - rank(other);
};
