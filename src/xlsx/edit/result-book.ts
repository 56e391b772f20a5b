import type { Writable } from 'node:stream';
import { type Cell, CIRCULAR, cellAddress, type Row, UNCACHED } from '../../core/cell.ts';
import { BASELINE_SHEET } from '../../files/baseline-sheet.ts';
import { DEFAULT_LIMITS } from '../../files/limits.ts';
import { POSTED_SHEET } from '../../files/posted-sheet.ts';
import { type ResultSheet, type ResultSummary, resultBatches } from '../../files/result-sheet.ts';
import { rangeText } from '../../files/sheet.ts';
import { sheetName } from '../excel-text.ts';
import { TEXT_FORMAT } from '../numbers-and-dates.ts';
import { emptyStyles } from '../style-sheet.ts';
import {
  cellXml,
  columnXml,
  contentXml,
  FITTED,
  frozenView,
  textsIn,
  worksheetOpen,
} from '../worksheet-xml.ts';
import { CONTENT, listingParts } from '../write/book-parts.ts';
import { BookStyles } from '../write/book-styles.ts';
import { summaryPart } from '../write/page-part.ts';
import { ByteSink, MAIN_NAMESPACE } from '../xml/xml-write.ts';
import { ZipWriter, zipRecord } from '../zip/write-zip.ts';
import { sheetRewriter } from './sheet-rewriter.ts';

/** What a new result is made of. */
interface ResultBook {
  readonly sheets: readonly ResultSheet[];
  readonly summary: ResultSummary | undefined;
  readonly made: Date;
}

/** Writes a result as a new XLSX to a stream, which stays open, a batch of rows in memory. */
export async function writeResultBook(
  stream: Writable,
  { sheets, summary, made }: ResultBook,
): Promise<void> {
  const zip = new ZipWriter(stream);
  const put = (name: string, content: Buffer | string) =>
    zip.add(zipRecord(made, name), [Buffer.from(content)]);
  const styles = new BookStyles(emptyStyles(MAIN_NAMESPACE));
  const before = summary === undefined ? 0 : 1;
  const shown = Math.max(
    0,
    sheets.findIndex(({ hidden }) => !hidden),
  );
  // The sheets of the user keep their names, the summary does not.
  const taken = new Set<string>();
  const listed: Parameters<typeof listingParts>[0][number][] = [];
  for (const [at, sheet] of sheets.entries()) {
    const number = at + 1 + before;
    const rows = resultPart(sheet, styles, { selected: at === shown });
    // Its rows are corrected already.
    const rewriter = await sheetRewriter(
      { ...sheet, corrected: undefined },
      styles,
      DEFAULT_LIMITS.tokenBytes,
    );
    await zip.add(zipRecord(made, `xl/worksheets/sheet${number}.xml`), rewriter?.rewrite(rows) ?? rows);
    // Excel refuses a workbook without a visible sheet.
    const hidden = sheet.name === BASELINE_SHEET || sheet.name === POSTED_SHEET ? 'veryHidden' : 'hidden';
    const state = at === shown || !sheet.hidden ? null : hidden;
    listed.push({ name: sheetName(sheet.name, taken), state });
  }
  // The first sheet, but written after the outcomes of all others.
  if (summary !== undefined) {
    await put('xl/worksheets/sheet1.xml', summaryPart(summary, styles, MAIN_NAMESPACE));
    listed.unshift({ name: sheetName(summary.name, taken), state: null });
  }
  await put('xl/styles.xml', styles.finish());
  const types = listed.map((_, at) => [`xl/worksheets/sheet${at + 1}.xml`, CONTENT.worksheet] as const);
  const view = `<workbookView activeTab="${shown + before}"/>`;
  for (const [name, text] of listingParts(listed, types, view, [])) await put(name, text);
  await zip.finish();
}

/** Rows written at once. */
const BATCH = 200;
/** In characters, and how many columns have that width where more is not known. */
const WIDTH = 20;
const USUAL = 64;
const PRINTED =
  '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';

/**
 * A worksheet part of rows at their own numbers, below a frozen header with a filter where outcomes come beside them;
 * `main` is the namespace of its workbook.
 */
export async function* resultPart(
  { added, headerRow, rows }: ResultSheet,
  styles: BookStyles,
  { selected = false, main }: { readonly selected?: boolean; readonly main?: string } = {},
): AsyncGenerator<Buffer> {
  const sink = new ByteSink();
  const right = (added?.firstColumn ?? 1) - 1;
  const view = frozenView(headerRow, selected ? ' tabSelected="1"' : '');
  sink.text(`${worksheetOpen(main)}${FITTED}${view}<cols>`);
  // Columns to type in have the format of texts, so that ids keep their zeros.
  const style = added === null ? 0 : styles.cell(TEXT_FORMAT);
  for (let column = 1; column <= (added === null ? USUAL : right); column++)
    sink.text(columnXml(column, WIDTH, style));
  sink.text('</cols><sheetData>');
  let bottom = 0;
  for await (const batch of resultBatches(rows, BATCH)) {
    for (const row of batch) {
      bottom = Math.max(row.number, bottom);
      sink.text(rowXml(row, row.number === headerRow, styles));
    }
    yield* sink.take();
  }
  const isTable = headerRow !== null && added !== null;
  // From the header to the last row, up to the columns to come, over which it grows.
  const filter =
    isTable && bottom >= headerRow
      ? `<autoFilter ref="${rangeText({ left: 1, top: headerRow, right, bottom })}"/>`
      : '';
  const texts =
    isTable && bottom > headerRow
      ? [rangeText({ left: 1, top: headerRow + 1, right: right + added.headers.length, bottom })]
      : [];
  sink.text(`</sheetData>${filter}${PRINTED}${textsIn(texts)}</worksheet>`);
  yield* sink.take(true);
}

function rowXml({ number, cells, hidden }: Row, isHeader: boolean, styles: BookStyles): string {
  const xml = cells.map((cell) => {
    const style = isHeader ? styles.cell('General', 'term') : styles.cell(formatOf(cell));
    return valueXml(cellAddress(cell.column, number), style, cell);
  });
  return `<row r="${number}"${hidden ? ' hidden="1"' : ''}>${xml.join('')}</row>`;
}

/** The errors that Excel knows; with any other it would offer to repair the file. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'];

/** The number format of a cell; a date always has one. */
function formatOf({ format, type, value }: Cell): string {
  if (format !== undefined) return format;
  if (type !== 'date') return type === 'text' ? TEXT_FORMAT : 'General';
  if (!value.includes('-')) return 'hh:mm:ss';
  return value.includes(' ') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd';
}

/** A cell with a value of the user. Dates are serials, as anything else would bring in a time zone. */
function valueXml(address: string, style: number, cell: Cell): string {
  const { type, value } = cell;
  if (type === 'text' || type === 'number') return cellXml(address, style, value);
  if (type === 'date') return cellXml(address, style, { date: value });
  const start = `<c r="${address}" s="${style}"`;
  if (type === 'boolean') return `${start}${contentXml(value)}`;
  // A formula with an unknown result and text. If it were left blank the row would look complete and be sent
  // without it; this one has no stored result again, and shows `#N/A` once calculated.
  if (value === UNCACHED || value === CIRCULAR) return `${start}><f>NA()</f></c>`;
  return `${start} t="e"><v>${ERRORS.includes(value) ? value : '#N/A'}</v></c>`;
}
