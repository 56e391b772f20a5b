import type { Writable } from 'node:stream';
import type { Language } from '../../schema/value.ts';
import { BASE_SHEET, encodeBaseRecord, encodeBaseStamp } from '../../workbook/base-sheet.ts';
import { type BookFeed, writeBook } from '../../workbook/write/write-book.ts';
import type {
  WrittenColumn,
  WrittenRole,
  WrittenRow,
  WrittenSheet,
} from '../../workbook/write/written-sheet.ts';
import type { Context } from '../context.ts';
import { FORMATS } from '../template/cell-type.ts';
import { templateFields } from '../template/requirement.ts';
import { type ColumnType, type ExportColumn, type NestedList, nestedLists } from './export-columns.ts';
import { columnNotes } from './export-notes.ts';
import type { Following } from './following.ts';
import type { ExportedRecord, ExportedResource, RecordList } from './lists/exporter.ts';
import { recordReader, type WrittenRecord } from './read-records.ts';
import { nestedRows, type RowOptions, recordRows } from './record-rows.ts';
import { BYTE_ORDER_MARK, type CsvOptions, csvText, writeText } from './write-text.ts';

/** An export under way. */
export interface Export {
  readonly context: Context;
  readonly resource: ExportedResource;
  readonly columns: readonly ExportColumn[];
  readonly listed: RecordList;
  /** Passes by what the last export held; null for an export that does not follow one. */
  readonly following: Following | null;
  readonly options: RowOptions;
  readonly csv: CsvOptions;
  readonly language: Language;
  /** Rows so far, by sheet; the records' own sheet comes first. */
  readonly counts: Map<string, number>;
}

/** Writes a workbook: the records as a table, what is nested in them on sheets of its own, and what they are on a hidden sheet, by which an import tells what the user changed. */
export async function fillBook(stream: Writable, place: string, work: Export): Promise<void> {
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
  work: Export,
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
export async function fillCsv(stream: Writable, work: Export): Promise<boolean> {
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
export async function fillLines(stream: Writable, work: Export): Promise<boolean> {
  for await (const records of pages(work)) {
    const lines = records.map(({ whole }) => `${JSON.stringify(whole)}\n`);
    if (!(await writeText(stream, lines.join('')))) return false;
    count(work.counts, work.resource.sheet, records.length);
  }
  return true;
}

async function* pages(work: Export): AsyncGenerator<readonly WrittenRecord[]> {
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
  { resource, options }: Export,
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
  { context, resource, language }: Export,
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
