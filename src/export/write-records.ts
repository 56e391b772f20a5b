import type { Writable } from 'node:stream';
import Papa from 'papaparse';
import { shownNumber } from '../core/codecs/shown-cell.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import { guardFormula } from '../csv/csv-layout.ts';
import { BASE_SHEET, encodeBaseRecord, encodeBaseStamp } from '../files/baseline-sheet.ts';
import type {
  ColumnType,
  ExportColumn,
  ExportedRecord,
  ExportedResource,
  RecordList,
} from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { FORMATS } from '../schema/cell-type.ts';
import type { Resource } from '../schema/resource.ts';
import { describeColumns } from '../template/columns.ts';
import { templateFields } from '../template/template-fields.ts';
import { type BookFeed, writeBook } from '../xlsx/write/write-book.ts';
import type {
  WrittenColumn,
  WrittenRole,
  WrittenRow,
  WrittenSheet,
  WrittenValue,
} from '../xlsx/write/written-book.ts';
import { type NestedList, nestedLists } from './listed-columns.ts';
import { recordReader, type WrittenRecord } from './read-records.ts';
import { nestedRows, type RowOptions, recordRows } from './record-rows.ts';
import type { WatermarkFollower } from './watermark.ts';

const TYPE_WORDS: Readonly<Record<ColumnType, Bilingual | null>> = {
  integer: t('whole number', 'geheel getal'),
  decimal: t('number', 'getal'),
  text: t('text', 'tekst'),
  boolean: t('TRUE or FALSE', 'Ja of Nee'),
  datetime: t('date and time', 'datum en tijd'),
  unknown: null,
};

const SHOWN: Bilingual = t(
  'From the service, for you to see: an import passes over this column.',
  'Van de dienst, om te zien: een import slaat deze kolom over.',
);
const TYPE: Bilingual = t('Type', 'Soort');

/** The lines of the note on each column's header: what a template says of those that import takes, and what the others are. */
function columnNotes(
  resource: Resource,
  columns: readonly ExportColumn[],
  { language, resources }: { readonly language: Language; readonly resources: readonly Resource[] },
): string[][] {
  const described = describeColumns(resource, { language, resources, lists: [] });
  const notes = new Map(described.map(({ name, column }) => [name, column.note]));
  return columns.map(({ header, type, field, imported }) => {
    const known = imported ? notes.get(header) : undefined;
    if (known !== undefined) return [...known];
    const word = TYPE_WORDS[type];
    return [
      ...(field === null ? [] : [field.help[language]]),
      ...(word === null ? [] : [`${TYPE[language]}: ${word[language]}`]),
      SHOWN[language],
    ];
  });
}

/** How a CSV is written. */
interface CsvOptions {
  readonly delimiter: string;
  /** How its numbers are written. */
  readonly locale: Locale;
  /** For programs: no byte order mark, and texts that begin as formulas are left as they are. */
  readonly raw: boolean;
}

/** So that Excel takes the file for UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** Records of a CSV as its text, with line ends. */
function csvText(rows: readonly WrittenRow[], options: CsvOptions): string {
  const records = rows.map((row) => row.map((value) => csvField(value, options)));
  return `${Papa.unparse(records, { delimiter: options.delimiter, newline: '\r\n' })}\r\n`;
}

/** Three decimals behind few digits read as thousands in another locale; four do not. */
const AMBIGUOUS = /^-?\d{1,3}[.,]\d{3}$/;

function csvField(value: WrittenValue, { locale, raw }: CsvOptions): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'object') return value.date;
  if (typeof value === 'number') {
    const text = shownNumber(value, undefined, locale);
    return AMBIGUOUS.test(text) ? `${text}0` : text;
  }
  // A CSV with NUL in it is no text to most programs.
  const text = value.replaceAll('\0', '\ufffd');
  return raw ? text : guardFormula(text);
}

/**
 * Writes text to a stream that may be slow, and waits until it was passed on; false when its reader went away or it takes no more, so
 * that there is nothing more to do. Stdout says so to whoever writes: it is never closed.
 */
async function writeText(stream: Writable, text: string): Promise<boolean> {
  if (stream.destroyed) return false;
  return await new Promise((resolve) => {
    const closed = (): void => resolve(false);
    stream.once('close', closed);
    stream.write(text, (error) => {
      stream.off('close', closed);
      resolve(error == null);
    });
  });
}

/** An export under way. */
export interface ExportJob {
  readonly context: Context;
  readonly resource: ExportedResource;
  readonly columns: readonly ExportColumn[];
  readonly listed: RecordList;
  /** Passes by what the last export held; null for an export that does not follow one. */
  readonly following: WatermarkFollower | null;
  readonly options: RowOptions;
  readonly csv: CsvOptions;
  readonly language: Language;
  /** Rows so far, by sheet; the records' own sheet comes first. */
  readonly counts: Map<string, number>;
}

/** Writes a workbook: the records as a table, what is nested in them on sheets of its own, and what they are on a hidden sheet, by which an import tells what the user changed. */
export async function fillBook(stream: Writable, place: string, work: ExportJob): Promise<void> {
  const { context, resource, columns, options, counts } = work;
  const made = context.clock();
  await writeBook(stream, place, { made }, async (book) => {
    const rowOf = recordRows(columns, options);
    const sheet = book.sheet(writtenSheet(work, resource.sheet, columns));
    const stamp = encodeBaseStamp({ service: context.serviceKey, at: made.toISOString() });
    const base = book.hidden(BASE_SHEET, stamp);
    const nested = nestedLists(resource).map((list) => nestedFeed(book, work, list));
    for await (const records of pages(work)) {
      const rows = rowsOf(work, records, rowOf);
      await sheet.add(rows.map(({ cells }) => cells));
      await base.add(rows.flatMap(({ known }) => baseRow(resource, known)));
      for (const add of nested) await add(records);
      count(counts, resource.sheet, rows.length);
    }
  });
}

/** Adds what is nested in records to a sheet, which is only there when something is. */
function nestedFeed(
  book: BookFeed,
  work: ExportJob,
  list: NestedList,
): (records: readonly WrittenRecord[]) => Promise<void> {
  const { options, counts } = work;
  const rowsIn = nestedRows(list, options);
  let feed: ReturnType<BookFeed['sheet']> | undefined;
  return async (records) => {
    const rows = records.flatMap(({ record }) => rowsIn(record));
    if (rows.length === 0) return;
    feed ??= book.sheet(writtenSheet(work, list.member, list.columns));
    await feed.add(rows);
    count(counts, list.member, rows.length);
  };
}

function count(counts: Map<string, number>, sheet: string, more: number): void {
  counts.set(sheet, (counts.get(sheet) ?? 0) + more);
}

/** Writes the records as CSV in UTF-8; false when the stream's reader went away before the end. */
export async function fillCsv(stream: Writable, work: ExportJob): Promise<boolean> {
  const { resource, columns, options, csv, counts } = work;
  const rowOf = recordRows(columns, options);
  const headers = columns.map(({ header }) => header);
  const top = csvText([headers], csv);
  if (!(await writeText(stream, csv.raw ? top : `${BYTE_ORDER_MARK}${top}`))) return false;
  for await (const records of pages(work)) {
    const rows = rowsOf(work, records, rowOf).map(({ cells }) => cells);
    if (rows.length > 0 && !(await writeText(stream, csvText(rows, csv)))) return false;
    count(counts, resource.sheet, rows.length);
  }
  return true;
}

/** Writes the records as they were read, one JSON object a line; false when the stream's reader went away before the end. */
export async function fillLines(stream: Writable, work: ExportJob): Promise<boolean> {
  for await (const records of pages(work)) {
    const lines = records.map(({ whole }) => `${JSON.stringify(whole)}\n`);
    if (!(await writeText(stream, lines.join('')))) return false;
    count(work.counts, work.resource.sheet, records.length);
  }
  return true;
}

async function* pages(work: ExportJob): AsyncGenerator<readonly WrittenRecord[]> {
  const { context, listed, following, resource, counts, options } = work;
  const { read, readable } = recordReader(resource, options.losses);
  count(counts, resource.sheet, 0);
  for await (const records of listed) {
    context.signal?.throwIfAborted();
    const all = records.map(read);
    const fresh = following?.fresh(all) ?? all;
    yield fresh.map(readable);
    const done = counts.get(resource.sheet) ?? 0;
    context.onProgress?.({ stage: 'reading', done, total: listed.total });
  }
}

/** The records of which rows are made, with those rows; the others are counted with the losses. */
function rowsOf(
  { resource, options }: ExportJob,
  records: readonly WrittenRecord[],
  rowOf: ReturnType<typeof recordRows>,
): { readonly known: ExportedRecord; readonly cells: WrittenRow }[] {
  return records.flatMap(({ record, known }) => {
    if (known !== null) return [{ known, cells: rowOf(record, known) }];
    options.losses.leave('id' in resource ? String(record[resource.id]) : '');
    return [];
  });
}

/** What a record is, under the key that the planner gives it; nothing for one without an id. */
function baseRow({ name }: ExportedResource, { key, lmt, values }: ExportedRecord): (readonly string[])[] {
  return key === null ? [] : [encodeBaseRecord({ resource: name, key, lmt, values })];
}

/** The most usual width of a type's cells, in characters; headers and the first rows may need more. */
const WIDTHS: Readonly<Record<ColumnType, number>> = {
  ...{ integer: 10, decimal: 10, text: 14, boolean: 8, datetime: 20, unknown: 10 },
};

const CELL_FORMATS: Readonly<Record<ColumnType, string>> = {
  ...{ integer: FORMATS.integer, decimal: FORMATS.decimal, text: FORMATS.text },
  ...{ boolean: FORMATS.boolean, datetime: 'dd-mm-yyyy hh:mm:ss', unknown: 'General' },
};

function writtenSheet(
  { context, resource, language }: ExportJob,
  name: string,
  columns: readonly ExportColumn[],
): WrittenSheet {
  const notes = columnNotes(resource, columns, { language, resources: context.resources });
  const roles = new Map<string, WrittenRole>(templateFields(resource).map(({ name, role }) => [name, role]));
  const written = columns.map(({ header, type, imported }, at): WrittenColumn => {
    const role = (imported ? roles.get(header) : undefined) ?? 'shown';
    return { header, role, format: CELL_FORMATS[type], width: WIDTHS[type], note: notes[at] ?? [] };
  });
  const own = name === resource.sheet ? resource.name : `${resource.name}_${name}`;
  return { name, table: `tbl_${own.replace(/\W/g, '_')}`, columns: written };
}
