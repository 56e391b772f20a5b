import type { Change } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import { type Existing, sameValue } from '../kinds/catalogue/existing.ts';
import type { PlannerSetup, Unplaced } from '../kinds/kind.ts';
import { sameMoment } from '../kinds/moved.ts';
import { addressOf, type MappedRow } from '../map/map-row.ts';
import type { Sent } from './lineage.ts';
import { planGone } from './plan-gone.ts';
import { apartIssue, BOTH_CHANGED, copiedText, keptText, leftText, movedText } from './texts.ts';
import {
  type ChangedBy,
  type ComparedField,
  changedBy,
  hasMoved,
  type Same,
  type SameField,
} from './three-way.ts';
import { withoutUntouched } from './untouched-cells.ts';

/** A row and the record it is about. */
interface Subject<R extends Resource> {
  readonly row: MappedRow<R>;
  /** The record's key in the plan. */
  readonly key: string | null;
  /** The record as the service holds it, whatever earlier rows of the file make of it; null when there is none. */
  readonly service: Existing | null;
  readonly same?: SameField;
}

/**
 * Plans a row by what the user changed in it since the workbook was written: a field that only the service changed is
 * left alone, and one that both changed makes the row a conflict, or what `--on-conflict` says. A workbook that does not say
 * what its records were is planned against the service alone.
 */
export function planOnBase<R extends Resource>(
  subject: Subject<R>,
  setup: Pick<PlannerSetup, 'base' | 'rules'>,
  plan: (row: MappedRow<R>) => Unplaced,
): Unplaced | Promise<Unplaced> {
  const { key, service } = subject;
  const was = key === null ? undefined : setup.base.find(subject.row.mapping.resource.name, key);
  if (was === undefined) return plan(subject.row);
  const { after, at } = setup.base;
  const row = withoutUntouched(subject.row, was);
  if (service === null) {
    const gone = ({ own }: Pick<Sent, 'own'>) =>
      planGone(row, { was: own, at, same: subject.same ?? ALIKE }, plan(row));
    return after === null ? gone({ own: was }) : after(was).then(gone);
  }
  setup.base.emptied?.add(row, was, service);
  const there = { ...subject, row, service };
  const decide = (sent: Sent): Unplaced =>
    row.action === 'delete' ? planDelete(there, sent, setup, plan) : planChange(there, sent, setup, plan);
  // What this workbook's earlier runs wrote is looked up only where it matters: that costs reads of the ledger.
  const nothing = { own: was, byCopies: NO_COPIES };
  return after !== null && differs(there, nothing) ? after(was).then(decide) : decide(nothing);
}

const NO_COPIES: Sent['byCopies'] = new Map();

/** Whether it matters who changed what in the record since the workbook was written. */
function differs<R extends Resource>(subject: There<R>, sent: Sent): boolean {
  return (
    subject.row.action === 'delete' ||
    compare(subject, sent).some(({ by }) => by !== 'nobody' && by !== 'alike')
  );
}

type There<R extends Resource> = Subject<R> & { readonly service: Existing };

function planChange<R extends Resource>(
  subject: There<R>,
  sent: Sent,
  { rules }: Pick<PlannerSetup, 'rules'>,
  plan: (row: MappedRow<R>) => Unplaced,
): Unplaced {
  const { row } = subject;
  const compared = compare(subject, sent);
  const apart = compared.filter(({ by, field }) => by === 'apart' && canChange(row.mapping.resource, field));
  const yields = (by: ChangedBy): boolean =>
    by === 'nobody' || by === 'service' || (by === 'apart' && rules.onConflict === 'theirs');
  const left = new Set(compared.filter(({ by }) => yields(by)).map(({ field }) => field));
  const values = Object.fromEntries(Object.entries(row.values).filter(([field]) => !left.has(field)));
  const planned = plan({ ...row, values });
  if (rules.onConflict === 'skip' && apart.length > 0 && sends(planned)) {
    for (const field of apart)
      row.issues.push(apartIssue(field, addressOf(row.mapping, field.field, row.row)));
    return { ...planned, ...UNSENT, action: 'conflict', message: BOTH_CHANGED };
  }
  const theirs = compared.filter(({ field, by }) => left.has(field) && by !== 'nobody');
  const copied = compared.filter(({ copy }) => copy !== undefined);
  if (planned.message !== null) return planned;
  if (theirs.length > 0) return { ...planned, message: leftText(theirs) };
  return copied.length > 0 && planned.action === 'update'
    ? { ...planned, message: copiedText(copied) }
    : planned;
}

const ALIKE: SameField = (_, one, other) => sameValue(one, other);
const UNSENT = { changes: [], steps: [], needs: [] };

const sends = ({ action }: Unplaced): boolean => action === 'update' || action === 'unchanged';

function compare<R extends Resource>(
  { row, service, same = ALIKE }: There<R>,
  { own, byCopies }: Sent,
): ComparedField[] {
  const { resource } = row.mapping;
  return Object.entries(row.values).flatMap(([field, mine]) => {
    const base = own.values[field];
    if (base === undefined || !canMove(resource, field)) return [];
    const theirs =
      'external' in resource && field === resource.external ? service.external : service.values[field];
    const alike: Same = (...pair) => same(field, ...pair);
    const by = changedBy({ mine, base, theirs }, alike);
    const compared = { field, mine, base, theirs, by };
    const copy = byCopies.get(field);
    if (by !== 'apart' || copy === undefined || !alike(theirs, copy.to)) return [compared];
    // The user sent it, from a copy of this file. A cell that stands here as it was exported says nothing against it; this one does.
    return [{ ...compared, by: 'user', copy: copy.run }];
  });
}

/** Whether a field says something of its record, and not which record it is. */
function canMove(resource: Resource, field: string): boolean {
  const external = 'external' in resource ? resource.external : null;
  return field === external || !resource.keys.includes(field);
}

function canChange({ fields }: Resource, field: string): boolean {
  const update = fields[field]?.update;
  return update !== 'none' && update !== 'unsent';
}

/** Deletes what is still as it was; what someone else changed since is theirs too. */
function planDelete<R extends Resource>(
  subject: There<R>,
  sent: Sent,
  { rules }: Pick<PlannerSetup, 'rules'>,
  plan: (row: MappedRow<R>) => Unplaced,
): Unplaced {
  const planned = plan(subject.row);
  if (planned.action !== 'delete' || rules.onConflict === 'mine') return planned;
  const moved = movedOf(subject, sent);
  if (moved === null) return planned;
  return rules.onConflict === 'theirs'
    ? { ...planned, ...UNSENT, action: 'skip', message: keptText(moved) }
    : { ...planned, ...UNSENT, action: 'conflict', message: movedText(moved) };
}

/** What someone else changed; where no known field differs, the LMT tells. What the sheet says too was the user's own change. */
function movedOf<R extends Resource>(
  { row, service, same = ALIKE }: There<R>,
  { own, byCopies }: Sent,
): readonly Change[] | null {
  const { resource } = row.mapping;
  const fields = Object.entries(own.values).flatMap(([field, from]) => {
    const to = service.values[field];
    const tells = to !== undefined && canMove(resource, field) && canChange(resource, field);
    return tells && hasMoved(from, to, (...pair) => same(field, ...pair)) ? [{ field, from, to }] : [];
  });
  const others = fields.filter(({ field, to }) =>
    [row.values[field], byCopies.get(field)?.to].every(
      (said) => said === undefined || !same(field, to, said),
    ),
  );
  if (others.length > 0) return others;
  const { lmt } = own;
  const touched =
    fields.length === 0 && lmt !== null && service.lmt !== null && !sameMoment(lmt, service.lmt);
  return touched ? [{ field: 'LMT', from: lmt, to: service.lmt }] : null;
}
