import { createHash } from 'node:crypto';
import { usageStop } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Plan } from './plan-import.ts';

/** The digits of a fingerprint: none that is taken for another. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * What a plan is known by, such as `7K3Q-9FDM-2XWZ-H1TB`: another one for another service, row, change or request. It
 * stays the same while the plan is sent.
 */
export async function fingerprintOf(
  ledger: Pick<Ledger, 'findPlanHash'>,
  { run, service }: Pick<Plan, 'run' | 'service'>,
): Promise<string> {
  const hash = createHash('sha256')
    .update(service)
    .update(await ledger.findPlanHash(run))
    .digest();
  const digits = [...hash.subarray(0, 16)].map((byte) => DIGITS[byte % DIGITS.length]).join('');
  return digits.replace(/(.{4})(?=.)/g, '$1-');
}

const bare = (fingerprint: string): string => fingerprint.toUpperCase().replace(/[^0-9A-Z]/g, '');

/** Refuses to send a plan that is not the one that somebody looked at. Throws StopError with EXIT.usage. */
export async function expectPlan(
  ledger: Pick<Ledger, 'findPlanHash'>,
  plan: Pick<Plan, 'run' | 'service'>,
  expected: string | undefined,
): Promise<void> {
  if (expected === undefined) return;
  const is = await fingerprintOf(ledger, plan);
  if (bare(is) === bare(expected)) return;
  throw usageStop(
    t(
      `The plan ${plan.run} has the fingerprint ${is}, not ${expected}: it is not the one that was looked at. Nothing was sent.`,
      `Het plan ${plan.run} heeft vingerafdruk ${is}, niet ${expected}: het is niet het plan dat bekeken is. Er is niets verstuurd.`,
    ),
    withFlag(
      t(
        'Look at this plan, or name the run that was looked at.',
        'Bekijk dit plan, of noem de run die bekeken is.',
      ),
      '--report FILE',
    ),
  );
}
