import type { Context } from '../run/context.ts';
import type { KeyedResource } from './keyed-resource.ts';
import type { Doubt, Verdict } from './kind.ts';

/**
 * Settles a create in doubt for one of the records that look like it: one that is nobody's yet. Two rows in doubt with
 * the same content must not both settle for one record, so it is claimed in the ledger.
 */
export async function claimRecord(
  context: Context,
  resource: KeyedResource,
  { run, planned, since }: Pick<Doubt, 'run' | 'planned' | 'since'>,
  ids: readonly number[],
): Promise<Verdict> {
  const known = await context.ledger.findKnownIds(context.serviceKey, resource.name, ids);
  const free = ids.find((id) => !known.has(id));
  if (free === undefined) return 'no';
  const posting = { fingerprint: `id:${free}`, run, seq: planned.seq, at: exactWallClock(since) };
  const claim = { ...posting, state: 'done', id: free } as const;
  const holder = await context.ledger.claimPosting(context.serviceKey, resource.name, claim);
  return holder === undefined ? { id: free } : null;
}

/** Wall clock of this machine, `YYYY-MM-DD hh:mm:ss.SSS`. */
export function exactWallClock(moment: Date): string {
  const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
  const day = `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
  const time = `${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}`;
  return `${day} ${time}.${pad(moment.getMilliseconds(), 3)}`;
}
