import { type Issue, issueAt, shorten, stopsRow } from '../core/issue.ts';
import { type Language, t } from '../core/language.ts';
import { valueText } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import { afterRow, type EarlierRows } from './earlier-rows.ts';
import { createdValues, type ExistingRecord, heldIn } from './existing-record.ts';
import { addressOf, type MappedRow, type SheetColumns } from './mapped-row.ts';
import type { PlanRules, UnplacedRow } from './planning.ts';
import { canChange, type SameField } from './three-way.ts';

const marks = new WeakMap<Resource['fields'], ReadonlyMap<string, string>>();

/** A character for each field of a resource, as a million rows are not to hold lists of names. */
function marksOf({ fields }: Resource): ReadonlyMap<string, string> {
  const known = marks.get(fields);
  if (known !== undefined) return known;
  const made = new Map(Object.keys(fields).map((name, at) => [name, String.fromCharCode(0x30 + at)]));
  marks.set(fields, made);
  return made;
}

/** The fields of which a row says something, also what changes nothing, as `PlannedRow.said` holds them. */
export function saidBy({ values, mapping }: MappedRow): string {
  const known = marksOf(mapping.resource);
  let said = '';
  for (const field in values) said += known.get(field) ?? '';
  return said;
}

/** An earlier row on a record, and the record after it. */
interface Earlier {
  readonly row: UnplacedRow;
  readonly after: ExistingRecord | null;
}

/** What a row is held against. */
interface RecordSoFar {
  readonly earlier: EarlierRows;
  readonly rules: Pick<PlanRules, 'locale'>;
  readonly same: SameField;
  /** The record before all rows. */
  readonly service: ExistingRecord | null;
  /** The field by which the row names its record. */
  readonly named: string;
}

/**
 * Refuses a row that contradicts earlier rows on its record, and those with it: of two values for one field,
 * or two rows that make one record, nobody can tell which is meant. A row marked `update` is meant to come
 * after them. Answers whether it does.
 */
export async function refuseContradiction(
  row: MappedRow,
  key: string | null,
  about: RecordSoFar,
): Promise<boolean> {
  const { earlier, named } = about;
  if (key === null || !earlier.maybe(key) || stopsRow(row.issues)) return false;
  if (row.action !== 'auto' && row.action !== 'create') return false;
  const { rows, ...made } = sinceMade(await earlier.of(key), about.service);
  const { isNew } = made;
  const mine: Side = { columns: row.mapping, row: row.row, value: (field) => row.values[field] };
  const found = new Map<UnplacedRow, Side>();
  for (const one of rows) {
    const fields = fieldsApart(row, one, made, about);
    const theirs = sideOf(one, row, earlier);
    if (fields.length === 0 || theirs === null) continue;
    for (const field of fields) row.issues.push(apartIssue(mine, theirs, field, isNew, about));
    if (!one.row.issues.some(isTold))
      earlier.refuse(
        one.row,
        fields.map((field) => apartIssue(theirs, mine, field, isNew, about)),
      );
    found.set(one.row, theirs);
  }
  // A record that is not made leaves the rows between them nothing to be about.
  for (const one of found.size > 0 && isNew ? rows : []) {
    const theirs = sideOf(one, row, earlier);
    if (theirs !== null && !found.has(one.row) && takesPart(one.row))
      earlier.refuse(one.row, [apartIssue(theirs, mine, named, isNew, about)]);
  }
  return found.size > 0;
}

/** The rows on a record after the last one that deletes it, and whether they are to make it. */
function sinceMade(rows: readonly UnplacedRow[], service: ExistingRecord | null) {
  let after = service;
  let isNew = service === null;
  let found: Earlier[] = [];
  for (const row of rows) {
    after = afterRow(after, row);
    if (row.action === 'delete') [isNew, found] = [true, []];
    else if (row.action !== 'skip') found.push({ row, after });
  }
  return { rows: found, isNew, last: after };
}

const takesPart = ({ action }: UnplacedRow): boolean =>
  action === 'create' || action === 'update' || action === 'unchanged';

const isTold = ({ code }: Issue): boolean => code === 'created-twice' || code === 'value-twice';

/** The fields by which a row contradicts an earlier one; of a new record the field that names it. */
function fieldsApart(
  row: MappedRow,
  { row: one, after }: Earlier,
  { isNew, last }: { readonly isNew: boolean; readonly last: ExistingRecord | null },
  { same, named }: RecordSoFar,
): readonly string[] {
  const { values, mapping } = row;
  const { resource } = mapping;
  const told = one.issues.filter(isTold).flatMap(({ field }) => field ?? []);
  if (told.length > 0) return isNew ? [named] : told.filter((field) => values[field] !== undefined);
  if (!takesPart(one) || after === null || last === null) return [];
  const says = (field: string): boolean => tells(resource, field, isNew);
  if (isNew) {
    const both = row.action === 'create' && one.action === 'create';
    return both || makesOther(row, last, says, same) ? [named] : [];
  }
  const known = marksOf(resource);
  return Object.keys(values).filter((field) => {
    if (!says(field) || one.said?.includes(known.get(field) ?? ' ') !== true) return false;
    // What a row in between, marked update, says too is no contradiction.
    return [after, last].every((record) => {
      const held = heldIn(resource, record, field);
      return held !== undefined && !same(field, held, values[field] ?? null);
    });
  });
}

/** Whether a row says otherwise of a new record than those before it, or more, and could make it itself. */
function makesOther(
  row: MappedRow,
  after: ExistingRecord,
  says: (field: string) => boolean,
  same: SameField,
): boolean {
  const { values, mapping } = row;
  const { resource } = mapping;
  const held = (field: string): Value => heldIn(resource, after, field) ?? null;
  const apart = Object.entries(values).filter(
    ([name, value]) => says(name) && !same(name, held(name), value),
  );
  if (apart.some(([name]) => held(name) !== null)) return true;
  const needed = Object.keys(resource.fields).filter(says);
  return apart.length > 0 && createdValues(row, needed).lacks.length === 0;
}

/** Whether a field says something of its record that can be sent, and not which record it is. */
function tells(resource: Resource, field: string, isNew: boolean): boolean {
  if ('external' in resource && field === resource.external) return true;
  if (resource.keys.includes(field)) return false;
  return canChange(resource, field) || (isNew && resource.fields[field]?.create !== 'none');
}

/** Where one of two rows stands, and what it says. */
interface Side {
  readonly columns: SheetColumns;
  readonly row: number;
  value(field: string): Value | undefined;
}

function sideOf({ row, after }: Earlier, { mapping }: MappedRow, earlier: EarlierRows): Side | null {
  const columns = earlier.sheets.get(row.sheet);
  if (columns === undefined) return null;
  return {
    ...{ columns, row: row.row },
    value: (field) => (after === null ? undefined : heldIn(mapping.resource, after, field)),
  };
}

/** The issue on one of two rows that contradict each other; it names the cell of the other. */
function apartIssue(own: Side, other: Side, field: string, isNew: boolean, { rules }: RecordSoFar): Issue {
  const code = isNew ? 'created-twice' : 'value-twice';
  const shown = (side: Side, language: Language): string => {
    const value = side.value(field);
    return value === undefined ? '' : shorten(valueText(value, language, rules.locale));
  };
  const place = cellOf(other, field);
  const where = `${other.columns.sheet}!${place ?? other.row}`;
  const hint = isNew
    ? t(where, where)
    : t(`${where} says "${shown(other, 'en')}"`, `${where} zegt "${shown(other, 'nl')}"`);
  const found = shown(own, 'en');
  return issueAt({ code, found, hint }, { field, address: cellOf(own, field) });
}

/** The address of a field's cell in a row; of a key that has no column that of another key. */
function cellOf({ columns, row }: Side, field: string): string | null {
  const { keys } = columns.resource;
  const names = keys.includes(field) ? [field, ...keys] : [field];
  const there = names.find((name) => columns.columnOf.has(name));
  return there === undefined ? null : addressOf(columns, there, row);
}
