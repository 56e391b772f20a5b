import type { SheetChoice } from './map/sheet-choices.ts';

/** What a file is taken for before anything is planned, as plain data; texts in the session's language. */
export interface SheetsDocument {
  /** The file's path, as given. */
  readonly file: string;
  /** Told by what is in it, not by its name. */
  readonly format: 'xlsx' | 'csv';
  /** Separator of a CSV; null for a workbook. */
  readonly delimiter: string | null;
  /** Encoding of a CSV by its WHATWG name, such as `windows-1252`; null for a workbook. */
  readonly encoding: string | null;
  /** A word by which people see whether a guessed encoding is right; null where none tells. */
  readonly sample: string | null;
  /**
   * Nothing is left to decide, so that nobody has to look: every sheet to import was matched by itself or as
   * it was chosen, nothing is proposed, no column with values is left unused but those that the user said so
   * of, no column that a new record needs is missing where rows may be new, no sheet is a problem, no row
   * above the headers looks like a record, and no encoding was guessed.
   */
  readonly exact: boolean;
  /** Its sheets, in the order of the file. */
  readonly sheets: readonly SheetReadDocument[];
  /** What a sheet can be, in the order in which an import sends them. */
  readonly resources: readonly SheetKindDocument[];
  /** The program's own columns, which a column of any sheet can be: `#action` and `#key`. */
  readonly marks: readonly MarkDocument[];
}

/** One sheet, and what an import would make of it as it stands. */
export interface SheetReadDocument {
  /** Its name in the file; of a CSV the file's name without its ending. */
  readonly sheet: string;
  /** Hidden in the spreadsheet program. */
  readonly hidden: boolean;
  /** The program's own, such as the guide of a template: it needs no showing, and nothing of it is told. */
  readonly own: boolean;
  /** Whether an import reads it, passes it over, or can't read it though it is meant to be imported. */
  readonly kind: 'import' | 'skip' | 'problem';
  /** What it holds, or is proposed to hold: the name of a resource; null where that can't be told. */
  readonly resource: string | null;
  /** What tells: its name, its headers, the user's choice; `proposed` is for the user to accept. */
  readonly resourceWhy: 'name' | 'headers' | 'choice' | 'proposed' | null;
  /** What it may be where that can't be told: names of resources, the user chooses. */
  readonly mayBe: readonly string[];
  /** The command that it is for, such as `documents`; null for one of an import. */
  readonly serves: string | null;
  /** Why it is passed over, or can't be read; null for one that is imported. */
  readonly reason: string | null;
  /** What the user can do about that; null for nothing. */
  readonly next: string | null;
  /** The last row of its headers: records begin below it. Null for a sheet in which no row looks like one. */
  readonly headerRow: number | null;
  /** The first row of its headers, where they take two; else the same. */
  readonly firstHeaderRow: number | null;
  /** Rows above the headers that look like records and are not read. */
  readonly above: readonly number[];
  /** Rows below the headers that hold anything; null for a sheet that was not read to its end. */
  readonly rows: number | null;
  /** Its first rows that hold anything, and those around its headers. */
  readonly top: readonly TopRowDocument[];
  /** Its columns with a header or values, in the order of the sheet; mostly only the first few hundred. */
  readonly columns: readonly ColumnReadDocument[];
  /** Columns that are not told, as there are too many. */
  readonly columnsLeft: number;
  /**
   * Columns that a record needs and that the sheet lacks, what is proposed counted in: where records can be
   * created, those of a new one, which rows on existing records may do without.
   */
  readonly missing: readonly string[];
  /** The choice that accepts all that is proposed here, over what was chosen before; null for nothing. */
  readonly accept: SheetChoice | null;
}

/** A filled cell. */
interface ShownCellDocument {
  /** The number of its column, from 1. */
  readonly column: number;
  /** What the sheet shows, on one line; a long text is cut short. */
  readonly text: string;
}

/** One of a sheet's first rows. */
export interface TopRowDocument {
  /** Its number in the sheet, from 1. */
  readonly row: number;
  /** Its filled cells. */
  readonly cells: readonly ShownCellDocument[];
}

/** One column of a sheet. */
export interface ColumnReadDocument {
  /** Its number, from 1 (A). */
  readonly column: number;
  /** Its letters, such as `F`. */
  readonly letters: string;
  /** Its header as it stands; empty for a column without one. */
  readonly header: string;
  /**
   * The field of the resource, `#action` or `#key` that it is taken for, or proposed for with `why` saying
   * so; a column of an earlier result, such as `#status`; null for one that is not used.
   */
  readonly field: string | null;
  /**
   * What tells: the field's own header (`exact`), headers of the user's own, remembered or given
   * (`remembered`, also as not used), what such headers mostly mean (`proposed`, for the user to accept), the
   * user's choice, also not to use it (`choice`), or a header of the program's own (`mark`).
   */
  readonly why: 'exact' | 'remembered' | 'proposed' | 'choice' | 'mark' | null;
  /** Fields that it may be, where nothing could be chosen. */
  readonly proposed: readonly string[];
  /** It only shows something, and nothing of it is ever sent. */
  readonly shownOnly: boolean;
  /** The first three of its values, as the sheet shows them; long ones are cut short. */
  readonly samples: readonly string[];
}

/** A column of the program's own. */
interface MarkDocument {
  /** Its header, such as `#action`. */
  readonly name: string;
  /** What it is for, in words. */
  readonly help: string;
}

/** What a sheet can be. */
export interface SheetKindDocument {
  /** The name of the resource, such as `packages`. */
  readonly name: string;
  /** The usual name of such a sheet, such as `Pakketten`. */
  readonly sheet: string;
  /** What its rows are, in words. */
  readonly words: string;
  /** The columns that it can have, in the order of a template. */
  readonly fields: readonly FieldDocument[];
}

/** A column that a sheet can have. */
export interface FieldDocument {
  /** The interface’s own name. */
  readonly name: string;
  /** What it is, in words. */
  readonly help: string;
  /** A new record needs it; of records that can't be created, a row. */
  readonly required: boolean;
  /** It can be sent; others are only shown. */
  readonly sent: boolean;
}
