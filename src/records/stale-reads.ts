import type { FieldChange, PlannedRow } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import { LONG_AGO } from '../run/doubt-time.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, isOff, plainValues, sameValue } from './existing-record.ts';
import { type RecordConflict, sameMoment } from './freshness.ts';
import type { ContextOf } from './planning.ts';
import { storedValues } from './stored-values.ts';

/** A row that wrote a record lately, with its run. */
type Write = PlannedRow & { readonly run: string };
type State = Omit<ExistingRecord, 'id'>;

/** How what rows of a window name is read by itself, whatever was read before; by their places. */
export interface ReadAnew<F> {
  /** The key of a row's record in the ledger; null where nothing was read for it. */
  keyOf(at: number): string | null;
  /** What was found of its record; several where the service has several for one key. */
  states(found: F): readonly State[];
  /** `sent`: what a run sent last, for what a read of one record does not tell. */
  read(at: number, sent: Values): Promise<F>;
}

/**
 * What was found of records, where reads lag behind a recent run of our own: those that are read as before
 * its write are read again, until they show it or no read can be late any more.
 */
export async function readAnew<F>(
  context: ContextOf<Resource>,
  found: readonly F[],
  { keyOf, states, read }: ReadAnew<F>,
): Promise<readonly F[]> {
  const keys = found.map((_, at) => keyOf(at));
  const writes = await recentWrites(
    context,
    keys.filter((key) => key !== null),
  );
  if (writes.size === 0) return found;
  return await Promise.all(
    found.map(async (one, at) => {
      const key = keys[at] ?? '';
      const write = writes.get(key);
      if (write === undefined || !(await isBefore(context, write, states(one)))) return one;
      const seen = await settled(context, key, write, async () => {
        const now = await read(at, sentBy(write));
        return { now, isLate: await isBefore(context, write, states(now)) };
      });
      return seen ?? one;
    }),
  );
}

/** Looks at a row's record once more where what looks like someone's change may be what our own came after. */
export async function believed(
  context: ContextOf<Resource>,
  { key }: PlannedRow,
  conflict: RecordConflict,
  check: () => Promise<RecordConflict | null>,
): Promise<RecordConflict | null> {
  if (key === null) return conflict;
  const write = (await recentWrites(context, [key])).get(key);
  const isLate = async (seen: RecordConflict | null): Promise<boolean> => {
    if (write === undefined || seen === null) return false;
    const { now: values, lmt = null } = seen;
    const states = values === undefined ? [] : [{ external: null, lmt, values: values as Values }];
    return await isBefore(context, write, states);
  };
  if (write === undefined || !(await isLate(conflict))) return conflict;
  const seen = await settled(context, key, write, async () => {
    const now = await check();
    return { now, isLate: await isLate(now) };
  });
  return seen === undefined ? conflict : seen;
}

/** Looks until what is read is late no more, or can't be: then it is what the record is. */
async function settled<T>(
  { doubts, ledger, serviceKey, resource, signal }: ContextOf<Resource>,
  key: string,
  { run, seq }: Write,
  look: () => Promise<{ readonly now: T; readonly isLate: boolean }>,
): Promise<T | undefined> {
  const seen = await doubts.look(doubts.fromStart(), look, ({ isLate }) => !isLate);
  signal?.throwIfAborted();
  if (seen?.isLate === true)
    await ledger.rememberWrite(serviceKey, resource.name, { key, run, seq, at: null });
  return seen?.now;
}

/** The rows that wrote these records so lately that a read may not show it, by the records' keys. */
async function recentWrites(
  { ledger, serviceKey, resource: { name }, clock }: ContextOf<Resource>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Write>> {
  const since = new Date(clock().getTime() - LONG_AGO).toISOString();
  const last = keys.length === 0 ? null : await ledger.findLastWrite(serviceKey, name);
  return last === null || last < since ? new Map() : await ledger.findWrites(serviceKey, name, keys, since);
}

const sentBy = ({ steps }: Write): Values => plainValues(Object.assign({}, ...steps.map(({ body }) => body)));

/** What a write changed, as far as that was known; of a create what came after it. */
function changesOf({ changes, steps }: Write): readonly FieldChange[] {
  if (changes.length > 0) return changes;
  const [{ purpose } = {}, ...later] = steps;
  if (purpose !== 'create') return [];
  const bodies = later.filter((step) => step.purpose === 'update').map(({ body }) => body);
  const values = Object.entries(plainValues(Object.assign({}, ...bodies)));
  return values.flatMap(([field, to]) => (to === null ? [] : [{ field, from: null, to }]));
}

const isMoment = (lmt: string | null): lmt is string => lmt !== null && /^\d/.test(lmt);

/** Whether a record was read as it was before a write of it, as far as that can be told. */
async function isBefore(
  context: ContextOf<Resource>,
  write: Write,
  states: readonly State[],
): Promise<boolean> {
  const { resource, ledger } = context;
  const stored = storedValues(context);
  // How its LMT stands to that of the record when the write was planned.
  const order = ({ lmt }: State): number => {
    if (lmt === null || write.lmt === null || sameMoment(lmt, write.lmt)) return 0;
    return isMoment(lmt) && lmt < write.lmt ? -1 : 1;
  };
  if (write.steps.at(-1)?.purpose === 'delete')
    return states.some((state) => !isOff(resource, state) && order(state) <= 0);
  // What somebody deleted looks the same.
  if (states.length === 0) return true;
  const changes = changesOf(write).filter(({ field }) => !resource.keys.includes(field));
  const isOld = (state: State): boolean => {
    const told = changes.flatMap((change): (readonly [FieldChange, Value])[] => {
      const held = heldIn(resource, state, change.field);
      return held === undefined ? [] : [[change, held]];
    });
    if (told.some(([change, held]) => stored.shows(change, held))) return false;
    const isAsBefore = told.some(([{ from }, held]) => sameValue(held, from));
    return isAsBefore || order(state) < 0;
  };
  if (!states.every(isOld)) return false;
  // Someone put it back since; or it was read between two writes of that run.
  const isMoved = states.some((state) => order(state) > 0 && isMoment(state.lmt));
  if (!isMoved || write.key === null) return true;
  const rows = await ledger.plannedFor(write.run, resource.name, write.key);
  return rows.filter(({ steps }) => steps.length > 0).length > 1;
}
