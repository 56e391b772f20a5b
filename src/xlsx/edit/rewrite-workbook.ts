import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type Bilingual, t } from '../../core/language.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import { hasSheetName, sheetName } from '../excel-text.ts';
import { partChunks } from '../read/package.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { ZipWriter } from '../zip/write-zip.ts';
import { BookEdits, CONTENT } from './book-edits.ts';
import { growTables, type SheetWork, sheetWork, writeNotes } from './sheet-work.ts';
import { openSource, partBytes, type SourceBook, utf8Declared } from './source-book.ts';
import { emptyStyles, RewriteStyles, StylePart } from './styles-part.ts';
import { summaryPart } from './summary-part.ts';
import { type ChangedFilter, editWorkbook, surveyWorkbook, type WorkbookChanges } from './workbook-edit.ts';

/** What to add to a workbook. */
interface Additions {
  /** The imported sheets; others stay as they are. */
  readonly sheets: readonly ResultSheet[];
  readonly summary: ResultSummary | undefined;
}

/**
 * Writes a copy of a workbook with outcomes to a stream, which stays open: changed parts are rewritten, all
 * others copied as they are packed. `target` is the name of the result. Returns notes for the user on what
 * could not be kept. Throws DamagedPart for an unusual workbook.
 */
export async function rewriteWorkbook(
  stream: Writable,
  file: string,
  target: string,
  additions: Additions,
): Promise<Bilingual[]> {
  const book = await openSource(file);
  const rewriter = await new WorkbookRewriter(book, additions).prepare();
  const handle = await open(file);
  try {
    await rewriter.write(new ZipWriter(stream), handle, target);
  } finally {
    await handle.close();
  }
  const signed = book.source.directory.names.some((name) => name.startsWith('_xmlsignatures/'));
  return [...(signed ? [SIGNED] : []), ...rewriter.notes()];
}

const SIGNED = t(
  'the workbook was signed; as every change does, the result breaks that signature',
  'de werkmap was ondertekend; zoals bij elke wijziging geldt die handtekening niet voor het resultaat',
);

class WorkbookRewriter {
  private readonly book: SourceBook;
  private readonly additions: Additions;
  private readonly edits: BookEdits;
  private styles:
    | { readonly part: StylePart; readonly formats: RewriteStyles; readonly name: string }
    | undefined;
  /** By the part of the sheet. */
  private readonly works = new Map<string, SheetWork>();

  constructor(book: SourceBook, additions: Additions) {
    this.book = book;
    this.additions = additions;
    this.edits = new BookEdits(book);
  }

  async prepare(): Promise<this> {
    const { source, listed, main } = this.book;
    const bytes = listed.styles === undefined ? emptyStyles(main) : await partBytes(source, listed.styles);
    const part = new StylePart(bytes);
    const formats = new RewriteStyles(part);
    this.styles = { part, formats, name: listed.styles?.name ?? 'xl/styles.xml' };
    for (const sheet of this.additions.sheets) {
      const work = await sheetWork(this.edits, sheet, formats);
      if (work !== undefined) this.works.set(work.parts.part, work);
    }
    return this;
  }

  /** Copies and rewrites in the order of the file; what depends on the sheets comes last. */
  async write(zip: ZipWriter, handle: Parameters<ZipWriter['copy']>[0], target: string): Promise<void> {
    const { source, workbook } = this.book;
    const { names } = source.directory;
    const places = new Map(names.map((name, at) => [name, at]));
    const late = this.late();
    const waiting: ZipEntry[] = [];
    for (const [at, name] of names.entries()) {
      const entry = source.directory.find(name);
      if (entry === undefined) continue;
      const work = this.works.get(name);
      if (work !== undefined) {
        const chunks = work.rewriter.rewrite(utf8Declared(partChunks(source, entry)));
        await zip.add(entry.record, chunks, at, entry.plainBytes * 2);
      } else if (late.has(name.toLowerCase())) waiting.push(entry);
      else await zip.copy(handle, entry, at);
    }
    await this.gather();
    const place = (name: string): number => places.get(name) ?? names.length;
    const written = await this.edits.write(zip, target, place, workbook.record);
    for (const entry of waiting)
      if (!written.has(entry.name)) await zip.copy(handle, entry, places.get(entry.name) ?? 0);
    await zip.finish();
  }

  /** The parts that may change with the sheets, in lower case. */
  private late(): ReadonlySet<string> {
    const { workbook, relationships, contentTypes, listed } = this.book;
    const replaced = listed.sheets.find(({ name }) => name === this.additions.summary?.replaces)?.part ?? '';
    const related = [...this.works.values()].flatMap(({ parts }) => [
      parts.rels,
      ...parts.related
        .filter(({ type }) => /^(comments|vmlDrawing|table)$/.test(type))
        .map(({ target }) => target),
    ]);
    const book = [workbook.name, relationships.name, contentTypes.name];
    const names = [...book, this.styles?.name ?? '', replaced, ...related];
    return new Set(names.map((name) => name.toLowerCase()));
  }

  /** Notes for the user on the rewritten sheets. */
  notes(): Bilingual[] {
    return [...this.works.values()].flatMap((work) => work.notes());
  }

  private async gather(): Promise<void> {
    const { workbook, relationships, office, listed, source } = this.book;
    let number = 1;
    const filters = new Map<string, ChangedFilter>();
    for (const work of this.works.values()) {
      await growTables(this.edits, work);
      await writeNotes(this.edits, work, 100 + number++);
      const { filter: range, hides } = work.rewriter;
      if (range !== undefined) filters.set(work.name, { range, isNew: hides });
    }
    const bytes = await partBytes(source, workbook);
    const summary = await this.putSummary(bytes);
    if (summary !== null || filters.size > 0)
      this.edits.put(workbook.name, editWorkbook(bytes, { first: null, renamed: null, ...summary, filters }));
    if (this.styles === undefined) return;
    const isNew = listed.styles === undefined;
    this.edits.put(this.styles.name, this.styles.part.finish(), isNew ? CONTENT.styles : undefined);
    if (isNew)
      await this.edits.addRelated(relationships.name, workbook.name, `${office}/styles`, this.styles.name);
  }

  /** Writes the summary, new or in place of an earlier one; returns changes of the workbook part. */
  private async putSummary(
    workbook: Buffer,
  ): Promise<Partial<Pick<WorkbookChanges, 'first' | 'renamed'>> | null> {
    const { summary } = this.additions;
    const { relationships, office, listed, main } = this.book;
    if (summary === undefined || this.styles === undefined) return null;
    const part = summaryPart(summary, this.styles.formats, main);
    const replaced = listed.sheets.find(({ name }) => name === summary.replaces);
    const others = surveyWorkbook(workbook).names.filter((name) => name !== replaced?.name);
    const sheet = sheetName(summary.name, new Set(others.map((name) => name.toLowerCase())));
    if (replaced !== undefined) {
      this.edits.put(replaced.part, part);
      const { name: from } = replaced;
      // A summary in another language is renamed.
      return hasSheetName(from, summary.name) ? null : { renamed: { from, to: sheet } };
    }
    const name = this.edits.freeName('xl/worksheets/sheet', '.xml');
    this.edits.put(name, part, CONTENT.worksheet);
    const type = `${office}/worksheet`;
    const relationship = await this.edits.addRelated(relationships.name, this.book.workbook.name, type, name);
    return { first: { name: sheet, relationship, office } };
  }
}
