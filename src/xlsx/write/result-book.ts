import type { Writable } from 'node:stream';
import type { Bilingual } from '../../core/language.ts';
import { BASELINE_SHEET } from '../../files/baseline-sheet.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import { type CellRange, filterName } from '../edit/auto-filter.ts';
import { CONTENT } from '../edit/book-edits.ts';
import { editComments, editDrawing, emptyComments, emptyDrawing } from '../edit/notes.ts';
import type { MarkedCell } from '../edit/row-rewriter.ts';
import { emptyStyles, RewriteStyles, StylePart } from '../edit/styles-part.ts';
import { summaryPart } from '../edit/summary-part.ts';
import { sheetName } from '../excel-text.ts';
import { MAIN_NAMESPACE } from '../ooxml-names.ts';
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
export async function writeResultBook(stream: Writable, book: ResultBook): Promise<Bilingual[]> {
  return await new ResultWriter(stream, book).write();
}

class ResultWriter {
  private readonly zip: ZipWriter;
  private readonly book: ResultBook;
  private readonly part = new StylePart(emptyStyles(MAIN_NAMESPACE));
  private readonly styles = new RewriteStyles(this.part);

  constructor(stream: Writable, book: ResultBook) {
    this.zip = new ZipWriter(stream);
    this.book = book;
  }

  /** The summary is the first sheet, and is written after the outcomes of all sheets. */
  async write(): Promise<Bilingual[]> {
    const { sheets, summary } = this.book;
    const before = summary === undefined ? 0 : 1;
    const firstShown = sheets.findIndex(({ hidden }) => !hidden);
    const shown = Math.max(firstShown, 0);
    const listed: ListedResultSheet[] = [];
    const notes: Bilingual[] = [];
    for (const [at, sheet] of sheets.entries()) {
      const number = at + 1 + before;
      const part = new ResultPart(sheet, this.styles, at === shown);
      const record = zipRecord(this.book.made, `xl/worksheets/sheet${number}.xml`);
      await this.zip.add(record, part.chunks(), SHEETS);
      await this.addNotes(number, part.notes);
      notes.push(...part.shownNotes);
      // Excel refuses a workbook without a visible sheet.
      const state = at === shown || !sheet.hidden ? null : stateOf(sheet);
      listed.push({ name: sheet.name, state, notes: part.notes.length > 0, filtered: part.filtered });
    }
    if (summary !== undefined) {
      const bytes = summaryPart(summary, this.styles, MAIN_NAMESPACE);
      await this.put('xl/worksheets/sheet1.xml', bytes, SHEETS);
      listed.unshift({ name: summary.name, state: null, notes: false, filtered: undefined });
    }
    await this.put('xl/styles.xml', this.part.finish(), SHEETS);
    const parts = resultParts(named(listed, before), shown + before);
    for (const [name, text] of parts) await this.put(name, text, FIRST);
    await this.zip.finish();
    return notes;
  }

  private async addNotes(number: number, notes: readonly MarkedCell[]): Promise<void> {
    if (notes.length === 0) return;
    const { part, added, gone } = editComments(emptyComments(MAIN_NAMESPACE), notes);
    const drawing = editDrawing(emptyDrawing(number), added, gone);
    await this.put(`xl/comments${number}.xml`, part, SHEETS);
    await this.put(`xl/drawings/vmlDrawing${number}.vml`, drawing, SHEETS);
    const rels = relationships([
      ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
      ['comments', `../comments${number}.xml`],
    ]);
    await this.put(`xl/worksheets/_rels/sheet${number}.xml.rels`, rels, SHEETS);
  }

  private async put(name: string, content: Buffer | string, place: number): Promise<void> {
    await this.zip.put(zipRecord(this.book.made, name), Buffer.from(content), place);
  }
}

/** The sheets of the user keep their names, the summary does not. */
function named(listed: readonly ListedResultSheet[], before: number): ListedResultSheet[] {
  const taken = new Set<string>();
  const own = listed.slice(before).map((sheet) => ({ ...sheet, name: sheetName(sheet.name, taken) }));
  const first = listed.slice(0, before).map((sheet) => ({ ...sheet, name: sheetName(sheet.name, taken) }));
  return [...first, ...own];
}

const stateOf = ({ name }: ResultSheet): WorkbookSheet['state'] =>
  name === BASELINE_SHEET ? 'veryHidden' : 'hidden';

interface ListedResultSheet extends WorkbookSheet {
  readonly notes: boolean;
  /** The range of a filter that hides rows, which needs a defined name in Excel. */
  readonly filtered: CellRange | undefined;
}

/** The parts that list others, by name; the workbook opens on sheet `active` (from 0). */
function resultParts(sheets: readonly ListedResultSheet[], active: number): Map<string, string> {
  const types = sheets.flatMap(({ notes }, at): [string, string][] => [
    [`xl/worksheets/sheet${at + 1}.xml`, CONTENT.worksheet],
    ...(notes ? [[`xl/comments${at + 1}.xml`, CONTENT.comments] as [string, string]] : []),
  ]);
  const names = sheets.flatMap(({ name, filtered }, at) =>
    filtered === undefined ? [] : [filterName(name, at, filtered, '')],
  );
  return listingParts(sheets, types, `<workbookView activeTab="${active}"/>`, names);
}
