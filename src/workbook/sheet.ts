import type { Row } from '../schema/cell.ts';
import type { ColumnWidths } from './column-edges.ts';
import type { ColumnRange } from './column-ranges.ts';

/** What a sheet says of its layout beside its rows; known once it has been read. */
export interface SheetLayout {
  /** Hidden columns as ranges of column numbers. */
  hiddenColumns: ColumnRange[];
  /** Whether the sheet has a filter, under which rows may be hidden; only known when the sheet was read to its end. */
  filtered: boolean;
  /** Columns that are used by what is no cell with a value: formulas that show nothing, sparklines, tables, pivot tables. */
  taken: ColumnRange[];
  /** Columns that charts, pictures, shapes and controls stand over. */
  drawn: readonly ColumnRange[];
  /** How wide its columns are. */
  readonly widths: ColumnWidths;
  /** The merged cells that end in a column, by its number: their first column, and their last row. */
  merged: ReadonlyMap<number, { readonly from: number; readonly row: number }>;
  /** The first merges over more than one row; of their cells only the first holds the value. */
  tall?: readonly TallMerge[];
}

/** Nothing said yet. */
export function newLayout(): SheetLayout {
  return {
    ...{ hiddenColumns: [], filtered: false, taken: [], drawn: [] },
    ...{ widths: { standard: undefined, ranges: [] }, merged: new Map(), tall: [] },
  };
}

/** Merged cells of more than one row. */
export interface TallMerge {
  readonly range: string;
  readonly row: number;
  readonly columns: readonly [from: number, to: number];
}

/** One sheet of a workbook. Its rows can be read any number of times; each reading opens the file and closes it again. */
export interface Sheet {
  readonly name: string;
  /** Hidden in the spreadsheet program, also when only a macro can show it. */
  readonly hidden: boolean;
  /** Filled in while rows are read; a CSV has none. */
  readonly layout?: Readonly<SheetLayout>;
  /** Rows that hold a cell, in the order of the file. Throws StopError when the file turns out to be damaged. */
  readonly rows: AsyncIterable<Row>;
  /** The same rows in batches, as they come; never an empty one. */
  readonly batches: AsyncIterable<Row[]>;
}

/** A sheet from a function that begins a new reading of its batches. */
export function makeSheet(
  name: string,
  hidden: boolean,
  read: () => AsyncGenerator<Row[]>,
  layout?: SheetLayout,
): Sheet {
  const batches = { [Symbol.asyncIterator]: read };
  const known = layout === undefined ? {} : { layout };
  return { name, hidden, ...known, batches, rows: { [Symbol.asyncIterator]: () => new RowIterator(read()) } };
}

/** Hands out rows of a batch one by one; an async generator would cost as much as reading them. */
class RowIterator implements AsyncIterableIterator<Row> {
  private readonly batches: AsyncGenerator<Row[]>;
  private batch: Row[] = [];
  private at = 0;

  constructor(batches: AsyncGenerator<Row[]>) {
    this.batches = batches;
  }

  next(): Promise<IteratorResult<Row>> {
    const value = this.batch[this.at];
    if (value === undefined) return this.nextBatch();
    this.at++;
    return Promise.resolve({ value, done: false });
  }

  async return(): Promise<IteratorResult<Row>> {
    this.batch = [];
    await this.batches.return(undefined);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async nextBatch(): Promise<IteratorResult<Row>> {
    const { value, done } = await this.batches.next();
    if (done) return { value: undefined, done: true };
    this.batch = value;
    this.at = 0;
    return this.next();
  }
}
