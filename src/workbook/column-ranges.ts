import { columnFromLetters } from './cell-reference.ts';
import { LAST_COLUMN } from './limits.ts';

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
