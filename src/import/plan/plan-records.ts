import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Kind } from '../../kinds/kind.ts';
import { findLateDoubles } from '../../records/doubts.ts';
import {
  type ExistingRecord,
  heldIn,
  isNothing,
  isOff,
  plainValues,
  sameIn,
  sameMoment,
  sameValue,
} from '../../records/existing-record.ts';
import { fieldsBeside, withApplied } from '../../records/last-applied.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { planOnBaseline, unlessMoved } from '../../records/plan-on-baseline.ts';
import {
  type ContextOf,
  type FoundRecord,
  type PlannerSetup,
  planInWindows,
  type RecordMatching,
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
import { createSharedRecords } from './contradictions.ts';

/**
 * Plans rows on records. A window of rows is looked up together; then each row is planned by itself, on the
 * baseline; a create is held against what earlier runs sent. What several rows say of one record is settled
 * when all are planned.
 */
export function planRecords(context: RunOf<Resource>, kind: Kind<Resource>): ResourcePlanning {
  const { resource, named } = context;
  const { matching: matchingFor, summary } = kind.rows?.(context) ?? {};
  if (matchingFor === undefined) throw new TypeError(`${resource.name} has no way to plan its rows`);
  const shared = createSharedRecords(context);
  const doubles = kind.doubles?.(context);
  const two = twoListFields(resource);
  const openSheet = (setup: PlannerSetup): RowPlanner => {
    const { base, conflicts, rules, held, lists } = setup;
    shared.open(setup);
    const matching = matchingFor(setup);
    const isAlone = base.at === '' && conflicts.size === 0;
    const decide = (row: MappedRow, record: RowRecord) => {
      const { existing } = record;
      const plan = (held: MappedRow) => unlessStrange(matching.decide(held, record), row, existing);
      if (isAlone) return unlessMoved(plan(row), row, existing, rules);
      const same = matching.same?.(existing) ?? sameIn(existing);
      return planOnBaseline({ ...record, service: existing, setup, row, same, plan });
    };
    const note = (row: MappedRow, { key, existing }: RowRecord): void => {
      if (row.told === undefined || row.told.length === 0 || stopsRow(row.issues)) return;
      const was = key === null ? undefined : base.find(resource.name, key);
      noteUnsent({ row, existing, was, base, rules });
    };
    return planInWindows(matching, async (given) => {
      const rows = [...given];
      const keyOf = (one: FoundRecord, at: number) => matching.key(rows[at] as MappedRow, one);
      const window = await matching.find(rows);
      const found = await withApplied(context, await readUntilShown(context, window), keyOf);
      const all = rows.map((row, at) => ({ existing: null, ...found[at], row }));
      await holdSaidNames(named, all, rules.strict);
      const planned: UnplacedRow[] = [];
      const creations: { at: number; planned: UnplacedRow; row: MappedRow }[] = [];
      for (const [at, one] of found.entries()) {
        let row = rows[at] as MappedRow;
        const { existing } = one;
        const record = { found: one, key: keyOf(one, at), existing };
        note(row, record);
        if (hasTwoIds(row, existing, two)) row = await withMeantIds(row, two, { ...record, context, lists });
        row = matching.asMeant?.(row, existing) ?? row;
        rows[at] = row;
        const plan = decide(row, record);
        // Most rows wait for nothing: each wait costs as much as planning one.
        const own = plan instanceof Promise ? await plan : plan;
        planned.push(own);
        if (own.steps[0]?.purpose === 'create') creations.push({ at, planned: own, row });
      }
      // Not what an earlier run did, here or elsewhere.
      const made = creations.length === 0 ? [] : await window.createOnce(creations);
      for (const [index, { at, row }] of creations.entries())
        planned[at] = unlessDone(made[index] as UnplacedRow, row);
      const readWhole = async (one: FoundRecord, at: number): Promise<FoundRecord> => {
        const isLacking = held.unlisted.some((name) => one.existing?.values[name] === undefined);
        return planned[at]?.action === 'update' && isLacking ? await window.again(at, {}) : one;
      };
      const whole = held.unlisted.length === 0 ? found : await Promise.all(found.map(readWhole));
      for (const at of rows.keys()) {
        const existing = found[at]?.existing ?? null;
        const rest = withRest(context, planned[at] as UnplacedRow, existing);
        const one = withRecordName(
          held.hold(rest, rows[at] as MappedRow, whole[at]?.existing ?? null),
          resource,
          existing,
        );
        shared.add(one);
        const { id, external, action } = one;
        const isKept = action === 'update' || action === 'unchanged';
        if (isKept && id !== null && external !== null && external !== existing?.external)
          setup.references.told(resource.name, external, id);
        planned[at] = one;
      }
      return planned;
    });
  };
  return {
    openSheet,
    settle: shared.settle,
    ...(summary && { summary }),
    // Both are named.
    async doubles() {
      const { sheet } = resource;
      const found = doubles === undefined ? [] : await findLateDoubles(context, doubles);
      return found.map(({ text: { en, nl } }) => t(`${sheet}: ${en}.`, `${sheet}: ${nl}.`));
    },
  };
}

/** Marks an update whose record holds what it does not send, or may: a service may empty that. */
function withRest(
  { resource, dialect }: ContextOf<Resource>,
  planned: UnplacedRow,
  existing: ExistingRecord | null,
): UnplacedRow {
  const [step] = planned.steps;
  if (planned.action !== 'update' || step === undefined || existing === null) return planned;
  const isHeld = (name: string): boolean => {
    const held = existing.values[name];
    return held === undefined ? resource.fields[name]?.reads !== 'none' : !isNothing(held);
  };
  return fieldsBeside(resource, dialect, step.body).some(isHeld) ? { ...planned, rest: true } : planned;
}

/** A row that would change the record with its `#id`, where that may be another's. */
function unlessStrange(planned: UnplacedRow, row: MappedRow, existing: ExistingRecord | null): UnplacedRow {
  const sends = planned.action === 'update' || planned.action === 'delete';
  const message = sends ? strangeRecord(row, existing) : null;
  return message === null ? planned : unsentRow(planned, 'conflict', message);
}

/** The row that wrote a record last, with its run. */
type Write = PlannedRow & { readonly run: string };

/**
 * What was found of records, where reads lag behind: a record that this ledger wrote within the doubt time, and
 * that reads as before, is read again until it shows the write or no read can be late any more.
 */
async function readUntilShown(
  context: ContextOf<Resource>,
  { found, keyOf, again }: Awaited<ReturnType<RecordMatching['find']>>,
): Promise<readonly FoundRecord[]> {
  const { doubts, ledger, serviceKey, resource, signal, time } = context;
  // Those of which a read may not show it yet.
  const since = new Date(time.now() - LONG_AGO).toISOString();
  const keys = found.map((_, at) => keyOf(at) ?? '');
  const writes = await ledger.findWrites(serviceKey, resource.name, keys, since);
  if (writes.size === 0) return found;
  const look = async (one: FoundRecord, at: number): Promise<FoundRecord> => {
    const key = keys[at] ?? '';
    const write = writes.get(key);
    const isShown = ({ existing }: FoundRecord): boolean =>
      write === undefined || !isBefore(resource, write, existing);
    if (write === undefined || isShown(one)) return one;
    const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
    const last = await doubts.look(doubts.fromStart(), () => again(at, sent), isShown);
    signal?.throwIfAborted();
    if (last === undefined) return await again(at, sent);
    // Nobody has to wait for it once more.
    const { run, seq } = write;
    if (!isShown(last))
      await ledger.remember(serviceKey, resource.name, 'write', key, { run, seq, at: null });
    return last;
  };
  return await Promise.all(found.map(look));
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
