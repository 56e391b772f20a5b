import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { foldName } from '../../core/header.ts';
import { issueAt } from '../../core/issue.ts';
import { ISSUES } from '../../core/issue-catalogue.ts';
import type { SheetLayout } from '../../files/sheet.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import { isBlank, isReadable } from './cell-sense.ts';
import { type HeaderCell, readHeader } from './header-row.ts';
import { ACTION_WORDS, emptyRow, noteFinding } from './map-row.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/**
 * Why a row is no record: it explains or repeats the header, is the totals row of a table, is computed from
 * other rows, adds up rows, is a text on its own, or holds nothing under a header.
 */
export type NoRecord =
  | 'explanation'
  | 'header'
  | 'totals'
  | 'aggregates'
  | 'total'
  | 'sums'
  | 'remark'
  | 'beside';

/** A text that begins with a word for a total; "Totaalpakket" is another word. */
const TOTAL = /^(?:(?:sub|eind|grand|generaal|algemeen)[\s-]?)?(?:totaal|totalen|totals?)(?![\p{L}\p{N}-])/iu;
/** What Excel calls totals of its own: `Soepen Totaal`, `Grand Total`, `Som van Aantal`. */
const TOTAL_LABEL =
  /(?:^|\s)(?:(?:sub|eind|grand|generaal|algemeen)[\s-]?)?(?:totaal|totals?)\s*:?\s*$|^\s*(?:som|sum|aantal|count|gemiddelde|average) (?:van|of) \S/iu;
const NUMBERS = /^[\s€$£%'’.,\d+()=:-]*$/;
const isWords = (cell: Cell): cell is Cell & { type: 'text' } =>
  cell.type === 'text' && !NUMBERS.test(cell.value);

/** Whether a text is only that word, perhaps with a number: "Totaal:", "Subtotaal 12". */
const isTotal = (text: string): boolean => TOTAL.test(text) && NUMBERS.test(text.replace(TOTAL, ''));

/**
 * Tells, row by row, which are no records; `repeats` says that a row is the headers once more. Only a row
 * that names no record and has no `#action` can be passed over: it could not be sent. What looks like a total
 * and names a record gets an issue.
 */
export function createRowJudge(
  mapping: SheetMapping,
  layout?: Pick<SheetLayout, 'totals'>,
): (row: Row, mapped: MappedRow, repeats: boolean) => NoRecord | null {
  const sums = createTotalRows();
  const set = new Set(mapping.set.map(({ field }) => field));
  // A value for all rows names no record.
  const keys = mapping.resource.keys.filter((key) => !set.has(key));
  // In a sheet of one column, with values for the others, any row has one cell.
  const leavesEmpty = set.size === 0 || mapping.columnOf.size > 1;
  const label = 'label' in mapping.resource ? mapping.resource.label : null;
  return (row, mapped, repeats) => {
    const found = repeats ? 'header' : judge(row, mapped);
    if (found === null) sums.add(row);
    else sums.passOver();
    return found;
  };

  function judge(row: Row, mapped: MappedRow): NoRecord | null {
    if (mapping.explanations.has(row.number)) return 'explanation';
    if (mapped.action !== 'auto' || mapped.reference !== null) return null;
    if (isTotalsRow(row, mapping, layout)) return 'totals';
    if (row.aggregates !== undefined && isComputed(row, mapping)) return 'aggregates';
    if (namesRecord(mapped, keys)) {
      if (label !== null) questionTotal(mapped, label);
      return null;
    }
    const cells = ownCells(row);
    const words = cells.filter(isWords);
    if (words.length === 0) return sums.areIn(cells) ? 'sums' : null;
    if (words.every((cell) => isTotalIn(cell, mapping))) return 'total';
    if (cells.length === 1 && leavesEmpty && isRemark(words, mapping)) return 'remark';
    questionLabel(mapped, words, mapping);
    return null;
  }

  /** A row's cells without those of an earlier result. */
  function ownCells(row: Row): Cell[] {
    return row.cells.filter((cell) => !isBlank(cell) && !mapping.outputColumns.has(cell.column));
  }
}

/** Whether a row is the one that a table in the sheet names as its totals. */
function isTotalsRow(
  { number, cells }: Row,
  { readers }: SheetMapping,
  layout: Pick<SheetLayout, 'totals'> | undefined,
): boolean {
  // Nearly every sheet has none, and every row is asked.
  if (layout === undefined || layout.totals.length === 0) return false;
  const found = layout.totals.find(({ row }) => row === number);
  if (found === undefined) return false;
  const [from, to] = found.columns;
  return cells.every(({ column }) => readers[column] === undefined || (column >= from && column <= to));
}

/** Whether a row's key is computed from other rows, or all that it holds. */
function isComputed({ cells, aggregates = [] }: Row, { readers, resource }: SheetMapping): boolean {
  const isKey = (column: number): boolean => resource.keys.includes(readers[column]?.name ?? '');
  if (aggregates.some(isKey)) return true;
  const own = cells.filter((cell) => readers[cell.column] !== undefined && !isBlank(cell));
  return own.length > 0 && own.every(({ column }) => aggregates.includes(column));
}

/** One issue, in the place of all others, on a row without a key that has a label of Excel's totals. */
function questionLabel(
  mapped: MappedRow,
  words: readonly (Cell & { type: 'text' })[],
  { readers }: SheetMapping,
): void {
  const label = words.find(({ value }) => TOTAL_LABEL.test(value));
  if (label === undefined) return;
  mapped.names.length = 0;
  const address = cellAddress(label.column, mapped.row);
  const field = readers[label.column]?.name ?? null;
  const issue = issueAt({ code: 'total-or-record', found: label.value.trim() }, { field, address });
  mapped.issues.splice(0, mapped.issues.length, issue);
}

/** Whether a row names a record by one of these keys. */
function namesRecord({ values, names }: MappedRow, keys: readonly string[]): boolean {
  for (const key of keys) if (values[key] !== undefined) return true;
  return names.some(({ field, name }) => keys.includes(field) && !TOTAL.test(name));
}

/** Whether a cell is a total's words; in a text column, where names stand, only if it holds nothing else. */
function isTotalIn(cell: Cell & { type: 'text' }, { readers }: SheetMapping): boolean {
  const text = cell.value.trim();
  return isTotal(text) || (TOTAL.test(text) && readers[cell.column]?.field?.codec.type !== 'text');
}

/** Whether a row's only text stands in a column that takes none, such as a heading between rows. */
function isRemark([only]: readonly (Cell & { type: 'text' })[], { readers }: SheetMapping): boolean {
  const field = only === undefined ? null : (readers[only.column]?.field ?? null);
  if (only === undefined || field === null || field.lookup !== undefined) return false;
  return field.codec.type !== 'text' && /^[^#].*\p{L}{3}/u.test(only.value) && !isReadable(only, field);
}

/** An issue on a record called "Totaal": more likely a sum stands where a key should be. */
function questionTotal(mapped: MappedRow, label: string): void {
  const name = mapped.values[label];
  if (typeof name !== 'string' || !isTotal(name)) return;
  const address = addressOf(mapped.mapping, label, mapped.row);
  mapped.issues.push(issueAt({ code: 'total-or-record', found: name }, { field: label, address }));
}

/**
 * The headers once more; the header row of the other table that a row is of; null for the sheet's own rows.
 */
type TableOf = 'header' | number | null;

/**
 * Tells, row by row, where another table begins, with its columns elsewhere: its rows would be read under the
 * wrong headers. It ends where the sheet's own headers stand once more.
 */
export function createTableWatch(mapping: SheetMapping): (row: Row) => TableOf {
  const headers = new Map(mapping.headers.map(({ column, header }) => [column, header]));
  const mayBeName = nameFilter(mapping.names);
  let other: number | null = null;
  return (row) => {
    const header = headerIn(row, mapping, mayBeName);
    if (header === 'same' || (header === null && repeatsHeader(row, headers, mapping))) {
      other = null;
      return 'header';
    }
    if (header === 'other') other = row.number;
    return other === null || row.cells.every(isBlank) ? null : other;
  };
}

/** A row of another table, with the issue that stops it. `header` is the row of that table's headers. */
export function strayRow(row: Row, mapping: SheetMapping, header: number): MappedRow {
  const mapped = emptyRow(row, mapping);
  const first = row.cells.find((cell) => !isBlank(cell));
  const address = first === undefined ? null : cellAddress(first.column, mapped.row);
  const found = first === undefined ? '' : cellText(first);
  const finding = { code: 'second-header', found, hint: `${header}` } as const;
  mapped.issues.push(issueAt(finding, { field: null, address }));
  return mapped;
}

/** A row whose values may stand in the wrong columns, with the issue that stops it; undefined for another. */
export function brokenRow(row: Row, mapping: SheetMapping): MappedRow | undefined {
  const { finding } = row;
  if (finding === undefined || ISSUES[finding.code].severity !== 'error') return undefined;
  const mapped = emptyRow(row, mapping);
  noteFinding(finding, mapped);
  return mapped;
}

/** Whether a row is the header once more as it was typed, as printed lists have it on every page. */
function repeatsHeader(
  { cells }: Row,
  headers: ReadonlyMap<number, string>,
  { outputColumns }: SheetMapping,
): boolean {
  const [first] = cells;
  if (first === undefined || first.value !== headers.get(first.column)) return false;
  const own = cells.filter((cell) => !isBlank(cell) && !outputColumns.has(cell.column));
  const same = own.filter(({ column, value }) => headers.get(column) === value);
  return same.length >= 2 && same.length === own.filter(({ column }) => headers.has(column)).length;
}

/** Whether a row is a header of two or more fields: `same` with each where the sheet has it, else `other`. */
function headerIn(
  row: Row,
  mapping: SheetMapping,
  mayBeName: (text: string) => boolean,
): 'same' | 'other' | null {
  const { names, outputColumns, readers } = mapping;
  if (beginsWithValue(row, mapping)) return null;
  let likely = 0;
  for (const cell of row.cells) if (cell.type === 'text' && mayBeName(cell.value)) likely++;
  if (likely < 2) return null;
  const cells = row.cells.filter(({ column }) => !outputColumns.has(column));
  const named = readHeader({ ...row, cells }, names);
  if (named.fields < 2 || cells.some((cell) => isValue(cell, mapping))) return null;
  const elsewhere = ({ column, field }: HeaderCell): boolean =>
    field !== undefined && readers[column]?.name !== field;
  return named.cells.some(elsewhere) ? 'other' : 'same';
}

/** A quick look: the first number of nearly every row is a value of its column, so that it is no header. */
function beginsWithValue({ cells }: Row, mapping: SheetMapping): boolean {
  for (const cell of cells)
    if (cell.type === 'number') return !mapping.outputColumns.has(cell.column) && isValue(cell, mapping);
  return false;
}

/** Whether a cell is what no header is: a value of its column, or an action. */
function isValue(cell: Cell, { readers }: SheetMapping): boolean {
  const reader = readers[cell.column];
  if (reader === undefined || isBlank(cell)) return false;
  if (reader.mark) return reader.name === '#action' && ACTION_WORDS.has(foldName(cellText(cell)));
  const { field } = reader;
  if (field === null || field.codec.type === 'text') return false;
  return isReadable(cell, field);
}

const SPACE = 32;
const LAST_ASCII = 126;
const ENDS = /[\s*:]$/;

/** A quick look that rules out most texts that are no header: every cell of a sheet passes here. */
function nameFilter(names: SheetMapping['names']): (text: string) => boolean {
  const shape = (text: string): number => (text.charCodeAt(0) | SPACE) * 1024 + text.length;
  const shapes = new Set([...names.keys()].map(shape));
  return (text) => {
    const { length } = text;
    if (length === 0 || length > 255) return false;
    if (shapes.has(shape(text))) return true;
    const first = text.charCodeAt(0);
    return (
      first <= SPACE || first > LAST_ASCII || text.charCodeAt(length - 1) > LAST_ASCII || ENDS.test(text)
    );
  };
}

/** Sums of rounded prices may differ in the last digits. */
const same = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

/** Sums of columns over rows; every cell of a sheet is added, so by plain loops over plain numbers. */
class ColumnSums {
  private rows = 0;
  private all = new Float64Array(64);
  /** Of the hidden rows alone, which a SUBTOTAL leaves out. */
  private hidden = new Float64Array(64);

  /** Begins anew; a million rows in a row may be sums. */
  begin(): void {
    if (this.rows === 0) return;
    this.rows = 0;
    this.all.fill(0);
    this.hidden.fill(0);
  }

  add({ cells, hidden }: Row): void {
    this.rows++;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as Cell;
      if (cell.type !== 'number') continue;
      const { column, value } = cell;
      if (column >= this.all.length) this.widen(2 * column);
      this.all[column] = (this.all[column] as number) + value;
      if (hidden === true) this.hidden[column] = (this.hidden[column] as number) + value;
    }
  }

  /** Whether each number is the sum of its column over two or more rows, with or without the hidden ones. */
  areIn(numbers: readonly (Cell & { type: 'number' })[]): boolean {
    const sumOf = (column: number): number => this.all[column] ?? 0;
    const hiddenOf = (column: number): number => this.hidden[column] ?? 0;
    if (this.rows < 2) return false;
    return (
      numbers.every(({ column, value }) => same(value, sumOf(column))) ||
      numbers.every(({ column, value }) => same(value, sumOf(column) - hiddenOf(column)))
    );
  }

  private widen(length: number): void {
    const [all, hidden] = [this.all, this.hidden];
    this.all = new Float64Array(length);
    this.hidden = new Float64Array(length);
    this.all.set(all);
    this.hidden.set(hidden);
  }
}

/** Tells total rows: sums of all rows above, or of those since the last row that is no record. */
function createTotalRows() {
  const all = new ColumnSums();
  let since: ColumnSums | null = null;
  return {
    add(row: Row): void {
      all.add(row);
      since?.add(row);
    },
    /** Takes a row that is no record: subtotals begin anew after it. */
    passOver(): void {
      if (since === null) since = new ColumnSums();
      else since.begin();
    },
    /** Whether all numbers of a row are sums. */
    areIn(cells: readonly Cell[]): boolean {
      const numbers = cells.filter((cell) => cell.type === 'number');
      return numbers.length > 0 && (all.areIn(numbers) || since?.areIn(numbers) === true);
    },
  };
}
