import { BASE_SHEET } from '../../files/base-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { partBytes, type SourceBook } from '../edit/source-book.ts';
import { findPart } from '../read/package.ts';
import type { FormControls } from './form-controls.ts';
import type { GraphSheet } from './needed-sheets.ts';
import type { PartGraph } from './part-graph.ts';
import type { RowMap } from './row-map.ts';
import { type TableRows, tableRows } from './trim-parts.ts';
import { parsePart, type XmlElement } from './xml-tree.ts';

/** A part that hangs on a sheet; charts hang on its drawings, and have no relationship of the sheet's. */
interface RelatedPart {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

/** A worksheet that stays. */
export interface BookSheet {
  readonly name: string;
  readonly part: string;
  /** Where its rows are when some are left out. */
  readonly rows: RowMap | undefined;
  /** It must be looked through though its rows stay. */
  readonly changes: boolean;
  /** Whether the workbook opens on it; undefined where that stays as it was. */
  readonly selected: boolean | undefined;
  /** The controls that it had, which go. */
  readonly controls: FormControls | undefined;
  readonly related: readonly RelatedPart[];
}

/** A worksheet of a workbook, and its place among all that the workbook lists, charts included. */
export interface ListedSheet extends Omit<GraphSheet, 'stays' | 'tables'> {
  readonly at: number;
  readonly hidden: boolean;
  readonly tables: readonly TableRows[];
  readonly related: readonly RelatedPart[];
}

/** The relationships by which a workbook part lists its sheets, in order. */
export const sheetIds = (root: XmlElement): string[] =>
  root.elements('sheets').flatMap((list) => list.elements().map((sheet) => sheet.attribute('id') ?? ''));

/** The worksheets of a workbook with what hangs on them. Throws DamagedPart. */
export async function listedSheets(
  book: SourceBook,
  graph: PartGraph,
  ids: readonly string[],
): Promise<ListedSheet[]> {
  const { source, workbook, listed } = book;
  const targets = new Map((await graph.related(workbook.name)).map(({ id, target }) => [id, target]));
  const places = new Map(ids.map((id, at) => [findPart(source, targets.get(id) ?? '')?.name, at]));
  const sheets: ListedSheet[] = [];
  for (const { name, part, hidden } of listed.sheets) {
    const own = findPart(source, part)?.name;
    const at = places.get(own);
    if (own === undefined || at === undefined) throw new DamagedPart(DAMAGE.missingPart);
    const related = await relatedParts(book, graph, own);
    const tables: TableRows[] = [];
    for (const one of related) {
      const entry = one.type === 'table' ? source.directory.find(one.name) : undefined;
      const rows = entry && tableRows(parsePart(await partBytes(source, entry)).root);
      if (rows !== undefined) tables.push(rows);
    }
    const silent = hidden && name.startsWith(BASE_SHEET);
    sheets.push({ ...{ name, at, hidden, silent, related, tables }, part: own });
  }
  return sheets;
}

const CHART = /^chart(?:Ex)?$/;

async function relatedParts({ source }: SourceBook, graph: PartGraph, part: string): Promise<RelatedPart[]> {
  const found: RelatedPart[] = [];
  for (const { id, type, target } of await graph.related(part)) {
    const name = findPart(source, target)?.name;
    if (name === undefined) continue;
    found.push({ id, type, name });
    if (type !== 'drawing') continue;
    for (const inside of await graph.related(name)) {
      const chart = CHART.test(inside.type) ? findPart(source, inside.target)?.name : undefined;
      if (chart !== undefined) found.push({ id: '', type: 'chart', name: chart });
    }
  }
  return found;
}
