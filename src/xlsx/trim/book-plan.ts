import { partBytes, type SourceBook } from '../edit/source-book.ts';
import { relationshipsName } from '../read/package.ts';
import { type BookSheet, type ListedSheet, listedSheets, sheetIds } from './book-sheets.ts';
import { droppedParts } from './dropped-parts.ts';
import { formControls } from './form-controls.ts';
import { type DefinedName, type MovedTable, movesOf } from './lost-names.ts';
import { type Moves, PLACE_CALL } from './move-formula.ts';
import { literal, mentionOf, neededSheets } from './needed-sheets.ts';
import { PartGraph } from './part-graph.ts';
import type { RowMap } from './row-map.ts';
import type { SheetFate } from './trim-workbook-part.ts';
import { parsePart, type XmlElement } from './xml-tree.ts';

/** Which rows of a workbook are wanted. */
export interface WantedRows {
  /** By the names of their sheets. */
  readonly rows: ReadonlyMap<string, RowMap>;
  /** Sheets of which no row is wanted: hidden where others count on them, else gone, like all that are to be seen. */
  readonly unwanted: ReadonlySet<string>;
}

/** What becomes of a workbook. */
export interface BookPlan {
  /** Of each sheet, charts included, in the order of the workbook. */
  readonly fates: readonly SheetFate[];
  /** The sheet on which it opens, by its old place. */
  readonly opens: number;
  /** Those that stay. */
  readonly sheets: readonly BookSheet[];
  readonly moves: Moves;
  /** Relationships that are no more, by the part that has them. */
  readonly dropped: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many slicers and timelines went; undefined where they stay. */
  readonly slicers: number | undefined;
  /** Parts to which nothing leads any more, and their relationships. */
  readonly removed: ReadonlySet<string>;
}

/** What looks at sheets by their numbers, so that none can go. */
const ENTANGLED = /^xl\/(?:slicerCaches|timelineCaches)\//i;

/** Plans which sheets and parts stay when only some rows are wanted. Throws DamagedPart. */
export async function planBook(book: SourceBook, { rows, unwanted }: WantedRows): Promise<BookPlan> {
  const { source, workbook } = book;
  const graph = new PartGraph(source);
  const { root } = parsePart(await partBytes(source, workbook));
  const ids = sheetIds(root);
  const sheets = await listedSheets(book, graph, ids);
  const places = new Map(sheets.map((sheet) => [sheet.at, sheet]));
  const staying = (sheet: ListedSheet): boolean =>
    rows.has(sheet.name) || (sheet.hidden && !unwanted.has(sheet.name));
  const names = definedNames(root, (at) => {
    const sheet = places.get(at);
    return at < 0 || (sheet !== undefined && staying(sheet));
  });
  const needed = await neededSheets(
    graph,
    sheets.map((sheet) => ({
      ...{ ...sheet, stays: staying(sheet) },
      tables: sheet.tables.map(({ name }) => name),
    })),
    names.map(({ formula }) => formula),
  );
  const stay = new Set([...needed].map(({ at }) => at));
  const rest = source.directory.names.some((name) => ENTANGLED.test(name)) ? 'hidden' : 'gone';
  const fates = ids.map((_, at): SheetFate => {
    const sheet = places.get(at);
    if (sheet === undefined || !stay.has(at)) return rest;
    if (rows.has(sheet.name)) return 'shown';
    return unwanted.has(sheet.name) ? 'hidden' : 'same';
  });
  const moved = new Map([...rows].map(([name, map]) => [name.toLowerCase(), map]));
  const moves = movesOf(
    definedNames(root, () => true),
    moved,
    movedTables(sheets, rows),
  );
  const { ids: dropped, slicers } = await droppedParts(book, graph, {
    sheets,
    rows,
    gone: ids.filter((_, at) => fates[at] === 'gone'),
  });
  const [opens, opened] = openingSheet(root, fates, places);
  const patterns = [
    ...[...rows.keys()].map((name) => mentionOf({ name, tables: [] })),
    ...[...moves.lost, ...moves.names.keys()].map((name) => new RegExp(literal(name))),
    PLACE_CALL,
  ];
  const kept: BookSheet[] = [];
  for (const sheet of sheets) {
    const { name, part, at, related } = sheet;
    if (fates[at] === 'gone') continue;
    const opening = at === opens && opened ? true : undefined;
    // A hidden sheet that is selected would be edited along with the one that is seen.
    const selected = fates[at] === 'hidden' ? false : opening;
    const mentions = sheet.silent || rows.has(name) ? new Set() : await graph.mentions(part, patterns);
    const controls = await formControls(book, related);
    kept.push({
      name,
      part,
      related,
      rows: rows.get(name),
      ...{ selected, controls },
      changes: selected !== undefined || mentions.size > 0 || controls !== undefined || dropped.has(part),
    });
  }
  const removed = await removedParts(book, graph, dropped);
  return { fates, opens, sheets: kept, moves, dropped, slicers, removed };
}

/** The names of a workbook and of the sheets that hold (-1 stands for those of the workbook). */
function definedNames(root: XmlElement, holds: (at: number) => boolean): DefinedName[] {
  return root.elements('definedNames').flatMap((list) =>
    list.elements().flatMap((name) => {
      const own = holds(Number(name.attribute('localSheetId') ?? -1));
      return own ? [{ name: name.attribute('name') ?? '', formula: name.text }] : [];
    }),
  );
}

function movedTables(sheets: readonly ListedSheet[], rows: WantedRows['rows']): MovedTable[] {
  return sheets.flatMap(({ name, tables }) => {
    const map = rows.get(name);
    return map === undefined
      ? []
      : tables.map((table) => ({ name: table.name, whole: map.whole(table.from, table.to) }));
  });
}

/** The sheet on which the workbook opened, or the first to be seen with rows that are wanted; and whether it is another by now. */
function openingSheet(
  root: XmlElement,
  fates: readonly SheetFate[],
  places: ReadonlyMap<number, ListedSheet>,
): readonly [opens: number, changed: boolean] {
  const [view] = root.elements('bookViews').flatMap((views) => views.elements());
  const active = Number(view?.attribute('activeTab') ?? 0);
  const seen =
    fates[active] === 'shown' || (fates[active] === 'same' && places.get(active)?.hidden === false);
  return seen ? [active, false] : [Math.max(0, fates.indexOf('shown')), true];
}

async function removedParts(
  { source }: SourceBook,
  graph: PartGraph,
  dropped: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Set<string>> {
  const before = await graph.reach([''], () => false);
  const after = await graph.reach([''], (part, id) => dropped.get(part)?.has(id) === true);
  const gone = [...before].filter((name) => !after.has(name));
  const rels = gone.flatMap((name) => source.directory.find(relationshipsName(name))?.name ?? []);
  return new Set([...gone, ...rels]);
}
