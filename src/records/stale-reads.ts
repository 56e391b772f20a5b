import type { PlannedRow } from '../core/plan.ts';
import { LONG_AGO } from '../run/doubt-time.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, isOff, plainValues, sameValue } from './existing-record.ts';
import { sameMoment } from './fresh.ts';
import type { ContextOf, ReadAgain } from './planning.ts';

type Context = ContextOf<Resource>;
/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };
type State = Omit<ExistingRecord, 'id'>;

/**
 * What was found of records, where reads lag behind: a record that this ledger wrote within the doubt time, and
 * that reads as before, is read again until it shows the write or no read can be late any more.
 */
export async function readUntilShown<F extends { readonly existing: ExistingRecord | null }>(
  context: Context,
  found: readonly F[],
  { keyOf, read, states = ({ existing }) => (existing === null ? [] : [existing]) }: ReadAgain<F>,
): Promise<readonly F[]> {
  const writes = await recentWrites(
    context,
    found.map((_, at) => keyOf(at) ?? ''),
  );
  if (writes.size === 0) return found;
  const { doubts, ledger, serviceKey, resource, signal } = context;
  const look = async (one: F, at: number): Promise<F> => {
    const key = keyOf(at) ?? '';
    const write = writes.get(key);
    if (write === undefined || !isBefore(resource, write, states(one))) return one;
    const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
    const isShown = (seen: F): boolean => !isBefore(resource, write, states(seen));
    const last = await doubts.look(doubts.fromStart(), () => read(at, sent), isShown);
    signal?.throwIfAborted();
    if (last === undefined) return await read(at, sent);
    // Nobody has to wait for it once more.
    const { run, seq } = write;
    if (!isShown(last)) await ledger.rememberWrite(serviceKey, resource.name, { key, run, seq, at: null });
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
function isBefore(resource: Resource, write: Write, states: readonly State[]): boolean {
  // Links have what they held instead of an LMT, which tells no order.
  const isAfter = ({ lmt }: State): boolean =>
    lmt !== null && write.lmt !== null && /^\d/.test(lmt) && lmt > write.lmt && !sameMoment(lmt, write.lmt);
  if (write.steps.at(-1)?.purpose === 'delete')
    return states.some((state) => !isOff(resource, state) && !isAfter(state));
  // What somebody deleted looks the same as what is not shown yet, and what somebody put back is after it.
  return states.every((state) => {
    const holds = (side: 'from' | 'to'): boolean =>
      write.changes.some((change) => {
        const held = heldIn(resource, state, change.field);
        return held !== undefined && !resource.keys.includes(change.field) && sameValue(held, change[side]);
      });
    return !isAfter(state) && !holds('to') && holds('from');
  });
}
