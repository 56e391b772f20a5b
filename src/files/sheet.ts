import { eachOf } from '../core/batches.ts';
import type { Row } from '../core/cell.ts';

/** The layout of a sheet; known once its rows have been read. */
export interface SheetLayout {
  /** The sheet has a filter, under which rows may be hidden; known when it was read to its end. */
  filtered: boolean;
  /** The last column used by something that is not a value: an empty formula, a sparkline, a table or pivot table. */
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
