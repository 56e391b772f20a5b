import { type Bilingual, t } from '../language.ts';

/** What databases and programs write where they hold nothing, in their own letter case: "Geen" is a word. */
const NULL_WORD = String.raw`(?:NULL|null|\((?:NULL|null)\)|\[(?:NULL|null)\]|<(?:NULL|null|NA)>|\\N|None|NaN|nan|NaT|undefined|\[object Object\])`;
const NULL_WORDS = new RegExp(`^${NULL_WORD}(?:[\\s,;|/]*${NULL_WORD})*$`);

/** Whether a trimmed text is such words and nothing else, as a list of nothing is. */
export const isNullWord = (text: string): boolean => NULL_WORDS.test(text);

/** Advice on a cell with a word for nothing. */
export const LEAVE_EMPTY: Bilingual = t(
  'leave the cell empty to leave the field as it is',
  'laat de cel leeg om het veld te laten zoals het is',
);

/** The same on a count, where an empty cell leaves nothing as it is. */
export const NOT_COUNTED: Bilingual = t(
  'leave the cell empty: an empty cell is not counted',
  'laat de cel leeg: een lege cel is niet geteld',
);
