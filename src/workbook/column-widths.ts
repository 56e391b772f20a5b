import { addedCells, ownCells } from './result-layout.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';

const NARROWEST = 8;
const WIDEST = 42;
const WIDEST_ADDED = 60;

/** Widths, in characters, that show the sampled rows; index 0 is column A. Titles above the header don't count, as they may overflow. */
export function columnWidths(sample: readonly ResultRow[], sheet: ResultSheet): number[] {
  const widths: number[] = [];
  for (const result of sample) {
    if (result.row.number < (sheet.headerRow ?? 1)) continue;
    for (const { column, value } of ownCells(result, sheet)) widen(widths, column, String(value), WIDEST);
    const first = sheet.added?.firstColumn ?? 1;
    for (const [index, value] of addedCells(result, sheet).entries()) {
      widen(widths, first + index, String(value ?? ''), WIDEST_ADDED);
    }
  }
  return Array.from(widths, (width) => width ?? NARROWEST);
}

function widen(widths: number[], column: number, text: string, widest: number): void {
  const longest = Math.max(...text.split('\n').map((line) => line.length));
  // Room for the filter's arrow.
  widths[column - 1] = Math.min(widest, Math.max(widths[column - 1] ?? NARROWEST, longest + 3));
}
