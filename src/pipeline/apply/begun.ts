import { eachRow } from '../../ledger/each-row.ts';
import type { StoredResult } from '../../ledger/ledger.ts';
import type { PlannedRow } from '../../schema/plan.ts';
import type { Context } from '../context.ts';

/** The name of the record that a row is about, among all resources; null when no other row can be about it. */
export function recordName({ resource, key }: Pick<PlannedRow, 'resource' | 'key'>): string | null {
  return key === null ? null : `${resource} ${key}`;
}

/** Whether an earlier try of a run wrote a row's record already, or may have, otherwise than by the row's own request in doubt. */
export type Begun = (row: PlannedRow) => boolean;

/**
 * Finds the records that an earlier try of a run has written: that they changed since the plan read them is this run's
 * own doing. A row that only waited for its turn wrote nothing.
 */
export async function recordsBegun({ ledger }: Context, run: string): Promise<Begun> {
  const writers = new Map<string, Set<number>>();
  const state = (await ledger.findRun(run))?.state;
  if (state === 'planned' || state === 'planning') return () => false;
  for await (const row of eachRow(ledger, run)) {
    const name = recordName(row.planned);
    if (name === null || !mayHaveWritten(row)) continue;
    writers.set(name, (writers.get(name) ?? new Set()).add(row.planned.seq));
  }
  return (row) => {
    const rows = writers.get(recordName(row) ?? '');
    return rows !== undefined && (rows.size > 1 || !rows.has(row.seq));
  };
}

function mayHaveWritten({ outcome, progress }: StoredResult): boolean {
  if (outcome?.status === 'created' || outcome?.status === 'updated') return true;
  return progress !== null && (progress.done > 0 || progress.sendingSince !== null);
}
