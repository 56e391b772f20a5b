import { eachRow } from '../../ledger/each-row.ts';
import type { PlannedRow } from '../../schema/plan.ts';
import type { Context } from '../context.ts';

/** The name of the record that a row is about, among all resources; null when no other row can be about it. */
export function recordName({ resource, key }: Pick<PlannedRow, 'resource' | 'key'>): string | null {
  return key === null ? null : `${resource} ${key}`;
}

/**
 * Records that an earlier try of a run has written already, or may have: that they changed since the plan read them is
 * this run's own doing.
 */
export async function recordsBegun({ ledger }: Context, run: string): Promise<ReadonlySet<string>> {
  const begun = new Set<string>();
  const state = (await ledger.findRun(run))?.state;
  if (state === 'planned' || state === 'planning') return begun;
  for await (const { planned, outcome, progress } of eachRow(ledger, run)) {
    const name = recordName(planned);
    const wrote = outcome?.status === 'created' || outcome?.status === 'updated' || progress !== null;
    if (name !== null && wrote) begun.add(name);
  }
  return begun;
}
