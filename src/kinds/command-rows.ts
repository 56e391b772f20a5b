import { stopsRow } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { asksNothing, issueOfLack, type MappedRow, rowPlaceText } from '../records/mapped-row.ts';
import {
  INVALID,
  placeDecision,
  planInWindows,
  type RowDecision,
  type RowPlanner,
  refuseAction,
  refuseField,
  SKIPPED,
  type UnplacedRow,
} from '../records/planning.ts';
import type { References } from '../records/references.ts';
import type { RefreshResource, Resource } from '../schema/resource.ts';
import { createParents } from './row-parent.ts';

const SIDE_BY_SIDE = 16;

export const EVENTS = t('its events', 'de evenementen');

/**
 * Plans rows that are carried out as they stand: `look` finds out what a row is about, many rows at a time
 * (null: the row has an issue that says why not); `decide` is called in their order.
 */
export function planCommandRows<Found>(
  look: (row: MappedRow) => Promise<Found | null>,
  decide: (row: MappedRow, found: Found) => Promise<RowDecision> | RowDecision,
): RowPlanner {
  const decided = async (row: MappedRow, found: Found | null): Promise<RowDecision> => {
    if (row.action === 'skip') return SKIPPED;
    return found === null || stopsRow(row.issues) ? INVALID : await decide(row, found);
  };
  return planInWindows({ window: SIDE_BY_SIDE }, async (rows) => {
    const found = await Promise.all(rows.map(look));
    const planned: UnplacedRow[] = [];
    for (const [at, row] of rows.entries())
      planned.push(placeDecision(row, await decided(row, found[at] ?? null)));
    return planned;
  });
}

const ONLY_DONE = t(
  'rows of this sheet are carried out as they are; leave #action empty, or write skip',
  'rijen van dit werkblad worden uitgevoerd zoals ze er staan; laat #action leeg, of vul skip in',
);

/** Puts issues on a row for what it lacks, but for `except`; false where there is nothing to look up. */
export function checkAsked(row: MappedRow, except: string): boolean {
  if (asksNothing(row)) return false;
  if (row.action === 'update' || row.action === 'delete') refuseAction(row, 'action-not-possible', ONLY_DONE);
  // What a row of totals lacks is no news.
  if (row.issues.some(({ code }) => code === 'total-or-record')) return false;
  for (const [name, field] of Object.entries(row.mapping.resource.fields)) {
    if (field.create !== 'required' || name === except || row.values[name] != null) continue;
    const isSaid = row.issues.some((issue) => issue.field === name && issue.severity === 'error');
    if (!isSaid) row.issues.push(issueOfLack(row, name));
  }
  return !stopsRow(row.issues);
}

/** Finds a row's event by id, or by an ExternalID; null: an issue says why there is none. */
export function createEventOf(
  resource: Resource & Pick<RefreshResource, 'event' | 'day'>,
  references: References,
) {
  const { event: field, day } = resource;
  const parentOf = createParents(resource, { field, day }, references);
  return async (row: MappedRow): Promise<number | null> => {
    const found = await parentOf(row);
    if ('id' in found) return found.id;
    // A sheet of a command stands alone: no other row makes an event.
    const { code, hint, ...on } =
      'code' in found ? found : ({ field, code: 'record-missing', hint: EVENTS } as const);
    return refuse(row, on.field, code, hint);
  };
}

/** Puts an issue on a cell of the row; answers null. */
export function refuse(row: MappedRow, field: string, code: IssueCode, hint: string | Bilingual): null {
  refuseField(row, field, code, hint);
  return null;
}

/** Remembers what rows of a run do: null for the first that does this; any other is skipped, for that row. */
export function createSameRows() {
  const first = new Map<string, MappedRow>();
  return (what: string, row: MappedRow): RowDecision | null => {
    const earlier = first.get(what);
    first.set(what, earlier ?? row);
    if (earlier === undefined) return null;
    const { en, nl } = rowPlaceText({ row: earlier.row, sheet: earlier.mapping.sheet });
    return { action: 'skip', message: t(`the same as ${en}`, `hetzelfde als ${nl}`) };
  };
}
