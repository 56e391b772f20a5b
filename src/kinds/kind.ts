import type { PlannedRow, RecordReference, RowDependency, Step } from '../core/plan.ts';
import type { Bilingual, Locale, Values } from '../core/value.ts';
import type { Base } from '../import/baseline/open-base.ts';
import type { OpenConflicts } from '../import/baseline/open-conflicts.ts';
import type { OnConflict } from '../import/baseline/three-way.ts';
import type { MappedRow } from '../import/map/map-row.ts';
import type { SheetMapping } from '../import/map/sheet-mapping.ts';
import type { KnownRecord } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { WriteAnswer } from '../schema/answer.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { ReferenceColumn } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import type { Moved } from './moved.ts';

/** A planned row that has no place in the plan yet. */
export type Unplaced = Omit<PlannedRow, 'seq'> & { readonly seq?: number };

/** What a run allows, and what the service is known to do. */
export interface PlanRules {
  /** How the file's numbers are written, in messages too. */
  readonly locale?: Locale | undefined;
  readonly dialect: Dialect;
  readonly allowDelete: boolean;
  /** Warnings stop their row. */
  readonly strict: boolean;
  /** What becomes of a field that both the user and someone else changed since the workbook was written. */
  readonly onConflict: OnConflict;
  /** The folder on this machine that files are taken from or put into; an absolute path. */
  readonly folder?: string | undefined;
}

/** How a plan read a resource's records: what is needed later to tell whether they have moved since. Plain data. */
export interface SourceSummary {
  readonly strategy: 'list' | 'rows';
  /** The newest LMT among what was read; null when no record had one. */
  readonly newest: string | null;
  /** When the first of it was read, ISO in UTC; for records that have no LMT. */
  readonly readAt?: string | null;
  /** The periods whose events were read, `YYYY-MM-DD` both. */
  readonly periods?: readonly { readonly DatumVan: string; readonly DatumTot: string }[];
}

/** What planning one sheet works with. */
export interface PlannerSetup {
  readonly context: Context;
  /** Finds the records that columns with a dot refer to. */
  readonly references: References;
  readonly run: string;
  readonly mapping: SheetMapping;
  /** What the workbook says its records were. */
  readonly base: Base;
  /** What earlier runs left as a conflict of the sheet's records, and nobody decided yet. */
  readonly conflicts: OpenConflicts;
  readonly rules: PlanRules;
}

/**
 * Plans the rows of one sheet as they come. Rows that are returned are saved in the ledger before the next call, so
 * that later rows on the same record can be planned after them.
 */
export interface RowPlanner {
  /** May keep rows back while it is not clear yet how to look them up. */
  add(rows: readonly MappedRow[]): Promise<Unplaced[]>;
  /** Plans what was kept back. */
  finish(): Promise<Unplaced[]>;
}

/** What a reference by ExternalID comes to. */
export type Referred =
  /** The record exists. */
  | { readonly id: number }
  /** An earlier row of this plan creates it: `reference` stands for its id, and `need` for that row. */
  | { readonly reference: RecordReference; readonly need: RowDependency }
  /** An earlier row of this plan should create it and can't be sent. */
  | { readonly blocked: PlannedRow }
  /** More than one record has it: these, by resource and id. */
  | { readonly several: readonly string[] }
  | 'missing';

/** Finds records that rows refer to, wherever they are: in this plan, in the ledger, on the service. */
export interface References {
  /** `day` (`YYYY-MM-DD`) is about when the record is, for those that can be looked up by day only. */
  find(refers: ReferenceColumn, external: number, day?: string): Promise<Referred>;
}

/** Finds records of one resource by ExternalID on the service; each is asked for at most once. */
export interface Finder {
  /** `known`: what the ledger remembers for it; another record may have taken it over since. */
  byExternal(
    external: number,
    hints: { readonly day?: string | undefined; readonly known?: KnownRecord | undefined },
  ): Promise<number | null>;
}

/** Plans the sheets of one resource and remembers, from sheet to sheet, what was read for it. */
export interface Planning {
  openSheet(setup: PlannerSetup): RowPlanner;
  summary(): SourceSummary;
}

/** What guarding the rows of one resource works with. */
export interface SenderSetup {
  readonly context: Context;
  readonly run: string;
  readonly summary: SourceSummary;
}

/** A request of which it is not known whether it took effect. */
export interface Doubt {
  readonly run: string;
  readonly planned: PlannedRow;
  readonly step: Step;
  /** The id of the row's record, when it has one. */
  readonly id: number | null;
  /** The body that was sent, references filled in. */
  readonly body: Values;
  /** When it was about to be sent, on this machine's clock. */
  readonly since: Date;
}

/** A request that went through. */
export interface Done extends Omit<Doubt, 'since' | 'id' | 'run'> {
  /** Null where the service gives none. */
  readonly id: number | null;
}

/** A step with the ids filled in that were not known when it was planned. */
export interface ResolvedStep {
  readonly body: Values;
  readonly params: Readonly<Record<string, number | string>>;
}

/** It took effect (with the record's id, null where it has none), it did not, or null: it can't be told. */
export type Verdict = { readonly id: number | null } | 'no' | null;

/** What sending the rows of one resource needs to know of the service. */
export interface RowGuard {
  /** Why a row may not be sent (its record changed since it was read), or null. */
  check(planned: PlannedRow): Promise<Moved | null>;
  /** To be told of what this run writes itself: its own change is no conflict. */
  wrote(done: Done): Promise<void>;
  /** How a step is carried out that is more than its request: a file goes along, or comes back. Throws RequestError. */
  carryOut?(step: Step, resolved: ResolvedStep): Promise<WriteAnswer>;
  /**
   * Whether a request whose answer was lost took effect, by what the service holds now; null when it can't be told.
   * Never throws for what the service does: what can't be read is null too.
   */
  tookEffect(doubt: Doubt): Promise<Verdict>;
  /** What the user can look at to tell whether a request in doubt took effect; null when there is nothing. */
  describeDoubt?(doubt: Pick<Doubt, 'planned' | 'body'>): Promise<Bilingual | null>;
  /**
   * What to do with a `key` step: send it, or leave it, as the service does not keep keys. Told of each one's end,
   * to find out.
   */
  readonly keys: KeyKeeping;
  /** What the user should know of the service, said once. */
  notes(): Bilingual[];
}

/** Whether the service keeps an ExternalID that an update stores (design: Dialect). */
export interface KeyKeeping {
  /** False once it is known that the service does not keep it: the ledger alone remembers from then on. */
  kept(): boolean;
  /** To be called after a key was stored; only the first call asks. Never throws for what the service does. */
  stored(planned: PlannedRow, id: number): Promise<void>;
  /** To be called when the service refuses to store a key; a refusal belongs to its row until all are refused. */
  refused(words: string): Promise<void>;
}

/** How the rows of one kind of resource are planned, and guarded while they are sent. */
export interface Kind<R extends Resource> {
  plan(context: Context, resource: R, run: string): Planning;
  guard(setup: SenderSetup, resource: R): RowGuard;
  /** For resources that others refer to by ExternalID. */
  finder?(context: Context, resource: R): Finder;
}
