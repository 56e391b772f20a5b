import type { PlannedRow, Step } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Locale, Values } from '../../schema/value.ts';
import type { ConflictKeeper } from '../base/open-conflicts.ts';
import type { Context } from '../context.ts';
import type { RowGuard } from '../kinds/kind.ts';
import type { Breaker } from './breaker.ts';
import type { Ending } from './ending.ts';
import type { AddressOf } from './failure-outcome.ts';
import type { Turns } from './turns.ts';

/** What sending rows of one resource works with. */
export interface Sending {
  readonly context: Context;
  readonly run: string;
  readonly resource: Resource;
  readonly guard: RowGuard;
  readonly breaker: Breaker;
  /** Who has one writes down that it sends, and sends: few more than may be in flight, as each is in doubt after a crash. */
  readonly turns: Turns;
  readonly addressOf: AddressOf;
  readonly conflicts: ConflictKeeper;
  /** How the file's numbers are written. */
  readonly locale?: Locale | undefined;
}

/** One step of a row, about to be sent. */
export interface Attempt {
  readonly planned: PlannedRow;
  readonly step: Step;
  /** Its place among the row's steps. */
  readonly at: number;
  readonly id: number | null;
  /** When an earlier try sent it without an answer; null when it was not sent before. */
  readonly doubt: string | null;
  /** That the record changed since the plan would be somebody else's doing. */
  readonly recheck: boolean;
}

/** It went through, or what became of the row. */
export type Sent = { readonly id: number | null; readonly body: Values } | { readonly ending: Ending };
