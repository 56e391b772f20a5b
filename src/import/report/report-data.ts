import type { ReportWords } from './report-words.ts';

/** How an outcome is to be taken; what it is coloured by. */
export type OutcomeTone = 'good' | 'plain' | 'warn' | 'bad';

/** One field of a row, as texts: its number in the head, what it was (null: nothing, the record is new), and what it becomes. */
export type ReportChange = readonly [field: number, from: string | null, to: string];

/** One row as the page holds it: sheet, outcome and fields by their numbers in the head, all else as it is shown. */
export type ReportRow = readonly [
  sheet: number,
  row: number,
  outcome: number,
  id: number | null,
  external: number | null,
  /** What people know the record by; empty where that is not known. */
  name: string,
  /** Everything that is said of the row, a line each; empty when there is nothing. */
  message: string,
  changes: readonly ReportChange[],
];

/** What a page needs to know beside its rows. */
export interface ReportHead {
  readonly language: string;
  readonly sheets: readonly string[];
  readonly outcomes: readonly { readonly text: string; readonly tone: OutcomeTone }[];
  readonly fields: readonly string[];
  readonly words: ReportWords;
}

/** The class of the script elements that hold the rows, and the id of the one that holds the head. */
export const PAGE_DATA = { rows: 'report-rows', head: 'report-head' } as const;
