import type { ColumnRole } from './template-book.ts';

/** A cell's content: a day or moment is wall-clock text as `Cell` has it; null is no cell. A text stays text, whatever it begins with. */
export type WrittenValue = string | number | boolean | { readonly date: string } | null;

/** One row's cells from column A on. */
export type WrittenRow = readonly WrittenValue[];

/** What the header of a column shows its column to be; `shown` is one that an import passes over. */
export type WrittenRole = Exclude<ColumnRole, 'mark'> | 'shown';

/** One column of a sheet that is written row by row. */
export interface WrittenColumn {
  /** Different from the sheet's others in any case, as the columns of a table must be. */
  readonly header: string;
  readonly role: WrittenRole;
  /** The number format code of its cells, `General` where they say themselves what they are. */
  readonly format: string;
  /** In characters, at least: the first rows may make it wider. */
  readonly width: number;
  /** The lines of the note on the header. */
  readonly note: readonly string[];
}

/** One sheet: a table with a filter under a frozen header. What a sheet doesn't hold goes on to another, with the same columns. */
export interface WrittenSheet {
  readonly name: string;
  /** The name of its table: letters, digits and underscores. */
  readonly table: string;
  readonly columns: readonly WrittenColumn[];
  /** Printed on pages that are as wide as the table. */
  readonly fitted?: boolean;
}

/** A row of a sheet, by the number that programs show beside it. */
export interface RowPlace {
  readonly sheet: string;
  readonly row: number;
}

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
