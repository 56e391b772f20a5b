import type { PlannedRow, Step } from '../../../schema/plan.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Context } from '../../context.ts';
import type { RowGuard } from '../kind.ts';
import { sameValue } from './existing.ts';
import { readDetail } from './read-detail.ts';

/**
 * An update or delete whose answer was lost: the record itself tells whether it took effect. Null when the service
 * cannot tell (it is out of reach still, or a changed field is in no detail read), and for a create.
 */
export async function tookEffect(
  context: Context,
  resource: CatalogueResource,
  planned: PlannedRow,
  step: Step,
  id: number | null,
): ReturnType<RowGuard['tookEffect']> {
  if (id === null || step.purpose === 'create') return null;
  const done = { id };
  try {
    const existing = await readDetail(context, resource, id);
    if (step.purpose === 'delete') return existing === null ? done : 'no';
    if (existing === null) return null;
    const seen = planned.changes.filter(
      ({ field }) => resource.fields[field]?.reads !== 'list' && field !== resource.external,
    );
    if (seen.length === 0) return null;
    return seen.every(({ field, to }) => sameValue(existing.values[field], to)) ? done : 'no';
  } catch {
    return null;
  }
}
