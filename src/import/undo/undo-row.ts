import type { FieldChange } from '../../core/plan.ts';
import type { Bilingual, Value } from '../../core/value.ts';
import type { BaseRecord } from '../../files/base-sheet.ts';
import { safeCell } from '../../records/safe-cell.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isClearable } from '../map/column-reader.ts';
import { unfit, wasEmpty, wasUnknown } from './texts.ts';

/** A row of a workbook that takes a run back. */
export interface UndoRow {
  readonly resource: Resource;
  /** Values by header; `#action` and `#key` among them. */
  readonly cells: Readonly<Record<string, Value>>;
  /** What the run left behind, which others may have changed since. */
  readonly base: BaseRecord | null;
}

/** What a history comes to: a row, and what of it can't be taken back. */
export interface Undone {
  readonly row: UndoRow | null;
  readonly cannot: readonly Bilingual[];
}

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

/** Cells that bring fields back, what they were when the run was done, and what of it can't come back. */
export interface Restored {
  readonly cells: Record<string, Value>;
  readonly was: Record<string, Value>;
  readonly left: readonly Bilingual[];
}

/** Gives fields their old values, those that a cell can say. */
export function restoreFields(resource: Resource, changes: readonly FieldChange[]): Restored {
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
