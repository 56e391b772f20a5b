import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { type Codec, cellText, type DecodedCell, undecodable } from '../../core/codec.ts';
import { ROW_MARK } from '../../core/header.ts';
import { type Finding, issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Locale, Value, Values } from '../../core/value.ts';
import { unguardFormula } from '../../csv/csv-layout.ts';
import type { MappedRow, RowAction } from '../../records/mapped-row.ts';
import type { Field } from '../../schema/field.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';
import { type ColumnOrders, type OtherNumbers, otherNumber } from './column-habits.ts';
import { type ColumnReader, placeOf } from './column-reader.ts';
import { lettersOf, type SheetMapping } from './sheet-mapping.ts';

/** How cells are read. */
export interface MapOptions extends Reading {
  /** Warnings stop their row. */
  readonly strict: boolean;
}

type Draft = { -readonly [Member in keyof MappedRow]: MappedRow[Member] } & {
  readonly mapping: SheetMapping;
};

const ACTION_WORDS: ReadonlySet<string> = new Set(['create', 'update', 'delete', 'skip']);
const NOTHING_SHOWN: Values = {};

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
function noteBeyond(cell: Cell, { mapping, row, issues }: Draft): void {
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

function readField(reader: ColumnReader, typed: Cell, mapped: Draft, options: MapOptions): void {
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
