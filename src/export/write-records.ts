import type { Writable } from 'node:stream';
import Papa from 'papaparse';
import { cellAddress } from '../core/cell.ts';
import { shownNumber } from '../core/codecs/shown-cell.ts';
import { type Bilingual, t } from '../core/language.ts';
import { OWN_SHEETS } from '../core/own-sheets.ts';
import type { Locale } from '../core/value.ts';
import { plainJson, visibleControls, visibleLine } from '../core/visible-text.ts';
import { guardFormula } from '../csv/csv-layout.ts';
import { BASELINE_SHEET, encodeBaselineRecord, encodeBaselineStamp } from '../files/baseline-sheet.ts';
import { nestedSheet } from '../import/map/listed-columns.ts';
import { type CellLoss, type CellOptions, safeCell, textRead } from '../import/map/safe-cell.ts';
import { listerOf } from '../lists/lists.ts';
import {
  type ExportColumn,
  type ExportedRecord,
  type ExportedResource,
  firstOf,
  type RecordList,
} from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { type AnswerRecord, type Members, memberAt } from '../schema/answer.ts';
import { kindWords } from '../schema/resource.ts';
import { lookUpSheet, type recordNames } from '../template/record-names.ts';
import { type BookFeed, writeBook } from '../xlsx/write/write-book.ts';
import type { WrittenRow, WrittenValue } from '../xlsx/write/written-book.ts';
import {
  type columnNames,
  type NestedList,
  nestedLists,
  writtenLists,
  writtenSheet,
} from './export-columns.ts';
import type { followWatermark, ReadRecord } from './watermark.ts';

/** How a CSV is written. */
interface CsvOptions {
  readonly delimiter: string;
  /** How its numbers are written. */
  readonly locale: Locale;
  /** For a terminal: a record stays on its line. */
  readonly oneLine: boolean;
}

/** By it Excel recognises UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

function csvText(rows: readonly WrittenRow[], options: CsvOptions): string {
  const records = rows.map((row) => row.map((value) => csvField(value, options)));
  return `${Papa.unparse(records, { delimiter: options.delimiter, newline: '\r\n' })}\r\n`;
}

/** Three decimals may be read as thousands in another locale; with a zero added they are not. */
const AMBIGUOUS = /^-?\d{1,3}[.,]\d{3}$/;

function csvField(value: WrittenValue, { locale, oneLine }: CsvOptions): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'object') return value.date;
  if (typeof value === 'number') {
    const text = shownNumber(value, undefined, locale);
    return AMBIGUOUS.test(text) ? `${text}0` : text;
  }
  return guardFormula(oneLine ? visibleLine(value) : visibleControls(value));
}

/** Writes text and waits until it was passed on; false when the stream's reader went away. */
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

/** Writes rows to a stream as CSV in UTF-8; false when the stream's reader went away. */
export function openCsv(
  stream: Writable,
  options: CsvOptions,
): (rows: readonly WrittenRow[]) => Promise<boolean> {
  let before = BYTE_ORDER_MARK;
  return async (rows) => {
    if (rows.length === 0) return true;
    const text = `${before}${csvText(rows, options)}`;
    before = '';
    return await writeText(stream, text);
  };
}

/** An export under way. */
export interface ExportJob extends CellOptions, CsvOptions {
  readonly context: Context;
  readonly resource: ExportedResource;
  readonly columns: readonly ExportColumn[];
  readonly listed: RecordList;
  /** Skips what the last export held; null for an export that does not go on from one. */
  readonly following: ReturnType<typeof followWatermark> | null;
  readonly losses: ReturnType<typeof cellLosses>;
  /** The names in place of ids; null for numbers. */
  readonly names: ReturnType<typeof columnNames> | null;
  /** The names beside ids; null for none. */
  readonly beside: ReturnType<typeof recordNames> | null;
  /** Rows so far, by sheet; the records' own sheet first. */
  readonly counts: Map<string, number>;
}

/** A record to write: without its malformed nested records, and whole as it came, for NDJSON. */
interface WrittenRecord extends ReadRecord {
  readonly whole: AnswerRecord;
}

/** Writes a workbook: each kind as a table, with nested lists on further sheets; a hidden baseline sheet. */
export async function fillBook(stream: Writable, place: string, jobs: readonly ExportJob[]): Promise<void> {
  const { context, language } = jobs[0] as ExportJob;
  const made = new Date(context.time.now());
  await writeBook(stream, place, { made, language }, async (book) => {
    const headers = jobs.map(({ resource, columns }) => {
      return [
        resource.name,
        columns.filter(({ imported }) => !imported).map(({ header }) => header),
      ] as const;
    });
    const shown = JSON.stringify(Object.fromEntries(headers));
    const stamp = encodeBaselineStamp({ service: context.serviceKey, at: made.toISOString(), shown });
    const tail = () => jobs.flatMap(({ names, resource }) => names?.writtenNames(resource.name) ?? []);
    const base = book.hidden(BASELINE_SHEET, stamp, tail);
    book.lists(OWN_SHEETS.lists[language], () => writtenLists(jobs));
    const members = jobs.flatMap(({ resource }) => nestedLists(resource).map(({ member }) => member));
    for (const job of jobs) {
      // Packages and recipes have lists of the same name.
      const isShared = ({ member }: NestedList) => members.filter((one) => one === member).length > 1;
      const lists = nestedLists(job.resource).map((list) => {
        return { ...list, sheet: isShared(list) ? nestedSheet(job.resource, list.member) : list.member };
      });
      await fillSheets(book, base, job, lists);
    }
    const named = lookUpSheet(
      jobs.map(({ beside }) => beside?.met ?? []),
      language,
    );
    if (named !== null) await book.sheet(named).add(named.rows);
  });
}

/** A list of nested records, with the name of its sheet. */
interface SheetList extends NestedList {
  readonly sheet: string;
}

/** Fills the sheets of one kind. */
async function fillSheets(
  book: BookFeed,
  base: ReturnType<BookFeed['hidden']>,
  job: ExportJob,
  lists: readonly SheetList[],
): Promise<void> {
  const { resource, columns } = job;
  const grey = columns.flatMap(({ imported }, at) => (imported ? [] : [at]));
  const sheet = book.sheet({ ...writtenSheet(job, resource.sheet, columns), keyInSight: true });
  const rowsIn = recordRows(columns, job);
  const nested = lists.map((list) => nestedFeed(book, job, list));
  for await (const records of pages(job)) {
    if (records.length === 0) continue;
    const rows = rowsOf(job, records, rowsIn);
    await sheet.add(rows.map(({ cells }) => cells));
    await base.add(rows.flatMap((row) => baseRow(resource, row, grey)));
    for (const add of nested) await add(records);
    count(job, resource.sheet, rows.length);
  }
}

/** Adds nested records to a sheet, which is made with the first of them. */
function nestedFeed(
  book: BookFeed,
  job: ExportJob,
  list: SheetList,
): (records: readonly WrittenRecord[]) => Promise<void> {
  const rowsIn = nestedRows(list, job);
  let feed: ReturnType<BookFeed['sheet']> | undefined;
  return async (records) => {
    const rows = rowsIn(records.map(({ record }) => record));
    if (rows.length === 0) return;
    feed ??= book.sheet(writtenSheet(job, list.sheet, list.columns));
    await feed.add(rows);
    count(job, list.sheet, rows.length);
  };
}

function count({ counts }: ExportJob, sheet: string, more: number): void {
  counts.set(sheet, (counts.get(sheet) ?? 0) + more);
}

/** Writes CSV in UTF-8; false when the stream's reader went away before the end. */
export async function fillCsv(stream: Writable, job: ExportJob): Promise<boolean> {
  const { resource, columns } = job;
  const rowsIn = recordRows(columns, job);
  const write = openCsv(stream, job);
  if (!(await write([columns.map(({ header }) => header)]))) return false;
  for await (const records of pages(job)) {
    const rows = rowsOf(job, records, rowsIn).map(({ cells }) => cells);
    if (!(await write(rows))) return false;
    count(job, resource.sheet, rows.length);
  }
  return true;
}

/** A record as it came, without what only columns show. */
function withoutBeside(whole: AnswerRecord): AnswerRecord {
  const members = Object.entries(whole);
  const own = members.filter(([name]) => !name.startsWith('#'));
  return own.length === members.length ? whole : Object.fromEntries(own);
}

/** Writes NDJSON, records as they came; false when the stream's reader went away before the end. */
export async function fillLines(stream: Writable, job: ExportJob): Promise<boolean> {
  for await (const records of pages(job)) {
    const lines = records.map(({ whole }) => `${plainJson(JSON.stringify(withoutBeside(whole)))}\n`);
    if (!(await writeText(stream, lines.join('')))) return false;
    count(job, job.resource.sheet, records.length);
  }
  return true;
}

async function* pages(job: ExportJob): AsyncGenerator<readonly WrittenRecord[]> {
  const { context, listed, following, resource, counts, losses, names, beside } = job;
  const lister = listerOf(resource);
  const readable = readableRecords(resource.listed, (path, record) =>
    losses.lose('misshapen', path, () => nameOf(resource, record)),
  );
  count(job, resource.sheet, 0);
  for await (const records of listed) {
    context.signal?.throwIfAborted();
    const all = records.map((record) => ({ record, known: lister.read(resource, record) }));
    const fresh = following?.fresh(all) ?? all;
    if (fresh.length > 0) await names?.read();
    const read = fresh.map(({ record }) => readable(record));
    const shown = (await beside?.namesOf(read)) ?? read;
    yield fresh.map(({ record, known }, at) => ({ record: shown[at] as AnswerRecord, whole: record, known }));
    const done = counts.get(resource.sheet) ?? 0;
    context.onProgress?.({ stage: 'reading', of: kindWords(resource), done, total: listed.total });
  }
}

const nameOf = (resource: ExportedResource, record: AnswerRecord): string =>
  'id' in resource ? `${resource.id} ${record[resource.id]}` : '';

/** The rows of records; records without a row are counted with the losses. */
function rowsOf(
  { resource, losses }: ExportJob,
  records: readonly WrittenRecord[],
  rowsIn: ReturnType<typeof recordRows>,
): { readonly known: ExportedRecord; readonly cells: WrittenRow }[] {
  const there = records.flatMap(({ record, known }) => {
    if (known !== null) return [{ record, known }];
    losses.lose('deleted', resource.sheet, () => nameOf(resource, record));
    return [];
  });
  const cells = rowsIn(there);
  return there.map(({ known }, at) => ({ known, cells: cells[at] ?? [] }));
}

/** A row of the baseline sheet; none for a record without an id. */
function baseRow(
  { name }: ExportedResource,
  { known: { key, lmt, values }, cells }: { readonly known: ExportedRecord; readonly cells: WrittenRow },
  grey: readonly number[],
): (readonly string[])[] {
  if (key === null) return [];
  const shown = grey.map((at) => textRead(cells[at] ?? null));
  return [encodeBaselineRecord({ resource: name, key, lmt, values, shown })];
}

/** What a row does not hold as the record does, or no row holds. */
const LOSSES = {
  deleted: t(
    'deleted, without a row; NDJSON holds them, with DEL',
    'verwijderd, zonder rij; NDJSON bevat ze, met DEL',
  ),
  misshapen: t(
    'not as the interface describes it; its cells are empty, and NDJSON holds what came',
    'niet zoals de interface het beschrijft; de cellen ervan zijn leeg, en NDJSON bevat wat er kwam',
  ),
  'too-long': t(
    'longer than a cell holds (32,767 characters); the cell is empty, an import leaves the field alone, and a CSV or NDJSON holds it in full',
    'langer dan een cel kan bevatten (32.767 tekens); de cel is leeg, een import laat het veld met rust, en een CSV of NDJSON bevat de hele tekst',
  ),
  refused: t(
    'a value that the field does not take; an import of this workbook leaves it alone unless it is changed, one of a CSV refuses it',
    'een waarde die het veld niet aanneemt; een import van deze werkmap laat hem met rust zolang hij niet wordt gewijzigd, een van een CSV weigert hem',
  ),
  misread: t(
    'a value that an import would take for something else; the cell is empty, an import leaves the field alone, and NDJSON holds it',
    'een waarde die een import voor iets anders zou aanzien; de cel is leeg, een import laat het veld met rust, en NDJSON bevat hem',
  ),
  controls: t(
    'with control characters; a CSV shows those as signs such as ␛, and NDJSON holds them',
    'met besturingstekens; een CSV toont die als tekens zoals ␛, en NDJSON bevat ze',
  ),
} as const satisfies Readonly<Record<CellLoss | 'deleted' | 'misshapen', Bilingual>>;

/** Places of a loss that are kept: more than a note names. */
const KEPT = 50;

/** Counts the values that cells could not hold, and the records without a row. */
export function cellLosses() {
  const tallies = new Map<string, { count: number; readonly places: string[] }>();

  /** Counts what is lost of a column, a member or a sheet; `place` gives the cell's address or the record's name. */
  function lose(why: keyof typeof LOSSES, what: string, place: () => string): void {
    const key = `${why} ${what}`;
    const known = tallies.get(key) ?? { count: 0, places: [] };
    tallies.set(key, known);
    if (known.count++ < KEPT) known.places.push(place());
  }

  function notes(): Bilingual[] {
    return [...tallies].map(([key, { count, places }]) => {
      const [why, what] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
      const { en, nl } = LOSSES[why as keyof typeof LOSSES];
      const all = firstOf(places);
      return t(`${what}: ${count} × ${en} (${all})`, `${what}: ${count} × ${nl} (${all})`);
    });
  }

  return { lose, notes };
}

/** Leaves out malformed nested records, such as a text in place of an object: no cell can hold them. */
function readableRecords(
  members: Members,
  misshapen: (path: string, whole: AnswerRecord) => void,
): (record: AnswerRecord, whole?: AnswerRecord) => AnswerRecord {
  const readers = Object.entries(members).flatMap(([name, member]) => {
    if (typeof member === 'string') return [];
    const tell = (path: string, whole: AnswerRecord): void => misshapen(`${name}.${path}`, whole);
    const inside = 'one' in member ? readableRecords(member.one, tell) : (inner: AnswerRecord) => inner;
    return [{ name, inside, many: 'many' in member }];
  });
  return (record, whole = record) => {
    let readable = record;
    for (const { name, inside, many } of readers) {
      const value = record[name];
      if (value === null || value === undefined) continue;
      if (many && Array.isArray(value) && value.every(isRecord)) continue;
      const kept = isRecord(value) ? inside(value, whole) : null;
      if (kept === value) continue;
      if (kept === null) misshapen(name, whole);
      readable = { ...readable, [name]: kept };
    }
    return readable;
  };
}

const isRecord = (value: unknown): value is AnswerRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes the rows of records, in order from the first below the header. */
function recordRows(
  columns: readonly ExportColumn[],
  options: ExportJob,
): (records: readonly { readonly record: AnswerRecord; readonly known: ExportedRecord }[]) => WrittenRow[] {
  const cellsOf = rowMaker(columns, options);
  return (records) =>
    cellsOf(
      records.map(({ record, known: { values } }) =>
        columns.map(({ field, header, path }) =>
          field === null ? memberAt(record, path) : (values[header] ?? null),
        ),
      ),
    );
}

/** Makes the rows of the records nested in a member of records: of each none, one or several. */
function nestedRows(
  { path: place, columns }: NestedList,
  options: ExportJob,
): (records: readonly AnswerRecord[]) => WrittenRow[] {
  const cellsOf = rowMaker(columns, { ...options, names: null });
  return (records) =>
    cellsOf(
      records.flatMap((record) =>
        [memberAt(record, place) ?? []]
          .flat()
          .map((nested) =>
            columns.map(({ header, path }) => (path.length === 0 ? record[header] : memberAt(nested, path))),
          ),
      ),
    );
}

function rowMaker(
  columns: readonly ExportColumn[],
  options: ExportJob,
): (rows: readonly (readonly unknown[])[]) => WrittenRow[] {
  let row = 1;
  return (rows) =>
    rows.map((values) => {
      row++;
      return columns.map(
        (column, at) =>
          options.names?.textOf(column.header, values[at]) ??
          safeCell(values[at], column, options, (why) =>
            options.losses.lose(why, column.header, () => cellAddress(at + 1, row)),
          ),
      );
    });
}
