import type { Workbook, Worksheet } from 'exceljs';
import { columnLetters } from '../schema/cell.ts';
import { dataValidation } from './cell-checks.ts';
import type { TemplateBook, TemplateColumn, TemplateSheet } from './template-book.ts';
import { printSetup } from './template-print.ts';
import { columnStyle, headerStyle } from './template-styles.ts';

/** Rows that the table shows before anything is filled in; it grows by itself. */
const TABLE_ROWS = 50;
/** Rows whose cells are checked. */
const CHECKED_ROWS = 10_000;
const HEADER_HEIGHT = 30;
const NOTE_FONT = { name: 'Tahoma', size: 9, family: 2 } as const;

/** Adds one sheet to fill in: a table under its headers, formats and checks by column, notes, and how it is printed. */
export function addTemplateSheet(workbook: Workbook, sheet: TemplateSheet, book: TemplateBook): Worksheet {
  const worksheet = workbook.addWorksheet(sheet.name, {
    views: [{ state: 'frozen', ySplit: 1, activeCell: 'A2' }],
    pageSetup: printSetup(sheet.columns),
    headerFooter: printedEdges(book),
  });
  worksheet.columns = sheet.columns.map(({ width, format, wraps }) => ({
    width,
    style: columnStyle(format, wraps),
  }));
  worksheet.addTable({
    name: sheet.table,
    ref: 'A1',
    headerRow: true,
    style: { theme: 'TableStyleMedium2', showRowStripes: true },
    columns: sheet.columns.map(({ header }) => ({ name: header, filterButton: true })),
    rows: Array.from({ length: TABLE_ROWS }, () => []),
  });
  worksheet.getRow(1).height = HEADER_HEIGHT;
  for (const [at, column] of sheet.columns.entries()) addColumn(worksheet, column, at + 1);
  return worksheet;
}

/** What stands above and below a printed sheet: its name, the file, and the page. */
export function printedEdges({ pageText }: TemplateBook): { oddHeader: string; oddFooter: string } {
  return { oddHeader: '&L&"-,Bold"&A', oddFooter: `&L&F&R${pageText}` };
}

function addColumn(
  worksheet: Worksheet,
  { header, role, note, check }: TemplateColumn,
  number: number,
): void {
  const cell = worksheet.getCell(1, number);
  cell.style = headerStyle(role);
  cell.note = {
    texts: [
      { font: { ...NOTE_FONT, bold: true }, text: `${header}\n` },
      { font: NOTE_FONT, text: note.join('\n') },
    ],
  };
  const letters = columnLetters(number);
  checksOf(worksheet).add(`${letters}2:${letters}${CHECKED_ROWS + 1}`, dataValidation(header, check));
}

/** Checks of whole ranges, which exceljs has and its types lack. */
function checksOf(worksheet: Worksheet): { add(range: string, check: object): void } {
  return (worksheet as unknown as { dataValidations: { add(range: string, check: object): void } })
    .dataValidations;
}
