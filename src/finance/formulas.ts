import type { FinanceSheet } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';

/** A column, and what its cells must equal: a cell reference, a constant, a comparison, or `NO_NUMBER`. */
export type Criterion = readonly [column: string, equals: string];

/** The criterion of cells that hold no number: programs differ in whether `*` matches them. */
export const NO_NUMBER = 'no number';
const ANY_NUMBER = '">-1E+300"';

/** Formulas over the columns of a filled sheet, with a range for each sheet that its rows took. */
export interface CitedSheet {
  /** A column's sum, by default, or how many of its cells are not empty (COUNTA), or a number (COUNT). */
  total(column: string, by?: 'SUM' | 'COUNTA' | 'COUNT'): string;
  /** The sum of a column over the rows that meet all criteria. */
  sumIf(column: string, where: readonly Criterion[]): string;
  /** The number of rows that meet all criteria. */
  countIf(where: readonly Criterion[]): string;
}

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
  /** Adds up a term for each range of `column`: over all its rows, or over those that meet the criteria. */
  const terms = (
    column: string,
    where: readonly Criterion[],
    all: string,
    some: (range: string, pairs: string) => string,
  ): string => {
    const added = (met: readonly Criterion[]): string =>
      of(column)
        .map((range, part) => {
          const pairs = met.map(([own, equals]) => `${of(own)[part]},${equals}`).join(',');
          return met.length === 0 ? `${all}(${range})` : some(range, pairs);
        })
        .join('+');
    const others = where.filter(([, equals]) => equals !== NO_NUMBER);
    if (others.length === where.length) return added(where);
    // All rows, less those with a number.
    const numbers = where.map(
      ([own, equals]): Criterion => [own, equals === NO_NUMBER ? ANY_NUMBER : equals],
    );
    return `${added(others)}-(${added(numbers)})`;
  };
  return {
    total: (column, by = 'SUM') => `${by}(${of(column).join(',')})`,
    sumIf: (column, where) => terms(column, where, 'SUM', (range, pairs) => `SUMIFS(${range},${pairs})`),
    countIf: (where) => terms(where[0]?.[0] ?? '', where, 'COUNTA', (_, pairs) => `COUNTIFS(${pairs})`),
  };
}
