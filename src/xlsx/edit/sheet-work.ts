import type { Bilingual } from '../../core/language.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import {
  findPart,
  type Relationship,
  readRelationships,
  relationshipsName,
  targetFrom,
} from '../read/package.ts';
import { addedColumns, isOwn, type ResultColumns } from './added-columns.ts';
import { type BookEdits, CONTENT } from './book-edits.ts';
import { type FilterPlan, planFilter } from './filter-plan.ts';
import { editComments, editDrawing, emptyComments, emptyDrawing } from './notes.ts';
import { SheetRewriter } from './sheet-rewriter.ts';
import type { RewriteStyles } from './styles-part.ts';
import { emptiedHeaders, growTable } from './table-part.ts';

/** A worksheet part, its relationships, and the id for a new drawing of notes. */
interface SheetParts {
  readonly part: string;
  readonly rels: string;
  readonly related: readonly Relationship[];
  readonly drawingId: string;
}

/** The tables of a sheet: the target of their relationship, and their bytes. */
async function tablesOf(
  edits: BookEdits,
  { related }: SheetParts,
): Promise<[target: string, bytes: Buffer][]> {
  const tables: [string, Buffer][] = [];
  for (const { type, target } of related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    if (bytes !== undefined) tables.push([target, bytes]);
  }
  return tables;
}

/** Grows the tables that end at the added columns. */
export async function growTables(edits: BookEdits, { parts, own, filter }: SheetWork): Promise<void> {
  for (const [target, bytes] of await tablesOf(edits, parts)) {
    const part = edits.book.source.directory.find(target)?.name ?? target;
    const condition = part === filter.table ? filter.condition : null;
    const grown = growTable(bytes, { own, condition, lifted: filter.lifted.get(part) });
    if (grown !== undefined) edits.put(target, grown);
  }
}

/** The columns to empty, with headers for those in a table. */
async function emptiedColumns(
  edits: BookEdits,
  parts: SheetParts,
  own: Omit<ResultColumns, 'emptied'>,
  oldColumns: ReadonlySet<number>,
): Promise<ResultColumns['emptied']> {
  const emptied = new Set([...oldColumns].filter((column) => !isOwn(own, column)));
  const columns = new Map<number, string | null>([...emptied].map((column) => [column, null]));
  for (const [, bytes] of emptied.size === 0 ? [] : await tablesOf(edits, parts))
    for (const [column, header] of emptiedHeaders(bytes, own, emptied)) columns.set(column, header);
  return columns;
}

/** Writes the notes of a sheet, and removes those of an earlier result. */
export async function writeNotes(
  edits: BookEdits,
  { parts, rewriter }: SheetWork,
  number: number,
): Promise<void> {
  const { drawn, drawingId } = rewriter;
  const { notes } = rewriter.rows;
  const comments = parts.related.find(({ type }) => type === 'comments')?.target;
  const before = comments === undefined ? undefined : await edits.bytes(comments);
  if (notes.length === 0 && !before?.includes('catersheet')) return;
  const { main, office } = edits.book;
  const { part, added, gone } = editComments(before ?? emptyComments(main), notes);
  if (drawn) {
    const name = edits.freeName('xl/drawings/vmlDrawing', '.vml');
    edits.addDrawing(name, Buffer.from(editDrawing(emptyDrawing(number), added, gone)));
    const target = targetFrom(parts.part, name);
    edits.relate(parts.rels, { id: parts.drawingId, type: `${office}/vmlDrawing`, target });
  } else {
    const drawing = parts.related.find(({ id }) => id === drawingId)?.target;
    const shapes = drawing === undefined ? undefined : await edits.bytes(drawing);
    // Byte for byte: it may be in any encoding, and what is added is plain.
    if (drawing !== undefined && shapes !== undefined)
      edits.put(drawing, Buffer.from(editDrawing(shapes.toString('latin1'), added, gone), 'latin1'));
  }
  if (comments !== undefined && before !== undefined) edits.put(comments, part);
  else {
    const name = edits.freeName('xl/comments', '.xml');
    edits.put(name, part, CONTENT.comments);
    await edits.addRelated(parts.rels, parts.part, `${office}/comments`, name);
  }
}

/** What the rewrite of a sheet needs. */
export interface SheetWork {
  readonly name: string;
  readonly parts: SheetParts;
  readonly own: ResultColumns;
  readonly filter: FilterPlan;
  readonly rewriter: SheetRewriter;
  /** Notes for the user on how the rows are filtered; to be asked when the sheet is done. */
  notes(): Bilingual[];
}

/** Prepares the rewrite of a sheet; undefined if nothing is added to it. Throws DamagedPart. */
export async function sheetWork(
  edits: BookEdits,
  sheet: ResultSheet,
  styles: RewriteStyles,
): Promise<SheetWork | undefined> {
  const { source, listed, office } = edits.book;
  const { name, added, headerRow, outcomes, oldColumns = new Set<number>() } = sheet;
  if (added === null || headerRow === null || outcomes === undefined) return undefined;
  const part = listed.sheets.find((one) => one.name === name)?.part;
  const entry = part === undefined ? undefined : findPart(source, part);
  if (entry === undefined) throw new DamagedPart(DAMAGE.missingPart);
  const rels = relationshipsName(entry.name);
  const related = await readRelationships(source, entry.name);
  const parts: SheetParts = { part: entry.name, rels, related, drawingId: await edits.freeId(rels) };
  const place = { ...addedColumns(added), headerRow };
  const emptied = await emptiedColumns(edits, parts, place, oldColumns);
  const own = { ...place, emptied };
  const filter = await planFilter(edits.book, sheet, entry, related, own, styles);
  const { visibility } = filter;
  const drawing = `xmlns:r="${office}" r:id="${parts.drawingId}"`;
  const plan = { own, outcomes, drawing, visibility, ...filter.sheet };
  const rewriter = new SheetRewriter(plan, styles, source.limits.tokenBytes);
  const notes = (): Bilingual[] => [...filter.notes, ...rewriter.rows.shownAgain.notes(sheet)];
  return { name, parts, own, filter, rewriter, notes };
}
