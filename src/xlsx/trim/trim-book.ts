import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Bilingual } from '../../core/value.ts';
import { openSource, partBytes, type SourceBook, utf8Declared } from '../edit/source-book.ts';
import { ZipWriter } from '../edit/zip-writer.ts';
import { partChunks } from '../read/package.ts';
import { type BookPlan, planBook, type WantedRows } from './book-plan.ts';
import type { BookSheet } from './book-sheets.ts';
import { lostNotes } from './lost-notes.ts';
import { trimContentTypes, trimRelationships } from './package-parts.ts';
import { ALL_STAY } from './row-map.ts';
import { trimChart, trimRelated } from './trim-parts.ts';
import { SheetTrimmer } from './trim-sheet.ts';
import { trimWorkbookPart } from './trim-workbook-part.ts';
import { parsePart } from './xml-tree.ts';

/**
 * Writes a workbook without the rows that are not wanted to a stream, which is left open: what is left is as it was, rows moved up, and whatever names cells
 * names them where they are now. A formula that counts on cells that are gone stands there as its result. Macros go, as the workbook that they were written for has
 * other rows. Answers what could not be kept. Throws DamagedPart for a workbook that is not put together as workbooks are.
 */
export async function trimBook(stream: Writable, file: string, wanted: WantedRows): Promise<Bilingual[]> {
  const book = await openSource(file);
  return await new BookTrimmer(book, await planBook(book, wanted)).write(stream);
}

class BookTrimmer {
  private readonly book: SourceBook;
  private readonly plan: BookPlan;
  /** Parts that are another by now, by their names in the zip. */
  private readonly parts = new Map<string, Buffer>();
  private readonly trimmers = new Map<string, SheetTrimmer>();
  private lostLists = 0;

  constructor(book: SourceBook, plan: BookPlan) {
    this.book = book;
    this.plan = plan;
  }

  async write(stream: Writable): Promise<Bilingual[]> {
    const { source } = this.book;
    await this.prepare();
    const zip = new ZipWriter(stream);
    const handle = await open(source.file);
    try {
      for (const [at, name] of source.directory.names.entries()) {
        const entry = source.directory.find(name);
        if (entry === undefined || this.plan.removed.has(name)) continue;
        const part = this.parts.get(name);
        const trimmer = this.trimmers.get(name);
        if (part !== undefined) await zip.add(entry.record, one(part), at, part.length);
        else if (trimmer !== undefined) {
          const chunks = trimmer.trim(utf8Declared(partChunks(source, entry)));
          await zip.add(entry.record, chunks, at, entry.plainBytes * 2);
        } else await zip.copy(handle, entry, at);
      }
      await zip.finish();
    } finally {
      await handle.close();
    }
    return this.notes();
  }

  private async prepare(): Promise<void> {
    const { book, plan } = this;
    const root = parsePart(await partBytes(book.source, book.workbook));
    trimWorkbookPart(root.root, plan);
    this.parts.set(book.workbook.name, root.write());
    for (const sheet of plan.sheets) await this.prepareSheet(sheet);
    for (const [part, ids] of plan.dropped) {
      const rels = await trimRelationships(book.source, part, ids);
      if (rels !== undefined) this.parts.set(rels.name, rels.bytes);
    }
    const types = trimContentTypes(await partBytes(book.source, book.contentTypes), plan.removed);
    this.parts.set(book.contentTypes.name, types);
  }

  private async prepareSheet(sheet: BookSheet): Promise<void> {
    const { book, plan } = this;
    const { source } = book;
    const dropped = plan.dropped.get(sheet.part) ?? new Set();
    if (sheet.rows !== undefined || sheet.changes)
      this.trimmers.set(
        sheet.part,
        new SheetTrimmer(
          {
            ...{ sheet: sheet.name, rows: sheet.rows ?? ALL_STAY, moves: plan.moves },
            ...{ selected: sheet.selected, dropped, unsliced: plan.slicers !== undefined },
            onLostList: () => {
              this.lostLists++;
            },
          },
          source.limits.tokenBytes,
        ),
      );
    for (const { id, type, name } of sheet.related) {
      const entry = source.directory.find(name);
      if (entry === undefined || dropped.has(id)) continue;
      const isChart = /^chart(?:Ex)?$/.test(type);
      const hasDrawings = sheet.controls !== undefined || plan.slicers !== undefined;
      const isDrawing = hasDrawings && /^(?:drawing|vmlDrawing)$/.test(type);
      if (!isChart && !isDrawing && sheet.rows === undefined) continue;
      const bytes = await partBytes(source, entry);
      const hung = {
        ...{ rows: sheet.rows ?? ALL_STAY, unsliced: plan.slicers !== undefined },
        others: sheet.controls?.others,
      };
      const part = isChart ? trimChart(bytes, plan.moves) : trimRelated(type, bytes, hung);
      if (part !== undefined) this.parts.set(name, part);
    }
  }

  private notes(): Bilingual[] {
    const frozen = [...this.trimmers.values()].reduce((sum, { rows }) => sum + rows.frozen, 0);
    const controls = this.plan.sheets.reduce((sum, { controls: own }) => sum + (own?.count ?? 0), 0);
    return lostNotes({ frozen, lists: this.lostLists, controls, slicers: this.plan.slicers ?? 0 });
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
