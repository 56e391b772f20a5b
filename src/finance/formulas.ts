import type { FinanceSheet } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';

/** Formulas over the columns of a filled sheet, with a range for each sheet that its rows took. */
export interface CitedSheet {
  /** The sum of a column. */
  sum(column: string): string;
  /** The number of cells of a column that are not empty. */
  count(column: string): string;
  /** The number of cells of a column that hold a number. */
  countNumbers(column: string): string;
  /** The sum of a column over the rows that meet all criteria. */
  sumIf(column: string, where: readonly Criterion[]): string;
  /** The number of rows that meet all criteria. */
  countIf(where: readonly Criterion[]): string;
}

/** A column, and what its cells must equal: a cell reference, a constant, a comparison, or `NO_NUMBER`. */
export type Criterion = readonly [column: string, equals: string];

/** Reads the ranges of a filled sheet's columns; a column's key is its member, `worked` or `told` name. */
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

/** The criterion of cells that hold no number: programs differ in whether `*` matches them. */
export const NO_NUMBER = 'no number';
const ANY_NUMBER = '">-1E+300"';

/** Adds up a term for each sheet; `NO_NUMBER` becomes all rows less those with a number. */
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
