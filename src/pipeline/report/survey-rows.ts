import type { RowResult } from '../../schema/plan.ts';
import { type Problem, ProblemTally } from '../results/problem-tally.ts';
import type { ReportRow } from './report-data.ts';
import { type RowReading, toReportRow } from './to-report-row.ts';

/** Rows that stand in the page itself, for who has no scripts. */
const FIRST_ROWS = 100;

/** What has to be known of a run's rows before the first of them is written. */
export interface RowSurvey {
  readonly problems: readonly Problem[];
  readonly first: readonly ReportRow[];
  /** Rows that are listed, of how many of them something is said, and rows that are not, as they are plainly unchanged. */
  readonly listed: number;
  readonly remarks: number;
  readonly unchanged: number;
}

/** Goes through a run's rows once: groups what is wrong, counts, and numbers the names of sheets and fields in `reading`. */
export async function surveyRows(rows: AsyncIterable<RowResult>, reading: RowReading): Promise<RowSurvey> {
  const tally = new ProblemTally(reading.wording);
  const first: ReportRow[] = [];
  let [listed, remarks, unchanged] = [0, 0, 0];
  for await (const result of rows) {
    tally.add(result);
    const row = toReportRow(result, reading);
    if (row === null) {
      unchanged++;
      continue;
    }
    listed++;
    if (row[6] !== '') remarks++;
    if (first.length < FIRST_ROWS) first.push(row);
  }
  return { problems: tally.problems, first, listed, remarks, unchanged };
}
