import type { RowAbout } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { isNameHeader, type Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { UnplacedRow } from './planning.ts';

/** What a row itself says that it is about, whatever is wrong with the rest of it. */
export function aboutRow({ mapping, values, reference, told = [] }: MappedRow): RowAbout | undefined {
  const { resource } = mapping;
  const label = textOf(resource.label === undefined ? nameBeside(resource, told) : values[resource.label]);
  let key: Record<string, Value> | undefined;
  for (const field of resource.keys) if (values[field] != null) key = { ...key, [field]: values[field] };
  if (reference !== null) key = { ...key, '#key': reference };
  if (key === undefined) return label === undefined ? undefined : { label };
  return label === undefined ? { key } : { key, label };
}

/** An export has the name in a column that is only shown, people in one of their own. */
function nameBeside(resource: Resource, told: NonNullable<MappedRow['told']>): Value | undefined {
  const names = resource.labelled?.[1].label ?? [];
  return told.find(({ header }) => names.includes(header) || isNameHeader(resource, header))?.cell.value;
}

/** Puts the name of its record beside a row; the row's own words come first. */
export function withRecordName(
  planned: UnplacedRow,
  { label: name }: Resource,
  existing: ExistingRecord | null,
): UnplacedRow {
  const label = planned.about?.label ?? textOf(name === undefined ? null : existing?.values[name]);
  return label === undefined ? planned : { ...planned, about: { ...planned.about, label } };
}

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
