import type { Days } from './lists/days.ts';

/** Before any record was written: a list from here on holds them all. */
export const EPOCH = '1970-01-01 00:00:00.000';

/** In what ways the records of an export can be chosen. */
export type Way = 'all' | 'since' | 'period' | 'definitive' | 'file';

/** Which records an export is of. */
export type Selection =
  | { readonly way: 'all' }
  /** Those modified after a moment, `YYYY-MM-DD hh:mm:ss[.SSS]`. */
  | { readonly way: 'since'; readonly moment: string }
  /** Those modified since the last export of the same kind. */
  | { readonly way: 'last' }
  | { readonly way: 'period'; readonly days: Days }
  /** The definitive ones, of some days or of all. */
  | { readonly way: 'definitive'; readonly days: Days | null }
  /** Those that a file names. */
  | { readonly way: 'file'; readonly file: string };
