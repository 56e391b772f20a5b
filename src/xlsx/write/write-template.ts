import { once } from 'node:events';
import type { DataValidation, Style, Workbook, Worksheet } from 'exceljs';
import { columnLetters } from '../../core/cell.ts';
import { writeAtomically } from '../../files/write-aside.ts';
import { excelText } from '../excel-text.ts';
import { repack } from '../zip/repack.ts';
import { type ColumnRole, columnStyle, GUIDE_STYLES, headerStyle } from './book-styles.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet, WrittenValue } from './written-book.ts';

/** What the spreadsheet program accepts in a cell. */
export interface CellCheck {
  /** `any` only shows the message. */
  readonly type: 'whole' | 'decimal' | 'date' | 'time' | 'list' | 'any';
  /** The choices of a `list`, or the name of a list of the workbook. */
  readonly list?: readonly string[] | { readonly name: string };
  /** Other contents are refused (`stop`), or asked about (`warning`). */
  readonly style: 'stop' | 'warning';
  /** The message of a selected cell. */
  readonly prompt: string;
  /** The message for other contents. */
  readonly error: string;
}

/** A column to fill in, of fixed width. */
export interface TemplateColumn extends Omit<WrittenColumn, 'role'> {
  readonly role: ColumnRole;
  /** Its texts are long and wrap. */
  readonly wraps: boolean;
  readonly check: CellCheck;
}

/** A sheet to fill in. */
interface TemplateSheet extends Pick<WrittenSheet, 'name' | 'table'> {
  readonly columns: readonly TemplateColumn[];
}

/** A term with its explanation; `role` shows the term as a header of that role. */
export interface GuideLine {
  readonly term: string;
  readonly text: string;
  readonly role?: ColumnRole;
}

/** The sheet that explains how to fill in the others. */
export interface GuideSheet {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly { readonly heading: string; readonly lines: readonly GuideLine[] }[];
  /** A table of texts. */
  readonly table: {
    readonly heading: string;
    readonly headers: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

/** A workbook to fill in. */
export interface TemplateBook {
  readonly title: string;
  readonly guide: GuideSheet;
  readonly sheets: readonly TemplateSheet[];
  /** A table to look things up in, the last sheet to see; null for none. */
  readonly lookUp: (WrittenSheet & { readonly rows: readonly WrittenRow[] }) | null;
  /** The hidden sheet with the lists, if there are any. */
  readonly listSheet: string;
  /** Choices under a name for cell checks. */
  readonly lists: readonly {
    readonly name: string;
    readonly title: string;
    readonly values: readonly string[];
  }[];
  /** `Page &P of &N`, in the workbook's language. */
  readonly pageText: string;
  readonly made: Date;
}

/** Writes a workbook to fill in. Throws StopError when the place can't be written to. */
export async function writeTemplate(target: string, book: TemplateBook): Promise<void> {
  const bytes = await templateBytes(book);
  await writeAtomically(target, async (stream) => {
    if (!stream.write(bytes)) await once(stream, 'drain');
  });
}

/** The bytes of a workbook to fill in; equal books make equal bytes. */
export async function templateBytes(book: TemplateBook): Promise<Buffer> {
  // Loaded only here, as it is large. The whole of exceljs would load `buffers` too, which states no licence.
  const { default: Workbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new Workbook();
  workbook.creator = 'catersheet';
  workbook.lastModifiedBy = 'catersheet';
  workbook.title = book.title;
  workbook.created = book.made;
  workbook.modified = book.made;
  const place = { x: 0, y: 0, width: 24_000, height: 14_000 };
  workbook.views = [{ ...place, firstSheet: 0, activeTab: 0, visibility: 'visible' }];
  addGuideSheet(workbook, book);
  for (const sheet of book.sheets) addTemplateSheet(workbook, sheet, book);
  if (book.lookUp !== null) addLookUpSheet(workbook, book.lookUp, book);
  addListSheet(workbook, book);
  return await repack(Buffer.from(await workbook.xlsx.writeBuffer()), book.made);
}

/** The widest column of a sheet to look things up in, in characters. */
const WIDEST = 60;

/** Adds a table to look things up in. */
function addLookUpSheet(
  workbook: Workbook,
  { name, table, columns, rows }: NonNullable<TemplateBook['lookUp']>,
  book: TemplateBook,
): void {
  const longest = columns.map(({ width }, at) =>
    rows.reduce((most, row) => Math.max(most, String(row[at] ?? '').length + 2), width),
  );
  const shaped = columns.map(({ format }, at) => {
    const width = format === 'General' ? Math.min(WIDEST, longest[at] ?? 0) : (columns[at]?.width ?? 0);
    return { width, style: columnStyle(format, false) };
  });
  const contents = rows.map((row) => row.map(cellContent));
  const worksheet = addTableSheet(workbook, book, { name, table, columns }, shaped, contents);
  for (const [at] of columns.entries()) worksheet.getCell(1, at + 1).style = headerStyle('key');
}

/** A sheet with a table below a frozen header. */
function addTableSheet(
  workbook: Workbook,
  book: TemplateBook,
  { name, table, columns }: Pick<WrittenSheet, 'name' | 'table'> & { columns: readonly { header: string }[] },
  shaped: Worksheet['columns'],
  rows: unknown[][],
): Worksheet {
  const worksheet = workbook.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: 1, activeCell: 'A2' }],
    pageSetup: { ...PRINTED, printTitlesRow: '1:1' },
    headerFooter: printedEdges(book),
  });
  worksheet.columns = shaped;
  worksheet.addTable({
    name: table,
    ref: 'A1',
    headerRow: true,
    style: { theme: 'TableStyleMedium2', showRowStripes: true },
    columns: columns.map(({ header }) => ({ name: header, filterButton: true })),
    rows,
  });
  worksheet.getRow(1).height = HEADER_HEIGHT;
  return worksheet;
}

/** A value for exceljs, which takes days as moments in UTC. */
function cellContent(value: WrittenValue): string | number | boolean | Date | null {
  if (typeof value === 'string') return excelText(value);
  return value !== null && typeof value === 'object' ? new Date(`${value.date}T00:00:00Z`) : value;
}

/** The hidden sheet of lists: a column each, with a name for cell checks. */
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

/** Rows of the empty table; it grows by itself. */
const TABLE_ROWS = 50;
/** Rows with cell checks. */
const CHECKED_ROWS = 10_000;
const HEADER_HEIGHT = 30;

/** Adds a sheet to fill in: a table with formats and checks, and what each header means. */
function addTemplateSheet(workbook: Workbook, sheet: TemplateSheet, book: TemplateBook): void {
  const shaped = sheet.columns.map(({ width, format, wraps }) => ({
    width,
    style: columnStyle(format, wraps),
  }));
  const blank = Array.from({ length: TABLE_ROWS }, () => []);
  const worksheet = addTableSheet(workbook, book, sheet, shaped, blank);
  for (const [at, column] of sheet.columns.entries()) addColumn(worksheet, column, at + 1);
}

/** The printed header and footer: sheet, file and page. */
function printedEdges({ pageText }: TemplateBook): { oddHeader: string; oddFooter: string } {
  return { oddHeader: '&L&"-,Bold"&A', oddFooter: `&L&F&R${pageText}` };
}

function addColumn(
  worksheet: Worksheet,
  { header, role, note, check }: TemplateColumn,
  number: number,
): void {
  worksheet.getCell(1, number).style = headerStyle(role);
  const letters = columnLetters(number);
  const checks = checksOf(worksheet);
  checks.add(`${letters}1`, dataValidation(header, { ...SAID, prompt: note.join(' ') }));
  checks.add(`${letters}2:${letters}${CHECKED_ROWS + 1}`, dataValidation(header, check));
}

/** What a header takes: it only says what it means. */
const SAID = { type: 'any', style: 'warning', error: '' } as const;

/** exceljs has checks of ranges, its types lack them. */
function checksOf(worksheet: Worksheet): { add(range: string, check: object): void } {
  return (worksheet as unknown as { dataValidations: { add(range: string, check: object): void } })
    .dataValidations;
}

/** The longest messages in Excel, in characters. */
const LONGEST = { title: 32, prompt: 255, error: 225 } as const;

type Check = Pick<DataValidation, 'operator' | 'formulae'> & {
  readonly type: DataValidation['type'] | 'any';
};

const LARGEST = 999_999_999_999;

const CHECKS: Readonly<Record<Exclude<CellCheck['type'], 'list'>, Check>> = {
  whole: { type: 'whole', operator: 'greaterThanOrEqual', formulae: [0] },
  decimal: { type: 'decimal', operator: 'between', formulae: [-LARGEST, LARGEST] },
  date: { type: 'date', operator: 'greaterThanOrEqual', formulae: [new Date(Date.UTC(1900, 2, 1))] },
  // A day may precede the time.
  time: { type: 'decimal', operator: 'greaterThanOrEqual', formulae: [0] },
  any: { type: 'any', formulae: [] },
};

/** A check for exceljs; blank cells always pass. */
function dataValidation(header: string, check: CellCheck): DataValidation {
  const { list = [] } = check;
  // A short list stands in the formula, a longer one has a name.
  const choices = 'name' in list ? list.name : `"${list.join(',')}"`;
  const title = clipped(header, LONGEST.title);
  const refuses = check.type !== 'any';
  return {
    ...(check.type === 'list' ? { type: 'list', formulae: [choices] } : CHECKS[check.type]),
    allowBlank: true,
    showInputMessage: true,
    promptTitle: title,
    prompt: clipped(check.prompt, LONGEST.prompt),
    showErrorMessage: refuses,
    ...(refuses
      ? { errorStyle: check.style, errorTitle: title, error: clipped(check.error, LONGEST.error) }
      : {}),
  } as DataValidation;
}

function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** In characters; texts above the table span several columns. */
const WIDTHS = [19, 37, 16, 16, 44, 46, 20];
const TERM_COLUMNS = 1;
const LAST = WIDTHS.length;
const TEXT_WIDTH = WIDTHS.slice(TERM_COLUMNS).reduce((sum, width) => sum + width, 0);
/** In points. */
const LINE = 15;

/** Adds the guide, the first sheet. */
function addGuideSheet(workbook: Workbook, book: TemplateBook): void {
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

/** A text over the whole width. */
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

function addTable(worksheet: Worksheet, first: number, { headers, rows }: GuideSheet['table']): void {
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

/** About how many lines a text wraps to. */
function linesIn(text: string, width: number): number {
  return Math.max(1, Math.ceil((text.length * 1.08) / width));
}

/** A4 landscape, one page wide. */
const PRINTED = {
  paperSize: 9,
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  margins: { left: 0.4, right: 0.4, top: 0.7, bottom: 0.6, header: 0.3, footer: 0.3 },
} as const;
