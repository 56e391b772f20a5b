import { kindOf } from '../../kinds/kinds.ts';
import { rowPages } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { SentPlan } from '../plan/saved-plan.ts';

/** Remembers what rows tell whatever becomes of them, such as a count that equals the total. */
export async function rememberTold(context: Context, { run, sheets }: SentPlan): Promise<void> {
  const { ledger, serviceKey, resources, time } = context;
  for (const { name } of resources.filter((one) => kindOf(one).tells === true))
    for (const { sheet } of sheets.filter(({ resource }) => resource === name))
      for await (const page of rowPages(ledger, run, { sheet })) {
        const told = page.map(async ({ planned: { action, seq, fact, posted = [] } }) => {
          // A fact that an earlier run told, and a count that it told or posted, stays as it is.
          if (fact !== undefined && (await ledger.findFact(serviceKey, fact[0])) === undefined)
            await ledger.rememberFact(serviceKey, ...fact);
          const [fingerprint, ...also] = posted;
          if (action !== 'unchanged' || fingerprint === undefined) return;
          const own = { fingerprint, run, seq, at: wallClock(time.now()), id: null };
          await ledger.claimPosting(serviceKey, name, { ...own, state: 'done' }, also);
        });
        await Promise.all(told);
      }
}
