import { extname } from 'node:path';
import type { Writable } from 'node:stream';
import { type StopError, usageStop } from '../core/errors.ts';
import { INPUT_MARKS } from '../core/header.ts';
import { type Language, t } from '../core/language.ts';
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
import type { NotUndone } from '../import/undo/history.ts';
import { type PlannedUndo, planUndo } from '../import/undo/undo-run.ts';
import type { ColumnType, ExportColumn } from '../records/listing.ts';
import type { UndoRow } from '../records/undo.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { describeColumns } from '../template/columns.ts';
import type { ColumnRole, WrittenRole } from '../xlsx/write/book-styles.ts';
import { type BookFeed, writeBook } from '../xlsx/write/write-book.ts';
import type { WrittenColumn, WrittenRow, WrittenValue } from '../xlsx/write/written-book.ts';
import { fieldColumn } from './listed-columns.ts';
import { COLUMN_TYPES } from './write-records.ts';

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
  await refuseExisting(file);
  await checkWritable(file);
  const planned = await planUndo(context, { run, language });
  const fill = (stream: Writable): Promise<void> =>
    writeBook(stream, file, { made: context.clock() }, (book) => fillUndo(book, context, planned, language));
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
  for (const one of sheets) await addRows(book, context, one, language);
  if (cannot.length > 0) await addUndone(book, cannot, language);
  const base = book.hidden(BASELINE_SHEET, encodeBaselineStamp(stamp));
  const records = sheets.flatMap(({ rows }) => rows.flatMap(({ base: left }) => left ?? []));
  await base.add(records.map(encodeBaselineRecord));
  for (const sheet of posted) await book.hidden(sheet.name, []).add(await textRows(sheet));
}

/** The rows of one resource, to be imported: the columns that one of them has, as an export has them. */
async function addRows(
  book: BookFeed,
  { resources }: Context,
  { resource, rows }: PlannedUndo['sheets'][number],
  language: Language,
): Promise<void> {
  const used = new Set(rows.flatMap(({ cells }) => Object.keys(cells)));
  const described = describeColumns(resource, { language, resources, lists: [] });
  const columns = undoColumns(resource).filter(({ header }) => used.has(header));
  const written = columns.map(({ header, type }): WrittenColumn => {
    const own = described.find(({ name }) => name === header)?.column;
    const { width, format } = COLUMN_TYPES[type];
    return { header, role: roleOf(own?.role), format, width, note: own?.note ?? [] };
  });
  const sheet = book.sheet({ name: resource.sheet, table: `tbl_${resource.name}`, columns: written });
  const cellsOf = ({ cells }: UndoRow): WrittenRow =>
    columns.map(({ header, type }) => undoneCell(cells[header] ?? null, type, language));
  await sheet.add(rows.map(cellsOf));
}

/** To the second, which a date cell holds exactly; with fractions it stays a text. */
const EXACT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

function undoneCell(value: Value, type: ColumnType, language: Language): WrittenValue {
  const isText = typeof value === 'string' && !EXACT.test(value);
  return encodeCell(value, isText ? 'text' : type, language);
}

const roleOf = (role: ColumnRole | undefined): WrittenRole =>
  role === undefined ? 'shown' : role === 'mark' ? 'key' : role;

/** What to do first, then the fields in their order, and last what is to be known of a row. */
function undoColumns({ fields }: Resource): readonly UndoColumn[] {
  const mark = (header: string): UndoColumn => ({ header, type: 'text' });
  return [
    ...INPUT_MARKS.map(mark),
    ...Object.entries(fields).map(([name, field]) => fieldColumn(name, field)),
    mark('#message'),
  ];
}

type UndoColumn = Pick<ExportColumn, 'header' | 'type'>;

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
  for await (const { row } of rows) all.push(textsOf(row));
  return all;
}

const notXlsx = (file: string): StopError =>
  usageStop(
    t(
      `An undo is a workbook, and ${file} is no name of one.`,
      `Terugdraaien gaat met een werkmap, en ${file} is daar geen naam voor.`,
    ),
    t('Let --out end in .xlsx.', 'Laat --out eindigen op .xlsx.'),
  );
