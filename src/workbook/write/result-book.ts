import type { Writable } from 'node:stream';
import { BASE_SHEET } from '../base-sheet.ts';
import type { ResultSheet } from '../result-sheet.ts';
import type { ResultSummary } from '../result-summary.ts';
import { editComments, emptyComments } from '../rewrite/comments-part.ts';
import { editDrawing, emptyDrawing } from '../rewrite/notes-drawing.ts';
import { RewriteStyles } from '../rewrite/rewrite-styles.ts';
import type { MarkedCell } from '../rewrite/row-rewriter.ts';
import { NO_STYLES, StylePart } from '../rewrite/style-part.ts';
import { summaryPart } from '../rewrite/summary-part.ts';
import { ZipWriter } from '../rewrite/zip-writer.ts';
import { sheetName } from '../sheet-names.ts';
import { MAIN, relationships, type Target } from './book-parts.ts';
import { ResultPart } from './result-part.ts';
import { type ListedSheet, resultParts } from './result-parts.ts';
import { zipRecord } from './zip-record.ts';

/** What a new result is written from. */
export interface ResultBook {
  readonly sheets: readonly ResultSheet[];
  /** A sheet that comes first. */
  readonly summary: ResultSummary | undefined;
  readonly made: Date;
}

/** Where the parts of a zip stand in its directory: those that tell what is in it come first. */
const FIRST = 0;
const SHEETS = 1;

/** Writes the sheets of a result as a new XLSX to a stream, which is left open. Memory holds a batch of rows. */
export async function writeResultBook(stream: Writable, book: ResultBook): Promise<void> {
  await new ResultWriter(stream, book).write();
}

class ResultWriter {
  private readonly zip: ZipWriter;
  private readonly book: ResultBook;
  private readonly part = new StylePart(NO_STYLES(MAIN));
  private readonly styles = new RewriteStyles(this.part);
  private readonly record: ReturnType<typeof zipRecord>;

  constructor(stream: Writable, book: ResultBook) {
    this.zip = new ZipWriter(stream);
    this.book = book;
    this.record = zipRecord(book.made);
  }

  /** The summary stands first, and can only be written when the outcomes of all sheets have been. */
  async write(): Promise<void> {
    const { sheets, summary } = this.book;
    const before = summary === undefined ? 0 : 1;
    const shown = Math.max(
      sheets.findIndex(({ hidden }) => !hidden),
      0,
    );
    const listed: ListedSheet[] = [];
    for (const [at, sheet] of sheets.entries()) {
      const number = at + 1 + before;
      const part = new ResultPart(sheet, this.styles, at === shown);
      await this.add(`xl/worksheets/sheet${number}.xml`, part.chunks(), SHEETS, Number.POSITIVE_INFINITY);
      await this.addNotes(number, part.notes);
      // Excel refuses a workbook without a sheet to see.
      const state = at === shown || !sheet.hidden ? null : stateOf(sheet);
      listed.push({ name: sheet.name, state, notes: part.notes.length > 0 });
    }
    if (summary !== undefined) {
      await this.addText('xl/worksheets/sheet1.xml', summaryPart(summary, this.styles, MAIN), SHEETS);
      listed.unshift({ name: summary.name, state: null, notes: false });
    }
    await this.addText('xl/styles.xml', this.part.finish(), SHEETS);
    const parts = resultParts(named(listed, before), shown + before);
    for (const [name, text] of parts) await this.addText(name, Buffer.from(text), FIRST);
    await this.zip.finish();
  }

  private async addNotes(number: number, notes: readonly MarkedCell[]): Promise<void> {
    if (notes.length === 0) return;
    const { part, added, gone } = editComments(emptyComments(MAIN), notes);
    const drawing = editDrawing(emptyDrawing(number), added, gone);
    const targets: Target[] = [
      ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
      ['comments', `../comments${number}.xml`],
    ];
    await this.addText(`xl/comments${number}.xml`, part, SHEETS);
    await this.addText(`xl/drawings/vmlDrawing${number}.vml`, Buffer.from(drawing), SHEETS);
    const rels = Buffer.from(relationships(targets));
    await this.addText(`xl/worksheets/_rels/sheet${number}.xml.rels`, rels, SHEETS);
  }

  private async addText(name: string, bytes: Buffer, place: number): Promise<void> {
    await this.add(name, one(bytes), place, bytes.length);
  }

  private async add(
    name: string,
    chunks: AsyncIterable<Buffer>,
    place: number,
    about: number,
  ): Promise<void> {
    await this.zip.add({ ...this.record, nameRaw: Buffer.from(name) }, chunks, place, about);
  }
}

/** The user's sheets keep their names; the summary gives way. */
function named(listed: readonly ListedSheet[], before: number): ListedSheet[] {
  const taken = new Set<string>();
  const own = listed.slice(before).map((sheet) => ({ ...sheet, name: sheetName(sheet.name, taken) }));
  const first = listed.slice(0, before).map((sheet) => ({ ...sheet, name: sheetName(sheet.name, taken) }));
  return [...first, ...own];
}

const stateOf = ({ name }: ResultSheet): 'hidden' | 'veryHidden' =>
  name === BASE_SHEET ? 'veryHidden' : 'hidden';

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
