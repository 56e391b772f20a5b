import type { Time } from '../../core/time.ts';
import type { RecordConflict } from '../../records/freshness.ts';

/** How old a list may be before it is read anew, ms: so long a change may go unseen. */
export const MAX_AGE = 10_000;

/**
 * Looks at all parents again where the plan is some seconds old. Right after it, one parent stands for all:
 * the first one, where whoever imports the same at the same time begins too. Only if something changed
 * there, the others are looked at as well.
 */
export function createSample(time: Time, planned: number) {
  let first: { readonly parent: number; readonly looked: Promise<unknown> } | undefined;
  let changed = false;
  return async (
    parent: number,
    look: () => Promise<RecordConflict | null>,
  ): Promise<RecordConflict | null> => {
    if (first !== undefined) await first.looked;
    const isNew = time.steady() - planned <= MAX_AGE;
    if (isNew && !changed && first !== undefined && first.parent !== parent) return null;
    const looking = look();
    first ??= { parent, looked: looking.catch(() => {}) };
    const found = await looking;
    if (found !== null) changed = true;
    return found;
  };
}
