import { expect, it } from 'vitest';
import type { MappedRow } from '../../src/records/mapped-row.ts';
import { planInWindows, type UnplacedRow } from '../../src/records/planning.ts';

const rowsFrom = (first: number, last: number): MappedRow[] =>
  Array.from({ length: last - first + 1 }, (_, at) => ({ row: first + at }) as MappedRow);

/** A planner that notes of which rows each window is. */
function noting(window: number, ready?: (waiting: number, last: boolean) => boolean) {
  const windows: number[][] = [];
  const planner = planInWindows(
    { window, ...(ready && { ready: async (_, waiting, last) => ready(waiting, last) }) },
    async (rows) => {
      windows.push(rows.map(({ row }) => row));
      return rows.map(({ row }) => ({ row }) as UnplacedRow);
    },
  );
  return { planner, windows };
}

it('rows of a window that is not full wait for more, and are planned at the end', async () => {
  const { planner, windows } = noting(3);
  expect((await planner.add(rowsFrom(1, 2))).length).toBe(0);
  expect((await planner.add(rowsFrom(3, 7))).map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await planner.finish()).map(({ row }) => row)).toEqual([7]);
  expect(windows).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

it('no row is planned before it is clear how to look rows up, and then all of them are, in order', async () => {
  const { planner, windows } = noting(2, (waiting, last) => last || waiting > 4);
  expect(await planner.add(rowsFrom(1, 4))).toEqual([]);
  expect((await planner.add(rowsFrom(5, 5))).map(({ row }) => row)).toEqual([1, 2, 3, 4]);
  expect((await planner.finish()).map(({ row }) => row)).toEqual([5]);
  expect(windows).toEqual([[1, 2], [3, 4], [5]]);
});

it('a sheet without a limit is one window, and an empty one is none', async () => {
  const { planner, windows } = noting(Number.POSITIVE_INFINITY);
  expect(await planner.add(rowsFrom(1, 900))).toEqual([]);
  expect((await planner.finish()).length).toBe(900);
  expect(await planner.finish()).toEqual([]);
  expect(windows.length).toBe(1);
});
