import type { Row as ExcelRow } from 'exceljs';
import { excelFormat, excelText } from './result-cells.ts';
import { ownCells } from './result-layout.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';
import type { ResultStyles } from './result-styles.ts';
import { NOTE_MARK } from './tone-colours.ts';

/** What marking works with; `notes.left` counts down over the sheet. */
interface Marking {
  readonly styles: ResultStyles;
  readonly notes: { left: number };
}

/** Colours the cells of a row of which something is said, and puts it on them as a note, while there are notes left. */
export function markCells(target: ExcelRow, result: ResultRow, sheet: ResultSheet, marking: Marking): void {
  const { marks = [] } = result.outcome ?? {};
  if (marks.length === 0 || result.row.number === sheet.headerRow) return;
  const own = new Map(ownCells(result, sheet).map((cell) => [cell.column, cell]));
  for (const { column, tone, text } of marks) {
    if (isAdded(column, sheet)) continue;
    const cell = own.get(column);
    const place = target.getCell(column);
    place.style = marking.styles.marked[tone].style(cell === undefined ? undefined : excelFormat(cell));
    if (text !== null && marking.notes.left-- > 0) place.note = excelText(NOTE_MARK + text);
  }
}

function isAdded(column: number, { added }: ResultSheet): boolean {
  return added !== null && column >= added.firstColumn && column < added.firstColumn + added.headers.length;
}
