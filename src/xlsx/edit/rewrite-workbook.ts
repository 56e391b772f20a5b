import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type Bilingual, t } from '../../core/language.ts';
import { POSTED_SHEET } from '../../files/posted-sheet.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import type { CellRange } from '../../files/sheet.ts';
import { ownRelationships, partChunks, requirePart } from '../read/package.ts';
import { emptyStyles } from '../style-sheet.ts';
import { CONTENT } from '../write/book-parts.ts';
import { BookStyles } from '../write/book-styles.ts';
import { summaryPart } from '../write/page-part.ts';
import { ZipWriter } from '../zip/write-zip.ts';
import { growTable } from './added-columns.ts';
import { type BookEdits, openBook } from './book-edits.ts';
import { resultPart } from './result-book.ts';
import { sheetRewriter } from './sheet-rewriter.ts';

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
  { sheets, summary }: Additions,
): Promise<Bilingual[]> {
  const book = await openBook(file);
  const { source, listed } = book.opened;
  const { directory } = source;
  const stylesName = listed.styles?.name ?? 'xl/styles.xml';
  const styles = new BookStyles((await book.bytes(stylesName)) ?? emptyStyles(book.main));
  const rewriters = await rewritersOf(book, sheets, styles);
  const posted = sheets.find(({ name }) => name === POSTED_SHEET);
  const hidden = posted && book.ownSheet(POSTED_SHEET);
  const shown = summary && book.ownSheet(summary.replaces);
  const anew = [stylesName, hidden?.part, shown?.part];
  const zip = new ZipWriter(stream);
  const filters = new Map<string, CellRange>();
  const handle = await open(file);
  try {
    for (const name of directory.names) {
      const entry = directory.find(name);
      if (entry === undefined || anew.includes(name) || book.replaces(name)) continue;
      const rewritten = rewriters.get(name);
      if (rewritten === undefined) {
        await zip.copy(handle, entry);
        continue;
      }
      const { rewriter, sheet } = rewritten;
      await zip.add(entry.record, rewriter.rewrite(partChunks(source, entry)));
      if (rewriter.filter !== undefined) filters.set(sheet, rewriter.filter);
    }
  } finally {
    await handle.close();
  }
  if (posted !== undefined && hidden !== undefined)
    await zip.add(
      directory.find(hidden.part)?.record ?? book.newRecord(hidden.part),
      resultPart(posted, styles, { main: book.main }),
    );
  // Asked for once the outcomes of all sheets were read.
  if (summary !== undefined && shown !== undefined)
    book.put(shown.part, summaryPart(summary, styles, book.main));
  const added = (name: string, relationship: string | null | undefined) =>
    relationship == null ? null : { name, relationship };
  book.editWorkbook({
    first: added(summary?.name ?? '', shown?.relationship),
    last: added(POSTED_SHEET, hidden?.relationship),
    filters,
    recalculated: sheets.some(({ corrected }) => (corrected?.size ?? 0) > 0),
  });
  if (listed.styles === undefined) book.relate('styles', 'styles.xml');
  book.put(stylesName, styles.finish(), listed.styles === undefined ? CONTENT.styles : undefined);
  await book.write(zip, target);
  await zip.finish();
  return directory.names.some((name) => name.startsWith('_xmlsignatures/')) ? [SIGNED] : [];
}

const SIGNED = t(
  'the workbook was signed; as every change does, the result breaks that signature',
  'de werkmap was ondertekend; zoals bij elke wijziging geldt die handtekening niet voor het resultaat',
);

/** What adds outcomes to the sheets, by their parts, once the tables that end at the added columns are grown. */
async function rewritersOf(book: BookEdits, sheets: readonly ResultSheet[], styles: BookStyles) {
  const { source, listed } = book.opened;
  const rewriters = new Map<
    string,
    { readonly sheet: string; readonly rewriter: NonNullable<Awaited<ReturnType<typeof sheetRewriter>>> }
  >();
  for (const sheet of sheets) {
    const rewriter = await sheetRewriter(sheet, styles, source.limits.tokenBytes);
    if (rewriter === undefined) continue;
    const { name } = requirePart(source, listed.sheets.find((one) => one.name === sheet.name)?.part ?? '');
    rewriters.set(name, { sheet: sheet.name, rewriter });
    for (const { type, target } of await ownRelationships(source, name)) {
      const bytes = type === 'table' ? await book.bytes(target) : undefined;
      const grown = bytes && growTable(bytes, rewriter.own);
      if (grown !== undefined) book.put(target, grown);
    }
  }
  return rewriters;
}
