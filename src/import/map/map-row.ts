import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { type Codec, cellText, type DecodedCell, undecodable } from '../../core/codec.ts';
import { type InputMark, ROW_MARK } from '../../core/header.ts';
import { type Finding, type Issue, issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { Bilingual, Locale, Value, Values } from '../../core/value.ts';
import { unguardFormula } from '../../csv/csv-layout.ts';
import type { Field, Lookup } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';
import { type ColumnOrders, type OtherNumbers, otherNumber } from './column-habits.ts';
import { type ColumnReader, placeOf } from './column-reader.ts';
import { lettersOf, type SheetMapping } from './sheet-mapping.ts';

/** What a row asks for; `auto`, an empty `#action`, creates or updates as needed. */
type RowAction = 'auto' | 'create' | 'update' | 'delete' | 'skip';

/** A lookup column that holds a name: turned into an id before the row is planned. */
export interface PendingName {
  readonly field: string;
  readonly lookup: Lookup;
  readonly name: string;
  readonly address: string | null;
}

/** One row read as typed fields. An absent value leaves the field alone, null clears it. */
export interface MappedRow<R extends Resource = Resource> {
  readonly mapping: SheetMapping<R>;
  /** Its number in the sheet; of a row that came back with one from `#row`, that in the file it came from. */
  readonly row: number;
  /** The number from `#row`; null for a row without. */
  readonly origin: number | null;
  readonly action: RowAction;
  /** The user's own name for the row, from `#key`. */
  readonly reference: string | null;
  readonly values: Record<string, Value>;
  /** What stands in columns that are never sent and help to find the record; what can't be read there is passed over. */
  readonly shown: Values;
  readonly issues: Issue[];
  readonly names: PendingName[];
}

/** How cells are read. */
export interface MapOptions extends Reading {
  /** Warnings stop their row. */
  readonly strict: boolean;
}

type Draft = { -readonly [Member in keyof MappedRow]: MappedRow[Member] };

const ACTION_WORDS: ReadonlySet<string> = new Set(['create', 'update', 'delete', 'skip']);
const NOTHING_SHOWN: Values = {};

/** Where a field stands in a row, such as `F12`; null when the sheet has no column for it. */
export function addressOf(mapping: SheetMapping, field: string, row: number): string | null {
  const column = mapping.columnOf.get(field);
  return column === undefined ? null : cellAddress(column, row);
}

/** Where one of the program's own columns stands in a row. */
export function markAddress(mapping: SheetMapping, mark: InputMark, row: number): string | null {
  const column = mapping.marks.get(mark);
  return column === undefined ? null : cellAddress(column, row);
}

/** The number that a row has from `#row`, null for one without. */
export function originOf({ number, cells }: Row, { marks, headerRow }: SheetMapping): number | null {
  const column = marks.get(ROW_MARK);
  const cell =
    column === undefined || number <= headerRow ? undefined : cells.find((one) => one.column === column);
  const origin = cell === undefined ? Number.NaN : Number(cellText(cell).trim() || Number.NaN);
  return Number.isSafeInteger(origin) && origin > 0 ? origin : null;
}

/** The number by which a row goes: the one from `#row`, else its own. */
export function rowNumber(row: Row, mapping: SheetMapping): number {
  return originOf(row, mapping) ?? row.number;
}

/** Reads one row by its sheet's mapping; undefined for a row that says nothing in any column that counts. */
export function mapRow(row: Row, mapping: SheetMapping, options: MapOptions): MappedRow | undefined {
  const { readers, lastHeader, outputColumns } = mapping;
  const origin = originOf(row, mapping);
  const mapped: Draft = {
    mapping,
    row: origin ?? row.number,
    origin,
    action: 'auto',
    reference: null,
    values: {},
    shown: NOTHING_SHOWN,
    issues: [],
    names: [],
  };
  let says = false;
  for (const cell of row.cells) {
    const reader = readers[cell.column];
    if (cell.column > lastHeader && !outputColumns.has(cell.column)) noteBeyond(cell, mapped);
    if (reader === undefined || isBlank(cell) || reader.name === ROW_MARK) continue;
    if (reader.name !== '#key') says = true;
    if (reader.columns.length > 1 && readBefore(reader, cell, row, mapped)) continue;
    if (reader.field !== null) readField(reader, cell, mapped, options);
    else if (reader.mark) readMark(reader, cell, mapped);
    else if (reader.finds !== null) readShown(reader, reader.finds, cell, mapped, options);
  }
  if (!says) return undefined;
  for (const { reader, cell } of mapping.set) readField(reader, cell, mapped, options);
  return mapped;
}

/**
 * Whether an earlier column with the same header has told what this one tells again. Where the two differ, either
 * could be meant, and the row gets an issue; one that is empty leaves the word to the other.
 */
function readBefore(reader: ColumnReader, cell: Cell, row: Row, mapped: MappedRow): boolean {
  const earlier = row.cells.find(
    ({ column }, at) =>
      column < cell.column && reader.columns.includes(column) && !isBlank(row.cells[at] ?? cell),
  );
  if (earlier === undefined) return false;
  const texts = [earlier, cell].map((one) => cellText(one).trim());
  const counts = reader.field !== null || reader.mark;
  if (counts && texts[0] !== texts[1]) {
    const finding: Finding = {
      code: 'header-twice',
      found: texts.join(' / '),
      hint: lettersOf(reader.columns),
    };
    mapped.issues.push(issueAt(finding, { field: reader.name, address: placeOf(reader, mapped.row) }));
  }
  return true;
}

/** A value too many in a row of a CSV: the first one is enough to stop the row. */
function noteBeyond(cell: Cell, { mapping, row, issues }: MappedRow): void {
  if (isBlank(cell) || issues.some(({ code }) => code === 'cell-beyond-header')) return;
  const last = cellAddress(mapping.lastHeader, mapping.headerRow);
  const hint = t(`the last header is ${last}`, `de laatste kop is ${last}`);
  const finding: Finding = { code: 'cell-beyond-header', found: cellText(cell), hint };
  issues.push(issueAt(finding, { field: null, address: cellAddress(cell.column, row) }));
}

function report(reader: ColumnReader, finding: Finding, mapped: MappedRow, strict = false): void {
  mapped.issues.push(issueAt(finding, { field: reader.name, address: placeOf(reader, mapped.row) }, strict));
}

function readMark(reader: ColumnReader, cell: Cell, mapped: Draft): void {
  const none = noValue(cell);
  const text = cellText(cell).trim();
  if (none !== undefined) report(reader, none, mapped);
  else if (reader.name === '#key') mapped.reference = text;
  else if (ACTION_WORDS.has(text.toLowerCase())) mapped.action = text.toLowerCase() as RowAction;
  else report(reader, { code: 'action-unknown', found: text }, mapped);
}

function readField(reader: ColumnReader, typed: Cell, mapped: MappedRow, options: MapOptions): void {
  const { name, field } = reader;
  if (field === null) return;
  const cell = mapped.mapping.guarded ? withoutGuard(typed) : typed;
  const none = noValue(cell);
  if (none !== undefined) report(reader, none, mapped);
  else if (cell.type === 'text' && isClear(cell.value)) clear(reader, mapped);
  else if (field.lookup !== undefined && isName(cell)) {
    const address = placeOf(reader, mapped.row);
    mapped.names.push({ field: name, lookup: field.lookup, name: cellText(cell).trim(), address });
  } else decodeField(reader, field, cell, mapped, options);
}

/** An apostrophe keeps a text of a CSV from running as a formula. */
function withoutGuard(cell: Cell): Cell {
  if (cell.type !== 'text') return cell;
  const value = unguardFormula(cell.value);
  return value === cell.value ? cell : { ...cell, value };
}

function readShown(
  reader: ColumnReader,
  { codec }: Field,
  cell: Cell,
  mapped: Draft,
  options: MapOptions,
): void {
  const decoded = decodeCell(codec, cell, options);
  if (decoded.ok) mapped.shown = { ...mapped.shown, [reader.name]: decoded.value };
}

function clear(reader: ColumnReader, mapped: MappedRow): void {
  if (reader.clearable) mapped.values[reader.name] = null;
  else report(reader, { code: 'cannot-clear', found: '#CLEAR' }, mapped);
}

function decodeField(
  reader: ColumnReader,
  { codec }: Field,
  cell: Cell,
  mapped: MappedRow,
  options: MapOptions,
): void {
  const { strict } = options;
  const decoded = decodeCell(codec, cell, options);
  if (!decoded.ok) {
    report(reader, decoded.finding, mapped);
    return;
  }
  if (decoded.warning !== undefined) report(reader, decoded.warning, mapped, strict);
  const finding = reader.check?.(decoded.value);
  if (finding !== undefined) report(reader, finding, mapped, strict);
  // A text of which nothing is left says no more than a blank cell.
  if (decoded.value !== '') mapped.values[reader.name] = decoded.value;
}

/** How texts are read: by the locale, and by what their columns show. */
interface Reading {
  readonly locale: Locale;
  /** How the sheet's columns write dates in text, where that is evident. */
  readonly orders?: ColumnOrders;
  /** Which columns evidently write numbers as another locale does. */
  readonly others?: OtherNumbers;
}

/** Reads a cell as a field's type, with what is known of its column. */
function decodeCell<V extends Value>(
  codec: Codec<V>,
  cell: Cell,
  { locale, orders, others }: Reading,
): DecodedCell<V> {
  // Only text leaves open how it is meant.
  if (cell.type !== 'text') return codec.decode(cell, locale);
  const decoded = codec.decode(cell, locale, orders?.get(cell.column));
  if (!decoded.ok || decoded.warning === undefined) return decoded;
  const other = otherNumber(decoded.warning, locale, others?.get(cell.column));
  return other === undefined ? decoded : undecodable(other);
}

/** That a field which its row needs has no column, with the way out: a header that may be meant, or one of the user's own. */
export function missingColumn({ unknown }: Pick<SheetMapping, 'unknown'>, field: string): Finding {
  return { code: 'column-missing', found: '', hint: wayOut(nearest(field, unknown), unknown.length > 0) };
}

function wayOut(near: readonly string[], unnamed: boolean): Bilingual {
  const list = near.join(', ');
  if (list !== '')
    return t(
      `nearest headers: ${list}; rename it, or say with --map what it stands for`,
      `koppen die erop lijken: ${list}; hernoem hem, of zeg met --map waar hij voor staat`,
    );
  return unnamed
    ? t(
        'add the column, or say with --map which of your own headers it is',
        'voeg de kolom toe, of zeg met --map welke van je eigen koppen het is',
      )
    : t('add the column', 'voeg de kolom toe');
}
