import type { contentXml } from '../worksheet-xml.ts';
import type { ColumnRole, PageLook } from './book-styles.ts';

/** The value of a cell; null is no cell. */
export type WrittenValue = Parameters<typeof contentXml>[0];

/** The cells of a row from column A on. */
export type WrittenRow = readonly WrittenValue[];

/** A column of a table. */
export interface WrittenColumn {
  /** Unique in the sheet regardless of case, as the columns of a table must be. */
  readonly header: string;
  readonly role: ColumnRole;
  /** Number format code; `General` lets values decide. */
  readonly format: string;
  /** The least width in characters; the first rows may make it wider. */
  readonly width: number;
  /** Hidden in a group that opens, whatever it holds. */
  readonly folded?: boolean;
  /** The lines of the note on the header. */
  readonly note: readonly string[];
  /** Its texts are long and wrap. */
  readonly wraps?: boolean;
  /** What its cells are checked for, asked for once all rows were written; null for nothing. */
  readonly check?: () => CellCheck | null;
}

/** What the spreadsheet program accepts in a cell. */
export interface CellCheck {
  readonly type: 'whole' | 'decimal' | 'date' | 'time' | 'list' | 'any';
  /** The choices of a `list`, or the name of a list of the workbook. */
  readonly list?: readonly string[] | { readonly name: string };
  /** Other contents are refused (`stop`), or asked about (`warning`). */
  readonly style: 'stop' | 'warning';
  /** The message of a selected cell. */
  readonly prompt?: string;
  /** The message for other contents. */
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
  /** Rows that its table has at least, to be filled in; it is printed one page wide. */
  readonly least?: number;
  /** Its first column stays in sight. */
  readonly keyInSight?: boolean;
  /** Columns that hold nothing are hidden. */
  readonly fitted?: boolean;
}

/** A cell of a page; a `sentence` wraps. */
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
  /** The cell that a click goes to. */
  readonly link?: { readonly sheet: string; readonly address: string };
}

/** Cells of a page in one column, for a chart. */
interface ChartCells {
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
  /** The cells of each row from column A on; null is no cell. */
  readonly rows: readonly (readonly (PageCell | null)[])[];
  readonly chart: WrittenChart | null;
  /** The text at the bottom of each printed page, beside its number. */
  readonly footer: string;
}
