import { EXIT, StopError } from '../../errors.ts';
import type { RunRecord } from '../../ledger/ledger.ts';
import { PLAN_VERSION } from '../../schema/plan.ts';
import type { Context } from '../context.ts';

/** No such run in this ledger. */
export function unknownRun(run: string): StopError {
  return new StopError(
    EXIT.usage,
    { en: `There is no run ${run} in this ledger.`, nl: `Er is geen run ${run} in dit grootboek.` },
    {
      next: { en: 'catersheet runs lists them.', nl: 'catersheet runs noemt ze.' },
    },
  );
}

/** Throws StopError with EXIT.usage for a run that can't be sent: not planned to its end, by another version, for another service. */
export function refuseForeign(
  context: Context,
  record: RunRecord,
  details: { readonly serviceName: string } | undefined,
): void {
  const again = { en: 'Import the file again.', nl: 'Importeer het bestand opnieuw.' };
  if (details === undefined || record.state === 'planning') {
    throw new StopError(
      EXIT.usage,
      {
        en: `The plan of run ${record.run} was never completed.`,
        nl: `Het plan van run ${record.run} is nooit afgemaakt.`,
      },
      {
        next: again,
      },
    );
  }
  if (record.planVersion !== PLAN_VERSION) {
    throw new StopError(
      EXIT.usage,
      {
        en: `Run ${record.run} was planned by another version of catersheet.`,
        nl: `Run ${record.run} is gepland door een andere versie van catersheet.`,
      },
      {
        next: again,
      },
    );
  }
  if (record.service === context.serviceKey) return;
  throw new StopError(
    EXIT.usage,
    {
      en: `Run ${record.run} is for ${details.serviceName}, not for ${context.serviceName}.`,
      nl: `Run ${record.run} is voor ${details.serviceName}, niet voor ${context.serviceName}.`,
    },
    {
      next: { en: 'Name its service with --base-url.', nl: 'Noem de dienst ervan met --base-url.' },
    },
  );
}
