import type { RowAbout } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { isNameHeader, type Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { UnplacedRow } from './planning.ts';

/** What a row itself says that it is about, whatever is wrong with the rest of it. */
function aboutRow({ mapping: { resource }, values, reference, told = [] }: MappedRow): RowAbout | undefined {
  const key: Record<string, Value> = {};
  for (const field of resource.keys) if (values[field] != null) key[field] = values[field];
  if (reference !== null) key['#key'] = reference;
  const label = resource.label === undefined ? nameBeside(resource, told) : values[resource.label];
  return aboutOf(isEmpty(key) ? undefined : key, textOf(label));
}

/** An export has the name in a column that is only shown, people in one of their own. */
function nameBeside(resource: Resource, told: NonNullable<MappedRow['told']>): Value | undefined {
  const names = resource.labelled?.[1].label ?? [];
  return told.find(({ header }) => names.includes(header) || isNameHeader(resource, header))?.cell.value;
}

function isEmpty(key: object): boolean {
  for (const _ in key) return false;
  return true;
}

/** Puts the name of its record beside a row; the row's own words come first. */
export function withRecordName(
  planned: UnplacedRow,
  { mapping: { resource } }: MappedRow,
  existing: ExistingRecord | null,
): UnplacedRow {
  const label = textOf(resource.label === undefined ? null : existing?.values[resource.label]);
  return label === undefined ? planned : { ...planned, about: { label } };
}

/** Puts what rows say that they are about beside them; planners answer them in the order of the sheet. */
export function createAbouts() {
  let waiting: (RowAbout | undefined)[] = [];
  return {
    read(rows: readonly MappedRow[]): void {
      for (const row of rows) waiting.push(aboutRow(row));
    },
    planned(rows: readonly UnplacedRow[]): void {
      for (const [at, row] of rows.entries()) {
        const own = waiting[at];
        const about = own === undefined ? row.about : aboutOf(own.key, own.label ?? row.about?.label);
        // In place, as the row is the planner's own and not saved yet.
        if (about !== undefined) Object.assign(row, { about });
      }
      waiting = waiting.slice(rows.length);
    },
  };
}

function aboutOf(key: RowAbout['key'], label: string | undefined): RowAbout | undefined {
  if (key === undefined) return label === undefined ? undefined : { label };
  return label === undefined ? { key } : { key, label };
}

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
