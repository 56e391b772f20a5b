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

/** Points that a line of text needs, and characters of a text in the room of one digit. */
const LINE_HEIGHT = 15;
const CHARACTERS = 1.1;

/** The height in points at which a row shows its sentences; undefined where one line is enough. Not every program makes room by itself. */
export function summaryHeight(cells: readonly SummaryCell[], widths: readonly number[]): number | undefined {
  const lines = cells.map(({ value, look }, at) => {
    if (look !== 'sentence') return 1;
    const texts = String(value).split('\n');
    return texts.reduce(
      (sum, text) => sum + Math.max(1, Math.ceil(text.length / ((widths[at] ?? 1) * CHARACTERS))),
      0,
    );
  });
  const most = Math.max(1, ...lines);
  return most === 1 ? undefined : most * LINE_HEIGHT;
}
