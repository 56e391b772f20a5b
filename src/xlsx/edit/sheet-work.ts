import type { ResultSheet } from '../../files/result-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { findPart } from '../read/package.ts';
import type { BookEdits } from './book-edits.ts';
import type { OldColumns, OwnColumns } from './own-columns.ts';
import type { RewriteStyles } from './rewrite-styles.ts';
import { emptiedColumns, type SheetParts, sheetParts } from './sheet-parts.ts';
import { SheetRewriter } from './sheet-rewriter.ts';

/** A sheet with outcomes, and what it is rewritten by. */
export interface SheetWork {
  readonly name: string;
  readonly own: OwnColumns;
  readonly headerRow: number;
  readonly oldColumns: OldColumns;
  readonly parts: SheetParts;
  readonly rewriter: SheetRewriter;
}

/** Makes ready to rewrite a sheet; undefined for one that nothing is added to. Throws DamagedPart. */
export async function sheetWork(
  edits: BookEdits,
  sheet: ResultSheet,
  formats: RewriteStyles,
): Promise<SheetWork | undefined> {
  const { source, listed, office } = edits.book;
  const { name, added, headerRow, outcomes, oldColumns = new Set() } = sheet;
  if (added === null || headerRow === null || outcomes === undefined) return undefined;
  const part = listed.sheets.find((one) => one.name === name)?.part;
  const entry = part === undefined ? undefined : findPart(source, part);
  if (entry === undefined) throw new DamagedPart(DAMAGE.missingPart);
  const parts = await sheetParts(edits, entry.name);
  const { firstColumn: first, headers } = added;
  const own = { first, last: first + headers.length - 1, headers };
  const emptied = [...oldColumns].filter((column) => column < own.first || column > own.last);
  const plan = {
    ...{ own, headerRow, outcomes },
    oldColumns: await emptiedColumns(edits, parts, own, headerRow, emptied),
    drawing: (prefix: string) => `<${prefix}legacyDrawing xmlns:r="${office}" r:id="${parts.drawingId}"/>`,
  };
  return {
    name,
    own,
    headerRow,
    parts,
    oldColumns: plan.oldColumns,
    rewriter: new SheetRewriter(plan, formats, source.limits.tokenBytes),
  };
}
