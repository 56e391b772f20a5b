import { randomBytes } from 'node:crypto';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { PLAN_VERSION } from '../core/plan.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import type { Context } from './context.ts';

/** What a run's name looks like. */
export const RUN_ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;

/** A run's name: sorts by time, short enough to type, such as `20270331-074512-k3vq`. */
export function newRunId(now: Date): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}`;
  const time = `${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`;
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const tail = [...randomBytes(4)].map((byte) => letters[byte % letters.length]).join('');
  return `${day}-${time}-${tail}`;
}

/** No such run in this ledger. */
export function unknownRun(run: string): StopError {
  return new StopError(
    EXIT.usage,
    t(`There is no run ${run} in this ledger.`, `Er is geen run ${run} in dit grootboek.`),
    {
      next: t('catersheet runs lists them.', 'catersheet runs noemt ze.'),
    },
  );
}

/** Throws StopError with EXIT.usage for a run that can't be sent: not planned to its end, by another version, for another service. */
export function refuseForeign(
  context: Context,
  record: RunRecord,
  details: { readonly serviceName: string } | undefined,
): void {
  const again = t('Import the file again.', 'Importeer het bestand opnieuw.');
  if (details === undefined || record.state === 'planning') {
    throw new StopError(
      EXIT.usage,
      t(
        `The plan of run ${record.run} was never completed.`,
        `Het plan van run ${record.run} is nooit afgemaakt.`,
      ),
      {
        next: again,
      },
    );
  }
  if (record.planVersion !== PLAN_VERSION) {
    throw new StopError(
      EXIT.usage,
      t(
        `Run ${record.run} was planned by another version of catersheet.`,
        `Run ${record.run} is gepland door een andere versie van catersheet.`,
      ),
      {
        next: again,
      },
    );
  }
  if (record.service === context.serviceKey) return;
  throw new StopError(
    EXIT.usage,
    t(
      `Run ${record.run} is for ${details.serviceName}, not for ${context.serviceName}.`,
      `Run ${record.run} is voor ${details.serviceName}, niet voor ${context.serviceName}.`,
    ),
    {
      next: t('Name its service with --base-url.', 'Noem de dienst ervan met --base-url.'),
    },
  );
}
