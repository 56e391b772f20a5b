import { expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { createTotalRows } from '../../../src/import/map/not-records.ts';

const amount = (value: number): Cell[] => [{ column: 4, type: 'number', value }];

test('a total under a filter is known, whether it adds up all rows or only those that are seen', () => {
  const sums = createTotalRows();
  for (const [at, value] of [12.5, 30, 7.25].entries())
    sums.add({ number: at + 2, cells: amount(value), hidden: value === 30 });
  expect([49.75, 19.75, 30].map((total) => sums.areIn(amount(total)))).toEqual([true, true, false]);
  // A subtotal begins anew.
  sums.passOver();
  sums.add({ number: 6, cells: amount(1) });
  sums.add({ number: 7, cells: amount(2), hidden: true });
  expect([3, 1, 52.75, 20.75, 2].map((total) => sums.areIn(amount(total)))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
