import type { WrittenValue } from './written-sheet.ts';

/** What a cell of a page is to the eye. */
export type PageLook =
  | 'title'
  | 'subtitle'
  | 'heading'
  | 'head'
  | 'figure-head'
  | 'label'
  | 'muted'
  | 'figure'
  | 'strong'
  | 'total-label'
  | 'total'
  | 'sentence';

/** One cell of a page. */
export interface PageCell {
  /** Of a formula what it comes to, so that programs that don't calculate show it. */
  readonly value: WrittenValue;
  /** Without the `=` before it, with the names and separators of files: `SUM(A1,B1)`. */
  readonly formula?: string;
  readonly look: PageLook;
  /** A number format code; General when absent. */
  readonly format?: string;
  /** Columns that it takes, from its own on; one when absent. */
  readonly span?: number;
}

/** One row's cells from column A on; null is no cell. */
export type PageRow = readonly (PageCell | null)[];

/** Cells of a page, one below the other, as a chart shows them. */
export interface ChartCells {
  /** From 1. */
  readonly column: number;
  readonly firstRow: number;
  /** What they hold, in order, so that programs that don't calculate draw them. */
  readonly values: readonly (string | number)[];
  readonly format: string;
}

/** A chart of one series. */
export interface WrittenChart {
  readonly title: string;
  /** Standing, or lying with the first on top. */
  readonly bars: 'standing' | 'lying';
  readonly categories: ChartCells;
  readonly amounts: ChartCells & { readonly name: string };
  /** The cells that it lies over: the first column and row, from 1, and how many of each. */
  readonly over: {
    readonly column: number;
    readonly row: number;
    readonly columns: number;
    readonly rows: number;
  };
}

/** A sheet to be read and printed: cells in any place, held in memory; one page wide on paper. */
export interface WrittenPage {
  /** Of its columns, in characters. */
  readonly widths: readonly number[];
  readonly rows: readonly PageRow[];
  readonly chart: WrittenChart | null;
  /** What stands at the bottom of each printed page, beside its number. */
  readonly footer: string;
}
