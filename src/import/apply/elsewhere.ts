import type { Bilingual } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { rowPages } from '../../ledger/ledger.ts';
import { isFoundByKey } from '../../records/create-once.ts';
import type { Context } from '../../run/context.ts';
import {
  elsewhereText,
  openElsewhere,
  otherServices,
  type PostingElsewhere,
} from '../../run/posted-elsewhere.ts';
import { resourceNamed } from '../map/sheet-by-headers.ts';
import { planDetails } from '../plan/saved-plan.ts';

/**
 * Tells why a row waits for the user: what it posts was posted at another address since its plan was made. As
 * one program at a time sends with a ledger, all rows are asked about at once, at the first that is sent.
 */
export function createElsewhere(context: Context, run: string) {
  let opened: Promise<ReadonlyMap<number, PostingElsewhere>> | undefined;
  return async ({ seq }: PlannedRow): Promise<Bilingual | null> => {
    opened ??= findElsewhere(context, run);
    const other = (await opened).get(seq);
    return other === undefined ? null : elsewhereText(other);
  };
}

/** By row, what was posted at other addresses under its names. */
async function findElsewhere(context: Context, run: string): Promise<ReadonlyMap<number, PostingElsewhere>> {
  const found = new Map<number, PostingElsewhere>();
  // What the user said when the file was planned holds, unless something else is said now.
  const elsewhere = context.elsewhere ?? (await planDetails(context.ledger, run))?.elsewhere;
  const asked = { ...context, elsewhere };
  if ((await otherServices(asked)).length === 0) return found;
  for await (const page of rowPages(context.ledger, run, { pending: true })) {
    const byResource = new Map<string, PlannedRow[]>();
    for (const { planned } of page)
      if (namesOf(planned).length > 0)
        byResource.set(planned.resource, [...(byResource.get(planned.resource) ?? []), planned]);
    for (const [name, rows] of byResource) {
      const resource = resourceNamed(context, name);
      const others = await (await openElsewhere(asked, name))(rows.flatMap(namesOf));
      for (const row of others.size === 0 ? [] : rows) {
        const other = namesOf(row).flatMap((one) => others.get(one) ?? [])[0];
        if (other === undefined) continue;
        const isKeyed = row.steps[0]?.purpose === 'create';
        // The event tells which links it has.
        if (isKeyed && !('external' in resource)) continue;
        if (
          !isKeyed ||
          !('external' in resource) ||
          !(await isFoundByKey({ ...asked, resource }, row, other))
        )
          found.set(row.seq, other);
      }
    }
  }
  return found;
}

const namesOf = ({ steps }: PlannedRow): string[] =>
  steps.flatMap(({ fingerprint, also = [] }) => (fingerprint === undefined ? [] : [fingerprint, ...also]));
