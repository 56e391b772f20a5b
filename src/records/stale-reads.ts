import type { FieldChange, PlannedRow } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import { LONG_AGO } from '../run/doubt-time.ts';
import type { Resource } from '../schema/resource.ts';
import {
  type ExistingRecord,
  heldIn,
  isOff,
  type KeyedResource,
  plainValues,
  sameValue,
} from './existing-record.ts';
import { lmtMoves, type RecordConflict, sameMoment, secondBefore } from './freshness.ts';
import type { ContextOf } from './planning.ts';

type Context = ContextOf<Resource>;
/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };
type State = Omit<ExistingRecord, 'id'>;

/** What was read of a record once more. */
export interface ReadAgain<F> {
  readonly found: F;
  /** The reads that it is pieced together from, if several; null where they show several moments. */
  readonly parts?: readonly State[] | null;
}

/** How what the rows of a window name is read by itself, whatever was read before; by their places. */
export interface ReadAnew<F> {
  /** The key of a row's record in the ledger; null where it was not looked up. */
  keyOf(at: number): string | null;
  /** What was found of it; several where the service has several for one key. */
  states(found: F, at: number): readonly State[];
  /**
   * `sent`: what was written last, for fields that no read tells. `settled`: no read can be late any more, so
   * that several reads are believed together, whatever they were before.
   */
  read(at: number, sent: Values, settled: boolean): Promise<ReadAgain<F>>;
}

/** How a read is late: it shows what a write came after, or its LMT alone has not moved. */
type Late = 'before' | 'unmoved';

/**
 * What was found of records, where reads lag behind: those that are as they were before a recent run of our
 * own wrote them are read again, until they show it or no read can be late any more.
 */
export async function readAnew<F>(
  context: Context,
  found: readonly F[],
  { keyOf, states, read }: ReadAnew<F>,
): Promise<readonly F[]> {
  const writes = await recentWrites(context, () => found.map((_, at) => keyOf(at) ?? ''));
  if (writes.size === 0) return found;
  const look = async (one: F, at: number): Promise<F> => {
    const key = keyOf(at) ?? '';
    const write = writes.get(key);
    if (write === undefined || (await lateness(context, write, states(one, at))) === null) return one;
    const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
    const isLate = async ({ found: seen, parts }: ReadAgain<F>): Promise<Late | null> => {
      if (parts === null) return 'before';
      for (const part of parts?.map((state) => [state]) ?? [states(seen, at)]) {
        const late = await lateness(context, write, part);
        if (late !== null) return late;
      }
      return null;
    };
    const readAt = (settled: boolean) => read(at, sent, settled);
    return (await untilShown(context, { ...write, key }, readAt, isLate)).found;
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
  const isLate = async (seen: RecordConflict | null): Promise<Late | null> => {
    if (seen === null) return null;
    const { now, lmt = null } = seen;
    return await lateness(context, write, now ? [{ external: null, lmt, values: now as Values }] : []);
  };
  if ((await isLate(conflict)) === null) return conflict;
  return await untilShown(context, { ...write, key }, check, isLate);
}

/** Reads until what is read is not late; what is read after the doubt time is what the record is. */
async function untilShown<T>(
  { doubts, ledger, serviceKey, resource, signal, time }: Context,
  { key, run, seq }: Pick<Write, 'run' | 'seq'> & { readonly key: string },
  read: (settled: boolean) => Promise<T>,
  isLate: (seen: T) => Promise<Late | null>,
): Promise<T> {
  const until = doubts.fromStart();
  const look = async () => {
    const settled = time.steady() >= until;
    const now = await read(settled);
    return { now, late: await isLate(now) };
  };
  const seen = await doubts.look(until, look, ({ late }) => late === null);
  if (seen != null && seen.late !== null) {
    await ledger.rememberWrite(serviceKey, resource.name, { key, run, seq, at: null });
    if (seen.late === 'unmoved') await ledger.rememberFact(serviceKey, lmtMoves(resource), 'no');
  }
  signal?.throwIfAborted();
  return seen === undefined ? await read(true) : seen.now;
}

/** The rows that wrote these records so lately that a read may not show it yet, by their keys. */
async function recentWrites({ ledger, serviceKey, resource, time }: Context, keys: () => readonly string[]) {
  const since = new Date(time.now() - LONG_AGO).toISOString();
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

/** How a record was read as it was before a write of it; null where it was not. */
async function lateness(context: Context, write: Write, states: readonly State[]): Promise<Late | null> {
  const { resource, ledger, serviceKey } = context;
  const isAfter = (state: State): boolean => orderOf(state, write) === 'after';
  if (write.steps.at(-1)?.purpose === 'delete') {
    const isThere = (state: State) => ['before', 'same'].includes(orderOf(state, write));
    return states.some((state) => !isOff(resource, state) && isThere(state)) ? 'before' : null;
  }
  // What somebody deleted looks the same as what is not shown yet.
  if (states.length === 0) return 'before';
  const changes = changesOf(write).filter(({ field }) => !resource.keys.includes(field));
  const toldBy = (state: State) =>
    changes.filter(({ field }) => heldIn(resource, state, field) !== undefined);
  const isOld = (state: State): boolean => {
    const held = ({ field }: FieldChange): Value | undefined => heldIn(resource, state, field);
    const told = toldBy(state);
    if (told.some((change) => sameValue(held(change), change.to))) return false;
    return told.some((change) => sameValue(held(change), change.from)) || orderOf(state, write) === 'before';
  };
  if (!states.every(isOld)) {
    // Where another read tells what was changed, the LMT alone says whether this one was before it.
    const isElsewhere = changes.some(({ field }) => (resource.fields[field]?.reads ?? 'none') !== 'none');
    const isUnmoved = (state: State): boolean =>
      toldBy(state).length === 0 &&
      state.lmt !== null &&
      write.lmt !== null &&
      orderOf(state, write) === 'same';
    if (!isElsewhere || !states.every(isUnmoved)) return null;
    return (await ledger.findFact(serviceKey, lmtMoves(resource))) === 'no' ? null : 'unmoved';
  }
  if (write.key === null || !states.some(isAfter)) return 'before';
  // Someone put it back since, unless its run wrote it more than once.
  const rows = await ledger.plannedFor(write.run, resource.name, write.key);
  return rows.filter(({ steps }) => steps.length > 0).length > 1 ? 'before' : null;
}

/** A record as several reads showed it; what they were is in `parts`, as `ReadAgain` has it. */
interface Pieced extends Pick<ReadAgain<never>, 'parts'> {
  readonly existing: ExistingRecord | null;
}

interface Reads {
  /** The record by itself. */
  one(): Promise<ExistingRecord | null>;
  /** What a list shows that was written since a moment (null: all), read for all who ask for it now. */
  listed?(since: string | null): Promise<readonly ExistingRecord[]>;
}

/** A field that lists alone tell. */
const isListedOnly = ({ fields }: KeyedResource, field: string): boolean => fields[field]?.reads === 'list';

/**
 * Reads a record by itself, and what lists alone tell of it where the first look had that from a list. Both
 * are believed together where their LMTs are the same; where records have none, each for itself.
 * `was`: what the first look showed, `sent`: what was written last, `settled`: as `ReadAnew` has it.
 */
export async function pieceTogether(
  resource: KeyedResource,
  { one: readOne, listed }: Reads,
  { was, sent, settled }: { was: ExistingRecord | null; sent: Values; settled: boolean },
): Promise<Pieced> {
  const one = await readOne();
  if (one === null) return { existing: null };
  const onlyListed = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([field]) => isListedOnly(resource, field)));
  const told = onlyListed(was?.values ?? {});
  const merged = (rest: Values): ExistingRecord => ({
    ...one,
    values: { ...was?.values, ...rest, ...one.values },
  });
  if (was === null || listed === undefined || Object.keys(told).length === 0)
    return { existing: merged(onlyListed(sent)) };
  // As it was at the first look: of a record whose LMT never moves that is not so for sure.
  const isAsWas = one.lmt !== null && was.lmt !== null && sameMoment(one.lmt, was.lmt);
  if (isAsWas && !settled) return { existing: merged({}) };
  const isSince = one.lmt !== null && !settled;
  const list = await listed(isSince ? minuteOf(one.lmt) : null);
  const shown = list.find(({ id }) => id === one.id);
  if (shown === undefined) return { existing: merged(onlyListed(sent)), ...(isSince && { parts: null }) };
  const existing = merged(onlyListed(shown.values));
  if (one.lmt === null || shown.lmt === null) return { existing, parts: [one, shown] };
  return { existing, ...(!sameMoment(one.lmt, shown.lmt) && { parts: null }) };
}

/** The minute of a moment, or the one before it: records that were written together ask for one list. */
const minuteOf = (lmt: string): string => `${secondBefore(lmt).slice(0, 'YYYY-MM-DD hh:mm'.length)}:00`;
