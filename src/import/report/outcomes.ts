import { COUNT_WORDS, type Counts, countedAs, plannedAs } from '../../core/counts.ts';
import type { Action, Status } from '../../core/plan.ts';
import type { ValueWording } from '../../core/row-text.ts';
import type { OutcomeTone, ReportHead } from './report-data.ts';

/** How a report is worded: in which language, with which numbers, and as what was done or what would be. */
export interface ReportWording extends ValueWording {
  readonly dryRun: boolean;
}

/** What a row can come to, by the name that it is counted under. */
export type OutcomeName = Exclude<keyof Counts, 'read'>;

/** How each outcome is to be taken, in the order in which they are told. */
export const OUTCOME_TONES: Readonly<Record<OutcomeName, OutcomeTone>> = {
  created: 'good',
  updated: 'good',
  unchanged: 'plain',
  deleted: 'good',
  skipped: 'plain',
  conflict: 'warn',
  invalid: 'bad',
  failed: 'bad',
  unknown: 'bad',
  notSent: 'warn',
};

const NAMES = Object.keys(OUTCOME_TONES) as OutcomeName[];

/** The number of an outcome in a report's head. */
export function outcomeNumber(name: OutcomeName): number {
  return NAMES.indexOf(name);
}

const WOULD: ReadonlySet<string> = new Set(['create', 'update', 'delete'] satisfies Action[]);

/** The name that a row's `#status` is counted under. */
export function outcomeName(status: string): OutcomeName {
  return WOULD.has(status) ? plannedAs(status as Action) : countedAs(status as Status);
}

/** Every outcome with its word, as what was done or what would be. */
export function outcomeWords({ dryRun, language }: ReportWording): ReportHead['outcomes'] {
  return NAMES.map((name) => ({
    text: COUNT_WORDS[name][dryRun ? 'would' : 'done'][language],
    tone: OUTCOME_TONES[name],
  }));
}
