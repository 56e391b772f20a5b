import { type Bilingual, t } from '../../core/language.ts';
import type { Context } from '../../run/context.ts';

type Place = Pick<Context, 'ledger' | 'serviceKey'>;

const factName = (run: string): string => `${run} was taken back`;

/** Remembers, before it is sent, that a run takes another one back (`undoes`). */
export async function rememberTakenBack(
  { ledger, serviceKey }: Place,
  { run, undoes }: { readonly run: string; readonly undoes: string | null },
): Promise<void> {
  if (undoes !== null) await ledger.rememberFact(serviceKey, factName(undoes), run);
}

/** The last run that took a run back, in whole or in part; undefined when none did. */
export async function findTakenBack({ ledger, serviceKey }: Place, run: string): Promise<string | undefined> {
  return await ledger.findFact(serviceKey, factName(run));
}

/** Said when a run that was taken back goes on. */
export const takenBackText = (run: string, by: string): Bilingual =>
  t(
    `Run ${run} was taken back by run ${by}: going on with it sends the rows that it had not sent yet; what was taken back is not made again.`,
    `Run ${run} is teruggedraaid door run ${by}: ermee verdergaan verstuurt de rijen die nog niet verstuurd waren; wat teruggedraaid is, wordt niet opnieuw gemaakt.`,
  );
