import type { Counts } from '../core/counts.ts';
import { EXIT, StopError } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';

/** How many rows may be sent, and deleted, before somebody looked at the plan; absent: any number. */
export interface Ceilings {
  readonly maxChanges?: number | undefined;
  readonly maxDeletes?: number | undefined;
}

/** Why a plan is not sent by the command that made it; null where it stays below both ceilings. */
export function overCeiling(
  { run, counts }: { readonly run: string; readonly counts: Counts },
  { maxChanges = Number.POSITIVE_INFINITY, maxDeletes = Number.POSITIVE_INFINITY }: Ceilings,
): StopError | null {
  const { created, updated, deleted } = counts;
  const all = created + updated + deleted;
  if (deleted <= maxDeletes && all <= maxChanges) return null;
  const message =
    deleted > maxDeletes
      ? withFlag(
          t(
            `${deleted} rows would be deleted, and you allow ${maxDeletes} without a look.`,
            `Er zouden ${deleted} rijen verwijderd worden, en je staat er ${maxDeletes} toe zonder te kijken.`,
          ),
          '--max-deletes',
        )
      : withFlag(
          t(
            `${all} rows would be sent, and you allow ${maxChanges} without a look.`,
            `Er zouden ${all} rijen verstuurd worden, en je staat er ${maxChanges} toe zonder te kijken.`,
          ),
          '--max-changes',
        );
  const look = t(
    'Look at the plan in the result. If it is right, send exactly that.',
    'Bekijk het plan in het resultaat. Klopt het, verstuur dan precies dat.',
  );
  return new StopError(EXIT.rows, message, { next: withFlag(look, `catersheet apply ${run}`) });
}
