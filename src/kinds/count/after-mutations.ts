import type { PlannedRow } from '../../core/plan.ts';
import { toMicros } from '../posting/micros.ts';
import type { Counted, CountRow } from './counted.ts';

/**
 * The total that a count will find once the mutations of the same plan are posted: they are sent first, as they took
 * place before it. Null when that can't be told: one is later than the count, or in the other unit.
 */
export function afterMutations(
  { values, mapping: { resource } }: CountRow,
  { amount }: Counted,
  total: bigint,
  mutations: readonly PlannedRow[],
): bigint | null {
  let after = total;
  for (const { steps } of mutations) {
    const body = steps[0]?.body ?? {};
    const [when, counted] = [body[resource.moment], values[resource.moment]];
    const given = resource.amounts.filter(({ sent }) => body[sent] != null);
    const posted = body[amount.sent];
    const micros = typeof posted === 'number' && given.length === 1 ? toMicros(posted) : null;
    if (micros === null || String(when) > String(counted)) return null;
    after += micros;
  }
  return after;
}
