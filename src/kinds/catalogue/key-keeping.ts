import type { PlannedRow } from '../../core/plan.ts';
import type { Context } from '../../run/context.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import type { KeyedResource } from '../keyed-resource.ts';
import type { KeyKeeping } from '../kind.ts';
import { learnFresh } from './fresh-record.ts';
import { readDetail } from './read-detail.ts';

/** So many refusals, of whatever runs, and no key stored, say of the service what one says of a row only. */
const REFUSALS = 3;

/** The fact in the ledger that tells whether a service keeps keys; `no` once it was seen not to. */
export function keepsKeys(resource: KeyedResource): string {
  return `keeps ${resource.external} of ${resource.name}`;
}

/** The fact in the ledger that tells how many keys in a row a service refused, in all runs. */
const refusedKeys = (resource: KeyedResource): string =>
  `refusals of ${resource.external} of ${resource.name}`;

/**
 * Finds out once a run whether the service keeps an ExternalID that an update stores, by reading the first stored one
 * back; the ledger remembers the answer.
 */
export function createKeyKeeping(
  context: Context,
  resource: CatalogueResource,
): KeyKeeping & { readonly reason: () => string | null } {
  let asked: Promise<void> | undefined;
  let reason: string | null = null;
  let refusals = 0;
  let kept = 0;
  const learn = (keeps: boolean): Promise<void> =>
    context.ledger.rememberFact(context.serviceKey, keepsKeys(resource), keeps ? 'yes' : 'no');
  let earlier: Promise<number> | undefined;
  const countBefore = async (): Promise<number> =>
    Number((await context.ledger.findFact(context.serviceKey, refusedKeys(resource))) ?? 0);
  const rememberRefusals = (count: number): Promise<void> =>
    context.ledger.rememberFact(context.serviceKey, refusedKeys(resource), String(count));
  const lose = async (why: string): Promise<void> => {
    reason ??= why;
    context.log.warn({ resource: resource.name, why }, 'the service does not keep ExternalID');
    await learn(false);
  };
  const readBack = async ({ external, steps }: PlannedRow, id: number): Promise<void> => {
    const found = external === null ? null : await readDetail(context, resource, external, 'external');
    const [made] = steps;
    if (found?.id === id && made?.purpose === 'create') await learnFresh(context, resource, made, found);
    // Found under another id, the key is kept, if for two records.
    if (found !== null) await learn(true);
    else await lose(`${resource.external} ${external} of ${resource.id} ${id} was not found again`);
  };
  return {
    kept: () => reason === null,
    reason: () => reason,
    async refused(words) {
      refusals++;
      earlier ??= countBefore();
      const all = (await earlier) + refusals;
      if (kept > 0) return;
      await rememberRefusals(all);
      if (all >= REFUSALS) await lose(words);
    },
    async stored(planned, id) {
      if (kept++ === 0) await rememberRefusals(0);
      asked ??= readBack(planned, id).catch((error: unknown) => {
        // Not being able to read back says nothing about keys; the next run asks again.
        if (!(error instanceof RequestError)) throw error;
        context.log.warn(
          { resource: resource.name, error: error.reason },
          'a stored key could not be read back',
        );
      });
      await asked;
    },
  };
}
