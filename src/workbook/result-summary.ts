import type { Tone } from './result-sheet.ts';

/** One cell of the summary. */
export interface SummaryCell {
  readonly value: string | number;
  readonly look?: 'title' | 'label' | 'head' | 'plain' | 'sentence' | Tone;
  /** The cell of the workbook that a click leads to. */
  readonly link?: { readonly sheet: string; readonly address: string };
}

/** The sheet that tells what the whole came to. */
export interface ResultSummary {
  /** The name it is to have; numbered where a sheet has it. */
  readonly name: string;
  /** The sheet that is the summary of an earlier result, whose place and name it takes. */
  readonly replaces: string | null;
  /** Of its columns, in characters. */
  readonly widths: readonly number[];
  /** From row 1 on, an empty one being blank; asked for when the outcomes of all sheets have been read. */
  readonly rows: () => readonly (readonly SummaryCell[])[];
}
