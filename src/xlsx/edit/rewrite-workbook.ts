import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type Bilingual, t } from '../../core/language.ts';
import { POSTED_SHEET } from '../../files/posted-sheet.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import type { CellRange } from '../../files/sheet.ts';
import { sheetName } from '../excel-text.ts';
import { partChunks, readRelationships } from '../read/package.ts';
import { emptyStyles } from '../style-sheet.ts';
import { CONTENT } from '../write/book-parts.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { ZipWriter } from '../zip/write-zip.ts';
import { BookEdits } from './book-edits.ts';
import { ResultPart } from './result-part.ts';
import { growTables, type SheetWork, sheetWork } from './sheet-work.ts';
import { openSource, partBytes, type SourceBook, utf8Declared } from './source-book.ts';
import { RewriteStyles } from './styles-part.ts';
import { summaryPart } from './summary-part.ts';
import { editWorkbook, surveyWorkbook, type WorkbookChanges } from './workbook-edit.ts';

/** What to add to a workbook. */
interface Additions {
  /** The imported sheets; others stay as they are. */
  readonly sheets: readonly ResultSheet[];
  readonly summary: ResultSummary | undefined;
}

/** A workbook that is being rewritten. */
interface Rewrite {
  readonly book: SourceBook;
  readonly additions: Additions;
  readonly edits: BookEdits;
  readonly styles: RewriteStyles;
  /** By the part of the sheet. */
  readonly works: ReadonlyMap<string, SheetWork>;
  /** The parts that list formulas in the order in which they are calculated. */
  readonly chains: readonly string[];
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
  const { source, listed, main } = book;
  const bytes = listed.styles === undefined ? emptyStyles(main) : await partBytes(source, listed.styles);
  const styles = new RewriteStyles(bytes);
  const edits = new BookEdits(book);
  const works = new Map<string, SheetWork>();
  for (const sheet of additions.sheets) {
    const work = await sheetWork(edits, sheet, styles);
    if (work !== undefined) works.set(work.part, work);
  }
  const handle = await open(file);
  try {
    const chains = (await readRelationships(source, book.workbook.name))
      .filter(({ type }) => type === 'calcChain')
      .map((one) => one.target);
    const rewrite = { book, additions, edits, styles, works, chains };
    await writeParts(rewrite, new ZipWriter(stream), handle, target);
  } finally {
    await handle.close();
  }
  const signed = source.directory.names.some((name) => name.startsWith('_xmlsignatures/'));
  return signed ? [SIGNED] : [];
}

const SIGNED = t(
  'the workbook was signed; as every change does, the result breaks that signature',
  'de werkmap was ondertekend; zoals bij elke wijziging geldt die handtekening niet voor het resultaat',
);

/** Copies and rewrites in the order of the file; what depends on the sheets comes last. */
async function writeParts(
  rewrite: Rewrite,
  zip: ZipWriter,
  handle: FileHandle,
  target: string,
): Promise<void> {
  const { source, workbook } = rewrite.book;
  const { names } = source.directory;
  const places = new Map(names.map((name, at) => [name, at]));
  const late = lateParts(rewrite);
  const waiting: ZipEntry[] = [];
  for (const [at, name] of names.entries()) {
    const entry = source.directory.find(name);
    if (entry === undefined) continue;
    const work = rewrite.works.get(name);
    if (work !== undefined) {
      const chunks = work.rewriter.rewrite(utf8Declared(partChunks(source, entry)));
      await zip.add(entry.record, chunks, at);
    } else if (late.has(name.toLowerCase())) waiting.push(entry);
    else await zip.copy(handle, entry, at);
  }
  const place = (name: string): number => places.get(name) ?? names.length;
  const hidden = await putHidden(rewrite);
  if (hidden !== null) {
    const record = { ...workbook.record, nameRaw: Buffer.from(hidden.part) };
    const part = new ResultPart(hidden.sheet, rewrite.styles, false, rewrite.book.main);
    await zip.add(record, part.chunks(), place(hidden.part));
  }
  await gather(rewrite, hidden?.last ?? null);
  const written = await rewrite.edits.write(zip, target, place, workbook.record);
  for (const entry of waiting)
    if (!written.has(entry.name) && !rewrite.edits.isRemoved(entry.name) && entry.name !== hidden?.part)
      await zip.copy(handle, entry, place(entry.name));
  await zip.finish();
}

const stylesName = ({ listed }: SourceBook): string => listed.styles?.name ?? 'xl/styles.xml';

/** The parts that may change with the sheets, in lower case. */
function lateParts({ book, additions, works, chains }: Rewrite): ReadonlySet<string> {
  const { workbook, relationships, contentTypes, listed } = book;
  const replaced = listed.sheets.find(({ name }) => name === additions.summary?.replaces)?.part ?? '';
  const related = [...works.values()].flatMap((work) => [
    ...work.related.filter(({ type }) => type === 'table').map(({ target }) => target),
  ]);
  const posted = listed.sheets.find(({ name }) => name === POSTED_SHEET)?.part ?? '';
  const names = [
    workbook.name,
    posted,
    relationships.name,
    contentTypes.name,
    stylesName(book),
    replaced,
    ...chains,
    ...related,
  ];
  return new Set(names.map((name) => name.toLowerCase()));
}

/** The sheet with what was posted, and its part: that of an earlier one, else a new one. */
interface HiddenSheet {
  readonly sheet: ResultSheet;
  readonly part: string;
  readonly last: NonNullable<WorkbookChanges['last']> | null;
}

/** Collects the changes of the parts that depend on the sheets, which are written. */
async function gather(rewrite: Rewrite, last: HiddenSheet['last']): Promise<void> {
  const { book, edits, styles, works } = rewrite;
  const { workbook, listed, source } = book;
  const filters = new Map<string, CellRange>();
  for (const work of works.values()) {
    await growTables(edits, work);
    const { filter } = work.rewriter;
    if (filter !== undefined) filters.set(work.name, filter);
  }
  const bytes = await partBytes(source, workbook);
  const summary = await putSummary(rewrite, bytes);
  const recalculated = rewrite.additions.sheets.some(({ corrected }) => (corrected?.size ?? 0) > 0);
  if (summary !== null || filters.size > 0 || last !== null || recalculated) {
    const changes = { first: null, ...summary, last, filters, recalculated };
    edits.put(workbook.name, editWorkbook(bytes, changes));
  }
  // It lists each formula; programs that miss it make it anew.
  if ([...works.values()].some(({ rewriter }) => rewriter.formulas.replaced))
    for (const name of rewrite.chains) edits.remove(name);
  const name = stylesName(book);
  const isNew = listed.styles === undefined;
  edits.put(name, styles.finish(), isNew ? CONTENT.styles : undefined);
  if (isNew) await edits.addRelated(workbook.name, 'styles', name);
}

async function putHidden({ book, additions, edits }: Rewrite): Promise<HiddenSheet | null> {
  const sheet = additions.sheets.find(({ name }) => name === POSTED_SHEET);
  if (sheet === undefined) return null;
  const before = book.listed.sheets.find(({ name }) => name === POSTED_SHEET);
  if (before !== undefined) return { sheet, part: before.part, last: null };
  const part = edits.freeName('xl/worksheets/sheet', '.xml');
  edits.declare(part, CONTENT.worksheet);
  const relationship = await edits.addRelated(book.workbook.name, 'worksheet', part);
  return { sheet, part, last: { name: POSTED_SHEET, relationship, office: book.office } };
}

/** Writes the summary, new or in place of an earlier one; returns changes of the workbook part. */
async function putSummary(
  { book, additions: { summary }, edits, styles }: Rewrite,
  workbook: Buffer,
): Promise<Partial<WorkbookChanges> | null> {
  if (summary === undefined) return null;
  const { office, listed, main } = book;
  const part = summaryPart(summary, styles, main);
  const replaced = listed.sheets.find(({ name }) => name === summary.replaces);
  if (replaced !== undefined) {
    edits.put(replaced.part, part);
    return null;
  }
  const others = surveyWorkbook(workbook).names.map((name) => name.toLowerCase());
  const sheet = sheetName(summary.name, new Set(others));
  const name = edits.freeName('xl/worksheets/sheet', '.xml');
  edits.put(name, part, CONTENT.worksheet);
  const relationship = await edits.addRelated(book.workbook.name, 'worksheet', name);
  return { first: { name: sheet, relationship, office } };
}
