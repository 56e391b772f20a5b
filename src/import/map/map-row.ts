import { type Cell, cellAddress, columnLetters, type Row } from '../../core/cell.ts';
import { type Codec, cellText, type DateOrders, type DecodedCell } from '../../core/codec.ts';
import { integerCodec } from '../../core/codecs/integer.ts';
import { isNullWord, LEAVE_EMPTY, NOT_COUNTED } from '../../core/codecs/plain-text.ts';
import { unitFinding, type unitsIn } from '../../core/codecs/shown-cell.ts';
import { isTimeOfDay, shownTime } from '../../core/codecs/time-of-day.ts';
import { foldName } from '../../core/header.ts';
import { type Finding, issueAt } from '../../core/issue.ts';
import { same, t, withFlag } from '../../core/language.ts';
import { isStatusText, type ShownStatus } from '../../core/plan.ts';
import type { Locale, Value, Values } from '../../core/value.ts';
import { unguardFormula } from '../../csv/csv-layout.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { Field } from '../../schema/field.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';
import { type ColumnReader, lettersOf, placeOf, type SheetMapping } from './sheet-mapping.ts';

/** How all texts of a sheet's columns are meant, by column number, where some of them tell. */
export interface ColumnHabits {
  /** How dates are written. */
  readonly orders: ReadonlyMap<number, DateOrders>;
  /** Columns evidently written in another locale than the sheet's: a number that shows it. */
  readonly others: ReadonlyMap<number, string>;
  /** Units of one quantity that differ in a column, by its number formats. */
  readonly units: ReadonlyMap<number, ReturnType<typeof unitsIn>>;
}

/** How rows are read: by the locale, and by the evidence of their columns. */
export interface MapOptions extends Partial<ColumnHabits> {
  readonly locale: Locale;
  /** Warnings stop their row (`--strict`). */
  readonly strict: boolean;
  /** By this machine's clock; absent where no date is told to be far from now. */
  readonly thisYear?: number | undefined;
}

type Draft = { -readonly [Member in keyof MappedRow]: MappedRow[Member] } & {
  readonly mapping: SheetMapping;
};

/** What `#action` takes. */
export const ACTION_WORDS: ReadonlySet<string> = new Set(['create', 'update', 'delete', 'skip']);
const NOTHING_SHOWN: Values = {};

/** A row of which no cell is read yet. */
export function emptyRow({ number }: Row, mapping: SheetMapping): Draft {
  return {
    mapping,
    row: number,
    action: 'auto',
    reference: null,
    values: {},
    shown: NOTHING_SHOWN,
    issues: [],
    names: [],
  };
}

/** Reads one row by its sheet's mapping; undefined for a row that is empty in every column that counts. */
export function mapRow(row: Row, mapping: SheetMapping, options: MapOptions): MappedRow | undefined {
  const { readers, headed } = mapping;
  const mapped = emptyRow(row, mapping);
  if (row.finding !== undefined) noteFinding(row.finding, mapped, options.strict);
  let says = false;
  for (const cell of row.cells) {
    const reader = readers[cell.column];
    if (reader === undefined) {
      if (headed[cell.column] !== true) noteBare(cell, mapped);
      continue;
    }
    if (isBlank(cell)) continue;
    if (reader.name !== '#key') says = true;
    if (reader.columns.length > 1 && isTwin(reader, cell, row, mapped)) continue;
    if (reader.field !== null) readField(reader, cell, mapped, options);
    else if (reader.mark) readMark(reader, cell, mapped);
    else if (reader.finds !== null) {
      const decoded = decodeCell(reader.finds.codec, cell, options);
      if (decoded.ok) mapped.shown = { ...mapped.shown, [reader.name]: decoded.value };
    }
  }
  if (!says) return undefined;
  if (mapping.told.size > 0) mapped.told = toldCells(row, mapping);
  if (mapping.outputs !== undefined) mapped.evidence = readEvidence(row, mapping.outputs, options);
  for (const { reader, cell } of mapping.set) readField(reader, cell, mapped, options);
  if (mapped.action !== 'skip') return mapped;
  // Nothing is sent of it: a cell that can't be read is often why.
  return { ...mapped, names: [], issues: mapped.issues.filter(({ field }) => field === '#action') };
}

/** What an earlier result says beside a row; undefined for a row that it says nothing of. */
function readEvidence(
  row: Row,
  outputs: NonNullable<SheetMapping['outputs']>,
  options: MapOptions,
): MappedRow['evidence'] {
  const [told, named] = [outputs['#status'], outputs['#id']].map((column) =>
    row.cells.find((cell) => cell.column === column && !isBlank(cell)),
  );
  const text = told === undefined ? '' : cellText(told).trim();
  const decoded = named === undefined ? undefined : integerCodec.decode(named, options.locale);
  const id = decoded?.ok === true && decoded.value > 0 ? decoded.value : null;
  const status = isStatusText(text) ? (text as ShownStatus) : null;
  if (id === null && status === null) return undefined;
  return { status, id, own: false, isHere: false, isListed: false };
}

/** A row's cells in columns that are only shown. */
function toldCells({ cells }: Row, { told, guarded }: SheetMapping): MappedRow['told'] {
  return cells.flatMap((typed) => {
    const column = told.get(typed.column);
    const cell = guarded ? withoutGuard(typed) : typed;
    return column === undefined || isBlank(cell) ? [] : [{ ...column, cell }];
  });
}

/** Gives a row's empty cells the values for all rows (`--set`); answers which fields that filled. */
export function fillEmpty(row: Row, record: MappedRow, mapping: SheetMapping, options: MapOptions): string[] {
  if (record.action === 'skip') return [];
  return mapping.fills.flatMap(({ field, reader, cell }) => {
    if (row.cells.some((one) => reader.columns.includes(one.column) && !isBlank(one))) return [];
    readField(reader, cell, { ...record, mapping }, options);
    return [field];
  });
}

/** A sheet's values for all rows as a row of its own, whether or not a cell needs them. */
export function readGiven(mapping: SheetMapping, options: MapOptions): MappedRow {
  const given = emptyRow({ number: 0, cells: [] }, mapping);
  for (const { reader, cell } of [...mapping.set, ...mapping.fills]) readField(reader, cell, given, options);
  return given;
}

/**
 * Whether a cell of a field with several columns was read already. Where they differ any could be meant, and
 * the row gets an issue; under a header over several columns also where one is empty.
 */
function isTwin(reader: ColumnReader, cell: Cell, { cells }: Row, mapped: Draft): boolean {
  const filled = cells.filter((one) => reader.columns.includes(one.column) && !isBlank(one));
  if (filled[0] !== cell) return true;
  const shared = mapped.mapping.shared.has(reader.name);
  const columns = shared ? reader.columns : filled.map(({ column }) => column);
  const texts = columns.map((column) => {
    const one = filled.find((other) => other.column === column);
    return one === undefined ? NOTHING : cellText(one).trim();
  });
  const counts = reader.field !== null || reader.mark;
  if (counts && texts.some((text) => text !== texts[0])) {
    const found = texts.join(' / ');
    const last = mapped.mapping.readers[filled.at(-1)?.column ?? 0] ?? reader;
    report(last, { code: 'header-twice', found, hint: lettersOf(reader.columns) }, mapped);
  }
  return false;
}

/** Stands for a cell that holds nothing. */
const NOTHING = '–';

/** What was found on a row while its file was read, as an issue at its place. */
export function noteFinding(
  { column, ...finding }: NonNullable<Row['finding']>,
  { mapping, row, issues }: Draft,
  strict = false,
): void {
  const field = mapping.readers[column]?.name ?? null;
  issues.push(issueAt(finding, { field, address: cellAddress(column, row) }, strict));
}

/** An issue on a value in a column without a header: the first one stops the row. */
function noteBare(cell: Cell, { mapping, row, issues }: Draft): void {
  if (isBlank(cell) || issues.some(({ code }) => code === 'cell-beyond-header')) return;
  const [letters, header] = [columnLetters(cell.column), cellAddress(cell.column, mapping.headerRow)];
  const quoted = mapping.separated ? QUOTED : same('');
  const hint = t(
    `give column ${letters} a header in ${header} (one that is not used will do), or clear the cell${quoted.en}`,
    `geef kolom ${letters} een kop in ${header} (een die niet wordt gebruikt mag ook), of maak de cel leeg${quoted.nl}`,
  );
  const finding: Finding = { code: 'cell-beyond-header', found: cellText(cell), hint };
  issues.push(issueAt(finding, { field: null, address: cellAddress(cell.column, row) }));
}

/** A separator inside a value moves the others. */
const QUOTED = t(
  '; a value that holds the separator goes between quotes',
  '; zet een waarde met het scheidingsteken erin tussen aanhalingstekens',
);

function report(reader: ColumnReader, finding: Finding, mapped: MappedRow, strict = false): void {
  mapped.issues.push(issueAt(finding, { field: reader.name, address: placeOf(reader, mapped.row) }, strict));
}

function readMark(reader: ColumnReader, cell: Cell, mapped: Draft): void {
  const none = noValue(cell);
  const text = cellText(cell).trim();
  const word = reader.name === '#action' ? foldName(text) : '';
  if (none !== undefined) report(reader, none, mapped);
  else if (reader.name === '#key' && !isNullWord(text)) mapped.reference = text;
  else if (reader.name === '#key') report(reader, { code: 'null-word', found: text }, mapped);
  else if (ACTION_WORDS.has(word)) mapped.action = word as MappedRow['action'];
  else report(reader, { code: 'action-unknown', found: text }, mapped);
}

function readField(reader: ColumnReader, typed: Cell, mapped: Draft, options: MapOptions): void {
  const { name, field } = reader;
  if (field === null) return;
  const cell = mapped.mapping.guarded ? withoutGuard(typed) : typed;
  const none = noValue(cell);
  if (none !== undefined) report(reader, none, mapped);
  else if (cell.type === 'text' && isClear(cell.value)) {
    if (reader.clearable) mapped.values[name] = null;
    else report(reader, { code: 'cannot-clear', found: '#CLEAR' }, mapped);
  } else if (field.lookup !== undefined && isName(cell)) {
    const address = placeOf(reader, mapped.row);
    const { lookup, updateLookup } = field;
    const lists = updateLookup === undefined ? { lookup } : { lookup, updateLookup };
    mapped.names.push({ ...lists, field: name, name: cellText(cell).trim(), address });
  } else decodeField(reader, field, cell, mapped, options);
}

/** Removes the apostrophe that keeps a text of a CSV from running as a formula. */
function withoutGuard(cell: Cell): Cell {
  if (cell.type !== 'text') return cell;
  const value = unguardFormula(cell.value);
  return value === cell.value ? cell : { ...cell, value };
}

function decodeField(
  reader: ColumnReader,
  { codec }: Field,
  cell: Cell,
  mapped: MappedRow,
  options: MapOptions,
): void {
  const { strict, thisYear } = options;
  const decoded = decodeCell(codec, cell, options);
  if (!decoded.ok) {
    const { finding } = decoded;
    const isNamed = finding.code === 'integer-expected' && reader.numbered !== null && isName(cell);
    const said = finding.hint === LEAVE_EMPTY && reader.counts ? NOT_COUNTED : finding.hint;
    const hint = isNamed ? (reader.numbered ?? said) : said;
    report(reader, hint === undefined ? finding : { ...finding, hint }, mapped);
    return;
  }
  if (decoded.warning !== undefined) report(reader, decoded.warning, mapped, strict);
  if (codec.type === 'datetime' && (cell.type === 'text' || isTimeOfDay(decoded.value)))
    mapped.typed = { ...mapped.typed, [reader.name]: shownTime(cell, options.locale) };
  const finding = reader.check?.(decoded.value, thisYear);
  if (finding !== undefined)
    report(reader, { ...finding, found: mapped.typed?.[reader.name] ?? finding.found }, mapped, strict);
  // An empty text leaves the field alone, as a blank cell does.
  if (decoded.value !== '') mapped.values[reader.name] = decoded.value;
}

/**
 * The value that a cell is read as, where that is one of its field's type; undefined for a name of a list,
 * `#CLEAR`, an error and what can't be read, and in a column without a field.
 */
export function valueIn(
  typed: Cell,
  { readers, guarded }: Pick<SheetMapping, 'readers' | 'guarded'>,
  options: MapOptions,
): Value | undefined {
  const field = readers[typed.column]?.field;
  const cell = guarded ? withoutGuard(typed) : typed;
  if (field == null || noValue(cell) !== undefined) return undefined;
  if (cell.type === 'text' && isClear(cell.value)) return undefined;
  if (field.lookup !== undefined && isName(cell)) return undefined;
  const decoded = decodeCell(field.codec, cell, options);
  return decoded.ok ? decoded.value : undefined;
}

/** Reads a cell as a field's type, with what is known of its column. */
function decodeCell<V extends Value>(
  codec: Codec<V>,
  cell: Cell,
  { locale, orders, others, units }: MapOptions,
): DecodedCell<V> {
  // Only text can be read in more than one way.
  if (cell.type !== 'text') {
    const finding = units && unitFinding(cell, locale, units.get(cell.column));
    return finding === undefined ? codec.decode(cell, locale) : { ok: false, finding };
  }
  const decoded = codec.decode(cell, locale, orders?.get(cell.column));
  if (!decoded.ok || decoded.warning === undefined) return decoded;
  const other = otherNumber(decoded.warning, locale, others?.get(cell.column));
  return other === undefined ? decoded : { ok: false, finding: other };
}

/** The finding on a number that reads two ways in a column evidently written the other way, as `shows` is. */
function otherNumber(
  { code, found }: Finding,
  locale: Locale,
  shows: string | undefined,
): Finding | undefined {
  if (code !== 'number-grouping' || shows === undefined) return undefined;
  const [way, like] = locale === 'nl' ? ['en', '1,234.50'] : ['nl', '1.234,50'];
  const hint = withFlag(
    t(
      `the column holds "${shows}" too: numbers are written as ${like} there`,
      `in de kolom staat ook "${shows}": daar staan getallen als ${like}`,
    ),
    `--locale ${way}`,
  );
  return { code: 'number-other-locale', found, hint };
}
