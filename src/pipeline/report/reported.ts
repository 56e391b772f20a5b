import type { StopError } from '../../errors.ts';
import type { Counts } from '../../schema/counts.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Plan } from '../plan/plan-import.ts';
import type { SheetCounts } from '../plan/plan-report.ts';
import type { ReportWording } from './report-wording.ts';
import type { RowSurvey } from './survey-rows.ts';
import type { Names } from './to-report-row.ts';

/** What a report is of. */
export interface Reported {
  readonly plan: Plan;
  readonly counts: Counts;
  readonly sheets: readonly SheetCounts[];
  /** What there is to know of the run. */
  readonly notes: readonly Bilingual[];
  /** What ended the run before its end. */
  readonly stopped: StopError | null;
  readonly wording: ReportWording;
}

/** A report with what its rows came to. */
export interface Surveyed extends Reported {
  readonly survey: RowSurvey;
  /** The sheets' numbers, by which the page's links name them. */
  readonly sheetNames: Names;
  /** When the run was planned and when this is written, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  readonly at: string;
}
