import type { PlannerSetup, Unplaced } from '../../kinds/kind.ts';
import type { Resource } from '../../schema/resource.ts';
import { addressOf, type MappedRow } from '../map/map-row.ts';
import { ALIKE, canChange, compare, movedOf, type Subject, type There } from './compare-record.ts';
import type { Sent } from './lineage.ts';
import { seenThen } from './open-conflicts.ts';
import { planGone } from './plan-gone.ts';
import {
  apartIssue,
  bothText,
  copiedText,
  keptText,
  leftText,
  movedText,
  SINCE_WRITTEN,
  type Since,
  sincePlan,
} from './texts.ts';
import type { ChangedBy } from './three-way.ts';
import { withoutUntouched } from './untouched-cells.ts';

/**
 * Plans a row by what the user changed in it since the workbook was written: a field that only the service changed is
 * left alone, and one that both changed makes the row a conflict, or what `--on-conflict` says. A workbook that does not say
 * what its records were is planned against the service alone, but for what an earlier run left as a conflict.
 */
export function planOnBase<R extends Resource>(
  subject: Subject<R>,
  setup: Setup,
  plan: PlanRow<R>,
): Unplaced | Promise<Unplaced> {
  const { key, service } = subject;
  const was = key === null ? undefined : setup.base.find(subject.row.mapping.resource.name, key);
  if (was === undefined) return planUnlessLeft(subject, setup, plan);
  const { after, at } = setup.base;
  const row = withoutUntouched(subject.row, was);
  if (service === null) {
    const gone = ({ own }: Pick<Sent, 'own'>) =>
      planGone(row, { was: own, at, same: subject.same ?? ALIKE }, plan(row));
    return after === null ? gone({ own: was }) : after(was).then(gone);
  }
  setup.base.emptied?.add(row, subject.row.issues, was, service);
  const there = { ...subject, row, service };
  const decide = (sent: Sent): Unplaced => planSince(there, { ...sent, since: SINCE_WRITTEN }, setup, plan);
  // What this workbook's earlier runs wrote is looked up only where it matters: that costs reads of the ledger.
  const nothing = { own: was, byCopies: NO_COPIES };
  return after !== null && differs(there, nothing) ? after(was).then(decide) : decide(nothing);
}

const NO_COPIES: Sent['byCopies'] = new Map();

/** What a run left as a conflict is one still, while the row says the same: what the plan of then read stands for what was. */
function planUnlessLeft<R extends Resource>(subject: Subject<R>, setup: Setup, plan: PlanRow<R>): Unplaced {
  const { row, key, service, same = ALIKE } = subject;
  const left = key === null ? undefined : setup.conflicts.get(key);
  if (left === undefined || service === null) return plan(row);
  const seen = { own: seenThen(left, row, same), byCopies: NO_COPIES, since: sincePlan(left.run) };
  return planSince({ ...subject, service }, seen, setup, plan);
}

function planSince<R extends Resource>(
  ...[subject, seen, setup, plan]: Parameters<typeof planChange<R>>
): Unplaced {
  const since = { ...seen.since, locale: setup.rules.locale };
  const decide = subject.row.action === 'delete' ? planDelete : planChange;
  return decide(subject, { ...seen, since }, setup, plan);
}

/** Whether it matters who changed what in the record since the workbook was written. */
function differs<R extends Resource>(subject: There<R>, sent: Sent): boolean {
  return (
    subject.row.action === 'delete' ||
    compare(subject, sent).some(({ by }) => by !== 'nobody' && by !== 'alike')
  );
}

type Setup = Pick<PlannerSetup, 'base' | 'conflicts' | 'rules'>;
type PlanRow<R extends Resource> = (row: MappedRow<R>) => Unplaced;

/** What became of a record by the user's own runs, and from when on it counts who changed it. */
type Seen = Sent & { readonly since: Since };

function planChange<R extends Resource>(
  subject: There<R>,
  seen: Seen,
  { base, rules }: Setup,
  plan: PlanRow<R>,
): Unplaced {
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

const sends = ({ action }: Unplaced): boolean => action === 'update' || action === 'unchanged';

/** Deletes what is still as it was; what someone else changed since is theirs too. */
function planDelete<R extends Resource>(
  subject: There<R>,
  seen: Seen,
  { rules }: Setup,
  plan: PlanRow<R>,
): Unplaced {
  const planned = plan(subject.row);
  if (planned.action !== 'delete' || rules.onConflict === 'mine') return planned;
  const moved = movedOf(subject, seen);
  if (moved === null) return planned;
  return rules.onConflict === 'theirs'
    ? { ...planned, ...UNSENT, action: 'skip', message: keptText(moved, seen.since) }
    : { ...planned, ...UNSENT, action: 'conflict', message: movedText(moved, seen.since) };
}
