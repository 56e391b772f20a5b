import type { Dialect } from '../../schema/dialect.ts';
import type { PlannedRow, Step } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';
import type { MappedRow } from '../map/map-row.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';

/** A planned row that has no place in the plan yet. */
export type Unplaced = Omit<PlannedRow, 'seq'>;

/** What a run allows, and what the service is known to do. */
export interface PlanRules {
  readonly dialect: Dialect;
  readonly allowDelete: boolean;
}

/** How a plan read a resource's records: what is needed later to tell whether they have moved since. Plain data. */
export interface SourceSummary {
  readonly strategy: 'list' | 'rows';
  /** The newest LMT among what was read; null when no record had one. */
  readonly newest: string | null;
}

export interface PlannerSetup {
  readonly context: Context;
  readonly run: string;
  readonly mapping: SheetMapping;
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

/** Plans the sheets of one resource and remembers, from sheet to sheet, what was read for it. */
export interface Planning {
  openSheet(setup: PlannerSetup): RowPlanner;
  summary(): SourceSummary;
}

export interface SenderSetup {
  readonly context: Context;
  readonly summary: SourceSummary;
}

/** What sending the rows of one resource needs to know of the service. */
export interface RowGuard {
  /** Why a row may not be sent (its record changed since it was read), or null. */
  check(planned: PlannedRow): Promise<Bilingual | null>;
  /** To be told of a record this run writes itself: its own change is no conflict. */
  wrote(id: number): void;
  /** Whether a request whose answer was lost took effect, by what the service holds now; null when it can't tell. */
  tookEffect(
    planned: PlannedRow,
    step: Step,
    id: number | null,
  ): Promise<{ readonly id: number } | 'no' | null>;
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
  /** To be called after a key was stored; only the first call asks. */
  verify(external: number, id: number): Promise<void>;
  /** To be called when the service refuses to store a key. */
  refused(words: string): void;
}

/** How the rows of one kind of resource are planned, and guarded while they are sent. */
export interface Kind<R extends Resource> {
  plan(context: Context, resource: R): Planning;
  guard(setup: SenderSetup, resource: R): RowGuard;
}
