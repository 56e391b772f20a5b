import { type Relationship, readRelationships, relationshipsName, targetFrom } from '../read/package.ts';
import type { BookEdits } from './book-edits.ts';
import { editComments, emptyComments } from './comments-part.ts';
import { CONTENT } from './content-types.ts';
import { editDrawing, emptyDrawing } from './notes-drawing.ts';
import type { OldColumns, OwnColumns } from './own-columns.ts';
import type { SheetRewriter } from './sheet-rewriter.ts';
import { emptiedHeaders, growTable } from './table-part.ts';

/** The parts that hang on a worksheet, and the names for those that it may get. */
export interface SheetParts {
  readonly part: string;
  readonly rels: string;
  readonly related: readonly Relationship[];
  /** The id that a new drawing of notes will have. */
  readonly drawingId: string;
}

/** Looks up what hangs on a worksheet. Throws DamagedPart. */
export async function sheetParts(edits: BookEdits, part: string): Promise<SheetParts> {
  const rels = relationshipsName(part);
  return {
    part,
    rels,
    related: await readRelationships(edits.book.source, part),
    drawingId: await edits.freeId(rels),
  };
}

/** Grows the tables of a sheet that end where the added columns begin. */
export async function growTables(
  edits: BookEdits,
  { related }: SheetParts,
  own: OwnColumns,
  headerRow: number,
  emptied: OldColumns,
): Promise<void> {
  for (const { type, target } of related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    const grown = bytes === undefined ? undefined : growTable(bytes, own, headerRow, emptied);
    if (grown !== undefined) edits.put(target, grown);
  }
}

/** The columns that are emptied, with the headers that they keep where they stand in a table. */
export async function emptiedColumns(
  edits: BookEdits,
  { related }: SheetParts,
  own: OwnColumns,
  headerRow: number,
  emptied: readonly number[],
): Promise<OldColumns> {
  const columns = new Map<number, string | null>(emptied.map((column) => [column, null]));
  for (const { type, target } of emptied.length === 0 ? [] : related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    const headers = bytes === undefined ? [] : emptiedHeaders(bytes, own, headerRow, new Set(emptied));
    for (const [column, header] of headers) columns.set(column, header);
  }
  return columns;
}

/** Puts what is said of a sheet's cells on them as notes; those of an earlier result go. */
export async function writeNotes(
  edits: BookEdits,
  parts: SheetParts,
  { notes, drawn, drawingId }: SheetRewriter,
  number: number,
): Promise<void> {
  const comments = parts.related.find(({ type }) => type === 'comments')?.target;
  const before = comments === undefined ? undefined : await edits.bytes(comments);
  if (notes.length === 0 && !before?.includes('catersheet')) return;
  const { main, office } = edits.book;
  const { part, added, gone } = editComments(before ?? emptyComments(main), notes);
  if (drawn) {
    const name = edits.freeName('xl/drawings/vmlDrawing', '.vml');
    edits.addDrawing(name, Buffer.from(editDrawing(emptyDrawing(number), added, gone)));
    edits.relate(parts.rels, {
      id: parts.drawingId,
      type: `${office}/vmlDrawing`,
      target: targetFrom(parts.part, name),
    });
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
    edits.relate(parts.rels, {
      id: await edits.freeId(parts.rels),
      type: `${office}/comments`,
      target: targetFrom(parts.part, name),
    });
  }
}
