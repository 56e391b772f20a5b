import type { FieldChange } from '../../core/plan.ts';
import type { Bilingual, Value } from '../../core/value.ts';
import { safeCell } from '../../records/safe-cell.ts';
import type { RestoredFields } from '../../records/undo.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isClearable } from '../map/column-reader.ts';
import { unfit, wasEmpty, wasUnknown } from './texts.ts';

const CLEAR = '#CLEAR';

/** What a cell must say for a field to be what it was; or why no cell can. */
function cellFor(
  resource: Resource,
  name: string,
  from: Value,
): { readonly value: Value } | { readonly why: Bilingual } {
  const field = resource.fields[name];
  if (from === null || from === '') {
    if (field?.reads === 'none') return { why: wasUnknown(name) };
    return isClearable(resource, name) ? { value: CLEAR } : { why: wasEmpty(name) };
  }
  const value = field === undefined ? null : readableCell(field, name, from);
  return value === null ? { why: unfit(name) } : { value };
}

/** Gives fields their old values, those that a cell can say. */
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

/** As an export writes it; null for what an import would refuse or take for something else. */
function readableCell(field: Field, header: string, from: Value): Value {
  const column = { header, type: field.codec.type, field, imported: true, path: [] };
  let isLost = false;
  // As reads give it: a day may stand there without its midnight.
  const cell = safeCell(field.codec.read(from), column, WORKBOOK, () => {
    isLost = true;
  });
  if (isLost || cell === null) return null;
  return typeof cell === 'object' ? cell.date : cell;
}

/** True and false are no words of a language in a workbook. */
const WORKBOOK = { language: 'en', locale: 'nl', csv: false } as const;
