import type { Bilingual } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { isFoundByKey } from '../../records/create-once.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { Context } from '../../run/context.ts';
import { elsewhereText, openElsewhere } from '../../run/posted-elsewhere.ts';
import { resourceNamed } from '../map/sheet-by-headers.ts';
import { planDetails } from '../plan/saved-plan.ts';

/** Tells why a row waits for the user: what it posts was posted at another address since its plan was made. */
export function createElsewhere(context: Context, run: string) {
  const open = askedOnce(async (name: string) => {
    // What the user said when the file was planned holds, unless something else is said now.
    const elsewhere = context.elsewhere ?? (await planDetails(context.ledger, run))?.elsewhere;
    const asked = { ...context, elsewhere };
    return { asked, find: await openElsewhere(asked, name) };
  });
  return async (planned: PlannedRow): Promise<Bilingual | null> => {
    const { steps } = planned;
    const names = steps.flatMap(({ fingerprint, also = [] }) => [fingerprint ?? [], also].flat());
    if (names.length === 0) return null;
    const { asked, find } = await open(planned.resource);
    const [other] = (await find(names)).values();
    if (other === undefined) return null;
    const resource = resourceNamed(context, planned.resource);
    const isFound =
      steps[0]?.purpose === 'create' &&
      // The event tells which links it has.
      (!('external' in resource) || (await isFoundByKey({ ...asked, resource }, planned, other)));
    return isFound ? null : elsewhereText(other);
  };
}
