import { stopsRow } from '../../core/issue.ts';
import type { BaseRecord } from '../../files/base-sheet.ts';
import { withoutUntouched } from '../../import/baseline/untouched-cells.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { sameValue } from '../catalogue/existing.ts';
import { ownFields } from './links.ts';

type Row = MappedRow<LinkResource>;

/** What a link holds or held. */
export type Held = Pick<BaseRecord, 'values'>;

/**
 * A row that is one of several links between the same two records, without what nobody changed in it; null for any other row. Which of the
 * service's links it is can't be told, and it says what one of them holds, or held when the workbook was written: nobody changed it.
 */
export function oneOfSeveral(row: Row, links: readonly Held[]): Row | null {
  if (links.length < 2 || row.action !== 'auto') return null;
  for (const link of links) {
    const held = withoutUntouched(row, link);
    if (!stopsRow(held.issues) && says(held, link)) return held;
  }
  return null;
}

/** Whether a row says what a link holds, as far as it says anything. */
function says({ values, mapping }: Row, link: Held): boolean {
  const given = ownFields(mapping.resource).filter((field) => values[field] !== undefined);
  return given.every((field) => sameValue(link.values[field], values[field] ?? null));
}
