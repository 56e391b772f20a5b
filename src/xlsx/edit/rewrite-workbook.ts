import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type Bilingual, t } from '../../core/language.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import { hasSheetName, sheetName } from '../excel-text.ts';
import { partChunks, targetFrom } from '../read/package.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { ZipWriter } from '../zip/write-zip.ts';
import { BookEdits, CONTENT } from './book-edits.ts';
import { growTables, type SheetWork, sheetWork, writeNotes } from './sheet-work.ts';
import { openSource, partBytes, type SourceBook, utf8Declared } from './source-book.ts';
import { NO_STYLES, RewriteStyles, StylePart } from './styles-part.ts';
import { summaryPart } from './summary-part.ts';
import { type ChangedFilter, editWorkbook, survey, type WorkbookChanges } from './workbook-edit.ts';

/** What is added to a workbook. */
interface Additions {
  /** The sheets that were imported; others stay as they are. */
  readonly sheets: readonly ResultSheet[];
  readonly summary: ResultSummary | undefined;
}

/**
 * Writes a workbook with outcomes beside its rows to a stream, which is left open: the sheets that have some,
 * and the few parts that must know of what was added, are rewritten; everything else is copied without being
 * unpacked. `target` is the result's name. Answers what could not be kept. Throws DamagedPart for a workbook
 * that is not put together as workbooks are.
 */
export async function rewriteWorkbook(
  stream: Writable,
  file: string,
  target: string,
  additions: Additions,
): Promise<Bilingual[]> {
  const book = await openSource(file);
  const rewriting = await new Rewriting(book, additions).prepare();
  const handle = await open(file);
  try {
    await rewriting.write(new ZipWriter(stream), handle, target);
  } finally {
    await handle.close();
  }
  const signed = book.source.directory.names.some((name) => name.startsWith('_xmlsignatures/'));
  return [...(signed ? [SIGNED] : []), ...rewriting.notes()];
}

const SIGNED: Bilingual = t(
  'the workbook was signed; as every change does, the result breaks that signature',
  'de werkmap was ondertekend; zoals bij elke wijziging geldt die handtekening niet voor het resultaat',
);

class Rewriting {
  private readonly book: SourceBook;
  private readonly additions: Additions;
  private readonly edits: BookEdits;
  private styles:
    | { readonly part: StylePart; readonly formats: RewriteStyles; readonly name: string }
    | undefined;
  /** By the name of the sheet's part in the zip. */
  private readonly works = new Map<string, SheetWork>();

  constructor(book: SourceBook, additions: Additions) {
    this.book = book;
    this.additions = additions;
    this.edits = new BookEdits(book);
  }

  async prepare(): Promise<this> {
    const { source, listed, main } = this.book;
    const bytes = listed.styles === undefined ? NO_STYLES(main) : await partBytes(source, listed.styles);
    const part = new StylePart(bytes);
    const formats = new RewriteStyles(part);
    this.styles = { part, formats, name: listed.styles?.name ?? 'xl/styles.xml' };
    for (const sheet of this.additions.sheets) {
      const work = await sheetWork(this.edits, sheet, formats);
      if (work !== undefined) this.works.set(work.parts.part, work);
    }
    return this;
  }

  /**
   * Copies what stays in the order of the file; what can only be known when the sheets are done comes last.
   */
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
    const written = await this.edits.write(
      zip,
      target,
      (name) => places.get(name) ?? names.length,
      workbook.record,
    );
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
    const names = [
      workbook.name,
      relationships.name,
      contentTypes.name,
      this.styles?.name ?? '',
      replaced,
      ...related,
    ];
    return new Set(names.map((name) => name.toLowerCase()));
  }

  /** What is to be known of the sheets that were rewritten. */
  notes(): Bilingual[] {
    return [...this.works.values()].flatMap((work) => work.notes());
  }

  private async gather(): Promise<void> {
    const { workbook, relationships, office, listed, source } = this.book;
    let number = 1;
    const filters = new Map<string, ChangedFilter>();
    for (const { name, parts, rewriter, growth, filteredTable } of this.works.values()) {
      await growTables(this.edits, parts, growth, filteredTable);
      await writeNotes(this.edits, parts, rewriter, 100 + number++);
      const range = rewriter.filter;
      if (range !== undefined) filters.set(name, { range, isNew: rewriter.hides });
    }
    const bytes = await partBytes(source, workbook);
    const summary = await this.putSummary(bytes);
    if (summary !== null || filters.size > 0)
      this.edits.put(workbook.name, editWorkbook(bytes, { first: null, renamed: null, ...summary, filters }));
    if (this.styles === undefined) return;
    this.edits.put(
      this.styles.name,
      this.styles.part.finish(),
      listed.styles === undefined ? CONTENT.styles : undefined,
    );
    if (listed.styles === undefined)
      this.edits.relate(relationships.name, {
        id: await this.edits.freeId(relationships.name),
        type: `${office}/styles`,
        target: targetFrom(workbook.name, this.styles.name),
      });
  }

  /**
   * Writes the summary, in an earlier one's place or as a new sheet; answers what the workbook must know of
   * it.
   */
  private async putSummary(
    workbook: Buffer,
  ): Promise<Partial<Pick<WorkbookChanges, 'first' | 'renamed'>> | null> {
    const { summary } = this.additions;
    const { relationships, office, listed, main } = this.book;
    if (summary === undefined || this.styles === undefined) return null;
    const part = summaryPart(summary, this.styles.formats, main);
    const replaced = listed.sheets.find(({ name }) => name === summary.replaces);
    const others = survey(workbook).names.filter((name) => name !== replaced?.name);
    const sheet = sheetName(summary.name, new Set(others.map((name) => name.toLowerCase())));
    if (replaced !== undefined) {
      this.edits.put(replaced.part, part);
      const { name: from } = replaced;
      // One in another language gets its name in this one.
      return hasSheetName(from, summary.name) ? null : { renamed: { from, to: sheet } };
    }
    const name = this.edits.freeName('xl/worksheets/sheet', '.xml');
    this.edits.put(name, part, CONTENT.worksheet);
    const relationship = await this.edits.freeId(relationships.name);
    this.edits.relate(relationships.name, {
      id: relationship,
      type: `${office}/worksheet`,
      target: targetFrom(this.book.workbook.name, name),
    });
    return { first: { name: sheet, relationship, office } };
  }
}
