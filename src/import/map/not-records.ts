import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { issueAt } from '../../core/issue.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import { isBlank, isReadable } from './cell-sense.ts';
import { type HeaderCell, type HeaderNames, readHeader } from './header-row.ts';
import { originOf } from './map-row.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** Why a row below the header is no record: it explains or repeats the header, adds up other rows, or is a text on its own. */
export type NoRecord = 'explanation' | 'header' | 'total' | 'sums' | 'remark';

/** A word for a total at the begin of a text; "Totaalpakket" is another word. */
const TOTAL = /^(?:(?:sub|eind|grand|generaal|algemeen)[\s-]?)?(?:totaal|totalen|totals?)(?![\p{L}\p{N}-])/iu;
const NUMBERS = /^[\s€$£%'’.,\d+()=:-]*$/;
const isWords = (cell: Cell): cell is Cell & { type: 'text' } =>
  cell.type === 'text' && !NUMBERS.test(cell.value);

/** Nothing but the word, perhaps with a number: "Totaal:", "Subtotaal 12". */
const isTotal = (text: string): boolean => TOTAL.test(text) && NUMBERS.test(text.replace(TOTAL, ''));

/**
 * Tells, row by row, which are no records. Only a row that names no record and asks for nothing can be passed over: it
 * could not be sent in any case; `repeats` says that it is the headers once more. What looks like a total and names a record all the same gets an issue.
 */
export function createRowJudge(
  mapping: SheetMapping,
): (row: Row, mapped: MappedRow, repeats: boolean) => NoRecord | null {
  const sums = createTotalRows();
  const set = new Set(mapping.set.map(({ field }) => field));
  // A value for all rows names none of them.
  const keys = mapping.resource.keys.filter((key) => !set.has(key));
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
    if (namesRecord(mapped, keys)) {
      if (label !== null) questionTotal(mapped, label);
      return null;
    }
    const cells = ownCells(row);
    const words = cells.filter(isWords);
    if (words.length === 0) return sums.areIn(cells) ? 'sums' : null;
    if (words.every((cell) => isTotalIn(cell, mapping))) return 'total';
    return cells.length === 1 && set.size === 0 && isRemark(words, mapping) ? 'remark' : null;
  }

  /** What an earlier result says of a row is not what stands in it. */
  function ownCells(row: Row): Cell[] {
    return row.cells.filter((cell) => !isBlank(cell) && !mapping.outputColumns.has(cell.column));
  }
}

/** Whether a row's own cells name a record by one of these fields. */
function namesRecord({ values, names }: MappedRow, keys: readonly string[]): boolean {
  for (const key of keys) if (values[key] !== undefined) return true;
  return names.some(({ field, name }) => keys.includes(field) && !TOTAL.test(name));
}

/** The words of a total, in a place where they can't be a record's name unless they are nothing but those words. */
function isTotalIn(cell: Cell & { type: 'text' }, { readers }: SheetMapping): boolean {
  const text = cell.value.trim();
  return isTotal(text) || (TOTAL.test(text) && readers[cell.column]?.field?.codec.type !== 'text');
}

/** A text where its column takes none, such as a heading between the rows or a note below them. */
function isRemark([only]: readonly (Cell & { type: 'text' })[], { readers }: SheetMapping): boolean {
  const field = only === undefined ? null : (readers[only.column]?.field ?? null);
  if (only === undefined || field === null || field.lookup !== undefined) return false;
  return field.codec.type !== 'text' && /^[^#].*\p{L}{3}/u.test(only.value) && !isReadable(only, field);
}

/** A record may be called "Totaal", but more likely a sum stands where its key should be. */
function questionTotal(mapped: MappedRow, label: string): void {
  const name = mapped.values[label];
  if (typeof name !== 'string' || !isTotal(name)) return;
  const address = addressOf(mapped.mapping, label, mapped.row);
  mapped.issues.push(issueAt({ code: 'total-or-record', found: name }, { field: label, address }));
}

/** The sheet's headers once more, the row whose other headers a row stands below (or is), or null: a row of the sheet's table. */
type TableOf = 'header' | number | null;

const ACTION_WORD = /^\s*(?:create|update|delete|skip)\s*$/i;

/**
 * Tells, row by row, where another table begins, whose columns stand elsewhere: its rows would be read under the
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

/** A row of another table, as one that can't be sent. `header` is the row of that table's headers. */
export function strayRow(row: Row, mapping: SheetMapping, header: number): MappedRow {
  const { cells } = row;
  const origin = originOf(row, mapping);
  const number = origin ?? row.number;
  const first = cells.find((cell) => !isBlank(cell));
  const address = first === undefined ? null : cellAddress(first.column, number);
  const found = first === undefined ? '' : cellText(first);
  const issue = issueAt({ code: 'second-header', found, hint: `${header}` }, { field: null, address });
  return {
    ...{ mapping, row: number, origin, action: 'auto', reference: null },
    ...{ values: {}, shown: {}, issues: [issue], names: [] },
  };
}

/** The header once more as it was typed, as printed lists have it on every page. */
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

/** Whether a row names two or more fields: all of them where the header does, or elsewhere. */
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

/** Whether the first number of a row is a value where it stands, as in nearly every row: then it is no header, and no text need be looked at. */
function beginsWithValue({ cells }: Row, mapping: SheetMapping): boolean {
  for (const cell of cells)
    if (cell.type === 'number') return !mapping.outputColumns.has(cell.column) && isValue(cell, mapping);
  return false;
}

/** What no header is: a value that its column takes, or an action. */
function isValue(cell: Cell, { readers }: SheetMapping): boolean {
  const reader = readers[cell.column];
  if (reader === undefined || isBlank(cell)) return false;
  if (reader.mark) return reader.name === '#action' && ACTION_WORD.test(cellText(cell));
  const { field } = reader;
  if (field === null || field.codec.type === 'text') return false;
  return isReadable(cell, field);
}

const SPACE = 32;
const LAST_ASCII = 126;
const ENDS = /[\s*:]$/;

/** A quick look at a text that leaves out most of those that are no header: every cell of a sheet passes by here. */
function nameFilter({ fields, own }: HeaderNames): (text: string) => boolean {
  const shape = (text: string): number => (text.charCodeAt(0) | SPACE) * 1024 + text.length;
  const shapes = new Set([...fields.keys(), ...own.keys()].map(shape));
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

/** Knows the sums of a sheet's columns, to tell a row that holds nothing else. */
interface TotalRows {
  add(row: Row): void;
  /** A row that was not counted in; subtotals begin anew after it. */
  passOver(): void;
  /** Whether every number of a row's cells is the sum of those above it, of two or more rows, all or since the last subtotal, with hidden rows or without. */
  areIn(cells: readonly Cell[]): boolean;
}

/** Sums of rounded prices differ in the last digits. */
const same = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

/** Sums of no rows; added to for every cell of a sheet, so by plain loops over plain numbers. */
export function createTotalRows(): TotalRows {
  let all = new Float64Array(64);
  let before = all.slice();
  /** Of the rows that a filter hides, which a SUBTOTAL leaves out. */
  let hidden = new Float64Array(64);
  let hiddenBefore = hidden.slice();
  let rows = 0;
  let since = 0;
  const reach = (column: number): void => {
    if (column < all.length) return;
    const wider = [all, hidden].map((narrow) => {
      const array = new Float64Array(2 * column);
      array.set(narrow);
      return array;
    });
    [all = all, hidden = hidden] = wider;
  };
  const sumOf = (column: number, of: Float64Array, from: Float64Array | null): number =>
    (of[column] ?? 0) - (from?.[column] ?? 0);
  return {
    add({ cells, hidden: isHidden }) {
      rows++;
      since++;
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at] as Cell;
        if (cell.type !== 'number') continue;
        reach(cell.column);
        all[cell.column] = (all[cell.column] as number) + cell.value;
        if (isHidden === true) hidden[cell.column] = (hidden[cell.column] as number) + cell.value;
      }
    },
    passOver() {
      before = all.slice();
      hiddenBefore = hidden.slice();
      since = 0;
    },
    areIn(cells) {
      const numbers = cells.filter((cell) => cell.type === 'number');
      const areSums = (from: Float64Array | null, hiddenFrom: Float64Array | null): boolean =>
        numbers.every(({ column, value }) => same(value, sumOf(column, all, from))) ||
        numbers.every(({ column, value }) =>
          same(value, sumOf(column, all, from) - sumOf(column, hidden, hiddenFrom)),
        );
      if (numbers.length === 0) return false;
      return (rows > 1 && areSums(null, null)) || (since > 1 && areSums(before, hiddenBefore));
    },
  };
}
