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

/** What adds outcomes to a sheet, and where; undefined if nothing is added to it. */
export async function rewriterOf(
  { added, headerRow, outcomes, corrected = new Map(), ...sheet }: ResultSheet,
  styles: RewriteStyles,
  tokenBytes: number,
): Promise<Pick<SheetWork, 'own' | 'rewriter'> | undefined> {
  if (added === null || headerRow === null || outcomes === undefined) return undefined;
  const place = { ...addedColumns(added), headerRow };
  const { oldColumns = [] } = sheet;
  const own = { ...place, emptied: new Map([...oldColumns].filter(([column]) => !isOwn(place, column))) };
  const hides = await hidesRows({ ...sheet, outcomes });
  return { own, rewriter: new SheetRewriter({ own, outcomes, hides, corrected }, styles, tokenBytes) };
}

/** Prepares the rewrite of a sheet; undefined if nothing is added to it. Throws DamagedPart. */
export async function sheetWork(
  { book: { source, listed } }: BookEdits,
  sheet: ResultSheet,
  styles: RewriteStyles,
): Promise<SheetWork | undefined> {
  const { name } = sheet;
  const made = await rewriterOf(sheet, styles, source.limits.tokenBytes);
  if (made === undefined) return undefined;
  const entry = requirePart(source, listed.sheets.find((one) => one.name === name)?.part ?? '');
  return { name, part: entry.name, related: await ownRelationships(source, entry.name), ...made };
}

/** Grows the tables that end at the added columns. */
export async function growTables(edits: BookEdits, { related, own }: SheetWork): Promise<void> {
  for (const { type, target } of related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    const grown = bytes && growTable(bytes, own);
    if (grown !== undefined) edits.put(target, grown);
  }
}
