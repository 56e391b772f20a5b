import { type Cell, cellAddress, type Row, UNCACHED } from '../../schema/cell.ts';
import { cellText } from '../../schema/codec.ts';
import { bareNumber, parseNumber } from '../../schema/codecs/parse-number.ts';
import { type Field, readOnly } from '../../schema/field.ts';
import type { InputMark } from '../../schema/header.ts';
import { type Issue, issueAt } from '../../schema/issue.ts';
import type { Lookup } from '../../schema/lookup.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Locale, Value } from '../../schema/value.ts';
import { lettersOf, type SheetMapping } from './sheet-mapping.ts';

export type RowAction = 'auto' | 'create' | 'update' | 'delete' | 'skip';

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
  readonly row: number;
  readonly action: RowAction;
  readonly values: Record<string, Value>;
  readonly issues: Issue[];
  readonly names: PendingName[];
}

export interface MapOptions {
  readonly locale: Locale;
  readonly strict: boolean;
}

const isBlank = (cell: Cell): boolean => cell.type === 'text' && cell.value.trim() === '';
const ACTION_WORDS: ReadonlySet<string> = new Set(['create', 'update', 'delete', 'skip']);

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

/** Reads one row by its sheet's mapping; undefined for a row that says nothing in any column that counts. */
export function mapRow(row: Row, mapping: SheetMapping, options: MapOptions): MappedRow | undefined {
  const mapped: MappedRow = { mapping, row: row.number, action: 'auto', values: {}, issues: [], names: [] };
  const marked: { action: RowAction } = { action: 'auto' };
  let says = false;
  const actionColumn = mapping.marks.get('#action');
  for (const cell of row.cells) {
    const field = mapping.columns.get(cell.column);
    if (field === undefined && cell.column !== actionColumn) continue;
    if (isBlank(cell)) continue;
    says = true;
    if (field === undefined) marked.action = readAction(cell, mapped, options);
    else readField(field, cell, mapped, options);
  }
  if (!says) return undefined;
  for (const { field, cell } of mapping.set) readField(field, cell, mapped, options);
  sayTwice(mapped, options);
  return { ...mapped, action: marked.action };
}

function readAction(cell: Cell, mapped: MappedRow, options: MapOptions): RowAction {
  const word = cellText(cell).trim().toLowerCase();
  if (ACTION_WORDS.has(word)) return word as RowAction;
  const address = cellAddress(cell.column, mapped.row);
  mapped.issues.push(
    issueAt({ code: 'action-unknown', found: cellText(cell) }, { field: '#action', address }, options.strict),
  );
  return 'auto';
}

function readField(name: string, cell: Cell, mapped: MappedRow, options: MapOptions): void {
  const { resource } = mapped.mapping;
  const field = resource.fields[name];
  if (field === undefined || readOnly(field)) return;
  const address = cell.column === 0 ? null : cellAddress(cell.column, mapped.row);
  const at = { field: name, address };
  if (cell.type === 'error') {
    const code = cell.value === UNCACHED ? 'formula-without-result' : 'error-cell';
    mapped.issues.push(issueAt({ code, found: cell.value }, at));
    return;
  }
  if (cell.type === 'text' && cell.value.trim().toUpperCase() === '#CLEAR') {
    if (canClear(resource, name, field)) mapped.values[name] = null;
    else mapped.issues.push(issueAt({ code: 'cannot-clear', found: '#CLEAR' }, at));
    return;
  }
  if (field.lookup !== undefined && isName(cell, options.locale)) {
    mapped.names.push({ field: name, lookup: field.lookup, name: cellText(cell).trim(), address });
    return;
  }
  const decoded = field.codec.decode(cell, options.locale);
  if (!decoded.ok) {
    mapped.issues.push(issueAt(decoded.finding, at));
    return;
  }
  if (decoded.warning !== undefined) mapped.issues.push(issueAt(decoded.warning, at, options.strict));
  mapped.values[name] = decoded.value;
}

function canClear(resource: Resource, name: string, field: Field): boolean {
  return !resource.keys.includes(name) && field.update === 'optional';
}

/** Text that no locale reads as a number is a name; anything with digits and separators only is meant as an id. */
function isName(cell: Cell, locale: Locale): boolean {
  if (cell.type !== 'text') return false;
  const bare = bareNumber(cell.value);
  return parseNumber(bare, locale) === undefined && !/^[+-]?[\d.,]+(e[+-]?\d+)?$/i.test(bare);
}

function sayTwice(mapped: MappedRow, options: MapOptions): void {
  for (const { field, columns } of mapped.mapping.twice) {
    const address = addressOf(mapped.mapping, field, mapped.mapping.headerRow);
    mapped.issues.push(
      issueAt(
        { code: 'header-twice', found: field, hint: lettersOf(columns) },
        { field, address },
        options.strict,
      ),
    );
  }
}
