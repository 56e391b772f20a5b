import { type Cell, columnLetters, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { type InputMark, normaliseHeader, OUTPUT_MARKS } from '../../core/header.ts';
import type { Finding } from '../../core/issue.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import { isStatusText } from '../../core/plan.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import type { Value } from '../../core/value.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { isExported, listerOf } from '../../lists/lists.ts';
import type { SheetColumns } from '../../records/mapped-row.ts';
import { type Field, holdsDay, readOnly } from '../../schema/field.ts';
import { countedAmounts, idNamedBy, isNameHeader, type Resource } from '../../schema/resource.ts';
import { isBlank } from './cell-sense.ts';
import { fieldOf, type HeaderCell, type HeaderRow, isFilled, isRead } from './find-header.ts';
import { isListed, namedHeaders } from './listed-columns.ts';

/** One value for all rows, from `--set Field=value`. */
export interface SetValue {
  readonly field: string;
  readonly text: string;
}

/** Has rows without a key and without `#action` create their record. */
export const CREATE_UNNAMED: SetValue = { field: '#action', text: 'create' };

/** Whether rows without a key create their record. */
const createsUnnamed = (set: readonly SetValue[]): boolean =>
  set.some(({ field, text }) => field === CREATE_UNNAMED.field && text === CREATE_UNNAMED.text);

/** The same, as it is read in each row; the reader knows the columns of the field that the sheet has. */
interface SetColumn {
  readonly field: string;
  readonly cell: Cell;
  readonly reader: ColumnReader;
}

/** How the columns of one sheet become the fields of one resource. */
export interface SheetMapping<R extends Resource = Resource> extends SheetColumns<R>, HeaderRow {
  /** What is read from each column that counts, by its number. */
  readonly readers: readonly (ColumnReader | undefined)[];
  /** Columns that hold text, or a number or date as text, among the first rows. */
  readonly textual: ReadonlySet<number>;
  /** Fields of which one header is over several columns. */
  readonly shared: ReadonlySet<string>;
  /** Whether a column has a header, by its number: elsewhere no value may stand. */
  readonly headed: readonly (boolean | undefined)[];
  /** It is a CSV, in which a value too many moves the others. */
  readonly separated: boolean;
  /** Columns of an earlier result, which the next one replaces. */
  readonly outputColumns: ReadonlySet<number>;
  /** Values for fields that the sheet lacks. */
  readonly set: readonly SetColumn[];
  /** Values for fields that the sheet has, where a row has none. */
  readonly fills: readonly SetColumn[];
  /** An apostrophe may stand before what begins as a formula. */
  readonly guarded: boolean;
  /** Headers of an export's columns that only the service fills in. */
  readonly listed: readonly string[];
  /**
   * Columns that are only shown: the resource's own and those of names; others where it is known what stood
   * there, or it counts.
   */
  readonly told: ReadonlyMap<number, { readonly header: string; readonly instead: string | null }>;
}

/** What is known of a sheet beside its header. */
interface Surroundings {
  /** The first rows below the header. */
  readonly below?: readonly Row[];
  /** It is a CSV, in which a value too many moves the others. */
  readonly separated?: boolean;
  /** An apostrophe may stand before what begins as a formula, as in a CSV and in a workbook made from one. */
  readonly guarded?: boolean;
  /** The workbook knows what stood in its cells when it was written. */
  readonly remembers?: boolean;
}

/** Maps a header row's cells onto the resource's fields and the program's own columns. */
export function mapHeader(
  sheet: string,
  resource: Resource,
  header: HeaderRow,
  set: readonly SetValue[],
  { below = [], separated = false, guarded = separated, remembers = false }: Surroundings = {},
): SheetMapping {
  // One that was chosen not to be used counts as having a header.
  const headers = header.headers.filter((cell) => isFilled(cell) || isRead(cell) || cell.chosen === true);
  const outputColumns = findOutputColumns(headers, below);
  const readers = columnReaders(resource, headers);
  const fields = readers.map((reader) => (reader?.mark === false ? reader.name : undefined));
  const others = headers
    .filter((cell, at) => {
      const { group, header: text } = cell;
      const isUsed = isRead(cell) || outputColumns.has(cell.column) || !isFilled(cell);
      return !isUsed && (group !== text || headers[at - 1]?.group !== group);
    })
    .map((cell) => cell.header.trim());
  const outputOf = (name: string): number | undefined =>
    headers.find((cell) => cell.name === name && outputColumns.has(cell.column))?.column;
  const status = outputOf(STATUS);
  const headed: boolean[] = [];
  for (const { column } of headers) headed[column] = true;
  const given = set
    .filter(({ field }) => Object.hasOwn(resource.fields, field))
    .map(({ field, text }): SetColumn => {
      const columns = readers.flatMap((reader, column) => (reader?.name === field ? [column] : []));
      const cell = { column: 0, type: 'text', value: text } as const;
      return { field, cell, reader: columnReader(resource, field, 0, columns) };
    });
  return {
    ...header,
    ...{ sheet, resource, headers, readers, outputColumns, guarded },
    createsUnnamed: createsUnnamed(set),
    columns: new Map(fields.flatMap((field, column) => (field === undefined ? [] : [[column, field]]))),
    columnOf: firstColumns(readers, false),
    outputs: status === undefined ? undefined : { '#status': status, '#id': outputOf('#id') },
    marks: firstColumns(readers, true) as ReadonlyMap<InputMark, number>,
    textual: new Set(below.flatMap(({ cells }) => cells.flatMap(textColumn))),
    shared: new Set(headers.flatMap((cell) => (cell.group === undefined ? [] : (fieldOf(cell) ?? [])))),
    headed,
    separated,
    set: given.filter(({ reader }) => reader.columns.length === 0),
    fills: given.filter(({ reader }) => reader.columns.length > 0),
    told: new Map(headers.flatMap((cell) => toldColumn(resource, cell, readers, remembers))),
    listed: others.filter((text) => isListed(resource, text)),
    unknown: others.filter((text) => !isListed(resource, text)),
  };
}

/** A column that is only shown, and the field to fill in in its place; none for one that counts, or tells nothing. */
function toldColumn(
  resource: Resource,
  cell: HeaderCell,
  readers: Readers,
  remembers: boolean,
): [number, { header: string; instead: string | null }][] {
  const { column, name } = cell;
  const field = fieldOf(cell);
  const header = field ?? cell.header.trim();
  const { sentFor } = kindOf(resource);
  // Whether it names what a row is about, or a record that it refers to.
  const isName = isNameHeader(resource, header) || idNamedBy(resource, header) !== undefined;
  const isOurs =
    isName ||
    // It tells since when others may have changed the record.
    ('id' in resource && header === 'LMT') ||
    namedHeaders(resource).some((one) => one.header === header) ||
    ((remembers || sentFor !== undefined) && isListed(resource, header));
  const isShown = field === undefined ? isOurs && name === undefined : readers[column]?.field === null;
  return isShown ? [[column, { header, instead: sentFor?.(resource, header) ?? null }]] : [];
}

const textColumn = ({ type, column }: Cell): number[] => (type === 'text' ? [column] : []);

/** The first filled cell of a row in a column without a header; undefined for none. */
export function bareCell({ cells }: Row, { headed }: Pick<SheetMapping, 'headed'>): Cell | undefined {
  return cells.find((cell) => headed[cell.column] !== true && !isBlank(cell));
}

/** The readers in an array by column number. */
function columnReaders(resource: Resource, headers: readonly HeaderCell[]): (ColumnReader | undefined)[] {
  const read = headers.filter(isRead);
  const last = Math.max(0, ...read.map(({ column }) => column));
  const readers = new Array<ColumnReader | undefined>(last + 1).fill(undefined);
  const columnsOf = new Map<string, number[]>();
  for (const { column, name = '' } of read) {
    const columns = columnsOf.get(name) ?? [];
    columnsOf.set(name, columns);
    columns.push(column);
    readers[column] = columnReader(resource, name, column, columns);
  }
  return readers;
}

/** The first column of each field, or of each mark. */
function firstColumns(readers: Readers, marks: boolean): ReadonlyMap<string, number> {
  const first = readers.filter((reader, at) => reader?.mark === marks && reader.columns[0] === at);
  return new Map(first.flatMap((reader) => (reader ? [[reader.name, reader.columns[0] ?? 0]] : [])));
}

/** Columns as text: `B, F`. */
export function lettersOf(columns: readonly number[]): string {
  return columns.map(columnLetters).join(', ');
}

type Readers = readonly (ColumnReader | undefined)[];

const [STATUS, ...OTHERS] = OUTPUT_MARKS;

/**
 * The columns of an earlier result: `#status`, and the nearest of each of the others, at its right before those at its
 * left. A `#status` that holds other things is the user's own.
 */
function findOutputColumns(header: readonly HeaderCell[], below: readonly Row[]): ReadonlySet<number> {
  const statuses = header.filter((cell) => cell.name === STATUS && isOurs(cell, below));
  return new Set(
    statuses.flatMap(({ column: status }) => {
      const nearest = OTHERS.flatMap((name) => {
        const all = header.filter((cell) => cell.name === name);
        return all.find(({ column }) => column > status) ?? all.at(-1) ?? [];
      });
      return [status, ...nearest.map(({ column }) => column)];
    }),
  );
}

/** Whether the first rows of a `#status` column hold a status; people may have written remarks among them. */
function isOurs({ column }: HeaderCell, below: readonly Row[]): boolean {
  const filled = below.flatMap(({ cells }) =>
    cells.filter((cell) => cell.column === column && !isBlank(cell)).map(cellText),
  );
  return filled.length === 0 || filled.some(isStatusText);
}

/** The headers of a result's own columns, numbered where the user has a column of that name. */
export function outputHeaders(headers: readonly HeaderCell[], outputColumns: ReadonlySet<number>): string[] {
  const taken = new Set(
    headers.flatMap(({ header, column }) => (outputColumns.has(column) ? [] : normaliseHeader(header))),
  );
  return OUTPUT_MARKS.map((mark) => {
    let name: string = mark;
    for (let number = 2; taken.has(name); number++) name = `${mark}${number}`;
    return name;
  });
}

/** How the cells of one column are read, worked out once a sheet. */
export interface ColumnReader {
  /** The resource's field, or the program's own `#action` or `#key`. */
  readonly name: string;
  /** Whether it is one of the program's own columns. */
  readonly mark: boolean;
  /** Such as `F`; null for a value that stands in no column. */
  readonly letters: string | null;
  /** Null for the program's own columns, and for those that only reads return. */
  readonly field: Field | null;
  /** The field of a column that only reads return, where it helps to find the record. */
  readonly finds: Field | null;
  readonly check: FieldCheck | null;
  /** Where the number is found of what somebody knows by its name; null for a field that is no id. */
  readonly numbered: Bilingual | null;
  /** Whether amounts that were counted stand there. */
  readonly counts: boolean;
  /** Whether `#CLEAR` may stand there. */
  readonly clearable: boolean;
  /** All columns with this header; more than one where it stands there twice. */
  readonly columns: readonly number[];
}

const NOT_READ = {
  ...{ field: null, finds: null, check: null, numbered: null },
  ...{ counts: false, clearable: false },
} as const;

/** The reader of a column with a field or a mark; `column` 0 is a value for all rows. */
function columnReader(
  resource: Resource,
  name: string,
  column: number,
  columns: readonly number[],
): ColumnReader {
  const field = resource.fields[name];
  const letters = column === 0 ? null : columnLetters(column);
  const own = { ...NOT_READ, name, mark: field === undefined, letters, columns };
  if (field !== undefined && !readOnly(field))
    return {
      ...{ ...own, field, check: checkOf(name, field), clearable: isClearable(resource, name) },
      counts: countedAmounts(resource).some(({ counted }) => counted === name),
      numbered:
        field.codec.type === 'integer' && ID_NAME.test(name) ? numberedIn(resource, name, field) : null,
    };
  return resource.finds?.includes(name) === true ? { ...own, finds: field ?? null } : own;
}

/** Whether `#CLEAR` may stand in a column. */
export function isClearable({ keys, fields }: Resource, name: string): boolean {
  return !keys.includes(name) && fields[name]?.update === 'optional';
}

/** Where a reader's cell stands in a row, such as `F12`. */
export function placeOf({ letters }: ColumnReader, row: number): string | null {
  return letters === null ? null : `${letters}${row}`;
}

/** The user gives these numbers: where names stand they are not found. */
const OWN_NUMBER = /(?:^|\.)ExternalID$/;

/** Where a record's number is found by its name: an export has the names of what its records name too. */
function numberedIn(resource: Resource, name: string, { record }: Field): Bilingual {
  if (OWN_NUMBER.test(name))
    return t(
      'fill in your own number of the record, which has digits alone',
      'vul je eigen nummer van het record in, met alleen cijfers',
    );
  const isKey = resource.keys.includes(name);
  const ways = isExported(resource) ? listerOf(resource).ways(resource) : [];
  if (isKey ? ways.length > 0 : record !== undefined && ways.includes('period'))
    return withFlag(
      t(
        `fill in the number: an export of ${resource.sheet} shows it beside the name`,
        `vul het nummer in: een export van ${resource.sheet} laat het naast de naam zien`,
      ),
      `catersheet export ${resource.name}${ways.includes('period') ? ' --from D --to D' : ''}`,
    );
  return t(
    'fill in the number, as an export of such records or the service shows it',
    'vul het nummer in, zoals een export van zulke records of het systeem het laat zien',
  );
}

/** Checks a value of the right type; undefined where it makes sense. Without a year no date is far. */
type FieldCheck = (value: Value, thisYear?: number) => Finding | undefined;

/** Longest text that is usual for a field without a `sensible` length: some four pages. */
const LONG = 10_000;
/** Characters of a long text that are quoted. */
const QUOTED = 60;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** The interface ends the name of every id so. */
const ID_NAME = /ID$/;

/** A date more years from now is likely a number shown as a date, or a two-digit year in another century. */
const FAR = 20;
const MIDNIGHT = ' 00:00:00';
const DAY_ALONE = 10;

/** The check of a field's values beside their type; null for none. */
export function checkOf(name: string, field: Field): FieldCheck | null {
  const { codec, sensible = LONG } = field;
  if (codec.type === 'integer' && ID_NAME.test(name)) return checkId;
  if (codec.type === 'datetime') return checkDate(holdsDay(field));
  return codec.type === 'text' ? (value) => checkLength(value, sensible) : null;
}

/** 0 is what a formula makes of an empty cell; no record has it. */
function checkId(value: Value): Finding | undefined {
  if (typeof value !== 'number' || value > 0) return undefined;
  return { code: value === 0 ? 'id-zero' : 'id-negative', found: String(value) };
}

function checkDate(day: boolean): FieldCheck {
  return (value, thisYear) => {
    // A time alone has no year.
    if (typeof value !== 'string' || value.length < DAY_ALONE) return undefined;
    const found = (code: 'date-far' | 'date-with-time'): Finding => ({
      ...{ code, found: value },
      hint: shownMoment(value),
    });
    if (thisYear !== undefined && Math.abs(Number(value.slice(0, 4)) - thisYear) > FAR)
      return found('date-far');
    return day && !value.endsWith(MIDNIGHT) ? found('date-with-time') : undefined;
  };
}

function checkLength(value: Value, sensible: number): Finding | undefined {
  if (typeof value !== 'string' || value.length <= sensible) return undefined;
  const hint = t(
    `${value.length} characters, where ${sensible} are usual at most`,
    `${value.length} tekens, waar hoogstens ${sensible} gebruikelijk zijn`,
  );
  return { code: 'text-long', found: `${value.slice(0, QUOTED).replace(HALF_PAIR, '')}…`, hint };
}
