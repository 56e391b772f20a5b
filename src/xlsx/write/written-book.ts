import type { CellValue } from '../worksheet-xml.ts';
import type { PageLook, WrittenRole } from './book-styles.ts';

/** The value of a cell; null is no cell. */
export type WrittenValue = CellValue | null;

/** The cells of a row from column A on. */
export type WrittenRow = readonly WrittenValue[];

/** A column of a table. */
export interface WrittenColumn {
  /** Unique in the sheet regardless of case, as the columns of a table must be. */
  readonly header: string;
  readonly role: WrittenRole;
  /** Number format code; `General` lets values decide. */
  readonly format: string;
  /** The least width in characters; the first rows may make it wider. */
  readonly width: number;
  /** Hidden in a group that opens, whatever it holds. */
  readonly folded?: boolean;
  /** The lines of the note on the header. */
  readonly note: readonly string[];
  /** What its cells are chosen from, asked for once all rows were written; null where they are not. */
  readonly choices?: () => ColumnChoices | null;
}

/** Choices of a column: a few words, or the name of a list of the workbook. */
export interface ColumnChoices {
  readonly list: readonly string[] | { readonly name: string };
  /** What is said of other contents, which can be kept. */
  readonly error: string;
}

/** A list to choose from, by the name that columns know it by. */
export interface WrittenList {
  readonly name: string;
  readonly title: string;
  readonly values: readonly string[];
}

/** A table with a filter below a frozen header; rows that don't fit go on to further sheets. */
export interface WrittenSheet {
  readonly name: string;
  /** The name of the table: letters, digits and underscores. */
  readonly table: string;
  readonly columns: readonly WrittenColumn[];
  /** Its first column stays in sight. */
  readonly keyInSight?: boolean;
  /** Printed on as few pages side by side as read well, without columns that hold nothing. */
  readonly fitted?: boolean;
}

/** A row by the number that programs show. */
export interface RowPlace {
  readonly sheet: string;
  readonly row: number;
}

/** A cell of a page. */
export interface PageCell {
  /** The result of a formula, for programs that don't calculate. */
  readonly value: WrittenValue;
  /** Without `=`, with the names and separators of files: `SUM(A1,B1)`. */
  readonly formula?: string;
  readonly look: PageLook;
  /** Number format code; General if absent. */
  readonly format?: string;
  /** Columns that it spans; one if absent. */
  readonly span?: number;
}

/** The cells of a row from column A on; null is no cell. */
export type PageRow = readonly (PageCell | null)[];

/** Cells of a page in one column, for a chart. */
export interface ChartCells {
  /** From 1. */
  readonly column: number;
  readonly firstRow: number;
  /** Their values, for programs that don't calculate. */
  readonly values: readonly (string | number)[];
  readonly format: string;
}

/** A bar chart of one series. */
export interface WrittenChart {
  readonly title: string;
  /** Lying bars have the first one on top. */
  readonly bars: 'standing' | 'lying';
  readonly categories: ChartCells;
  readonly amounts: ChartCells & { readonly name: string };
  /** The cells it covers: first column and row, from 1, and the number of each. */
  readonly over: {
    readonly column: number;
    readonly row: number;
    readonly columns: number;
    readonly rows: number;
  };
}

/** A sheet to read and print: cells in any place, one page wide, held in memory. */
export interface WrittenPage {
  /** In characters. */
  readonly widths: readonly number[];
  readonly rows: readonly PageRow[];
  readonly chart: WrittenChart | null;
  /** The text at the bottom of each printed page, beside its number. */
  readonly footer: string;
}
