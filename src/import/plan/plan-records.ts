import { stopsRow } from '../../core/issue.ts';
import { strangeRecord, unlessDone } from '../../records/evidence.ts';
import { type ExistingRecord, isOff, type SameField, sameIn } from '../../records/existing-record.ts';
import { holdSaidNames } from '../../records/id-records.ts';
import { withApplied } from '../../records/last-applied.ts';
import { createDoublesWatch, type DoublesWatch, type FindDoubles } from '../../records/late-doubles.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { planOnBaseline } from '../../records/plan-on-baseline.ts';
import {
  type ContextOf,
  type PlannerSetup,
  type Planning,
  planInWindows,
  type ResourcePlanning,
  type RowPlanner,
  type RunOf,
  type UnplacedRow,
} from '../../records/planning.ts';
import { withRecordName } from '../../records/row-about.ts';
import { ALREADY_GONE } from '../../records/row-decision.ts';
import type {
  FoundRecord,
  FoundWindow,
  RecordMatching,
  RecordRows,
  RowRecord,
} from '../../records/row-matching.ts';
import { readUntilShown } from '../../records/stale-reads.ts';
import { hasTwoIds, type TwoListField, twoListFields, withMeantIds } from '../../records/two-lists.ts';
import { fieldsBeside, filledIn, noteUnsent } from '../../records/unsent-fields.ts';
import type { Resource } from '../../schema/resource.ts';
import { createSharedRecords, type SharedRecords } from './shared-records.ts';

interface Work<R extends Resource, F extends FoundRecord> {
  readonly setup: PlannerSetup;
  readonly matching: RecordMatching<R, F>;
  readonly window: FoundWindow<R, F>;
  sameAs(existing: ExistingRecord | null): SameField;
  /** Records that an import deleted and that the service keeps. */
  readonly deleted: ReadonlySet<string>;
  /** There is no baseline, and no open conflict. */
  readonly alone: boolean;
  readonly two: readonly TwoListField[];
}

/**
 * Plans rows on records. A window of rows is looked up together; then each row is planned by itself, on the
 * baseline; a create is held against what earlier runs sent. What several rows say of one record is settled
 * when all are planned.
 */
export function planRecords<R extends Resource, F extends FoundRecord>(
  context: RunOf<R>,
  { matching, summary, notes }: RecordRows<R, F>,
  doubles: FindDoubles | undefined,
): ResourcePlanning {
  const shared = createSharedRecords(context);
  const watch = createDoublesWatch(context, doubles);
  return {
    openSheet: (setup) => planSheet(setup, { shared, watch }, matching(setup), context),
    settle: shared.settle,
    summary,
    ...(notes && { notes }),
    doubles: watch.notes,
  };
}

function planSheet<R extends Resource, F extends FoundRecord>(
  setup: PlannerSetup,
  { shared, watch }: { readonly shared: SharedRecords; readonly watch: DoublesWatch },
  matching: RecordMatching<R, F>,
  context: RunOf<R>,
): RowPlanner {
  const { base, conflicts } = setup;
  shared.open(setup);
  const alone = base.at === '' && conflicts.size === 0;
  const two = twoListFields(context.resource);
  const withRest = createRests(context);
  return planInWindows<R>(matching, async (rows) => {
    const read = await matching.find(rows);
    const last = read.again ? await readUntilShown(context, read.found, read.again) : read.found;
    const found = await withApplied(context, last, (one, at) =>
      matching.key(rows[at] as MappedRow<R>, one, one.existing),
    );
    const window = { ...read, found };
    const keyOf = (row: MappedRow<R>, at: number): string | null => {
      const one = found[at] as F;
      return matching.key(row, one, one.existing);
    };
    const deleted = await deletedBefore(context, rows, found, keyOf);
    const sameAs = (existing: ExistingRecord | null) => matching.same?.(existing) ?? sameIn(existing);
    const work: Work<R, F> = { setup, matching, window, sameAs, alone, deleted, two };
    const withIds = rows.map((row, at) => ({
      ...{ row, existing: found[at]?.existing ?? null },
      ids: matching.idsOf?.(found[at] as F),
    }));
    await holdSaidNames(context.named, withIds, setup.rules.strict);
    const planned: UnplacedRow[] = [];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as MappedRow<R>;
      const { existing } = window.found[at] as F;
      if (row.told !== undefined && row.told.length > 0 && !stopsRow(row.issues)) {
        const key = keyOf(row, at);
        const was = key === null ? undefined : base.find(row.mapping.resource.name, key);
        noteUnsent({ row, existing, was, base, rules: setup.rules });
      }
      const one = planRow(work, row, window.found[at] as F);
      // Most rows wait for nothing: each wait costs as much as planning one.
      const settled = one instanceof Promise ? await one : one;
      const named = withRecordName(withRest(settled, existing), row, existing);
      shared.add(named);
      planned.push(named);
    }
    await watch.warn(planned);
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
    const rest = filledIn(names, existing.values);
    if (Object.keys(rest).length > 0) return { ...planned, rest: kept++ < MOST_RESTS ? rest : null };
    const isUntold = (name: string): boolean =>
      existing.values[name] === undefined && resource.fields[name]?.reads !== 'none';
    return names.some(isUntold) ? { ...planned, rest: null } : planned;
  };
}

function planRow<R extends Resource, F extends FoundRecord>(
  work: Work<R, F>,
  row: MappedRow<R>,
  found: F,
): Planning {
  const { matching, window } = work;
  const { existing } = found;
  const isWhole = window.complete === undefined && matching.asMeant === undefined;
  if (!isWhole || hasTwoIds(row, existing, work.two)) return planCompleted(work, row, found);
  const record = { found, key: matching.key(row, found, existing), existing };
  return matching.atOnce?.(row, record) ?? planCompared(work, row, record);
}

/** Plans a row whose record is not fully read yet, or that its record completes. */
async function planCompleted<R extends Resource, F extends FoundRecord>(
  work: Work<R, F>,
  given: MappedRow<R>,
  found: F,
): Promise<UnplacedRow> {
  const { setup, matching, window } = work;
  const key = matching.key(given, found, found.existing);
  const existing =
    window.complete === undefined ? found.existing : await window.complete(given, found.existing);
  const record = { found, key, existing };
  const decided = matching.atOnce?.(given, record) ?? null;
  if (decided !== null) return decided;
  const meant = await withMeantIds(given, work.two, {
    ...record,
    context: setup.context,
    lists: setup.lists,
  });
  return await planCompared(work, matching.asMeant?.(meant, existing) ?? meant, record);
}

function planCompared<R extends Resource, F extends FoundRecord>(
  { setup, matching, window, sameAs, alone, deleted }: Work<R, F>,
  row: MappedRow<R>,
  record: RowRecord<F>,
): Planning {
  const decide = (held: MappedRow<R>): UnplacedRow => {
    const planned = unlessStrange(matching.decide(held, record), row, record.existing);
    const isGone = planned.action === 'delete' && record.key !== null && deleted.has(record.key);
    return isGone && isOff(row.mapping.resource, record.existing)
      ? { ...planned, ...ALREADY_GONE, steps: [] }
      : planned;
  };
  const planning = alone
    ? decide(row)
    : planOnBaseline({
        ...{ ...record, service: record.existing, setup, row },
        ...{ same: sameAs(record.existing), named: matching.named },
        plan: decide,
      });
  return planning instanceof Promise
    ? planning.then((planned) => once(window, planned, row))
    : once(window, planning, row);
}

function once<R extends Resource, F extends FoundRecord>(
  window: FoundWindow<R, F>,
  planned: UnplacedRow,
  row: MappedRow<R>,
): Planning {
  if (planned.steps[0]?.purpose !== 'create') return planned;
  const made = window.createOnce?.(planned, row) ?? planned;
  return made instanceof Promise ? made.then((one) => unlessDone(one, row)) : unlessDone(made, row);
}

/** A row that would change the record with its `#id`, where that may be another's. */
function unlessStrange(planned: UnplacedRow, row: MappedRow, existing: ExistingRecord | null): UnplacedRow {
  const sends = planned.action === 'update' || planned.action === 'delete';
  const message = sends ? strangeRecord(row, existing) : null;
  return message === null
    ? planned
    : { ...planned, action: 'conflict', changes: [], steps: [], needs: [], message };
}

/** The records that rows would delete and that a run deleted before: nothing else was sent for them since. */
async function deletedBefore<R extends Resource>(
  { ledger, serviceKey, resource }: RunOf<R>,
  rows: readonly MappedRow<R>[],
  found: readonly FoundRecord[],
  keyOf: (row: MappedRow<R>, at: number) => string | null,
): Promise<ReadonlySet<string>> {
  const keys = rows.flatMap((row, at) => {
    const isThere = row.action === 'delete' && isOff(resource, found[at]?.existing ?? null);
    return (isThere ? keyOf(row, at) : null) ?? [];
  });
  if (keys.length === 0) return new Set();
  const writes = await ledger.findWrites(serviceKey, resource.name, keys);
  return new Set(keys.filter((key) => writes.get(key)?.steps.at(-1)?.purpose === 'delete'));
}
