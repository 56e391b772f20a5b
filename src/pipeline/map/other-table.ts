import { type Cell, cellAddress, type Row } from '../../schema/cell.ts';
import { cellText } from '../../schema/codec.ts';
import { issueAt } from '../../schema/issue.ts';
import { isBlank } from './cell-sense.ts';
import type { HeaderCell } from './header-cell.ts';
import { type HeaderNames, readHeader } from './header-row.ts';
import type { MappedRow } from './map-row.ts';
import { isReadable } from './readable.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** The sheet's headers once more, the row whose other headers a row stands below (or is), or null: a row of the sheet's table. */
export type TableOf = 'header' | number | null;

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
export function strayRow({ number, cells }: Row, mapping: SheetMapping, header: number): MappedRow {
  const first = cells.find((cell) => !isBlank(cell));
  const address = first === undefined ? null : cellAddress(first.column, number);
  const found = first === undefined ? '' : cellText(first);
  const issue = issueAt({ code: 'second-header', found, hint: `${header}` }, { field: null, address });
  return {
    ...{ mapping, row: number, action: 'auto', reference: null },
    ...{ values: {}, shown: {}, issues: [issue], names: [] },
  };
}

/** Whether a row is one of another table: what it lacks is none of its faults. */
export function isStray({ issues }: MappedRow): boolean {
  return issues[0]?.code === 'second-header';
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
