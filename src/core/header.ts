/** Input columns that the program itself defines. */
export const INPUT_MARKS = ['#action', '#key'] as const;
/** Output columns, added at the right of a result and ignored when it is imported again. */
export const OUTPUT_MARKS = ['#status', '#id', '#message', '#changes', '#at'] as const;

/** The output column that a normalised header names, also with a number behind it: `#id2`. */
export function outputMark(header: string): (typeof OUTPUT_MARKS)[number] | undefined {
  const name = header.replace(/\d{1,3}$/, '');
  return OUTPUT_MARKS.find((mark) => mark === name);
}

/** Whether a name is that of one of them. */
export const isMark = (name: string): boolean =>
  [...INPUT_MARKS, ...OUTPUT_MARKS].some((mark) => mark === name);

/** One of the input columns. */
export type InputMark = (typeof INPUT_MARKS)[number];

/**
 * A field's name as people say it, from what it is in a sentence: `Product type` of `Product type, id or name`.
 * What follows a semicolon is said of it, not its name.
 */
export const saidName = (help: string): string =>
  (help.split(';')[0] ?? '').replace(/, id (or name|of naam)$/, '');

/** Signs without width: soft hyphens, zero-width characters, direction marks, variation selectors. */
const INVISIBLE = /\p{DI}/gu;
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * A name for comparison, as all that people name is compared: without case, outer and double spaces, line
 * breaks, NBSP, signs without width, the kind of hyphen and of writing accents.
 */
export function foldName(name: string): string {
  const text = name.replace(INVISIBLE, '').normalize('NFKC').replace(HYPHENS, '-');
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** A header or sheet name for comparison: as a name, and without outer quotes, a trailing `*` or `:`. */
export function normaliseHeader(header: string): string {
  const text = foldName(header);
  let [from, to] = [0, text.length];
  while (from < to && ' "'.includes(text[from] as string)) from++;
  // No pattern: one would try each of a million quotes anew.
  while (to > from && ' *:"'.includes(text[to - 1] as string)) to--;
  return text.slice(from, to);
}
