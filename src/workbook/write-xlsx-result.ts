import type { Writable } from 'node:stream';
import type { WorkbookView } from 'exceljs';
import { BASE_SHEET } from './base-sheet.ts';
import type { ResultSheet } from './result-sheet.ts';
import { ResultStyles } from './result-styles.ts';
import type { ResultSummary } from './result-summary.ts';
import { sheetName } from './sheet-names.ts';
import { writeSummarySheet } from './write-summary-sheet.ts';
import { writeXlsxSheet } from './write-xlsx-sheet.ts';

/** Writes the sheets of a result as a new XLSX to a stream, which it ends; the summary comes first. */
export async function writeXlsxResult(
  stream: Writable,
  sheets: readonly ResultSheet[],
  summary?: ResultSummary,
): Promise<void> {
  // Loaded only here: it is a quarter of what the program needs to start.
  const { default: ExcelJS } = await import('exceljs');
  const writer = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true, useSharedStrings: false });
  writer.creator = 'catersheet';
  writer.lastModifiedBy = 'catersheet';
  // Excel refuses a workbook that opens on a hidden sheet.
  const shown = Math.max(
    sheets.findIndex(({ hidden }) => !hidden),
    0,
  );
  writer.views = [{ activeTab: shown + (summary === undefined ? 0 : 1) } as WorkbookView];
  const styles = new ResultStyles();
  const taken = new Set<string>();
  if (summary !== undefined) {
    const name = sheetName(summary.name, new Set(sheets.map((sheet) => sheet.name.toLowerCase())));
    taken.add(name.toLowerCase());
    writeSummarySheet(writer, name, summary);
  }
  for (const [index, sheet] of sheets.entries()) {
    const worksheet = writer.addWorksheet(sheetName(sheet.name, taken), {
      state:
        index === shown || !sheet.hidden ? 'visible' : sheet.name === BASE_SHEET ? 'veryHidden' : 'hidden',
      views: sheet.headerRow === null ? [] : [{ state: 'frozen', ySplit: sheet.headerRow }],
      // Printed: all columns on the width of a sheet of paper.
      pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
    });
    await writeXlsxSheet(stream, worksheet, sheet, styles);
  }
  await writer.commit();
}
