import type { Finding } from './issue.ts';

/**
 * One cell as it stands in the file. `column` counts from 1 (A). A `date` is wall-clock text (`YYYY-MM-DD`,
 * `YYYY-MM-DD hh:mm:ss[.SSS]`, or `hh:mm:ss` without a day), in no time zone. An `error` holds what Excel
 * shows (`#N/A`), or `UNCACHED` or `CIRCULAR`.
 */
export type Cell = {
  readonly column: number;
  /** The number format code, when it is not General. */
  readonly format?: string;
} & (
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | {
      readonly type: 'date';
      readonly value: string;
      /** The time zone in the file, `Z` or `+02:00`; the value ignores it. */
      readonly zone?: string;
    }
  | { readonly type: 'error'; readonly value: string }
);

/** The value of an `error` cell whose formula has no stored result. */
export const UNCACHED = '#UNCACHED';

/** The value of an `error` cell whose formula refers to itself: its stored result is no value. */
export const CIRCULAR = '#CIRCULAR';

/** One row of a sheet; `number` counts from 1, as in the spreadsheet program; blank cells are absent. */
export interface Row {
  /** From 1. */
  readonly number: number;
  /** Those that hold something, by their column. */
  readonly cells: readonly Cell[];
  /** Hidden in the spreadsheet program. */
  readonly hidden?: boolean;
  /** What is odd or wrong about how the row stands in its file, and in which column. */
  readonly finding?: Finding & { readonly column: number };
}

/** A column number (1 = A) as letters. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** A cell's address as the user sees it, such as `F12`. */
export function cellAddress(column: number, row: number): string {
  return `${columnLetters(column)}${row}`;
}

/** The column that an address such as `F12` names. */
export function addressColumn(address: string): number {
  let column = 0;
  for (let at = 0; address.charCodeAt(at) >= 65; at++) column = column * 26 + address.charCodeAt(at) - 64;
  return column;
}

/** The number of a column by its letters, in upper or lower case. */
export function columnFromLetters(letters: string): number {
  return addressColumn(letters.toUpperCase());
}
