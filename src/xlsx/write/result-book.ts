import type { Writable } from 'node:stream';
import type { Bilingual } from '../../core/language.ts';
import { BASELINE_SHEET } from '../../files/baseline-sheet.ts';
import { POSTED_SHEET } from '../../files/posted-sheet.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import { type CellRange, filterName } from '../edit/auto-filter.ts';
import { editComments, editDrawing, emptyComments } from '../edit/notes.ts';
import type { MarkedCell } from '../edit/row-rewriter.ts';
import { emptyStyles, RewriteStyles } from '../edit/styles-part.ts';
import { summaryPart } from '../edit/summary-part.ts';
import { sheetName } from '../excel-text.ts';
import { vmlDrawing } from '../note-drawing.ts';
import { CONTENT, MAIN_NAMESPACE } from '../ooxml-names.ts';
import { ZipWriter, zipRecord } from '../zip/write-zip.ts';
import { listingParts, relationships, type WorkbookSheet } from './book-parts.ts';
import { ResultPart } from './result-part.ts';

/** What a new result is made of. */
interface ResultBook {
  readonly sheets: readonly ResultSheet[];
  readonly summary: ResultSummary | undefined;
  readonly made: Date;
}

/** Places in the directory of the zip: the parts that list others come first. */
const FIRST = 0;
const SHEETS = 1;

/** Writes a result as a new XLSX to a stream, which stays open, a batch of rows in memory; returns notes. */
export async function writeResultBook(
  stream: Writable,
  { sheets, summary, made }: ResultBook,
): Promise<Bilingual[]> {
  const zip = new ZipWriter(stream);
  const put: PutPart = (name, content, place = SHEETS) =>
    zip.put(zipRecord(made, name), Buffer.from(content), place);
  const styles = new RewriteStyles(emptyStyles(MAIN_NAMESPACE));
  const before = summary === undefined ? 0 : 1;
  const shown = Math.max(
    0,
    sheets.findIndex(({ hidden }) => !hidden),
  );
  // The sheets of the user keep their names, the summary does not.
  const taken = new Set<string>();
  const listed: ListedSheet[] = [];
  const notes: Bilingual[] = [];
  for (const [at, sheet] of sheets.entries()) {
    const number = at + 1 + before;
    const part = new ResultPart(sheet, styles, at === shown);
    await zip.add(zipRecord(made, `xl/worksheets/sheet${number}.xml`), part.chunks(), SHEETS);
    await putNotes(put, number, part.notes);
    // Excel refuses a workbook without a visible sheet.
    const hidden = sheet.name === BASELINE_SHEET || sheet.name === POSTED_SHEET ? 'veryHidden' : 'hidden';
    const state = at === shown || !sheet.hidden ? null : hidden;
    const { filtered } = part;
    listed.push({ name: sheetName(sheet.name, taken), state, filtered, hasNotes: part.notes.length > 0 });
    notes.push(...part.shownNotes);
  }
  // The first sheet, but written after the outcomes of all others.
  if (summary !== undefined) {
    await put('xl/worksheets/sheet1.xml', summaryPart(summary, styles, MAIN_NAMESPACE));
    listed.unshift({ name: sheetName(summary.name, taken), state: null });
  }
  await put('xl/styles.xml', styles.finish());
  for (const [name, text] of resultParts(listed, shown + before)) await put(name, text, FIRST);
  await zip.finish();
  return notes;
}

/** Puts a part in the zip. */
type PutPart = (name: string, content: Buffer | string, place?: number) => Promise<void>;

async function putNotes(put: PutPart, number: number, notes: readonly MarkedCell[]): Promise<void> {
  if (notes.length === 0) return;
  const edited = editComments(emptyComments(MAIN_NAMESPACE), notes);
  const [comments, drawing] = [`comments${number}.xml`, `drawings/vmlDrawing${number}.vml`];
  await put(`xl/${comments}`, edited.part);
  await put(`xl/${drawing}`, editDrawing(vmlDrawing(number), edited));
  const rels = relationships([
    ['vmlDrawing', `../${drawing}`],
    ['comments', `../${comments}`],
  ]);
  await put(`xl/worksheets/_rels/sheet${number}.xml.rels`, rels);
}

interface ListedSheet extends WorkbookSheet {
  readonly hasNotes?: boolean;
  /** The range of a filter that hides rows, which needs a defined name in Excel. */
  readonly filtered?: CellRange | undefined;
}

/** The parts that list others, by name; the workbook opens on sheet `active` (from 0). */
function resultParts(sheets: readonly ListedSheet[], active: number): Map<string, string> {
  const types = sheets.flatMap(({ hasNotes }, at): [string, string][] => [
    [`xl/worksheets/sheet${at + 1}.xml`, CONTENT.worksheet],
    ...(hasNotes ? [[`xl/comments${at + 1}.xml`, CONTENT.comments] as [string, string]] : []),
  ]);
  const names = sheets.flatMap(({ name, filtered }, at) =>
    filtered === undefined ? [] : [filterName(name, at, filtered, '')],
  );
  return listingParts(sheets, types, `<workbookView activeTab="${active}"/>`, names);
}
