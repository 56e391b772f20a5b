import { type Bilingual, t } from '../core/language.ts';
import type { FieldChange, PlannedRow } from '../core/plan.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Time } from '../core/time.ts';
import type { Value } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, isOff, sameValue } from './existing-record.ts';
import { later } from './reading-clock.ts';

/** Why a row may not be sent: its record is no longer what it was when it was read. */
export interface RecordConflict {
  readonly message: Bilingual;
  /** What the record holds now; absent where that is not known. */
  readonly now?: Readonly<Record<string, Value | undefined>>;
  readonly lmt?: string | null;
  /** The record that meanwhile came to be as the row says: nothing is left to send. */
  readonly same?: number | null;
}

/** The record came to be as the row says. */
export const CHANGED_THE_SAME = t(
  'it became so after the plan was made',
  'het is zo geworden nadat het plan gemaakt was',
);

/** The record that a row deletes is gone already. */
export const DELETED = t('deleted after the plan was made', 'verwijderd nadat het plan gemaakt was');

/** Someone else deleted the record meanwhile. */
export const goneConflict = (): RecordConflict => ({
  message: t('no longer on the service', 'niet meer in het systeem'),
});

/** Someone else changed the record meanwhile; `what` was other than it is. */
export const changedText = (what: string, wat = what): Bilingual =>
  toDecide(
    t(
      `changed on the service after it was read (${what})`,
      `gewijzigd in het systeem nadat het gelezen was (${wat})`,
    ),
  );

/** Says what became of a record meanwhile, and what the user does about it. */
export const toDecide = (why: Bilingual): Bilingual =>
  t(
    `${why.en}; import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs`,
    `${why.nl}; importeer opnieuw met --dry-run om het verschil te zien: wat jullie allebei wijzigden wacht op --on-conflict mine of theirs`,
    t(
      `${why.en}; plan it again to see the difference, and to decide on what you both changed`,
      `${why.nl}; plan het opnieuw om het verschil te zien, en om te beslissen over wat jullie allebei wijzigden`,
    ),
  );

/** Whether two moments of a record are the same: some reads give them to the second only. */
export function sameMoment(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) === other.slice(0, length);
}

/** The moment a second earlier: a service may round its LMT, so a list from the LMT could miss a change. */
export const secondBefore = (lmt: string): string => later(lmt, -1000);

/** The fact whether an update moves the LMT of its record: `yes` or `no`. */
export const lmtMoves = ({ name }: Resource): string => `LMT of ${name} moves`;

/** A record as it is now; null where there is none. */
export type RecordNow = ExistingRecord | 'unchanged' | null;

/**
 * Tells whether records changed after the plan read them: by LMT, and by the values to be changed where that
 * is missing or the same; `look` reads one now (`anew`: from the service itself, whatever was read before),
 * `same` tells whether it is as a row wants it.
 */
export function createFreshness(
  resource: Resource,
  look: (id: number, lmt: string | null, anew: boolean) => Promise<RecordNow>,
  same: (field: string, held: Value | undefined, said: Value) => boolean = (_, held, said) =>
    sameValue(held, said),
) {
  const own = new Set<number | null>();
  return {
    /** Takes a record that this run wrote itself: its own change is no conflict. */
    wrote: (id: number | null): void => void own.add(id),
    /** `inDoubt`: this row may have written its record, so that its LMT tells nothing. */
    async check(
      { id, lmt: planned, changes, action }: PlannedRow,
      inDoubt = false,
      anew = inDoubt,
    ): Promise<RecordConflict | null> {
      const isOwn = own.has(id);
      if (id === null || (isOwn && !anew)) return null;
      // Where this run wrote it before, only values tell what others did.
      const lmt = isOwn ? null : planned;
      const now = await look(id, lmt, anew);
      if (now === 'unchanged') return null;
      if (now === null) return action === 'delete' ? { message: DELETED, same: id } : goneConflict();
      const wanted = changes.filter(({ field, from, to }) => {
        const is = heldIn(resource, now, field);
        return is === undefined || sameValue(is, from) || !same(field, is, to);
      });
      // Some services flag what they delete, so that it is there, and changed, after a delete of this run.
      if (inDoubt && action === 'delete' && isOff(resource, now)) return null;
      const seen = { now: now.values, lmt: now.lmt };
      if (changes.length > 0 && wanted.length === 0) return { message: CHANGED_THE_SAME, same: id, ...seen };
      const isRead = ({ field }: FieldChange): boolean => heldIn(resource, now, field) !== undefined;
      if (inDoubt && changes.length > 0 && !changes.some(isRead)) return null;
      const others = changes.filter(({ field, from }) => {
        const is = heldIn(resource, now, field);
        return is !== undefined && !sameValue(is, from) && !(isOwn && from !== null && same(field, is, from));
      });
      if (lmt !== null && now.lmt !== null && !sameMoment(now.lmt, lmt)) {
        const [was, is] = [shownMoment(lmt), shownMoment(now.lmt)];
        const message = changedText(`LMT was ${was.en}, is ${is.en}`, `LMT was ${was.nl}, is ${is.nl}`);
        return { message, ...seen };
      }
      if (others.length === 0) return null;
      return { message: changedText(others.map(({ field }) => field).join(', ')), ...seen };
    },
  };
}

/** A reading that is repeated once it is older than `maxAge`, ms. */
export function renewed<T>(time: Time, maxAge: number, read: () => Promise<T>): () => Promise<T> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<T> | undefined;
  return () => {
    const now = time.steady();
    if (reading === undefined || now - readAt > maxAge) {
      readAt = now;
      const next = read();
      reading = next;
      // What could not be read is read anew for whoever asks next.
      next.catch(() => {
        if (reading === next) reading = undefined;
      });
    }
    return reading;
  };
}
