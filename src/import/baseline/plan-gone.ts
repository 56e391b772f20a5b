import { type Issue, issueAt, stopsRow } from '../../core/issue.ts';
import type { Values } from '../../core/value.ts';
import type { BaseRecord } from '../../files/base-sheet.ts';
import type { Unplaced } from '../../kinds/kind.ts';
import { addressOf, type MappedRow } from '../map/map-row.ts';
import { deletedText, goneText } from './texts.ts';
import type { SameField } from './three-way.ts';

/** What the workbook says of a record that the service has no more. */
interface Gone {
  readonly was: BaseRecord;
  /** When the workbook was written, ISO in UTC. */
  readonly at: string;
  readonly same: SameField;
}

/**
 * Plans a row whose record was there when the workbook was written: someone deleted it since. A row that nobody touched
 * needs nothing, and makes nothing anew; one that was changed is an issue that says since when, and the way out.
 */
export function planGone(row: MappedRow, gone: Gone, planned: Unplaced): Unplaced {
  const { was, at, same } = gone;
  const anew = planned.action === 'create' && row.action !== 'create' && !isEmpty(was.values, row);
  const missing = planned.issues.filter(({ code }) => code === MISSING);
  if (!anew && missing.length === 0) return planned;
  const others = planned.issues.filter(({ code }) => code !== MISSING);
  const unsent = { ...planned, changes: [], steps: [], needs: [] };
  if (!stopsRow(others) && isUntouched(row, was.values, same))
    return { ...unsent, action: 'skip', issues: others, message: goneText(at) };
  return { ...unsent, action: 'invalid', issues: [...others, deletedIssue(row, at)] };
}

const MISSING: Issue['code'] = 'record-missing';

function deletedIssue(row: MappedRow, at: string): Issue {
  const { mapping, values } = row;
  const { resource } = mapping;
  const field = 'child' in resource ? resource.child : resource.keys.find((key) => values[key] !== undefined);
  const place = { field: field ?? null, address: addressOf(mapping, field ?? '', row.row) };
  const keys = 'create' in resource.requests && 'id' in resource ? resource.id : null;
  const hint = deletedText(at, keys);
  return issueAt({ code: 'record-deleted', found: String(values[field ?? ''] ?? ''), hint }, place);
}

/** Whether a row says what its record held, as far as it says anything. */
function isUntouched({ values, mapping }: MappedRow, was: Values, same: SameField): boolean {
  const { keys } = mapping.resource;
  return Object.entries(values).every(([field, mine]) => {
    const base = was[field];
    return base === undefined ? keys.includes(field) : same(field, base, mine);
  });
}

/** Whether the workbook says that there was nothing: what it has for the row is to be made. */
function isEmpty(was: Values, { mapping }: MappedRow): boolean {
  const { keys } = mapping.resource;
  return Object.entries(was).every(([field, base]) => base === null || keys.includes(field));
}
