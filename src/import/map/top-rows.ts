import type { Row } from '../../core/cell.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';

/** Rows read below the last one that is searched: they tell what a header there is of. */
const ROWS_BELOW = 6;

/** The first rows of a sheet. */
export interface TopRows {
  /** Those that hold anything. */
  readonly top: readonly Row[];
  /** The sheet has no more. */
  readonly whole: boolean;
}

/** The rows of a sheet that hold anything, down to row `until` and a few below it; no more is read. */
export async function topRows(sheet: Sheet, until: number): Promise<TopRows> {
  const top: Row[] = [];
  for await (const batch of sheet.batches) {
    for (const row of batch) {
      if (row.number > until + ROWS_BELOW) return { top, whole: false };
      if (row.cells.length > 0) top.push(row);
    }
  }
  return { top, whole: true };
}
