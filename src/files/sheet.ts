import { eachOf } from '../core/batches.ts';
import { cellAddress, columnFromLetters, columnLetters, type Row } from '../core/cell.ts';
import { LAST_COLUMN } from './limits.ts';

/** The layout of a sheet; known once its rows have been read. */
export interface SheetLayout {
  /** The sheet has a filter, under which rows may be hidden; known when it was read to its end. */
  filtered: boolean;
  /** The last column used by something that is not a value: an empty formula, a table or pivot table. */
  lastTaken: number;
  /** The last column under a chart, picture or shape. */
  lastDrawn: number;
  /** The rows that tables name as their totals, known before the rows are read. */
  totals: readonly CellRange[];
  /** The number formats that cells of its workbook may have. */
  formats: readonly string[];
  /** Merged cells, of which only the first holds the value; known, and kept, once the sheet was read to its end. */
  merges?: readonly CellRange[];
}

/** The layout of a sheet that says nothing. */
export function newLayout(): SheetLayout {
  return {
    ...{ filtered: false, lastTaken: 0, lastDrawn: 0 },
    ...{ totals: [], formats: [] },
  };
}

/** A range of cells, inclusive. */
export interface CellRange {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A sheet of a workbook. Its rows can be read many times; each reading opens the file anew. */
export interface Sheet {
  /** Its name on the tab; of a CSV that of the file. */
  readonly name: string;
  /** Hidden in the spreadsheet program, or `veryHidden`. */
  readonly hidden: boolean;
  /** Filled while rows are read; absent for a CSV. */
  readonly layout?: Readonly<SheetLayout>;
  /** Rows with a cell, in file order. Throws StopError for a damaged file. */
  readonly rows: AsyncIterable<Row>;
  /** The same rows in batches, none empty. */
  readonly batches: AsyncIterable<Row[]>;
  /** The same rows for who needs some columns: cells of others may be left out, which is quicker. */
  only(columns: ReadonlySet<number>): AsyncIterable<Row[]>;
}

/** Makes a sheet from a function that starts a new reading of its batches. */
export function makeSheet(
  name: string,
  hidden: boolean,
  read: (columns?: ReadonlySet<number>) => AsyncGenerator<Row[]>,
  layout?: SheetLayout,
): Sheet {
  const known = layout === undefined ? {} : { layout };
  return {
    name,
    hidden,
    ...known,
    batches: { [Symbol.asyncIterator]: () => read() },
    only: read,
    rows: { [Symbol.asyncIterator]: () => eachOf(read()) },
  };
}

const RANGE = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/;

/** Reads a range such as `A1:C5` or `A1`; undefined for other text, and for one that no sheet has. */
export function cellRange(ref: string | undefined): CellRange | undefined {
  const [, start, top, end = start, bottom = top] = RANGE.exec(ref ?? '') ?? [];
  if (start === undefined || end === undefined) return undefined;
  const [left, right] = [columnFromLetters(start), columnFromLetters(end)];
  if (left > right || right > LAST_COLUMN) return undefined;
  return { left, top: Number(top), right, bottom: Number(bottom) };
}

/** Writes a range as `A1:C5`. */
export function rangeText({ left, top, right, bottom }: CellRange): string {
  return `${cellAddress(left, top)}:${cellAddress(right, bottom)}`;
}

/** A range in a formula, `'Sheet'!$A$1:$C$5`, with the sheet name as quoted there. */
export function rangeFormula(sheet: string, { left, top, right, bottom }: CellRange): string {
  return `${sheet}!$${columnLetters(left)}$${top}:$${columnLetters(right)}$${bottom}`;
}
