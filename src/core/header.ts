/** The column with a row's number in its original file, of a result that holds only some of its rows. */
export const ROW_MARK = '#row';
/** Input columns that the program itself defines. */
export const INPUT_MARKS = ['#action', '#key', ROW_MARK] as const;
/** Output columns, added at the right of a result and ignored when it is imported again. */
export const OUTPUT_MARKS = ['#status', '#id', '#message', '#changes', '#at'] as const;

/** The output column that a normalised header names, also with a number behind it: `#id2`. */
export function outputMark(header: string): (typeof OUTPUT_MARKS)[number] | undefined {
  const name = header.replace(/\d{1,3}$/, '');
  return OUTPUT_MARKS.find((mark) => mark === name);
}

/** One of the input columns. */
export type InputMark = (typeof INPUT_MARKS)[number];

/** Invisible characters: soft hyphens, zero-width characters, direction marks. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * A header or sheet name for comparison: without case, outer and double spaces, line breaks, NBSP, invisible
 * characters, the kind of hyphen, outer quotes, a trailing `*` or `:`.
 */
export function normaliseHeader(header: string): string {
  const text = header.normalize('NFKC').replace(INVISIBLE, '').replace(HYPHENS, '-').replace(/\s+/g, ' ');
  let [from, to] = [0, text.length];
  while (from < to && ' "'.includes(text[from] as string)) from++;
  // No pattern: one would try each of a million quotes anew.
  while (to > from && ' *:"'.includes(text[to - 1] as string)) to--;
  return text.slice(from, to).toLowerCase();
}
