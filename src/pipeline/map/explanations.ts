import type { Row } from '../../schema/cell.ts';
import type { ColumnReader } from './column-reader.ts';
import { isReadable } from './readable.ts';

/** So many rows below a header may explain it. */
const MOST = 3;

type Readers = readonly (ColumnReader | undefined)[];

/** Whether a cell holds what its column takes; null where a column takes any text, or counts for nothing. */
function fits(cell: Row['cells'][number], readers: Readers): boolean | null {
  const field = readers[cell.column]?.field ?? null;
  if (field === null || field.codec.type === 'text' || field.lookup !== undefined) return null;
  return isReadable(cell, field);
}

const isWords = (cell: Row['cells'][number]): boolean => cell.type === 'text' && !/\p{N}/u.test(cell.value);

const filled = ({ cells }: Row, outputs: ReadonlySet<number>): Row['cells'] =>
  cells.filter((cell) => !outputs.has(cell.column) && (cell.type !== 'text' || cell.value.trim() !== ''));

/**
 * Rows directly below the header that explain its columns ("€", "ja/nee", "verplicht"): words alone, without a digit and
 * none in a column of the program's own, none of which its column takes, two or more of them or nothing else, while the
 * row after them does hold what the columns take. Where that is not plain, the row is data, and its cells get their
 * issues. `outputs` are the columns of an earlier result.
 */
export function explanationRows(
  header: number,
  below: readonly Row[],
  readers: Readers,
  outputs: ReadonlySet<number>,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, row] of below.slice(0, MOST).entries()) {
    const cells = filled(row, outputs);
    if (row.number !== header + 1 + at || !explain(cells, below.slice(at + 1), readers)) break;
    found.add(row.number);
  }
  return found;
}

function explain(cells: Row['cells'], after: readonly Row[], readers: Readers): boolean {
  if (cells.some((cell) => !isWords(cell) || readers[cell.column]?.mark === true)) return false;
  const told = cells.map((cell) => fits(cell, readers));
  const wrong = told.filter((one) => one === false).length;
  if (told.includes(true) || wrong === 0 || (wrong === 1 && cells.length > 1)) return false;
  const columns = cells.filter((_, index) => told[index] === false).map(({ column }) => column);
  return after
    .slice(0, MOST)
    .some((next) => next.cells.some((cell) => columns.includes(cell.column) && fits(cell, readers) === true));
}
