import type { Cell, Row } from '../../schema/cell.ts';

/** Knows the sums of a sheet's columns, to tell a row that holds nothing else. */
export interface Sums {
  add(row: Row): void;
  /** A row that was not counted in; subtotals begin anew after it. */
  passOver(): void;
  /** Whether every number of a row's cells is the sum of those above it, of two or more rows, all or since the last subtotal. */
  areIn(cells: readonly Cell[]): boolean;
}

/** Sums of rounded prices differ in the last digits. */
const same = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

/** Sums of no rows. */
export function createSums(): Sums {
  const all: number[] = [];
  let before: number[] = [];
  let rows = 0;
  let since = 0;
  return {
    add({ cells }) {
      rows++;
      since++;
      for (const { column, type, value } of cells)
        if (type === 'number') all[column] = (all[column] ?? 0) + value;
    },
    passOver() {
      before = all.slice();
      since = 0;
    },
    areIn(cells) {
      const numbers = cells.filter((cell) => cell.type === 'number');
      const sumsOf = (from: readonly number[]): boolean =>
        numbers.every(({ column, value }) => same(value, (all[column] ?? 0) - (from[column] ?? 0)));
      if (numbers.length === 0) return false;
      return (rows > 1 && sumsOf([])) || (since > 1 && sumsOf(before));
    },
  };
}
