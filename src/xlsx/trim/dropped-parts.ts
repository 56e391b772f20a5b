import { partBytes, type SourceBook } from '../edit/source-book.ts';
import type { ListedSheet } from './book-sheets.ts';
import { CONTROL_PART } from './form-controls.ts';
import type { PartGraph } from './part-graph.ts';
import type { RowMap } from './row-map.ts';
import { pivotStays, trimTable } from './trim-parts.ts';

/** A workbook's sheets, and the rows that are wanted. */
interface Trimmed {
  readonly sheets: readonly ListedSheet[];
  readonly rows: ReadonlyMap<string, RowMap>;
  /** The relationships of sheets that are gone. */
  readonly gone: readonly string[];
}

/** Relationships that are no more. */
interface Dropped {
  /** By the part that has them. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many slicers and timelines went; undefined where they stay. */
  readonly slicers: number | undefined;
}

/** What hangs on a workbook and is no more: the order of its calculations, macros, and the history of a shared workbook. */
const WITH_ROWS = /^(?:calcChain|vbaProject|revisionHeaders|usernames|attachedToolbars)$/;
const SLICER_CACHE = /^(?:slicerCache|timelineCache)$/;
const SLICER = /^(?:slicer|timeline)$/;

/**
 * Finds what is no more: sheets, what was written for all rows, controls, which would write into cells of another record, tables without headers and pivot tables
 * without all their rows. Slicers choose from all of these tables at once, so that they go when one is missing. Throws DamagedPart.
 */
export async function droppedParts(book: SourceBook, graph: PartGraph, trimmed: Trimmed): Promise<Dropped> {
  const { workbook } = book;
  const own = await graph.related(workbook.name);
  const caches = own.filter(({ type }) => SLICER_CACHE.test(type));
  const { sheets } = trimmed;
  const lost = new Map<string, Set<string>>();
  for (const sheet of sheets) {
    const ids = await lostTables(book, sheet, trimmed.rows.get(sheet.name));
    if (ids.size > 0) lost.set(sheet.part, ids);
  }
  const slicers = lost.size > 0 && caches.length > 0 ? caches.length : undefined;
  const leaves = (type: string): boolean =>
    CONTROL_PART.test(type) || (slicers !== undefined && SLICER.test(type));
  const ids = new Map<string, ReadonlySet<string>>();
  for (const { part, related } of sheets) {
    const left = related.filter(({ type }) => leaves(type)).map(({ id }) => id);
    const all = new Set([...(lost.get(part) ?? []), ...left]);
    if (all.size > 0) ids.set(part, all);
  }
  const gone = own.filter(
    ({ type }) => WITH_ROWS.test(type) || (slicers !== undefined && SLICER_CACHE.test(type)),
  );
  ids.set(workbook.name, new Set([...trimmed.gone, ...gone.map(({ id }) => id)]));
  return { ids, slicers };
}

/** A sheet's relationships to tables and pivot tables that don't stay. */
async function lostTables(
  { source }: SourceBook,
  { related }: ListedSheet,
  map: RowMap | undefined,
): Promise<Set<string>> {
  const ids = new Set<string>();
  if (map === undefined) return ids;
  for (const { id, type, name } of related) {
    const entry = /^(?:table|pivotTable)$/.test(type) ? source.directory.find(name) : undefined;
    if (entry === undefined) continue;
    const bytes = await partBytes(source, entry);
    const stays = type === 'table' ? trimTable(bytes, map) !== undefined : pivotStays(bytes, map);
    if (!stays) ids.add(id);
  }
  return ids;
}
