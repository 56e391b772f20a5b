import type { FinanceSheet } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';

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

/** A column, and the cell, the constant or the comparison that its cells answer to, or `NO_NUMBER`. */
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
      lessNumbers(where, (left) =>
        of(column).map((range, part) =>
          left.length === 0 ? `SUM(${range})` : `SUMIFS(${range},${pairs(left, part)})`,
        ),
      ),
    countIf: (where) =>
      lessNumbers(where, (left) => {
        const ranges = of(where[0]?.[0] ?? '');
        return ranges.map((range, part) =>
          left.length === 0 ? `COUNTA(${range})` : `COUNTIFS(${pairs(left, part)})`,
        );
      }),
  };
}

/** What a cell answers to that holds something else than a number. Programs do not agree on whether `*` is that. */
export const NO_NUMBER = 'no number';
const ANY_NUMBER = '">-1E+300"';

/** What rows of some criteria come to, one term for each sheet: for those without a number, all of them less those with one. */
function lessNumbers(
  where: readonly Criterion[],
  terms: (where: readonly Criterion[]) => readonly string[],
): string {
  const others = where.filter(([, equals]) => equals !== NO_NUMBER);
  if (others.length === where.length) return terms(where).join('+');
  const numbers = where.map(([column, equals]) =>
    equals === NO_NUMBER ? ([column, ANY_NUMBER] as const) : ([column, equals] as const),
  );
  return `${terms(others).join('+')}-(${terms(numbers).join('+')})`;
}
