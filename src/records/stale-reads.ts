import type { PlannedRow } from '../core/plan.ts';
import type { Values } from '../core/value.ts';
import { LONG_AGO } from '../run/doubt-time.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, isOff, plainValues, sameValue } from './existing-record.ts';
import { type RecordConflict, sameMoment } from './fresh.ts';
import type { ContextOf } from './planning.ts';

type Context = ContextOf<Resource>;
/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };
type State = Omit<ExistingRecord, 'id'>;

/** How what the rows of a window name is read by itself, by their places. */
export interface ReadAgain<F> {
  /** The key of a row's record in the ledger; null where it was not looked up. */
  keyOf(at: number): string | null;
  /** What was found of it, where the service may have several for one key. */
  states?(found: F): readonly State[];
  /** `sent`: what was written last, for fields that this read does not tell. */
  read(at: number, sent: Values): Promise<F>;
}

/**
 * What was found of records, where reads lag behind: a record that this ledger wrote within the doubt time, and
 * that reads as before, is read again until it shows the write or no read can be late any more.
 */
export async function readUntilShown<F extends { readonly existing: ExistingRecord | null }>(
  context: Context,
  found: readonly F[],
  { keyOf, read, states = ({ existing }) => (existing === null ? [] : [existing]) }: ReadAgain<F>,
): Promise<readonly F[]> {
  const writes = await recentWrites(context, () => found.map((_, at) => keyOf(at) ?? ''));
  if (writes.size === 0) return found;
  const look = async (one: F, at: number): Promise<F> => {
    const key = keyOf(at) ?? '';
    const write = writes.get(key);
    if (write === undefined) return one;
    const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
    const isLate = (seen: F): boolean => isBefore(context, write, states(seen));
    return await untilShown(context, { ...write, key }, { seen: one, read: () => read(at, sent), isLate });
  };
  return await Promise.all(found.map(look));
}

/** Looks again at what looks like someone's change, where it may be what our own write came after. */
export async function believed(
  context: Context,
  { key }: PlannedRow,
  conflict: RecordConflict,
  check: () => Promise<RecordConflict | null>,
): Promise<RecordConflict | null> {
  const write = key === null ? undefined : (await recentWrites(context, () => [key])).get(key);
  if (key === null || write === undefined) return conflict;
  const isLate = (seen: RecordConflict | null): boolean => {
    if (seen === null) return false;
    const { now, lmt = null } = seen;
    return isBefore(context, write, now ? [{ external: null, lmt, values: now as Values }] : []);
  };
  return await untilShown(context, { ...write, key }, { seen: conflict, read: check, isLate });
}

interface Reading<T> {
  readonly seen: T;
  read(): Promise<T>;
  isLate(seen: T): boolean;
}

/** Reads until what is read is not late; what is read after the doubt time is what the record is. */
async function untilShown<T>(
  { doubts, ledger, serviceKey, resource, signal }: Context,
  { key, run, seq }: Pick<Write, 'run' | 'seq'> & { readonly key: string },
  { seen, read, isLate }: Reading<T>,
): Promise<T> {
  if (!isLate(seen)) return seen;
  const look = async () => ({ now: await read() });
  const last = await doubts.look(doubts.fromStart(), look, ({ now }) => !isLate(now));
  // Nobody has to wait for it once more.
  if (last !== undefined && isLate(last.now))
    await ledger.rememberWrite(serviceKey, resource.name, { key, run, seq, at: null });
  signal?.throwIfAborted();
  return last === undefined ? await read() : last.now;
}

/** The rows that wrote these records so lately that a read may not show it yet, by their keys. */
async function recentWrites({ ledger, serviceKey, resource, time }: Context, keys: () => readonly string[]) {
  const since = new Date(time.now() - LONG_AGO).toISOString();
  const last = await ledger.findLastWrite(serviceKey, resource.name);
  if (last === null || last < since) return new Map<string, Write>();
  return await ledger.findWrites(serviceKey, resource.name, keys(), since);
}

/** Whether a record was read as it was before a write of it. */
function isBefore({ resource }: Context, write: Write, states: readonly State[]): boolean {
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
