import type { Counts } from '../../core/counts.ts';
import type { StopError } from '../../core/errors.ts';
import type { Bilingual } from '../../core/language.ts';
import type { PlannedRow, RecordReference, RowResult } from '../../core/plan.ts';
import { isMade, messageText, sentText, sentValues, statusText, valueText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Plan } from '../plan/plan-import.ts';
import type { SheetCounts } from '../plan/plan-report.ts';
import { type Problem, ProblemTally } from '../results/problem-tally.ts';
import { outcomeName, outcomeNumber, type ReportWording } from './outcomes.ts';
import type { ReportChange, ReportRow } from './report-data.ts';

/** Numbers names as they first come by. */
export class NameNumbers {
  private readonly numbers = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.numbers.keys()];
  }

  numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** What rows are read by: the names in the head, the resources, the words. */
export interface RowReading {
  readonly sheets: NameNumbers;
  readonly fields: NameNumbers;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly wording: ReportWording;
}

/** A row as the page shows it; null for one that is plainly unchanged. */
export function toReportRow(result: RowResult, reading: RowReading): ReportRow | null {
  const { planned, outcome } = result;
  const { dryRun, language } = reading.wording;
  const name = outcomeName(statusText(result, dryRun));
  const message = messageText(result, language);
  if (name === 'unchanged' && message === '') return null;
  const sent = sentValues(planned);
  const { label = null, external = null } = namesOf(reading.resources.get(planned.resource));
  return [
    reading.sheets.numberOf(planned.sheet),
    planned.row,
    outcomeNumber(name),
    outcome?.id ?? planned.id,
    planned.external,
    label === null ? '' : wordOf(sent.get(label) ?? null),
    message,
    changesOf(planned, new Set([label, external]), sent, reading),
  ];
}

function namesOf(resource: Resource | undefined): { readonly label?: string; readonly external?: string } {
  return resource !== undefined && 'external' in resource ? resource : {};
}

const wordOf = (value: Value | RecordReference): string => (typeof value === 'string' ? value : '');

/** What changes, or of a new record what it is made with; its name and ExternalID stand beside it. */
function changesOf(
  planned: PlannedRow,
  beside: ReadonlySet<string | null>,
  sent: ReadonlyMap<string, Value | RecordReference>,
  { fields, wording }: RowReading,
): ReportChange[] {
  if (!isMade(planned)) {
    const shown = (value: Value): string => valueText(value, wording.language, wording.locale);
    return planned.changes.map(({ field, from, to }) => [fields.numberOf(field), shown(from), shown(to)]);
  }
  return [...sent].flatMap(([field, value]): ReportChange[] => {
    const text = beside.has(field) ? null : sentText(value, wording);
    return text === null ? [] : [[fields.numberOf(field), null, text]];
  });
}

/** Rows that stand in the page itself, for who has no scripts. */
const FIRST_ROWS = 100;

/** What has to be known of a run's rows before the first of them is written. */
interface RowSurvey {
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

/** What a report is of. */
export interface ReportSubject {
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
export interface SurveyedReport extends ReportSubject {
  readonly survey: RowSurvey;
  /** The sheets' numbers, by which the page's links name them. */
  readonly sheetNames: NameNumbers;
  /** When the run was planned and when this is written, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  readonly at: string;
}
