import type exceljs from 'exceljs';
import { excelText } from './result-cells.ts';
import { FONT } from './result-styles.ts';
import { type ResultSummary, type SummaryCell, summaryHeight } from './result-summary.ts';
import { TONES } from './tone-colours.ts';

/** Writes the summary as a sheet of a new workbook. */
export function writeSummarySheet(
  writer: exceljs.stream.xlsx.WorkbookWriter,
  name: string,
  { widths, rows }: ResultSummary,
): void {
  const sheet = writer.addWorksheet(name, {
    views: [{ showGridLines: false }],
    pageSetup: { paperSize: 9, orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  sheet.columns = widths.map((width) => ({ width }));
  for (const [at, cells] of rows().entries()) {
    const row = sheet.getRow(at + 1);
    for (const [column, cell] of cells.entries()) {
      if (cell.value === '' && cell.look === undefined) continue;
      const place = row.getCell(column + 1);
      place.value = contentOf(cell);
      place.style = styleOf(cell);
    }
    const height = summaryHeight(cells, widths);
    if (height !== undefined) row.height = height;
    row.commit();
  }
  sheet.commit();
}

function contentOf({ value, link }: SummaryCell): exceljs.CellValue {
  if (typeof value === 'number') return value;
  const text = excelText(value);
  if (link === undefined) return text;
  return { text, hyperlink: `#'${link.sheet.replaceAll("'", "''")}'!${link.address}` };
}

function styleOf({ look = 'plain', link }: SummaryCell): Partial<exceljs.Style> {
  const alignment = { horizontal: 'left', vertical: 'top', wrapText: look === 'sentence' } as const;
  if (link !== undefined) return { font: { ...FONT, color: { argb: 'FF0563C1' } }, alignment };
  if (look === 'title') return { font: { ...FONT, size: 16, bold: true }, alignment };
  const bold = look === 'label' || look === 'head';
  const font = { ...FONT, bold };
  const tone = look === 'head' ? 'plain' : look;
  if (tone === 'label' || tone === 'sentence' || look === 'plain') return { font, alignment };
  return {
    font,
    alignment,
    fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: TONES[tone][0] } },
  };
}
