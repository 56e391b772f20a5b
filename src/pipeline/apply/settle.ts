import type { PlannedRow } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Context } from '../context.ts';
import { sameValue } from '../plan/existing.ts';
import { readDetail } from '../plan/read-detail.ts';

/**
 * An update or delete whose answer was lost: the record itself tells whether it took effect. Null when the
 * service cannot tell (it is out of reach still, or a changed field is in no detail read).
 */
export async function tookEffect(
  context: Context,
  resource: Resource,
  planned: PlannedRow,
  id: number,
): Promise<boolean | null> {
  try {
    const existing = await readDetail(context, resource, id);
    if (planned.action === 'delete') return existing === null;
    if (existing === null) return null;
    const seen = planned.changes.filter(
      ({ field }) => resource.fields[field]?.reads !== 'list' && field !== resource.external,
    );
    if (seen.length === 0) return null;
    return seen.every(({ field, to }) => sameValue(existing.values[field], to));
  } catch {
    return null;
  }
}
