import { columnFromLetters, type Row } from '../core/cell.ts';
import { LAST_COLUMN } from './limits.ts';

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

/** A range of columns, both ends in it. */
export type ColumnRange = readonly [from: number, to: number];

/** So many may stand there before those that overlap are made one. */
const LOOSE = 1024;

/** Adds a range to others. A file may name the same one a million times: the list stays as short as a sheet is wide. */
export function addRange(ranges: ColumnRange[], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && from >= last[0] && to <= last[1]) return;
  ranges.push([from, to]);
  if (ranges.length % LOOSE === 0) ranges.splice(0, ranges.length, ...merged(ranges));
}

/** The same columns in as few ranges as can be, in order. */
function merged(ranges: readonly ColumnRange[]): ColumnRange[] {
  const sorted = [...ranges].sort((one, other) => one[0] - other[0]);
  const found: ColumnRange[] = [];
  for (const [from, to] of sorted) {
    const last = found.at(-1);
    if (last === undefined || from > last[1] + 1) found.push([from, to]);
    else found[found.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return found;
}

const RANGE = /^\$?([A-Za-z]{1,3})\$?\d{1,7}(?::\$?([A-Za-z]{1,3})\$?\d{1,7})?$/;

/** The columns of a range of cells, `A1:C5` or `A1`; undefined for what is none. */
export function rangeColumns(range: string): ColumnRange | undefined {
  const [, from, to = from] = RANGE.exec(range) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const ends = [columnFromLetters(from), columnFromLetters(to)] as const;
  return ends[0] <= ends[1] && ends[1] <= LAST_COLUMN ? ends : undefined;
}

/** Where the first stretch of so many columns begins, from a column on, that no range touches; undefined where there is none on a sheet. */
export function firstGap(ranges: readonly ColumnRange[], start: number, columns: number): number | undefined {
  let at = start;
  for (const [from, to] of merged(ranges)) {
    if (from >= at + columns) break;
    at = Math.max(at, to + 1);
  }
  return at + columns - 1 <= LAST_COLUMN ? at : undefined;
}

/** How wide a sheet's columns are, in characters as the file says it: a standard width, undefined where it names none, and those that differ. */
export interface ColumnWidths {
  standard: number | undefined;
  readonly ranges: (readonly [range: ColumnRange, width: number])[];
}

/** A file may name far more ranges than a sheet has columns; whoever does so has no drawings to spare. */
const MOST_RANGES = 1024;

/** English metric units of a pixel, and pixels of a character in the fonts that workbooks begin with. */
const PIXEL = 9525;
const CHARACTER = 7;
/** Of a column that nothing is said of: 64 pixels. */
const STANDARD = 64 / CHARACTER;

/** Notes the width of columns; undefined for the standard one. */
export function addWidth({ ranges }: ColumnWidths, range: ColumnRange, width: number | undefined): void {
  if (width !== undefined && ranges.length < MOST_RANGES) ranges.push([range, width]);
}

/**
 * The column, from 1, in which a drawing ends that is so many English metric units (914,400 to the inch) wide and begins at an offset in a
 * column. The width of a character depends on the font: it is as near as the file alone can tell.
 */
export function columnAt({ standard, ranges }: ColumnWidths, start: number, units: number): number {
  const widths = new Float64Array(LAST_COLUMN + 1).fill(standard ?? STANDARD);
  for (const [[from, to], width] of ranges) widths.fill(width, from, to + 1);
  let left = units;
  for (let column = start; column < LAST_COLUMN; column++) {
    left -= Math.round((widths[column] as number) * CHARACTER) * PIXEL;
    if (left <= 0) return column;
  }
  return LAST_COLUMN;
}
