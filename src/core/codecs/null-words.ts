import { type Bilingual, t } from '../language.ts';

/** What databases and programs write where they hold nothing, in their own letter case: "Geen" is a word. */
const NULL_WORDS: ReadonlySet<string> = new Set(
  [
    ['NULL', 'null', '(NULL)', '(null)', '[NULL]', '[null]', '<NULL>', '<null>', '\\N'],
    ['None', '<NA>', 'NaN', 'nan', 'NaT', 'undefined', '[object Object]'],
  ].flat(),
);

const LONGEST = Math.max(...[...NULL_WORDS].map(({ length }) => length));

/** Whether a trimmed text is such a word and nothing else. */
export const isNullWord = (text: string): boolean => text.length <= LONGEST && NULL_WORDS.has(text);

/** Advice on a cell with a word for nothing. */
export const LEAVE_EMPTY: Bilingual = t(
  'leave the cell empty to leave the field as it is',
  'laat de cel leeg om het veld te laten zoals het is',
);
