/** Input columns of the program's own (design: "Sheets and columns"). */
export const INPUT_MARKS = ['#action', '#key'] as const;
/** Output columns, appended at the right of a result and ignored when it is imported again. */
export const OUTPUT_MARKS = ['#status', '#id', '#message', '#changes', '#at'] as const;

/** One of the input columns. */
export type InputMark = (typeof INPUT_MARKS)[number];

/**
 * A header without what people add to it: case, outer and double spaces, NBSP and zero-width characters,
 * a trailing `*`.
 */
export function normaliseHeader(header: string): string {
  return header
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s*]+$/, '')
    .trim()
    .toLowerCase();
}
