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

/** Sums of no rows; added to for every cell of a sheet, so by plain loops over plain numbers. */
export function createSums(): Sums {
  let all = new Float64Array(64);
  let before = all.slice();
  let rows = 0;
  let since = 0;
  const reach = (column: number): void => {
    if (column < all.length) return;
    const wider = new Float64Array(2 * column);
    wider.set(all);
    all = wider;
  };
  const sumOf = (column: number, from: Float64Array | null): number =>
    (all[column] ?? 0) - (from?.[column] ?? 0);
  return {
    add({ cells }) {
      rows++;
      since++;
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at] as Cell;
        if (cell.type !== 'number') continue;
        reach(cell.column);
        all[cell.column] = (all[cell.column] as number) + cell.value;
      }
    },
    passOver() {
      before = all.slice();
      since = 0;
    },
    areIn(cells) {
      const numbers = cells.filter((cell) => cell.type === 'number');
      const areSums = (from: Float64Array | null): boolean =>
        numbers.every(({ column, value }) => same(value, sumOf(column, from)));
      if (numbers.length === 0) return false;
      return (rows > 1 && areSums(null)) || (since > 1 && areSums(before));
    },
  };
}
