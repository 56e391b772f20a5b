import { once } from 'node:events';
import type { Workbook, WorkbookView } from 'exceljs';
import { columnLetters } from '../schema/cell.ts';
import { type Rewrites, repack } from './repack.ts';
import { excelText } from './result-cells.ts';
import type { TemplateBook } from './template-book.ts';
import { addGuideSheet } from './template-guide.ts';
import { notesDrawing } from './template-notes.ts';
import { addTemplateSheet } from './template-sheet.ts';
import { writeAside } from './write-aside.ts';

/** Writes a workbook to fill in. Throws StopError when its place can't be written to. */
export async function writeTemplate(target: string, book: TemplateBook): Promise<void> {
  const bytes = await templateBytes(book);
  await writeAside(target, async (stream) => {
    if (!stream.write(bytes)) await once(stream, 'drain');
  });
}

/** A workbook to fill in, as the bytes of an .xlsx; the same book makes the same bytes. */
export async function templateBytes(book: TemplateBook): Promise<Buffer> {
  // Loaded only here: it is a quarter of what the program needs to start.
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.Workbook();
  workbook.creator = 'catersheet';
  workbook.lastModifiedBy = 'catersheet';
  workbook.title = book.title;
  workbook.created = book.made;
  workbook.modified = book.made;
  workbook.views = [
    {
      x: 0,
      y: 0,
      width: 24_000,
      height: 14_000,
      firstSheet: 0,
      activeTab: 0,
      visibility: 'visible',
    } as WorkbookView,
  ];
  addGuideSheet(workbook, book);
  const rewrites = new Map<string, (text: string) => string>();
  for (const [at, sheet] of book.sheets.entries()) {
    const { id } = addTemplateSheet(workbook, sheet, book);
    rewrites.set(`xl/worksheets/sheet${id}.xml`, notesBeforeTables);
    rewrites.set(`xl/drawings/vmlDrawing${id}.vml`, () => notesDrawing(sheet.columns, at + 1));
  }
  addListSheet(workbook, book);
  return await packed(workbook, rewrites, book.made);
}

async function packed(workbook: Workbook, rewrites: Rewrites, made: Date): Promise<Buffer> {
  const bytes = await workbook.xlsx.writeBuffer();
  return await repack(Buffer.from(bytes), rewrites, made);
}

/** exceljs puts a sheet's notes behind its tables, which Excel takes for damage. */
function notesBeforeTables(xml: string): string {
  return xml.replace(/(<tableParts[\s\S]*<\/tableParts>)([\s\S]*?)(<legacyDrawing [^>]*\/>)/, '$3$1$2');
}

/** One column a list, each under a name that checks can use from any sheet. */
function addListSheet(workbook: Workbook, { listSheet, lists }: TemplateBook): void {
  if (lists.length === 0) return;
  const worksheet = workbook.addWorksheet(listSheet, { state: 'hidden' });
  for (const [at, { name, title, values }] of lists.entries()) {
    const letters = columnLetters(at + 1);
    const column = worksheet.getColumn(at + 1);
    column.values = [title, ...values.map(excelText)];
    column.width = 30;
    column.numFmt = '@';
    workbook.definedNames.add(`'${listSheet}'!$${letters}$2:$${letters}$${values.length + 1}`, name);
  }
}
