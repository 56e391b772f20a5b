import { type Bilingual, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import type { FindDoubles } from '../records/doubts.ts';
import type {
  ContextOf,
  PlannerSetup,
  RecordMatching,
  ResourcePlanning,
  RunOf,
  SourceSummary,
} from '../records/planning.ts';
import type { RecordFinder } from '../records/references.ts';
import type { GuardSetup, RowGuard } from '../records/row-guard.ts';
import type { RecordHistory, UndoneRecord, UndoTools } from '../records/undo.ts';
import type { Resource } from '../schema/resource.ts';

/** What one kind of resource does in its own way; nothing outside this folder looks at `resource.kind`. */
export interface Kind<R extends Resource> {
  /**
   * How its rows are held against records field by field, and so may be in conflict; absent where `plan` plans them
   * in a way of its own.
   */
  rows?(context: RunOf<R>): {
    matching(setup: PlannerSetup): RecordMatching;
    summary(): SourceSummary;
  };
  plan?(context: RunOf<R>): ResourcePlanning;
  /** How its rows are found again, or told apart: a sentence for the guide of a template; by default its keys. */
  foundAgain?(resource: R): Bilingual;
  guard(setup: GuardSetup<R>): RowGuard;
  /** Finds records for the rows that refer to them by ExternalID; absent where none do. */
  finder?(context: ContextOf<R>): RecordFinder;
  /** Looks for what came late beside creates that were sent again. */
  doubles?(context: ContextOf<R>): FindDoubles;
  /** Takes back what a run did to a record; absent where that is not possible. */
  undo?(resource: R, history: RecordHistory, tools: UndoTools): UndoneRecord | Promise<UndoneRecord>;
  /** Takes back a row that took place anew when it was sent. */
  undoPosted?(resource: R, planned: PlannedRow, tools: UndoTools): UndoneRecord | Promise<UndoneRecord>;
  /** Rows have a `#key`, as the service can't find them again. */
  readonly keyed?: true;
  /** A row that sends nothing tells something all the same, which the ledger remembers by its names. */
  readonly tells?: true;
  /** The field to fill in to change what a column only shows, and the kind reads; null for none. */
  sentFor?(resource: R, shown: string): string | null;
  /** Columns of which a row fills in one; `alone`: not more than one. */
  amounts?(resource: R): { readonly columns: readonly string[]; readonly alone: boolean };
}

/** That a row's record is found again by these fields, as the guide of a template says it. */
export const foundBy = (en: string, nl = en): Bilingual =>
  t(`Found again by ${en}.`, `Wordt teruggevonden op ${nl}.`);

/** Those of the resources that are of a kind, in their order: for a kind that works with another's. */
export const ofKind = <K extends Resource['kind']>(
  resources: readonly Resource[],
  kind: K,
): Extract<Resource, { kind: K }>[] =>
  resources.filter((one): one is Extract<Resource, { kind: K }> => one.kind === kind);
