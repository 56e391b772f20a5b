import { extname } from 'node:path';
import type { Writable } from 'node:stream';
import { StopError, usageStop } from '../core/errors.ts';
import { INPUT_MARKS } from '../core/header.ts';
import { type Language, t, withFlag } from '../core/language.ts';
import { OWN_SHEETS, UNDONE_HEADERS } from '../core/own-sheets.ts';
import type { Value } from '../core/value.ts';
import {
  BASELINE_SHEET,
  encodeBaselineRecord,
  encodeBaselineStamp,
  textsOf,
} from '../files/baseline-sheet.ts';
import type { ResultSheet } from '../files/result-sheet.ts';
import { checkWritable, refuseExisting, writeAtomically } from '../files/write-aside.ts';
import { encodeCell } from '../import/map/safe-cell.ts';
import type { ColumnType, ExportColumn } from '../records/listing.ts';
import type { UndoRow } from '../records/undo.ts';
import type { Context } from '../run/context.ts';
import { openLookupLists } from '../run/lookup-lists.ts';
import type { Resource } from '../schema/resource.ts';
import { describeColumns } from '../template/columns.ts';
import type { ColumnRole } from '../xlsx/write/book-styles.ts';
import { type BookFeed, writeBook } from '../xlsx/write/write-book.ts';
import type { WrittenColumn, WrittenRow, WrittenValue } from '../xlsx/write/written-book.ts';
import { ColumnNames } from './column-names.ts';
import { fieldColumn } from './listed-columns.ts';
import type { NotUndone } from './undo/history.ts';
import { type PlannedUndo, planUndo } from './undo/undo-run.ts';
import { COLUMN_TYPES, choicesIn, writtenLists } from './write-records.ts';

/** A run to take back. */
interface UndoRequest {
  readonly run: string;
  /** Where the workbook goes; `undo-RUN.xlsx` where the program runs when absent. */
  readonly out?: string | undefined;
  readonly language: Language;
}

/** An undo as it was written. */
export interface WrittenUndo extends Pick<UndoDocument, 'run' | 'file'> {
  /** Rows on each sheet. */
  readonly sheets: readonly { readonly sheet: string; readonly rows: number }[];
  /** Some rows delete what the run created. */
  readonly deletes: boolean;
  readonly cannot: readonly NotUndone[];
}

/** An undo as `--json` prints it. */
export interface UndoDocument {
  /** The run to take back. */
  readonly run: string;
  /** The workbook’s path: import it to take the run back. */
  readonly file: string;
  /** Rows of the workbook, of all sheets. */
  readonly rows: number;
  /** Rows of the run that can't be taken back. */
  readonly cannot: readonly {
    /** The sheet by its name in the file of the run. */
    readonly sheet: string;
    /** Its number there. */
    readonly row: number;
    /** Why, in the language of `lang`. */
    readonly why: string;
  }[];
}

/** An undo as one plain document. */
export function undoDocument({ run, file, sheets, cannot }: WrittenUndo, language: Language): UndoDocument {
  return {
    ...{ run, file },
    rows: sheets.reduce((sum, { rows }) => sum + rows, 0),
    cannot: cannot.map(({ sheet, row, why }) => ({ sheet, row, why: why[language] })),
  };
}

/**
 * Writes a workbook that takes a run back when it is imported; it looks as an export does. Nothing is sent.
 * Throws StopError with EXIT.usage for a file that exists or is no workbook by its name, and as `planUndo`.
 */
export async function writeUndo(context: Context, request: UndoRequest): Promise<WrittenUndo> {
  const { run, language } = request;
  const file = request.out ?? `undo-${run}.xlsx`;
  if (extname(file).toLowerCase() !== '.xlsx') throw notXlsx(file);
  refuseExisting(file);
  checkWritable(file);
  const planned = await planUndo(context, { run, language });
  const fill = (stream: Writable): Promise<void> =>
    writeBook(stream, file, { made: new Date(context.time.now()), language }, (book) =>
      fillUndo(book, context, planned, language),
    );
  const { place } = await writeAtomically(file, fill, { like: planned.file });
  const sheets = planned.sheets.map(({ resource, rows }) => ({ sheet: resource.sheet, rows: rows.length }));
  const deletes = planned.sheets.some(({ rows }) => rows.some(({ cells }) => cells['#action'] === 'delete'));
  return { run, file: place, sheets, deletes, cannot: planned.cannot };
}

async function fillUndo(
  book: BookFeed,
  context: Context,
  { sheets, cannot, stamp, posted }: PlannedUndo,
  language: Language,
): Promise<void> {
  const lookups = openLookupLists(context);
  const kinds = sheets.map((one) => {
    const used = new Set(one.rows.flatMap(({ cells }) => Object.keys(cells)));
    const columns = undoColumns(one.resource).filter(({ header }) => used.has(header));
    return { ...one, columns, names: new ColumnNames(lookups, columns.map(asUpdated), language) };
  });
  book.lists(OWN_SHEETS.lists[language], () => writtenLists(kinds));
  for (const one of kinds) await addRows(book, context, one, language);
  if (cannot.length > 0) await addUndone(book, cannot, language);
  const base = book.hidden(BASELINE_SHEET, encodeBaselineStamp(stamp));
  const records = sheets.flatMap(({ rows }) => rows.flatMap(({ base: left }) => left ?? []));
  await base.add(records.map(encodeBaselineRecord));
  await base.add(kinds.flatMap(({ names, resource }) => names.writtenNames(resource.name)));
  for (const sheet of posted) await book.hidden(sheet.name, []).add(await textRows(sheet));
}

/**
 * Old values go back by an update, which may take ids of another list: a name of the other one would not be
 * found there, while its number is understood.
 */
function asUpdated({ field, ...column }: ExportColumn): ExportColumn {
  if (field?.updateLookup === undefined) return { ...column, field };
  const { updateLookup: lookup, ...rest } = field;
  return { ...column, field: { ...rest, lookup } };
}

/** The rows of one kind, with the columns that one of them has, and the names in place of their ids. */
type UndoneKind = PlannedUndo['sheets'][number] & {
  readonly columns: readonly ExportColumn[];
  readonly names: ColumnNames;
};

/** The rows of one resource, to be imported, as an export has them. */
async function addRows(
  book: BookFeed,
  { resources, log }: Context,
  { resource, rows, columns, names }: UndoneKind,
  language: Language,
): Promise<void> {
  const described = describeColumns(resource, { language, resources, lists: [] });
  // A run can be taken back later where the service is away now: numbers are understood as well.
  await names.read().catch((error: unknown) => {
    if (!(error instanceof StopError)) throw error;
    log.warn({ reason: error.message }, 'the names of an undo could not be read');
  });
  const written = columns.map(({ header, type }): WrittenColumn => {
    const own = described.find(({ name }) => name === header);
    const { width, format } = COLUMN_TYPES[type];
    const check = () => choicesIn(names, header, own);
    return {
      header,
      role: roleOf(own?.column.role),
      format: format[language],
      width,
      note: own?.column.note ?? [],
      check,
    };
  });
  const sheet = book.sheet({ name: resource.sheet, table: `tbl_${resource.name}`, columns: written });
  const cellsOf = ({ cells }: UndoRow): WrittenRow =>
    columns.map(({ header, type }) => {
      const value = cells[header] ?? null;
      return names.textOf(header, value) ?? undoneCell(value, type, language);
    });
  await sheet.add(rows.map(cellsOf));
}

/** To the second, which a date cell holds exactly; with fractions it stays a text. */
const EXACT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

function undoneCell(value: Value, type: ColumnType, language: Language): WrittenValue {
  const isText = typeof value === 'string' && !EXACT.test(value);
  return encodeCell(value, isText ? 'text' : type, language);
}

const roleOf = (role: ColumnRole = 'shown'): ColumnRole => (role === 'mark' ? 'key' : role);

/** What to do first, then the fields in their order, and last what is to be known of a row. */
function undoColumns(resource: Resource): readonly ExportColumn[] {
  const mark = (header: string): ExportColumn => ({
    ...{ header, type: 'text', field: null, imported: false, path: [] },
  });
  const named = ('named' in resource ? resource.named : undefined) ?? [];
  return [
    ...INPUT_MARKS.map(mark),
    ...Object.entries(resource.fields).flatMap(([name, field]) => {
      const beside = named.find(({ id }) => id === name)?.header;
      return [{ ...fieldColumn(name, field), path: [] }, ...(beside === undefined ? [] : [mark(beside)])];
    }),
    mark('#message'),
  ];
}

/** The list of what can't be taken back. */
async function addUndone(book: BookFeed, cannot: readonly NotUndone[], language: Language): Promise<void> {
  const shape = { role: 'shown', format: 'General', width: 14, note: [] } as const;
  const columns = UNDONE_HEADERS[language].map((header) => ({ header, ...shape }));
  const sheet = book.sheet({ name: OWN_SHEETS.undone[language], table: 'tbl_undone', columns });
  await sheet.add(cannot.map(({ sheet, row, why }) => [sheet, row, why[language]]));
}

/** The rows of a sheet of texts. */
async function textRows({ rows }: ResultSheet): Promise<string[][]> {
  const all: string[][] = [];
  for await (const row of rows) all.push(textsOf(row));
  return all;
}

const notXlsx = (file: string): StopError =>
  usageStop(
    t(
      `An undo is a workbook, and ${file} is no name of one.`,
      `Terugdraaien gaat met een werkmap, en ${file} is daar geen naam voor.`,
    ),
    withFlag(t('Choose a name that ends in .xlsx.', 'Kies een naam die eindigt op .xlsx.'), '--out'),
  );
