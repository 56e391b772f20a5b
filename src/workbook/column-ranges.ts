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
