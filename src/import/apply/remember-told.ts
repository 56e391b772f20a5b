import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { SentPlan } from '../plan/saved-plan.ts';

/** Remembers what rows tell whatever becomes of them, such as a count that equals the total. */
export async function rememberTold(context: Context, { run, sheets }: SentPlan): Promise<void> {
  const { ledger, serviceKey, resources, time } = context;
  const facts: (readonly [string, string])[] = [];
  const keep = () => Promise.all(facts.splice(0).map((fact) => rememberOnce(context, fact)));
  for (const resource of resources) {
    if (kindOf(resource).tells !== true) continue;
    for (const { sheet } of sheets.filter((one) => one.resource === resource.name))
      for await (const { planned } of eachRow(ledger, run, { sheet })) {
        if (planned.fact !== undefined) facts.push(planned.fact);
        if (facts.length >= TOGETHER) await keep();
        const [fingerprint, ...also] = planned.posted ?? [];
        if (planned.action !== 'unchanged' || fingerprint === undefined) continue;
        const told = { fingerprint, run, seq: planned.seq, at: wallClock(time.now()), id: null };
        // One that an earlier run told, or posted, stays as it is.
        await ledger.claimPosting(serviceKey, resource.name, { ...told, state: 'done' }, also);
      }
  }
  await keep();
}

/** So many facts are written down at once. */
const TOGETHER = 200;

async function rememberOnce(
  { ledger, serviceKey }: Context,
  [name, value]: readonly [string, string],
): Promise<void> {
  if ((await ledger.findFact(serviceKey, name)) === undefined)
    await ledger.rememberFact(serviceKey, name, value);
}
