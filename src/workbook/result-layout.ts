import type { Cell } from '../schema/cell.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';

/** The user's own cells of a row: those where the program's columns come are left out, from the header row down. */
export function ownCells({ row }: ResultRow, { headerRow, added }: ResultSheet): readonly Cell[] {
  if (added === null || headerRow === null || row.number < headerRow) return row.cells;
  const { firstColumn, headers } = added;
  return row.cells.filter(({ column }) => column < firstColumn || column >= firstColumn + headers.length);
}

/** What stands in the added columns of a row: the headers, the outcome, or nothing. */
export function addedCells(
  result: ResultRow,
  { headerRow, added }: ResultSheet,
): readonly (string | number | null)[] {
  if (added === null) return [];
  return result.row.number === headerRow ? added.headers : (result.outcome?.cells ?? []);
}

/** A sheet's rows in batches, so that a writer can wait for its stream now and then. */
export async function* resultBatches(
  rows: AsyncIterable<ResultRow>,
  size: number,
): AsyncGenerator<ResultRow[]> {
  let batch: ResultRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The sheet's rows, with its header row also where the file has a blank one, as the added headers need a place. */
export async function* withHeaderRow({ rows, headerRow, added }: ResultSheet): AsyncGenerator<ResultRow> {
  let wanted = added === null ? null : headerRow;
  for await (const result of rows) {
    if (wanted !== null && result.row.number > wanted) yield { row: { number: wanted, cells: [] } };
    if (wanted !== null && result.row.number >= wanted) wanted = null;
    yield result;
  }
  if (wanted !== null) yield { row: { number: wanted, cells: [] } };
}
