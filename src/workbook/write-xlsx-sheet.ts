import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Row as ExcelRow, Worksheet } from 'exceljs';
import { columnWidths } from './column-widths.ts';
import { markCells } from './mark-cells.ts';
import { excelFormat, excelText, excelValue } from './result-cells.ts';
import { addedCells, ownCells, resultBatches, withHeaderRow } from './result-layout.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';
import { addedStyle, type ResultStyles } from './result-styles.ts';

/** Rows written before looking whether they have been packed; the first of these tell the widths. */
const BATCH = 200;
/** Points a line of text needs, characters that fit on one, and lines shown of a long message. */
const LINE_HEIGHT = 15;
const LINE_LENGTH = 52;
const MOST_LINES = 12;
/** Notes on a sheet: the file holds them apart from their rows, so they wait in memory, and Excel is slow with many. */
const MOST_NOTES = 1000;
/** Bytes that may wait to be packed. */
const WAITING = 1 << 20;

/** Writes one sheet of the workbook that goes to `target`, and closes it: rows at their own numbers, bold headers, frozen and with a filter. */
export async function writeXlsxSheet(
  target: Writable,
  worksheet: Worksheet,
  sheet: ResultSheet,
  styles: ResultStyles,
): Promise<void> {
  let last = 0;
  let started = false;
  const notes = { left: MOST_NOTES };
  for await (const batch of resultBatches(withHeaderRow(sheet), BATCH)) {
    if (!started) worksheet.columns = columnWidths(batch, sheet).map((width) => ({ width }));
    started = true;
    for (const result of batch) {
      // Damaged workbooks have rows out of order; a row can't be written above the last one.
      last = Math.max(result.row.number, last + 1);
      const row = rowAt(worksheet, last);
      writeRow(row, result, sheet, styles);
      markCells(row, result, sheet, { styles, notes });
      row.commit();
    }
    await packed(worksheet, target);
  }
  addFilter(worksheet, sheet, last);
  (worksheet as unknown as { commit(): void }).commit();
}

/**
 * A row below those already written. exceljs would pass over the blank ones before it one by one, which takes hours for
 * a single cell at the bottom of a sheet; as every row is written at once, none waits between.
 */
function rowAt(worksheet: Worksheet, number: number): ExcelRow {
  const waiting = worksheet as unknown as { _rows: unknown[]; _rowZero: number };
  if (waiting._rows.length === 0 && number > waiting._rowZero) waiting._rowZero = number;
  return worksheet.getRow(number);
}

function writeRow(target: ExcelRow, result: ResultRow, sheet: ResultSheet, styles: ResultStyles): void {
  const isHeader = result.row.number === sheet.headerRow;
  const book = isHeader ? styles.headers : styles.cells;
  for (const cell of ownCells(result, sheet)) {
    const place = target.getCell(cell.column);
    place.value = excelValue(cell);
    place.style = book.style(excelFormat(cell));
  }
  for (const [index, value] of addedCells(result, sheet).entries()) {
    if (sheet.added === null || (value === null && index > 0)) continue;
    const place = target.getCell(sheet.added.firstColumn + index);
    place.value = typeof value === 'string' ? excelText(value) : value;
    const header = sheet.added.headers[index] ?? '';
    place.style = isHeader
      ? book.style(undefined)
      : addedStyle(styles, index, header, result.outcome?.tone ?? 'plain');
  }
  if (result.row.hidden) target.hidden = true;
  const lines = isHeader ? 1 : linesOf(addedCells(result, sheet));
  if (lines > 1) target.height = Math.min(lines, MOST_LINES) * LINE_HEIGHT;
}

/** Lines of wrapped text, about: not every program that opens the file makes room for them by itself. */
function linesOf(cells: readonly (string | number | null)[]): number {
  const texts = cells.filter((cell) => typeof cell === 'string');
  const lines = (text: string): number =>
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);
  return Math.max(1, ...texts.map(lines));
}

function addFilter(worksheet: Worksheet, { headerRow, added }: ResultSheet, last: number): void {
  const columns = worksheet.columns?.length ?? 0;
  if (headerRow === null || columns === 0 || last < headerRow) return;
  const lastColumn = added === null ? columns : added.firstColumn + added.headers.length - 1;
  worksheet.autoFilter = { from: { row: headerRow, column: 1 }, to: { row: last, column: lastColumn } };
}

/** exceljs never waits for the packing of what it is given; without this all of a large sheet would be in memory. */
async function packed(worksheet: Worksheet, target: Writable): Promise<void> {
  const { pipes } = (worksheet as unknown as { stream: { pipes: { writableLength: number }[] } }).stream;
  do {
    await setImmediate();
    // Nothing is packed any more when the file has failed; whoever opened it knows why.
    if (target.destroyed) throw new Error('The result file was closed while it was being written.');
  } while (pipes.some((pipe) => pipe.writableLength > WAITING));
}
