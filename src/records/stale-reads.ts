import type { FieldChange, PlannedRow } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import { LONG_AGO } from '../run/doubt-time.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, isOff, plainValues, sameValue } from './existing-record.ts';
import { type RecordConflict, sameMoment } from './freshness.ts';
import type { ContextOf } from './planning.ts';
import { storedValues } from './stored-values.ts';

type Context = ContextOf<Resource>;
/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };
type State = Omit<ExistingRecord, 'id'>;

/** How what the rows of a window name is read by itself, whatever was read before; by their places. */
export interface ReadAnew<F> {
  /** The key of a row's record in the ledger; null where it was not looked up. */
  keyOf(at: number): string | null;
  /** What was found of it; several where the service has several for one key. */
  states(found: F, at: number): readonly State[];
  /** Whether such a read tells a field. */
  tells?(field: string): boolean;
  /** `sent`: what was written last, for fields that it does not tell. */
  read(at: number, sent: Values): Promise<F>;
}

/**
 * What was found of records, where reads lag behind: those that are as they were before a recent run of our
 * own wrote them are read again, until they show it or no read can be late any more.
 */
export async function readAnew<F>(
  context: Context,
  found: readonly F[],
  { keyOf, states, tells, read }: ReadAnew<F>,
): Promise<readonly F[]> {
  const writes = await recentWrites(context, () => found.map((_, at) => keyOf(at) ?? ''));
  if (writes.size === 0) return found;
  const look = async (one: F, at: number): Promise<F> => {
    const key = keyOf(at) ?? '';
    const write = writes.get(key);
    if (write === undefined || !(await isBefore(context, write, states(one, at)))) return one;
    const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
    const isLate = (seen: F) => isBefore(context, write, states(seen, at), tells);
    return await untilShown(context, { ...write, key }, () => read(at, sent), isLate);
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
  const isLate = async (seen: RecordConflict | null): Promise<boolean> => {
    if (seen === null) return false;
    const { now, lmt = null } = seen;
    return await isBefore(context, write, now ? [{ external: null, lmt, values: now as Values }] : []);
  };
  if (!(await isLate(conflict))) return conflict;
  return await untilShown(context, { ...write, key }, check, isLate);
}

/** Reads until what is read is not late; at the end of the doubt time it is what the record is. */
async function untilShown<T>(
  { doubts, ledger, serviceKey, resource, signal }: Context,
  { key, run, seq }: Pick<Write, 'run' | 'seq'> & { readonly key: string },
  read: () => Promise<T>,
  isLate: (seen: T) => Promise<boolean>,
): Promise<T> {
  const look = async () => {
    const now = await read();
    return { now, late: await isLate(now) };
  };
  const seen = await doubts.look(doubts.fromStart(), look, ({ late }) => !late);
  if (seen?.late === true) await ledger.rememberWrite(serviceKey, resource.name, { key, run, seq, at: null });
  signal?.throwIfAborted();
  return seen === undefined ? await read() : seen.now;
}

/** The rows that wrote these records so lately that a read may not show it yet, by their keys. */
async function recentWrites({ ledger, serviceKey, resource, clock }: Context, keys: () => readonly string[]) {
  const since = new Date(clock().getTime() - LONG_AGO).toISOString();
  const last = await ledger.findLastWrite(serviceKey, resource.name);
  if (last === null || last < since) return new Map<string, Write>();
  return await ledger.findWrites(serviceKey, resource.name, keys(), since);
}

/** What a write changed of a record that was there, or that its row made before. */
function changesOf({ changes, steps: [first, ...later] }: Write): readonly FieldChange[] {
  if (first?.purpose !== 'create') return changes;
  const bodies = later.filter(({ purpose }) => purpose === 'update').map(({ body }) => body);
  return Object.entries(plainValues(Object.assign({}, ...bodies))).flatMap(([field, to]) =>
    to === null ? [] : [{ field, from: null, to }],
  );
}

/** How the LMT of a record stands to the one it had before a write; links have what they held instead. */
function orderOf({ lmt }: State, { lmt: before }: Write): 'before' | 'same' | 'after' | 'other' {
  if (lmt === null || before === null || sameMoment(lmt, before)) return 'same';
  if (!/^\d/.test(lmt)) return 'other';
  return lmt < before ? 'before' : 'after';
}

/** Whether a record was read as it was before a write of it. */
async function isBefore(
  context: Context,
  write: Write,
  states: readonly State[],
  tells = (_: string): boolean => true,
): Promise<boolean> {
  const { resource, ledger } = context;
  const isAfter = (state: State): boolean => orderOf(state, write) === 'after';
  if (write.steps.at(-1)?.purpose === 'delete')
    return states.some(
      (state) => !isOff(resource, state) && ['before', 'same'].includes(orderOf(state, write)),
    );
  // What somebody deleted looks the same as what is not shown yet.
  if (states.length === 0) return true;
  const changes = changesOf(write).filter(({ field }) => !resource.keys.includes(field) && tells(field));
  const shows = storedValues(context).shows(changes);
  const isOld = (state: State): boolean => {
    const held = ({ field }: FieldChange): Value | undefined => heldIn(resource, state, field);
    const told = changes.filter((change) => held(change) !== undefined);
    if (told.some((change) => shows(change.field, held(change), change.to))) return false;
    return told.some((change) => sameValue(held(change), change.from)) || orderOf(state, write) === 'before';
  };
  if (!states.every(isOld)) return false;
  if (write.key === null || !states.some(isAfter)) return true;
  // Someone put it back since, unless its run wrote it more than once.
  const rows = await ledger.plannedFor(write.run, resource.name, write.key);
  return rows.filter(({ steps }) => steps.length > 0).length > 1;
}
