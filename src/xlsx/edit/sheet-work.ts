import type { ResultSheet } from '../../files/result-sheet.ts';
import { ownRelationships, type Relationship, requirePart } from '../read/package.ts';
import { hidesRows } from '../shown-rows.ts';
import { addedColumns, isOwn, type ResultColumns } from './added-columns.ts';
import type { BookEdits } from './book-edits.ts';
import { SheetRewriter } from './sheet-rewriter.ts';
import type { RewriteStyles } from './styles-part.ts';
import { growTable } from './table-part.ts';

/** What the rewrite of a sheet needs. */
export interface SheetWork {
  readonly name: string;
  readonly part: string;
  readonly related: readonly Relationship[];
  readonly own: ResultColumns;
  readonly rewriter: SheetRewriter;
}

/** Prepares the rewrite of a sheet; undefined if nothing is added to it. Throws DamagedPart. */
export async function sheetWork(
  edits: BookEdits,
  sheet: ResultSheet,
  styles: RewriteStyles,
): Promise<SheetWork | undefined> {
  const { source, listed } = edits.book;
  const { name, added, headerRow, outcomes, oldColumns = new Map<number, string>() } = sheet;
  if (added === null || headerRow === null || outcomes === undefined) return undefined;
  const entry = requirePart(source, listed.sheets.find((one) => one.name === name)?.part ?? '');
  const { name: part } = entry;
  const related = await ownRelationships(source, part);
  const place = { ...addedColumns(added), headerRow };
  const own = { ...place, emptied: new Map([...oldColumns].filter(([column]) => !isOwn(place, column))) };
  const hides = await hidesRows(sheet);
  const plan = { own, outcomes, hides, corrected: sheet.corrected ?? new Map() };
  const rewriter = new SheetRewriter(plan, styles, source.limits.tokenBytes);
  return { name, part, related, own, rewriter };
}

/** Grows the tables that end at the added columns. */
export async function growTables(edits: BookEdits, { related, own }: SheetWork): Promise<void> {
  for (const { type, target } of related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    const grown = bytes && growTable(bytes, own);
    if (grown !== undefined) edits.put(target, grown);
  }
}
