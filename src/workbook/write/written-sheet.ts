import type { ColumnRole } from '../template-book.ts';

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
