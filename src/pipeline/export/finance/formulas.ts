import type { FinanceSheet } from '../../../schema/finance.ts';
import type { TableFeed } from '../../../workbook/write/write-book.ts';

/** The columns of a sheet as formulas cite them: one range for each sheet that its rows took. */
export interface CitedSheet {
  /** The sum of a column. */
  sum(column: string): string;
  /** How many cells of a column hold something. */
  count(column: string): string;
  /** How many cells of a column hold a number. */
  countNumbers(column: string): string;
  /** The sum of a column over the rows whose other columns hold what the cells or texts say. */
  sumIf(column: string, where: readonly Criterion[]): string;
  /** How many rows there are of those. */
  countIf(where: readonly Criterion[]): string;
}

/** A column, and the cell, the constant or the comparison that its cells answer to. */
export type Criterion = readonly [column: string, equals: string];

/** Reads where the columns of a filled sheet came to stand; a column goes by its member by what is worked out in it or told of its rows. */
export async function citedSheet({ columns }: FinanceSheet, feed: TableFeed): Promise<CitedSheet> {
  const ranges = new Map<string, readonly string[]>();
  for (const [at, { member, names, worked, told }] of columns.entries()) {
    const key = worked ?? told ?? (names === undefined ? member : undefined);
    if (key !== undefined) ranges.set(key, await feed.ranges(at + 1));
  }
  const of = (column: string): readonly string[] => {
    const found = ranges.get(column);
    if (found === undefined) throw new TypeError(`there is no column ${column}`);
    return found;
  };
  const pairs = (where: readonly Criterion[], part: number): string =>
    where.map(([column, equals]) => `${of(column)[part]},${equals}`).join(',');
  return {
    sum: (column) => `SUM(${of(column).join(',')})`,
    count: (column) => `COUNTA(${of(column).join(',')})`,
    countNumbers: (column) => `COUNT(${of(column).join(',')})`,
    sumIf: (column, where) =>
      of(column)
        .map((range, part) => `SUMIFS(${range},${pairs(where, part)})`)
        .join('+'),
    countIf: (where) =>
      of(where[0]?.[0] ?? '')
        .map((_, part) => `COUNTIFS(${pairs(where, part)})`)
        .join('+'),
  };
}
