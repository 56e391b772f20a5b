import type { WrittenColumn, WrittenRow, WrittenValue } from './written-sheet.ts';

/** Rows that tell how wide columns are. */
const SAMPLE = 200;
const WIDEST = 42;
/** Room for an indent and the filter's arrow beside a header, and beside a value. */
const ARROW = 5;
const AIR = 3;

/** Columns as wide as their headers and the first rows need, within reason. */
export function fitColumns(
  columns: readonly WrittenColumn[],
  rows: readonly WrittenRow[],
): readonly WrittenColumn[] {
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column, at) => {
    const longest = sample.reduce((most, row) => Math.max(most, lengthOf(row[at] ?? null)), 0);
    const needed = Math.min(WIDEST, longest + AIR);
    return { ...column, width: Math.max(column.width, column.header.length + ARROW, needed) };
  });
}

function lengthOf(value: WrittenValue): number {
  if (value === null) return 0;
  if (typeof value === 'object') return value.date.length;
  return String(value)
    .split('\n')
    .reduce((most, line) => Math.max(most, line.length), 0);
}
