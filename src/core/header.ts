/** The column with a row's number in the file that it came from: of a result that can't hold all of that file's rows in their places. */
export const ROW_MARK = '#row';
/** Input columns of the program's own (design: "Sheets and columns"). */
export const INPUT_MARKS = ['#action', '#key', ROW_MARK] as const;
/** Output columns, appended at the right of a result and ignored when it is imported again. */
export const OUTPUT_MARKS = ['#status', '#id', '#message', '#changes', '#at'] as const;

/** The output column that a normalised header names, also with the number behind it that tells it from one of the user's own: `#id2`. */
export function outputMark(header: string): (typeof OUTPUT_MARKS)[number] | undefined {
  const name = header.replace(/\d{1,3}$/, '');
  return OUTPUT_MARKS.find((mark) => mark === name);
}

/** One of the input columns. */
export type InputMark = (typeof INPUT_MARKS)[number];

/** What shows nothing: soft hyphens, zero-width characters, marks of the writing direction. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * A header or sheet name without what people and programs add to it: case, outer and double spaces, line breaks, NBSP,
 * invisible characters, the kind of hyphen, a trailing `*` or `:`.
 */
export function normaliseHeader(header: string): string {
  return header
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(HYPHENS, '-')
    .replace(/\s+/g, ' ')
    .replace(/[\s*:]+$/, '')
    .trim()
    .toLowerCase();
}
