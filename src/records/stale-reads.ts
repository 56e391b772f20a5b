import type { PlannedRow } from '../core/plan.ts';
import { LONG_AGO } from '../run/doubt-time.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, isOff, plainValues, sameValue } from './existing-record.ts';
import { sameMoment } from './fresh.ts';
import type { ContextOf, FoundRecord, ReadAgain } from './planning.ts';

type Context = ContextOf<Resource>;
/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };

/**
 * What was found of records, where reads lag behind: a record that this ledger wrote within the doubt time, and
 * that reads as before, is read again until it shows the write or no read can be late any more.
 */
export async function readUntilShown(
  context: Context,
  found: readonly FoundRecord[],
  { keyOf, read }: ReadAgain,
): Promise<readonly FoundRecord[]> {
  const writes = await recentWrites(
    context,
    found.map((_, at) => keyOf(at) ?? ''),
  );
  if (writes.size === 0) return found;
  const { doubts, ledger, serviceKey, resource, signal } = context;
  const look = async (one: FoundRecord, at: number): Promise<FoundRecord> => {
    const key = keyOf(at) ?? '';
    const write = writes.get(key);
    const isShown = ({ existing }: FoundRecord): boolean =>
      write === undefined || !isBefore(resource, write, existing);
    if (write === undefined || isShown(one)) return one;
    const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
    const last = await doubts.look(doubts.fromStart(), () => read(at, sent), isShown);
    signal?.throwIfAborted();
    if (last === undefined) return await read(at, sent);
    // Nobody has to wait for it once more.
    const { run, seq } = write;
    if (!isShown(last))
      await ledger.remember(serviceKey, resource.name, 'write', key, { run, seq, at: null });
    return last;
  };
  return await Promise.all(found.map(look));
}

/** The rows that wrote these records so lately that a read may not show it yet, by their keys. */
async function recentWrites({ ledger, serviceKey, resource, time }: Context, keys: readonly string[]) {
  const since = new Date(time.now() - LONG_AGO).toISOString();
  return await ledger.findWrites(serviceKey, resource.name, keys, since);
}

/** Whether a record was read as it was before a write of it. */
function isBefore(resource: Resource, { lmt, steps, changes }: Write, seen: ExistingRecord | null): boolean {
  const isDelete = steps.at(-1)?.purpose === 'delete';
  // What somebody deleted looks the same as what is not shown yet, and what somebody put back is after it.
  if (seen === null) return !isDelete;
  // Links have what they held instead of an LMT, which tells no order.
  if (lmt !== null && seen.lmt !== null && /^\d/.test(lmt) && seen.lmt > lmt && !sameMoment(seen.lmt, lmt))
    return false;
  if (isDelete) return !isOff(resource, seen);
  const holds = (side: 'from' | 'to'): boolean =>
    changes.some((change) => {
      const held = heldIn(resource, seen, change.field);
      return held !== undefined && !resource.keys.includes(change.field) && sameValue(held, change[side]);
    });
  return !holds('to') && holds('from');
}
