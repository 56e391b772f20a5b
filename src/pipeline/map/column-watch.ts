import type { Cell } from '../../schema/cell.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';

/** So many rows tell how a column is written, unless some of its cells still read two ways by then. */
const SAMPLE_ROWS = 1000;

/** Looks at some columns before their rows are read, for what tells how all of their texts are meant. */
export interface ColumnWatch {
  readonly columns: ReadonlySet<number>;
  /** To be told of a text in one of the columns. */
  note(cell: Cell): void;
  /** Whether something was seen that reads two ways, and nothing that tells which. */
  isOpen(): boolean;
}

/**
 * Goes through the first rows of a sheet below its header. Where something is still open after those it looks on until
 * something tells, to the end if need be, unless `signal` ends it. Throws the signal's reason.
 */
export async function watchColumns(
  sheet: Sheet,
  headerRow: number,
  watches: readonly ColumnWatch[],
  signal?: AbortSignal,
): Promise<void> {
  const watched = watches.filter(({ columns }) => columns.size > 0);
  if (watched.length === 0) return;
  let rows = 0;
  for await (const batch of sheet.batches) {
    signal?.throwIfAborted();
    for (const row of batch) {
      if (row.number <= headerRow) continue;
      if (rows++ >= SAMPLE_ROWS && !watched.some((watch) => watch.isOpen())) return;
      for (const cell of row.cells) {
        if (cell.type !== 'text') continue;
        for (const watch of watched) if (watch.columns.has(cell.column)) watch.note(cell);
      }
    }
  }
}
