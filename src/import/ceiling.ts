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
            `Rows that delete: ${deleted}. You allow ${maxDeletes} without a look.`,
            `Rijen die verwijderen: ${deleted}. Zonder te kijken sta je er ${maxDeletes} toe.`,
          ),
          '--max-deletes',
        )
      : withFlag(
          t(
            `Rows to send: ${all}. You allow ${maxChanges} without a look.`,
            `Te versturen rijen: ${all}. Zonder te kijken sta je er ${maxChanges} toe.`,
          ),
          '--max-changes',
        );
  const look = t(
    'Look at the plan in the result. If it is right, send exactly that.',
    'Bekijk het plan in het resultaat. Klopt het, verstuur dan precies dat.',
  );
  return new StopError(EXIT.rows, message, { next: withFlag(look, `catersheet apply ${run}`) });
}
