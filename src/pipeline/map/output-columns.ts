import type { Row } from '../../schema/cell.ts';
import { cellText } from '../../schema/codec.ts';
import { normaliseHeader, OUTPUT_MARKS } from '../../schema/header.ts';
import { isStatusText } from '../../schema/row-text.ts';
import { LAST_COLUMN } from '../../workbook/limits.ts';
import { isBlank } from './cell-sense.ts';
import type { HeaderCell } from './header-cell.ts';

const [STATUS, ...OTHERS] = OUTPUT_MARKS;

/**
 * The columns of an earlier result, which this one's take the place of: `#status`, and beside it, with none of the sheet's own fields between,
 * the nearest of each of the others, at its right before those at its left. One that stands elsewhere, or has other things in it, is the user's own.
 */
export function findOutputColumns(header: readonly HeaderCell[], below: readonly Row[]): ReadonlySet<number> {
  const cells = header.toSorted((one, other) => one.column - other.column);
  return new Set(
    cells.flatMap((cell, at) =>
      cell.mark === STATUS && isOurs(cell, below) ? [cell.column, ...beside(cells, at)] : [],
    ),
  );
}

/** What stands in a column of ours, among the first rows, is a status; people may have written a remark in it. */
function isOurs({ column }: HeaderCell, below: readonly Row[]): boolean {
  const filled = below.flatMap(({ cells }) =>
    cells.filter((cell) => cell.column === column && !isBlank(cell)).map(cellText),
  );
  return filled.length === 0 || filled.some(isStatusText);
}

function beside(cells: readonly HeaderCell[], at: number): number[] {
  const isOwn = ({ field, mark }: HeaderCell): boolean =>
    field !== undefined || (mark !== undefined && !OUTPUT_MARKS.some((one) => one === mark));
  const left = cells.slice(0, at).findLastIndex(isOwn) + 1;
  const right = cells.findIndex((cell, place) => place > at && isOwn(cell));
  const status = cells[at]?.column ?? 0;
  const stretch = cells.slice(left, right < 0 ? undefined : right);
  return OTHERS.flatMap((name) => {
    const columns = stretch.flatMap(({ mark, column }) => (mark === name ? [column] : []));
    return columns.sort((one, other) => distance(one, status) - distance(other, status)).slice(0, 1);
  });
}

/** Ours are written at the right of the status: one at its left is only one that was moved there. */
const distance = (column: number, status: number): number =>
  column > status ? column - status : LAST_COLUMN + status - column;

/** The headers of a result's own columns: numbered where one of the user's has the name, as no two columns of a table may have the same. */
export function outputHeaders(headers: readonly HeaderCell[], outputColumns: ReadonlySet<number>): string[] {
  const taken = new Set(
    headers.flatMap(({ header, column }) => (outputColumns.has(column) ? [] : normaliseHeader(header))),
  );
  return OUTPUT_MARKS.map((mark) => {
    let name: string = mark;
    for (let number = 2; taken.has(name); number++) name = `${mark}${number}`;
    return name;
  });
}
