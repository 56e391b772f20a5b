import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { SentPlan } from '../plan/saved-plan.ts';

/** Remembers what rows tell that send nothing, such as a count that equals the total. */
export async function rememberTold(context: Context, { run, sheets }: SentPlan): Promise<void> {
  const { ledger, serviceKey, resources, clock } = context;
  for (const resource of resources) {
    if (kindOf(resource).tells !== true) continue;
    for (const { sheet } of sheets.filter((one) => one.resource === resource.name))
      for await (const { planned } of eachRow(ledger, run, { sheet })) {
        const [fingerprint, ...also] = planned.posted ?? [];
        if (planned.action !== 'unchanged' || fingerprint === undefined) continue;
        const told = { fingerprint, run, seq: planned.seq, at: wallClock(clock()), id: null };
        // One that an earlier run told, or posted, stays as it is.
        await ledger.claimPosting(serviceKey, resource.name, { ...told, state: 'done' }, also);
      }
  }
}
