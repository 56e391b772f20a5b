import { type Bilingual, t, withFlag } from '../core/language.ts';
import type { PlannedRow, Step } from '../core/plan.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Value, Values } from '../core/value.ts';
import type { WriteAnswer } from '../schema/answer.ts';
import type { Resource } from '../schema/resource.ts';
import type { SendMarks } from '../service/service.ts';
import {
  type ExistingRecord,
  heldIn,
  isOff,
  plainValues,
  type SameField,
  sameIn,
  sameMoment,
  sameValue,
} from './existing-record.ts';
import type { RunOf, SourceSummary } from './planning.ts';

/** What guarding the rows of one resource works with. */
export interface GuardSetup<R extends Resource> extends RunOf<R> {
  readonly summary: SourceSummary;
}

/** A request of which it is not known whether it took effect. */
export interface SendDoubt {
  readonly run: string;
  readonly planned: PlannedRow;
  readonly step: Step;
  /** The id of the row's record, when it has one. */
  readonly id: number | null;
  /** The body as sent, references filled in. */
  readonly body: Values;
  /** When it was about to be sent, on this machine's clock. */
  readonly since: Date;
  /** Waits for the creates that are under way now; answers what the run created so far. */
  answered?(): Promise<{
    /** The ids that the ledger has not yet. */
    readonly ids: ReadonlySet<number | null>;
    /** The first of all: a list that lacks one is not whole. `at`: when it was answered, on this machine's clock. */
    readonly first: readonly { readonly id: number | null; readonly body: Values; readonly at: number }[];
  }>;
  /** The service turned it down: it may be that somebody else made such a record. */
  readonly turnedDown?: boolean;
  /** It can no longer appear: what is not known for sure by now won't be. */
  readonly last?: boolean;
  /** When this look was due, by steady time: a reading that began since shows what it asks for. */
  readonly asked?: number;
}

/** A request that went through; its id is null where the service gives none. */
export type SentStep = Omit<SendDoubt, 'since' | 'run' | 'answered' | 'last' | 'asked' | 'turnedDown'>;

/** A step with the ids filled in that were not known when it was planned. */
export interface ResolvedStep {
  readonly body: Values;
  readonly params: Readonly<Record<string, number | string>>;
}

/** It took effect (with the record's id, null where it has none), it did not, or null: it can't be told. */
export type EffectVerdict = { readonly id: number | null } | 'no' | null;

/** What sending the rows of one resource needs to know of the service; what is absent nothing there tells. */
export interface RowGuard {
  /**
   * Why a row may not be sent (its record changed since it was read), or null. `inDoubt`: a request of it may
   * have changed the record. `anew`: it is read from the service itself, whatever was read before.
   */
  check?(planned: PlannedRow, inDoubt?: boolean, anew?: boolean): Promise<RecordConflict | null>;
  /** Takes a request of this run that went through: its own change is no conflict. */
  wrote?(sent: SentStep): Promise<void>;
  /** Carries out a step that is more than its request: a file goes or comes along. Throws RequestError. */
  carryOut?(step: Step, resolved: ResolvedStep, marks: SendMarks): Promise<WriteAnswer>;
  /** Whether a request without an answer took effect; null when it can't be told, or can't be read. */
  tookEffect?(doubt: SendDoubt): Promise<EffectVerdict>;
  /**
   * What the records hold that requests of the run wrote, with their keys in the plan, in as few requests as it takes;
   * others may come along.
   */
  readBack?(
    sent: readonly SentStep[],
  ): Promise<readonly (Pick<ExistingRecord, 'id' | 'lmt' | 'values'> & { readonly key: string })[]>;
  /** What the record of an update holds now; null where it is not found, or is not one. */
  readNow?(sent: Omit<SentStep, 'step'>): Promise<Values | null>;
  /** The key by which a plan knows a record, where that is not its id. */
  keyOf?(sent: SentStep): string;
  /** What the user can look at to tell whether a request in doubt took effect. */
  describeDoubt?(doubt: Pick<SendDoubt, 'planned' | 'body'>): Bilingual;
  /** What the user should know of the service, said once. */
  notes?(): Bilingual[];
}

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
