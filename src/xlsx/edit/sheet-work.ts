import { type Bilingual, t } from '../../core/language.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import {
  findPart,
  type Relationship,
  readRelationships,
  relationshipsName,
  targetFrom,
} from '../read/package.ts';
import { noWorkNote, type StatusFilter, statusFilter } from '../status-filter.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import type { AddedColumns, EmptiedColumns } from './added-columns.ts';
import { LiftedConditions } from './auto-filter.ts';
import { type BookEdits, CONTENT } from './book-edits.ts';
import { conditionsToLift, type FoundConditions, liftedNotes } from './lifted-conditions.ts';
import { editComments, editDrawing, emptyComments, emptyDrawing } from './notes.ts';
import { SheetRewriter } from './sheet-rewriter.ts';
import {
  type FilterPlace,
  type ProgramColumns,
  placeFilter,
  type SheetSurvey,
  sheetFilter,
  surveySheet,
} from './sheet-survey.ts';
import type { RewriteStyles } from './styles-part.ts';
import { emptiedHeaders, growTable, type TableGrowth } from './table-part.ts';

/** A worksheet part, its relationships, and the id for a new drawing of notes. */
interface SheetParts {
  readonly part: string;
  readonly rels: string;
  readonly related: readonly Relationship[];
  readonly drawingId: string;
}

/** Grows the tables that end at the added columns; that of part `filteredTable` gets a condition. */
export async function growTables(
  edits: BookEdits,
  { related }: SheetParts,
  growth: Omit<TableGrowth, 'isLifted'>,
  filteredTable: string | null,
  lifted: LiftedConditions,
): Promise<void> {
  const { filter } = growth;
  for (const { type, target } of related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    const part = edits.book.source.directory.find(target)?.name ?? null;
    const condition = part === filteredTable ? filter.condition : null;
    const isLifted = lifted.of(part);
    const grown = bytes && growTable(bytes, { ...growth, filter: { ...filter, condition }, isLifted });
    if (grown !== undefined) edits.put(target, grown);
  }
}

/** The columns to empty, with headers for those in a table. */
async function emptiedColumns(
  edits: BookEdits,
  { related }: SheetParts,
  own: AddedColumns,
  headerRow: number,
  emptied: readonly number[],
): Promise<EmptiedColumns> {
  const columns = new Map<number, string | null>(emptied.map((column) => [column, null]));
  for (const { type, target } of emptied.length === 0 ? [] : related) {
    const bytes = type === 'table' ? await edits.bytes(target) : undefined;
    const headers = bytes === undefined ? [] : emptiedHeaders(bytes, own, headerRow, new Set(emptied));
    for (const [column, header] of headers) columns.set(column, header);
  }
  return columns;
}

/** Writes the notes of a sheet, and removes those of an earlier result. */
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
  readonly growth: Omit<TableGrowth, 'isLifted'>;
  /** The part of the table that gets a condition; null for none. */
  readonly filteredTable: string | null;
  readonly rewriter: SheetRewriter;
  /** Conditions of the user that are taken off. */
  readonly lifted: LiftedConditions;
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
  const { name, added, headerRow, outcomes, oldColumns = new Set() } = sheet;
  if (added === null || headerRow === null || outcomes === undefined) return undefined;
  const part = listed.sheets.find((one) => one.name === name)?.part;
  const entry = part === undefined ? undefined : findPart(source, part);
  if (entry === undefined) throw new DamagedPart(DAMAGE.missingPart);
  const rels = relationshipsName(entry.name);
  const related = await readRelationships(source, entry.name);
  const parts: SheetParts = { part: entry.name, rels, related, drawingId: await edits.freeId(rels) };
  const { firstColumn: first, headers } = added;
  const own = { first, last: first + headers.length - 1, headers };
  const emptied = [...oldColumns].filter((column) => column < own.first || column > own.last);
  const old = await emptiedColumns(edits, parts, own, headerRow, emptied);
  const isOurs: ProgramColumns = (column) => (column >= own.first && column <= own.last) || old.has(column);
  const known = { own, headerRow, isOurs, styles };
  const filtering = await planFilter(edits, sheet, entry, related, known);
  const { filter, place, survey, conditions } = filtering;
  const { lifted } = conditions;
  const plan = {
    ...{ own, headerRow, outcomes, oldColumns: old },
    drawing: (prefix: string) => `<${prefix}legacyDrawing xmlns:r="${office}" r:id="${parts.drawingId}"/>`,
    visibility: {
      filter: filter && place ? { by: filter, bottom: place.range.bottom } : null,
      isFiltered: survey?.isFiltered ?? (() => false),
      wanted: filter ?? null,
    },
    ...(survey === undefined
      ? { filter: null, filterMode: undefined }
      : sheetFilter(survey, { own, isOurs, lifted }, place, filter)),
  };
  const condition = filter === undefined ? null : { column: own.first, filter };
  const rewriter = new SheetRewriter(plan, styles, source.limits.tokenBytes);
  return {
    ...{ name, parts, rewriter },
    growth: { own, headerRow, emptied: old, filter: { condition, drops: isOurs } },
    lifted,
    filteredTable: place?.table ?? null,
    notes: () => filterNotes(sheet, filtering, rewriter),
  };
}

interface FilterPlan {
  readonly survey: SheetSurvey | undefined;
  readonly filter: StatusFilter | undefined;
  readonly place: FilterPlace | undefined;
  readonly conditions: FoundConditions;
}

/** Plans the filter of a sheet, surveyed only if it gets one or may have one of an earlier result. */
async function planFilter(
  { book }: BookEdits,
  sheet: ResultSheet,
  entry: ZipEntry,
  related: readonly Relationship[],
  known: { own: AddedColumns; headerRow: number; isOurs: ProgramColumns; styles: RewriteStyles },
): Promise<FilterPlan> {
  const filter = await statusFilter(sheet);
  const none = { lifted: new LiftedConditions(), headers: new Map<number, string>() };
  if (filter === undefined && (sheet.oldColumns?.size ?? 0) === 0)
    return { survey: undefined, filter, place: undefined, conditions: none };
  const survey = await surveySheet(book, related, entry, known);
  if (filter === undefined) return { survey, filter, place: undefined, conditions: none };
  const conditions = await conditionsToLift(sheet, survey, filter, known.isOurs);
  const place = placeFilter(survey, { ...known, lifted: conditions.lifted, filter });
  return { survey, filter, place, conditions };
}

function filterNotes(
  sheet: ResultSheet,
  { filter, place, conditions }: FilterPlan,
  { shownAgain }: SheetRewriter,
): Bilingual[] {
  const { name, shown } = sheet;
  if (shown === undefined) return [];
  if (filter === undefined) return [noWorkNote(sheet)];
  const inTheWay = t(
    `sheet ${name}: its own filter stands in the way of one on #status, so the rows that need no work are not hidden`,
    `werkblad ${name}: het eigen filter staat een filter op #status in de weg, dus de rijen die geen werk vragen zijn niet verborgen`,
  );
  return [
    ...(place === undefined ? [inTheWay] : []),
    ...liftedNotes(sheet, conditions),
    ...shownAgain.notes(sheet),
  ];
}
