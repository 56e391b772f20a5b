import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { type FindDoubles, findLateDoubles } from '../../records/doubts.ts';
import {
  type ExistingRecord,
  heldIn,
  isOff,
  plainValues,
  sameIn,
  sameMoment,
  sameValue,
} from '../../records/existing-record.ts';
import { fieldsBeside, filledIn, withApplied } from '../../records/last-applied.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { planOnBaseline, unlessMoved } from '../../records/plan-on-baseline.ts';
import {
  type ContextOf,
  type FoundRecord,
  type FoundWindow,
  type PlannerSetup,
  type Planning,
  planInWindows,
  type ReadAgain,
  type RecordMatching,
  type RecordRows,
  type ResourcePlanning,
  type RowPlanner,
  type RowRecord,
  type RunOf,
  type UnplacedRow,
  unsentRow,
  withRecordName,
} from '../../records/planning.ts';
import { holdSaidNames, noteUnsent } from '../../records/row-warnings.ts';
import { strangeRecord, unlessDone } from '../../records/sent-before.ts';
import { hasTwoIds, twoListFields, withMeantIds } from '../../records/two-lists.ts';
import { LONG_AGO } from '../../run/doubt-time.ts';
import type { Resource } from '../../schema/resource.ts';
import { createSharedRecords, type SharedRecords } from './contradictions.ts';

/**
 * Plans rows on records. A window of rows is looked up together; then each row is planned by itself, on the
 * baseline; a create is held against what earlier runs sent. What several rows say of one record is settled
 * when all are planned.
 */
export function planRecords(
  context: RunOf<Resource>,
  { matching, summary }: RecordRows,
  doubles: FindDoubles | undefined,
): ResourcePlanning {
  const shared = createSharedRecords(context);
  return {
    openSheet: (setup) => planSheet(setup, shared, matching(setup), context),
    settle: shared.settle,
    summary,
    // Both are named.
    async doubles() {
      const { sheet } = context.resource;
      const found = doubles === undefined ? [] : await findLateDoubles(context, doubles);
      return found.map(({ text: { en, nl } }) => t(`${sheet}: ${en}.`, `${sheet}: ${nl}.`));
    },
  };
}

function planSheet(
  setup: PlannerSetup,
  shared: SharedRecords,
  matching: RecordMatching,
  context: RunOf<Resource>,
): RowPlanner {
  const { base, conflicts, rules, lists } = setup;
  shared.open(setup);
  const isAlone = base.at === '' && conflicts.size === 0;
  const two = twoListFields(context.resource);
  const withRest = createRests(context);
  const decide = (row: MappedRow, record: RowRecord): Planning => {
    const { existing } = record;
    const plan = (held: MappedRow) => unlessStrange(matching.decide(held, record), row, existing);
    if (isAlone) return unlessMoved(plan(row), row, existing, rules);
    const same = matching.same?.(existing) ?? sameIn(existing);
    return planOnBaseline({ ...record, service: existing, setup, row, same, plan });
  };
  const note = (row: MappedRow, { key, existing }: RowRecord): void => {
    if (row.told === undefined || row.told.length === 0 || stopsRow(row.issues)) return;
    const was = key === null ? undefined : base.find(context.resource.name, key);
    noteUnsent({ row, existing, was, base, rules });
  };
  return planInWindows(matching, async (given) => {
    const rows = [...given];
    const keyOf = (one: FoundRecord, at: number) => matching.key(rows[at] as MappedRow, one);
    const window = await matching.find(rows);
    const shown = await readUntilShown(context, window.found, window.again);
    const found = await withApplied(context, shown, keyOf);
    const held = rows.map((row, at) => ({ existing: null, ...found[at], row }));
    await holdSaidNames(context.named, held, rules.strict);
    const planned: UnplacedRow[] = [];
    for (let at = 0; at < rows.length; at++) {
      let row = rows[at] as MappedRow;
      const one = found[at] as FoundRecord;
      const { existing } = one;
      const record = { found: one, key: keyOf(one, at), existing };
      note(row, record);
      if (hasTwoIds(row, existing, two)) row = await withMeantIds(row, two, { ...record, context, lists });
      row = matching.asMeant?.(row, existing) ?? row;
      rows[at] = row;
      const plan = decide(row, record);
      // Most rows wait for nothing: each wait costs as much as planning one.
      planned.push(plan instanceof Promise ? await plan : plan);
    }
    await createOnce(window, rows, planned);
    for (const at of rows.keys()) {
      const existing = found[at]?.existing ?? null;
      const named = withRecordName(
        withRest(planned[at] as UnplacedRow, existing),
        context.resource,
        existing,
      );
      shared.add(named);
      const { id, external, action } = named;
      const isKept = action === 'update' || action === 'unchanged';
      if (isKept && id !== null && external !== null && external !== existing?.external)
        setup.references.told(context.resource.name, external, id);
      planned[at] = named;
    }
    return planned;
  });
}

/** So many updates of a sheet hold what they don't send: one of them shows what becomes of it. */
const MOST_RESTS = 3;

/** Adds to an update what its record holds that it does not send: a service may empty that. */
function createRests({ resource, dialect }: ContextOf<Resource>) {
  let kept = 0;
  return (planned: UnplacedRow, existing: ExistingRecord | null): UnplacedRow => {
    const [step] = planned.steps;
    if (planned.action !== 'update' || step === undefined || existing === null) return planned;
    const names = fieldsBeside(resource, dialect, step.body);
    const rest = filledIn(names, existing.values, existing.applied);
    if (Object.keys(rest).length > 0) return { ...planned, rest: kept++ < MOST_RESTS ? rest : null };
    const isUntold = (name: string): boolean =>
      existing.values[name] === undefined && resource.fields[name]?.reads !== 'none';
    return names.some(isUntold) ? { ...planned, rest: null } : planned;
  };
}

/** Lets rows that create do so once: not what an earlier run did, here or elsewhere. */
async function createOnce(
  window: FoundWindow,
  rows: readonly MappedRow[],
  planned: UnplacedRow[],
): Promise<void> {
  const places = [...planned.keys()].filter((at) => planned[at]?.steps[0]?.purpose === 'create');
  if (places.length === 0) return;
  const creations = places.map((at) => ({
    planned: planned[at] as UnplacedRow,
    row: rows[at] as MappedRow,
  }));
  const made = (await window.createOnce?.(creations)) ?? creations.map((one) => one.planned);
  for (const [index, at] of places.entries())
    planned[at] = unlessDone(made[index] as UnplacedRow, rows[at] as MappedRow);
}

/** A row that would change the record with its `#id`, where that may be another's. */
function unlessStrange(planned: UnplacedRow, row: MappedRow, existing: ExistingRecord | null): UnplacedRow {
  const sends = planned.action === 'update' || planned.action === 'delete';
  const message = sends ? strangeRecord(row, existing) : null;
  return message === null ? planned : unsentRow(planned, 'conflict', message);
}

type Context = ContextOf<Resource>;
/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };

/**
 * What was found of records, where reads lag behind: a record that this ledger wrote within the doubt time, and
 * that reads as before, is read again until it shows the write or no read can be late any more.
 */
async function readUntilShown(
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
