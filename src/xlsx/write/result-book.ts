import type { Writable } from 'node:stream';
import type { Bilingual } from '../../core/language.ts';
import { BASE_SHEET } from '../../files/baseline-sheet.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import { type CellRange, filterName } from '../edit/auto-filter.ts';
import { editComments, editDrawing, emptyComments, emptyDrawing } from '../edit/notes.ts';
import type { MarkedCell } from '../edit/row-rewriter.ts';
import { NO_STYLES, RewriteStyles, StylePart } from '../edit/styles-part.ts';
import { summaryPart } from '../edit/summary-part.ts';
import { sheetName } from '../excel-text.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import { ZipWriter, zipRecord } from '../zip/write-zip.ts';
import {
  contentTypesPart,
  MAIN_NAMESPACE,
  RELATIONSHIPS_NAMESPACE,
  type RelationshipTarget,
  relationships,
  SPREADSHEET_TYPE,
} from './book-parts.ts';
import { ResultPart } from './result-part.ts';

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

/**
 * Writes the sheets of a result as a new XLSX to a stream, which is left open. Memory holds a batch of rows.
 */
export async function writeResultBook(stream: Writable, book: ResultBook): Promise<Bilingual[]> {
  return await new ResultWriter(stream, book).write();
}

class ResultWriter {
  private readonly zip: ZipWriter;
  private readonly book: ResultBook;
  private readonly part = new StylePart(NO_STYLES(MAIN_NAMESPACE));
  private readonly styles = new RewriteStyles(this.part);
  private readonly record: ReturnType<typeof zipRecord>;

  constructor(stream: Writable, book: ResultBook) {
    this.zip = new ZipWriter(stream);
    this.book = book;
    this.record = zipRecord(book.made);
  }

  /** The summary stands first, and can only be written when the outcomes of all sheets have been. */
  async write(): Promise<Bilingual[]> {
    const { sheets, summary } = this.book;
    const before = summary === undefined ? 0 : 1;
    const shown = Math.max(
      sheets.findIndex(({ hidden }) => !hidden),
      0,
    );
    const listed: ListedResultSheet[] = [];
    const notes: Bilingual[] = [];
    for (const [at, sheet] of sheets.entries()) {
      const number = at + 1 + before;
      const part = new ResultPart(sheet, this.styles, at === shown);
      await this.add(`xl/worksheets/sheet${number}.xml`, part.chunks(), SHEETS, Number.POSITIVE_INFINITY);
      await this.addNotes(number, part.notes);
      notes.push(...part.shownNotes);
      // Excel refuses a workbook without a sheet to see.
      const state = at === shown || !sheet.hidden ? null : stateOf(sheet);
      listed.push({ name: sheet.name, state, notes: part.notes.length > 0, filtered: part.filtered });
    }
    if (summary !== undefined) {
      await this.addText(
        'xl/worksheets/sheet1.xml',
        summaryPart(summary, this.styles, MAIN_NAMESPACE),
        SHEETS,
      );
      listed.unshift({ name: summary.name, state: null, notes: false, filtered: undefined });
    }
    await this.addText('xl/styles.xml', this.part.finish(), SHEETS);
    const parts = resultParts(named(listed, before), shown + before);
    for (const [name, text] of parts) await this.addText(name, Buffer.from(text), FIRST);
    await this.zip.finish();
    return notes;
  }

  private async addNotes(number: number, notes: readonly MarkedCell[]): Promise<void> {
    if (notes.length === 0) return;
    const { part, added, gone } = editComments(emptyComments(MAIN_NAMESPACE), notes);
    const drawing = editDrawing(emptyDrawing(number), added, gone);
    const targets: RelationshipTarget[] = [
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
function named(listed: readonly ListedResultSheet[], before: number): ListedResultSheet[] {
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

/** A sheet of a new result as its workbook lists it. */
interface ListedResultSheet {
  readonly name: string;
  /** How it is hidden; null for one that is seen. */
  readonly state: 'hidden' | 'veryHidden' | null;
  /** Notes hang on it. */
  readonly notes: boolean;
  /** The range of a filter that hides rows, of which Excel wants a name. */
  readonly filtered: CellRange | undefined;
}

/**
 * The parts that tell what is in a new result, by name; sheets are numbered from 1 in their order, and it
 * opens on the one at `active` (from 0).
 */
function resultParts(sheets: readonly ListedResultSheet[], active: number): Map<string, string> {
  const types = sheets.flatMap(({ notes }, at): [string, string][] => [
    [`xl/worksheets/sheet${at + 1}.xml`, `${SPREADSHEET_TYPE}.worksheet+xml`],
    ...(notes ? [[`xl/comments${at + 1}.xml`, `${SPREADSHEET_TYPE}.comments+xml`] as [string, string]] : []),
  ]);
  const targets = sheets.map((_, at): RelationshipTarget => ['worksheet', `worksheets/sheet${at + 1}.xml`]);
  return new Map([
    ['[Content_Types].xml', contentTypesPart(types)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookPart(sheets, active)],
    ['xl/_rels/workbook.xml.rels', relationships([...targets, ['styles', 'styles.xml']])],
  ]);
}

function workbookPart(sheets: readonly ListedResultSheet[], active: number): string {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${state === null ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
  );
  const names = sheets.flatMap(({ name, filtered }, at) =>
    filtered === undefined ? [] : [filterName(name, at, filtered, '')],
  );
  return [
    `${DECLARATION}<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}">`,
    `<bookViews><workbookView activeTab="${active}"/></bookViews>`,
    `<sheets>${listed.join('')}</sheets>`,
    names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`,
    '</workbook>',
  ].join('');
}
