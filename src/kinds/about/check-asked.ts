import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import { isStray } from '../../import/map/not-records.ts';
import { refuseAction, refuseMissing } from '../row-decision.ts';

const REQUIRED = t('required', 'verplicht');

const ONLY_DONE = t(
  'rows of this sheet are carried out as they stand; leave it empty, or skip',
  'rijen van dit werkblad worden uitgevoerd zoals ze er staan; laat het leeg, of skip',
);

/**
 * Puts on a row what its sheet can't do and what it lacks; `except` is asked for elsewhere. Answers whether there is
 * anything to find out about it.
 */
export function checkAsked(row: MappedRow, except: string): boolean {
  if (row.action === 'skip' || isStray(row)) return false;
  if (row.action === 'update' || row.action === 'delete') refuseAction(row, 'action-not-possible', ONLY_DONE);
  for (const [name, field] of Object.entries(row.mapping.resource.fields)) {
    if (field.create !== 'required' || name === except || row.values[name] != null) continue;
    const said = row.issues.some((issue) => issue.field === name && issue.severity === 'error');
    if (!said || addressOf(row.mapping, name, row.row) === null) refuseMissing(row, name, REQUIRED);
  }
  return !stopsRow(row.issues);
}
