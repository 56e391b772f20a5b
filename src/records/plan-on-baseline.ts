import { type Issue, issueAt, stopsRow } from '../core/issue.ts';
import type { Values } from '../core/value.ts';
import type { BaseRecord } from '../files/baseline-sheet.ts';
import type { Resource } from '../schema/resource.ts';
import {
  apartIssue,
  bothText,
  copiedText,
  deletedText,
  goneText,
  keptText,
  leftText,
  movedText,
  SINCE_WRITTEN,
  type Since,
  sincePlan,
} from './conflict-texts.ts';
import { addressOf, type MappedRow } from './mapped-row.ts';
import { seenThen } from './open-conflicts.ts';
import type { PlannerSetup, UnplacedRow } from './planning.ts';
import {
  ALIKE,
  type ChangedBy,
  canChange,
  compare,
  movedOf,
  type SameField,
  type SentChanges,
  type Subject,
  type There,
  withoutUntouched,
} from './three-way.ts';

/**
 * Plans a row by what the user changed in it since the workbook was written: a field that only the service
 * changed is left alone, and one that both changed makes the row a conflict, or what `--on-conflict` says. A
 * workbook that does not say what its records were is planned against the service alone, but for what an
 * earlier run left as a conflict.
 */
export function planOnBaseline<R extends Resource>(
  subject: Subject<R>,
  setup: Setup,
  plan: PlanRow<R>,
): UnplacedRow | Promise<UnplacedRow> {
  const { key, service } = subject;
  const was = key === null ? undefined : setup.base.find(subject.row.mapping.resource.name, key);
  if (was === undefined) return planUnlessLeft(subject, setup, plan);
  const { after, at } = setup.base;
  const row = withoutUntouched(subject.row, was);
  if (service === null) {
    const gone = ({ own }: Pick<SentChanges, 'own'>) =>
      planGone(row, { was: own, at, same: subject.same ?? ALIKE }, plan(row));
    return after === null ? gone({ own: was }) : after(was).then(gone);
  }
  setup.base.emptied?.add(row, subject.row.issues, was, service);
  const there = { ...subject, row, service };
  const decide = (sent: SentChanges): UnplacedRow =>
    planSince(there, { ...sent, since: SINCE_WRITTEN }, setup, plan);
  // What earlier runs of this workbook wrote is looked up only where it matters: it costs reads of the
  // ledger.
  const nothing = { own: was, byCopies: NO_COPIES };
  return after !== null && differs(there, nothing) ? after(was).then(decide) : decide(nothing);
}

const NO_COPIES: SentChanges['byCopies'] = new Map();

/** A conflict of an earlier run stays one while the row says the same: that run's reading is the base. */
function planUnlessLeft<R extends Resource>(
  subject: Subject<R>,
  setup: Setup,
  plan: PlanRow<R>,
): UnplacedRow {
  const { row, key, service, same = ALIKE } = subject;
  const left = key === null ? undefined : setup.conflicts.get(key);
  if (left === undefined || service === null) return plan(row);
  const seen = { own: seenThen(left, row, same), byCopies: NO_COPIES, since: sincePlan(left.run) };
  return planSince({ ...subject, service }, seen, setup, plan);
}

function planSince<R extends Resource>(
  ...[subject, seen, setup, plan]: Parameters<typeof planChange<R>>
): UnplacedRow {
  const since = { ...seen.since, locale: setup.rules.locale };
  const decide = subject.row.action === 'delete' ? planDelete : planChange;
  return decide(subject, { ...seen, since }, setup, plan);
}

/** Whether it matters who changed what in the record since the workbook was written. */
function differs<R extends Resource>(subject: There<R>, sent: SentChanges): boolean {
  return (
    subject.row.action === 'delete' ||
    compare(subject, sent).some(({ by }) => by !== 'nobody' && by !== 'alike')
  );
}

type Setup = Pick<PlannerSetup, 'base' | 'conflicts' | 'rules'>;
type PlanRow<R extends Resource> = (row: MappedRow<R>) => UnplacedRow;

/** What became of a record by the user's own runs, and from when on it counts who changed it. */
type Seen = SentChanges & { readonly since: Since };

function planChange<R extends Resource>(
  subject: There<R>,
  seen: Seen,
  { base, rules }: Setup,
  plan: PlanRow<R>,
): UnplacedRow {
  const { row } = subject;
  const { since } = seen;
  const shown = since.code === SINCE_WRITTEN.code ? base.shown : null;
  const record = `${row.mapping.resource.name} ${subject.key}`;
  const { same = ALIKE } = subject;
  const compared = compare(subject, seen).map((one) => {
    const whose =
      one.by === 'apart' && rules.onConflict === 'skip'
        ? shown?.decided(record, one, (...pair) => same(one.field, ...pair))
        : undefined;
    return whose === undefined
      ? one
      : { ...one, by: whose === 'mine' ? ('user' as const) : ('service' as const) };
  });
  const apart = compared.filter(({ by, field }) => by === 'apart' && canChange(row.mapping.resource, field));
  const yields = (by: ChangedBy): boolean =>
    by === 'nobody' || by === 'service' || (by === 'apart' && rules.onConflict === 'theirs');
  const left = new Set(compared.filter(({ by }) => yields(by)).map(({ field }) => field));
  const values = Object.fromEntries(Object.entries(row.values).filter(([field]) => !left.has(field)));
  const planned = plan({ ...row, values });
  if (rules.onConflict !== 'mine' && sends(planned))
    for (const field of apart) shown?.show(record, field, rules.onConflict === 'theirs');
  if (rules.onConflict === 'skip' && apart.length > 0 && sends(planned)) {
    for (const field of apart)
      row.issues.push(apartIssue(field, since, addressOf(row.mapping, field.field, row.row)));
    return { ...planned, ...UNSENT, action: 'conflict', message: bothText(since) };
  }
  const theirs = compared.filter(({ field, by }) => left.has(field) && by !== 'nobody');
  const copied = compared.filter(({ copy }) => copy !== undefined);
  if (planned.message !== null) return planned;
  if (theirs.length > 0) return { ...planned, message: leftText(theirs, since) };
  return copied.length > 0 && planned.action === 'update'
    ? { ...planned, message: copiedText(copied, since) }
    : planned;
}

const UNSENT = { changes: [], steps: [], needs: [] };

const sends = ({ action }: UnplacedRow): boolean => action === 'update' || action === 'unchanged';

/** Deletes what is still as it was; what someone else changed since is theirs too. */
function planDelete<R extends Resource>(
  subject: There<R>,
  seen: Seen,
  { rules }: Setup,
  plan: PlanRow<R>,
): UnplacedRow {
  const planned = plan(subject.row);
  if (planned.action !== 'delete' || rules.onConflict === 'mine') return planned;
  const moved = movedOf(subject, seen);
  if (moved === null) return planned;
  return rules.onConflict === 'theirs'
    ? { ...planned, ...UNSENT, action: 'skip', message: keptText(moved, seen.since) }
    : { ...planned, ...UNSENT, action: 'conflict', message: movedText(moved, seen.since) };
}

/** What the workbook says of a record that the service has no more. */
interface Gone {
  readonly was: BaseRecord;
  /** When the workbook was written, ISO in UTC. */
  readonly at: string;
  readonly same: SameField;
}

/**
 * Plans a row whose record was there when the workbook was written: someone deleted it since. A row that
 * nobody touched needs nothing, and makes nothing anew; one that was changed is an issue that says since
 * when, and the way out.
 */
function planGone(row: MappedRow, gone: Gone, planned: UnplacedRow): UnplacedRow {
  const { was, at, same } = gone;
  const anew = planned.action === 'create' && row.action !== 'create' && !isEmpty(was.values, row);
  const missing = planned.issues.filter(({ code }) => code === MISSING);
  if (!anew && missing.length === 0) return planned;
  const others = planned.issues.filter(({ code }) => code !== MISSING);
  const unsent = { ...planned, changes: [], steps: [], needs: [] };
  if (!stopsRow(others) && isUntouched(row, was.values, same))
    return { ...unsent, action: 'skip', issues: others, message: goneText(at) };
  return { ...unsent, action: 'invalid', issues: [...others, deletedIssue(row, at)] };
}

const MISSING: Issue['code'] = 'record-missing';

function deletedIssue(row: MappedRow, at: string): Issue {
  const { mapping, values } = row;
  const { resource } = mapping;
  const field = 'child' in resource ? resource.child : resource.keys.find((key) => values[key] !== undefined);
  const place = { field: field ?? null, address: addressOf(mapping, field ?? '', row.row) };
  const keys = 'create' in resource.requests && 'id' in resource ? resource.id : null;
  const hint = deletedText(at, keys);
  return issueAt({ code: 'record-deleted', found: String(values[field ?? ''] ?? ''), hint }, place);
}

/** Whether a row says what its record held, as far as it says anything. */
function isUntouched({ values, mapping }: MappedRow, was: Values, same: SameField): boolean {
  const { keys } = mapping.resource;
  return Object.entries(values).every(([field, mine]) => {
    const base = was[field];
    return base === undefined ? keys.includes(field) : same(field, base, mine);
  });
}

/** Whether the workbook says that there was nothing: what it has for the row is to be made. */
function isEmpty(was: Values, { mapping }: MappedRow): boolean {
  const { keys } = mapping.resource;
  return Object.entries(was).every(([field, base]) => base === null || keys.includes(field));
}
