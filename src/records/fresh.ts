import { type Bilingual, t, withFlag } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Value, Values } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import {
  type ExistingRecord,
  heldIn,
  isOff,
  plainValues,
  type SameField,
  sameIn,
  sameValue,
} from './existing-record.ts';
import { later } from './reading-clock.ts';

/** Why a row may not be sent: its record is no longer what it was when it was read. */
export interface RecordConflict {
  /** What is said where no cell tells of it. */
  readonly message: Bilingual;
  /** What is said beside the sentences on its cells. */
  readonly beside?: Bilingual;
  /** What the record holds now; absent where that is not known. */
  readonly now?: Readonly<Record<string, Value | undefined>>;
  readonly lmt?: string | null;
  /** The record that meanwhile came to be as the row says: nothing is left to send. */
  readonly same?: number | null;
}

/** The record that a row deletes is gone already. */
const DELETED = t('deleted after the plan was made', 'verwijderd nadat het plan gemaakt was');

const CHANGED_THE_SAME = t(
  'it became so after the plan was made',
  'het is zo geworden nadat het plan gemaakt was',
);

const GONE = t('no longer on the service', 'niet meer in het systeem');

/** Whether two moments of a record are the same: some reads give them to the second only. */
export function sameMoment(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) === other.slice(0, length);
}

/** The moment a second earlier: a service may round its LMT, so a list from the LMT could miss a change. */
export const secondBefore = (lmt: string): string => later(lmt, -1000);

/** How a record is held against its plan. */
interface Comparing {
  /** A request of this row may have changed it, so that its LMT tells nothing. */
  readonly inDoubt: boolean;
  /** This run wrote it before: only values tell what others did. */
  readonly isOwn?: boolean;
  /** Whether a field is as a row wants it. */
  readonly same?: SameField;
}

/**
 * What speaks against writing a record that a plan read: it is gone, or other than it was by its LMT, or where
 * that is missing or the same, by the values to be changed. Null where nothing does.
 */
export function changedConflict(
  resource: Resource,
  { id, lmt: planned, changes, action }: PlannedRow,
  now: ExistingRecord | null,
  { inDoubt, isOwn = false, same = sameIn(null) }: Comparing,
): RecordConflict | null {
  if (now === null) return action === 'delete' ? { message: DELETED, same: id } : { message: GONE };
  // Some services flag what they delete, so that it is there, and changed, after a delete of this run.
  if (inDoubt && action === 'delete' && isOff(resource, now)) return null;
  const seen = { now: now.values, lmt: now.lmt };
  const held = changes.map((change) => ({ ...change, is: heldIn(resource, now, change.field) }));
  const isAs = (field: string, is: Value | undefined, said: Value) =>
    is !== undefined && same(field, is, said);
  const moved = held.filter(({ from, is }) => is !== undefined && !sameValue(is, from));
  // What is as the row says by now is not overwritten by it.
  const others = moved.filter(({ field, from, to, is }) => {
    return !isAs(field, is, to) && !(isOwn && from !== null && isAs(field, is, from));
  });
  const isDone = moved.length === changes.length && moved.every(({ field, to, is }) => isAs(field, is, to));
  if (changes.length > 0 && isDone) return { message: CHANGED_THE_SAME, same: id, ...seen };
  if (inDoubt && changes.length > 0 && held.every(({ is }) => is === undefined)) return null;
  const names = others.map(({ field }) => field).join(', ');
  const lmt = isOwn ? null : planned;
  if (lmt !== null && now.lmt !== null && !sameMoment(now.lmt, lmt))
    return { message: movedText(lmt, now.lmt, names), ...seen };
  return names === '' ? null : { message: changedText(names), ...seen };
}

/** What speaks against a create: somebody made its record since the plan. */
export function madeConflict(
  { steps }: PlannedRow,
  there: ExistingRecord,
  holds: (body: Values) => boolean,
): RecordConflict {
  const same = steps.every(({ body }) => holds(plainValues(body)));
  const as = there.id === null ? t('', '') : t(` as ${there.id}`, ` als ${there.id}`);
  const made = t(
    `it was created${as.en} after the plan was made`,
    `het is${as.nl} aangemaakt nadat het plan gemaakt was`,
  );
  if (same) return { message: made, now: there.values, same: there.id };
  return { message: toDecide(made), beside: made, now: there.values };
}

/** By LMT; what a link held stands for it. */
function movedText(was: string, is: string, names: string): Bilingual {
  if (!/^\d/.test(was))
    return names === '' ? changedText('another column', 'een andere kolom') : changedText(names);
  const [before, now] = [shownMoment(was), shownMoment(is)];
  return changedText(`LMT was ${before.en}, is ${now.en}`, `LMT was ${before.nl}, is ${now.nl}`);
}

/** Someone else changed the record meanwhile; `what` was other than it is. */
const changedText = (what: string, wat = what): Bilingual =>
  toDecide(
    t(
      `changed on the service after it was read (${what})`,
      `gewijzigd in het systeem nadat het gelezen was (${wat})`,
    ),
  );

/** Says what became of a record meanwhile, and what the user does about it. */
const toDecide = (why: Bilingual): Bilingual =>
  withFlag(
    t(
      `${why.en}; plan it again to see the difference, and to decide on what you both changed`,
      `${why.nl}; plan het opnieuw om het verschil te zien, en om te beslissen over wat jullie allebei wijzigden`,
    ),
    '--on-conflict mine|theirs',
  );
