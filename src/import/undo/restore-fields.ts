import { type Bilingual, t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import type { Value } from '../../core/value.ts';
import type { RestoredFields } from '../../records/undo.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isClearable } from '../map/column-reader.ts';
import { safeCell } from '../map/safe-cell.ts';

/** Gives fields their old values, where a cell can. */
export function restoreFields(resource: Resource, changes: readonly FieldChange[]): RestoredFields {
  const cells: Record<string, Value> = {};
  const was: Record<string, Value> = {};
  const left: Bilingual[] = [];
  for (const { field, from, to } of changes) {
    const cell = cellFor(resource, field, from);
    if ('why' in cell) left.push(cell.why);
    else {
      cells[field] = cell.value;
      was[field] = to;
    }
  }
  return { cells, was, left };
}

/** The cell that gives a field its old value; or why no cell can. */
function cellFor(
  resource: Resource,
  name: string,
  from: Value,
): { readonly value: Value } | { readonly why: Bilingual } {
  const field = resource.fields[name];
  if (from === null || from === '') {
    if (field?.reads === 'none') return { why: wasUnknown(name) };
    return isClearable(resource, name) ? { value: '#CLEAR' } : { why: wasEmpty(name) };
  }
  const value = field === undefined ? null : readableCell(field, name, from);
  return value === null ? { why: unfit(name) } : { value };
}

/** The old value was empty, and a sheet can't clear the field. */
const wasEmpty = (field: string): Bilingual =>
  t(
    `${field} was empty, and the service can't be told to empty it again`,
    `${field} was leeg, en het systeem kan het niet weer leegmaken`,
  );

/** No read returns the field, so that its old value is not known. */
const wasUnknown = (field: string): Bilingual =>
  t(
    `what ${field} was before is not known: the service does not tell it`,
    `wat ${field} daarvoor was is niet bekend: het systeem zegt het niet`,
  );

/** No cell holds the old value. */
const unfit = (field: string): Bilingual =>
  t(`what ${field} was before can't stand in a cell`, `wat ${field} daarvoor was past niet in een cel`);

/** How a cell is tried; numbers and booleans are written as the language has them later. */
const WORKBOOK = { language: 'en', locale: 'nl', csv: false } as const;

/** A value as an export takes it; null for what an import would refuse or misread. */
function readableCell(field: Field, header: string, from: Value): Value {
  const column = { header, type: field.codec.type, field, imported: true, path: [] };
  let isLost = false;
  // As the service gives it: a day may lack its midnight.
  const value = field.codec.read(from);
  const cell = safeCell(value, column, WORKBOOK, () => {
    isLost = true;
  });
  if (isLost || cell === null) return null;
  if (typeof value === 'boolean') return value;
  return typeof cell === 'object' ? cell.date : cell;
}
