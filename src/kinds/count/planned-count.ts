import type { PlannedRow } from '../../core/plan.ts';
import type { CountResource } from '../../schema/resource.ts';
import { toMicros } from '../posting/micros.ts';
import type { Counted } from './counted.ts';

/** A planned count read back: from which total to which. */
export interface PlannedCount extends Counted {
  readonly from: bigint;
}

/** What a planned row counts; null for one that posts nothing. */
export function plannedCount(
  { amounts }: CountResource,
  { changes: [change] }: Pick<PlannedRow, 'changes'>,
): PlannedCount | null {
  const amount = amounts.find(({ counted }) => counted === change?.field);
  if (amount === undefined || typeof change?.from !== 'number' || typeof change.to !== 'number') return null;
  const [from, micros] = [toMicros(change.from), toMicros(change.to)];
  return from === null || micros === null ? null : { amount, from, micros };
}
