import { stopsRow } from '../../../schema/issue.ts';
import type { LinkResource } from '../../../schema/resource.ts';
import type { BaseRecord } from '../../../workbook/base-sheet.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { sameValue } from '../catalogue/existing.ts';
import { ownFields } from './links.ts';

/**
 * Whether a row is one of several links between the same two records, as the workbook had them when it was written: which of the
 * service's links it is can't be told, and nobody changed it.
 */
export function isOneOfSeveral(row: MappedRow<LinkResource>, were: readonly BaseRecord[]): boolean {
  const { values, issues, mapping, action } = row;
  if (were.length < 2 || action !== 'auto' || stopsRow(issues)) return false;
  const given = ownFields(mapping.resource).filter((field) => values[field] !== undefined);
  return were.some((was) => given.every((field) => sameValue(was.values[field], values[field] ?? null)));
}
