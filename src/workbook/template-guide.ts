import type { Style, Workbook, Worksheet } from 'exceljs';
import { excelText } from './result-cells.ts';
import type { GuideLine, GuideTable, TemplateBook } from './template-book.ts';
import { PRINTED } from './template-print.ts';
import { printedEdges } from './template-sheet.ts';
import { GUIDE_STYLES, headerStyle } from './template-styles.ts';

/** In characters; the texts above the table stand across several. */
const WIDTHS = [19, 37, 16, 16, 44, 46, 20];
const TERM_COLUMNS = 1;
const LAST = WIDTHS.length;
const TEXT_WIDTH = WIDTHS.slice(TERM_COLUMNS).reduce((sum, width) => sum + width, 0);
/** Points. */
const LINE = 15;

/** Adds the first sheet, which says how the others are filled in. */
export function addGuideSheet(workbook: Workbook, book: TemplateBook): void {
  const { guide } = book;
  const worksheet = workbook.addWorksheet(guide.name, {
    views: [{ showGridLines: false }],
    pageSetup: { ...PRINTED },
    headerFooter: printedEdges(book),
    properties: { tabColor: { argb: 'FF1F6F54' } },
  });
  worksheet.columns = WIDTHS.map((width) => ({ width }));
  wide(worksheet, 1, guide.title, GUIDE_STYLES.title, 34);
  wide(worksheet, 2, guide.lead, GUIDE_STYLES.lead, linesIn(guide.lead, TEXT_WIDTH) * 17 + 4);
  let row = 3;
  for (const { heading, lines } of guide.sections) {
    wide(worksheet, row + 1, heading, GUIDE_STYLES.heading, 24);
    row += 2;
    for (const line of lines) addLine(worksheet, row++, line);
  }
  wide(worksheet, row + 1, guide.table.heading, GUIDE_STYLES.heading, 24);
  addTable(worksheet, row + 2, guide.table);
}

/** A text across the whole width. */
function wide(worksheet: Worksheet, row: number, text: string, style: Partial<Style>, height: number): void {
  worksheet.mergeCells(row, 1, row, LAST);
  put(worksheet, row, 1, text, style);
  worksheet.getRow(row).height = height;
}

function addLine(worksheet: Worksheet, row: number, { term, text, role }: GuideLine): void {
  worksheet.mergeCells(row, TERM_COLUMNS + 1, row, LAST);
  put(worksheet, row, 1, term, role === undefined ? GUIDE_STYLES.term : headerStyle(role));
  put(worksheet, row, TERM_COLUMNS + 1, text, GUIDE_STYLES.text);
  worksheet.getRow(row).height = linesIn(text, TEXT_WIDTH) * LINE + 6;
}

function addTable(worksheet: Worksheet, first: number, { headers, rows }: GuideTable): void {
  worksheet.addTable({
    name: 'tbl_guide',
    ref: `A${first}`,
    headerRow: true,
    style: { theme: 'TableStyleLight1', showRowStripes: false },
    columns: headers.map((name) => ({ name, filterButton: true })),
    rows: rows.map((texts) => texts.map(excelText)),
  });
  for (const [at] of headers.entries()) worksheet.getCell(first, at + 1).style = headerStyle('key');
  worksheet.getRow(first).height = 22;
  for (const [index, texts] of rows.entries()) {
    const row = first + 1 + index;
    for (const [at] of texts.entries())
      worksheet.getCell(row, at + 1).style = at === 1 ? GUIDE_STYLES.name : GUIDE_STYLES.cell;
    const lines = texts.map((text, at) => linesIn(text, WIDTHS[at] ?? 10));
    worksheet.getRow(row).height = Math.max(...lines) * LINE + 4;
  }
}

function put(worksheet: Worksheet, row: number, column: number, text: string, style: Partial<Style>): void {
  const cell = worksheet.getCell(row, column);
  cell.value = excelText(text);
  cell.style = style;
}

/** Lines of wrapped text, about. */
function linesIn(text: string, width: number): number {
  return Math.max(1, Math.ceil((text.length * 1.08) / width));
}
