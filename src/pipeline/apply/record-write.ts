import type { PlannedRow, Step } from '../../schema/plan.ts';
import type { Values } from '../../schema/value.ts';
import { knownId } from './send-steps.ts';
import type { Sending } from './sending.ts';

/** A record that this run created earlier, for a later row about the same ExternalID. */
export async function rememberedId(
  { context, resource }: Sending,
  { external, steps }: PlannedRow,
): Promise<number | null> {
  if (external === null || steps[0]?.purpose === 'create') return null;
  return await knownId(context, resource.name, external);
}

/** Writes down that a request went through, and what it made known. */
export async function recordWrite(
  sending: Sending,
  planned: PlannedRow,
  step: Step,
  id: number | null,
  body: Values,
): Promise<void> {
  const { context, resource, guard } = sending;
  const { ledger, serviceKey } = context;
  await guard.wrote({ planned, step, id, body });
  // Written together, so that no crash leaves one without the other.
  const writes: Promise<void>[] = [sending.conflicts.decided(planned, step)];
  if (step.fingerprint !== undefined) {
    writes.push(ledger.settlePosting(serviceKey, resource.name, step.fingerprint, id, true));
  }
  if (step.purpose !== 'delete' && planned.external !== null && id !== null) {
    const label = 'label' in resource ? body[resource.label] : null;
    const pair = { external: planned.external, id, label: typeof label === 'string' ? label : null };
    writes.push(ledger.rememberKeys(serviceKey, resource.name, [pair]));
  }
  await Promise.all(writes);
}
