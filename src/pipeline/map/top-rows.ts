import type { Row } from '../../schema/cell.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';

/** A header may stand in the last row that is searched; a few rows below it tell whether it goes on there. */
const ROWS_BELOW = 6;

/** The rows of a sheet that hold anything, down to one and a few below it. */
export async function topRows(sheet: Sheet, until: number): Promise<Row[]> {
  const top: Row[] = [];
  for await (const batch of sheet.batches) {
    for (const row of batch) {
      if (row.number > until + ROWS_BELOW) return top;
      if (row.cells.length > 0) top.push(row);
    }
  }
  return top;
}
