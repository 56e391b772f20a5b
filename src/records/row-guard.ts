import type { Bilingual } from '../core/language.ts';
import type { PlannedRow, Step } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import type { WriteAnswer } from '../schema/answer.ts';
import type { Resource } from '../schema/resource.ts';
import type { SendMarks } from '../service/exchange.ts';
import type { ExistingRecord } from './existing-record.ts';
import type { RecordConflict } from './fresh.ts';
import type { KeyKeeping } from './key-keeping.ts';
import type { RunOf, SourceSummary } from './planning.ts';

/** What guarding the rows of one resource works with. */
export interface GuardSetup<R extends Resource> extends RunOf<R> {
  readonly summary: SourceSummary;
}

/** What a record holds, as far as it was read. */
export type HeldNow = Readonly<Record<string, Value | undefined>>;

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
  answered?(): Promise<CreatesAnswered>;
  /** The service turned it down: it may be that somebody else made such a record. */
  readonly turnedDown?: boolean;
  /** It can no longer appear: what is not known for sure by now won't be. */
  readonly last?: boolean;
  /** When this look was due, by steady time: a reading that began since shows what it asks for. */
  readonly asked?: number;
}

/** What creates of a run answered. */
export interface CreatesAnswered {
  /** The ids that the ledger has not yet. */
  readonly ids: ReadonlySet<number | null>;
  /** The first of all: a list that lacks one is not whole. `at`: when it was answered, on this machine's clock. */
  readonly first: readonly { readonly id: number | null; readonly body: Values; readonly at: number }[];
}

/** A request that went through; its id is null where the service gives none. */
export type SentStep = Omit<SendDoubt, 'since' | 'run' | 'answered' | 'last' | 'asked' | 'turnedDown'>;

/** A step with the ids filled in that were not known when it was planned. */
export interface ResolvedStep {
  readonly body: Values;
  readonly params: Readonly<Record<string, number | string>>;
}

/** A record that was read after it was written, with its key in the plan. */
export interface ReadBackRecord extends Pick<ExistingRecord, 'id' | 'lmt' | 'values'> {
  readonly key: string;
}

/** A record that was read back by its id. */
export const readBackById = (record: ExistingRecord | null): readonly ReadBackRecord[] =>
  record === null ? [] : [{ ...record, key: `id:${record.id}` }];

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
  /** What the records hold that requests of the run wrote, in as few requests as it takes; others may come along. */
  readBack?(sent: readonly SentStep[]): Promise<readonly ReadBackRecord[]>;
  /** What the record of an update holds now; null where it is not found, or is not one. */
  readNow?(sent: Omit<SentStep, 'step'>): Promise<HeldNow | null>;
  /** The key by which a plan knows a record, where that is not its id. */
  keyOf?(sent: SentStep): string;
  /** What the user can look at to tell whether a request in doubt took effect. */
  describeDoubt?(doubt: Pick<SendDoubt, 'planned' | 'body'>): Bilingual;
  /** Whether the service keeps the ExternalID that a step stores, where one does. */
  readonly keys?: KeyKeeping;
  /** What the user should know of the service, said once. */
  notes?(): Bilingual[];
}
