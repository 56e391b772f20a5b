import type { Resource } from '../schema/resource.ts';
import type { MappedRow } from './mapped-row.ts';

/** The character of the first field: a million rows are not to hold lists of names. */
const FIRST = 0x30;

/** The fields of which a row says something, also what changes nothing, as `PlannedRow.said` holds them. */
export function saidBy({ values, mapping: { resource } }: MappedRow): string {
  let said = '';
  let at = FIRST;
  for (const field in resource.fields) {
    if (values[field] !== undefined) said += String.fromCharCode(at);
    at++;
  }
  return said;
}

/** The names of those fields. */
export function saidFields({ fields }: Resource, said = ''): string[] {
  const names = Object.keys(fields);
  return said.split('').flatMap((mark) => names[mark.charCodeAt(0) - FIRST] ?? []);
}
