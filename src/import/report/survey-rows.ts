import { COUNT_WORDS, type Counts, countedAs, plannedAs } from '../../core/counts.ts';
import type { StopError } from '../../core/errors.ts';
import type { Bilingual } from '../../core/language.ts';
import type { Action, PlannedRow, RecordReference, RowResult, Status } from '../../core/plan.ts';
import {
  isMade,
  messageText,
  sentText,
  sentValues,
  statusText,
  type ValueWording,
  valueText,
} from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import type { Tone } from '../../files/result-sheet.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Plan } from '../plan/plan-import.ts';
import type { SheetCounts } from '../plan/plan-report.ts';
import { type Problem, ProblemTally } from '../results/problem-tally.ts';
import type { ReportChange, ReportHead, ReportRow } from './report-row.ts';

/** How a report is worded: language, numbers, and as what was done or what would be. */
interface ReportWording extends ValueWording {
  readonly dryRun: boolean;
}

/** An outcome, by the name that it is counted under. */
export type OutcomeName = Exclude<keyof Counts, 'read'>;

/** The tone of each outcome, in the order in which they are shown. */
export const OUTCOME_TONES: Readonly<Record<OutcomeName, Tone>> = {
  ...({ created: 'good', updated: 'good', unchanged: 'plain', deleted: 'good', skipped: 'plain' } as const),
  ...({ conflict: 'warn', invalid: 'bad', failed: 'bad', unknown: 'bad', notSent: 'warn' } as const),
};

const NAMES = Object.keys(OUTCOME_TONES) as OutcomeName[];

/** The number of an outcome in a report's head. */
export const outcomeNumber = (name: OutcomeName): number => NAMES.indexOf(name);

const WOULD: ReadonlySet<string> = new Set(['create', 'update', 'delete'] satisfies Action[]);

/** The name that a row's `#status` is counted under. */
function outcomeName(status: string): OutcomeName {
  return WOULD.has(status) ? plannedAs(status as Action) : countedAs(status as Status);
}

/** Every outcome with its word, as what was done or what would be. */
export function outcomeWords({ dryRun, language }: ReportWording): ReportHead['outcomes'] {
  return NAMES.map((name) => ({
    text: COUNT_WORDS[name][dryRun ? 'would' : 'done'][language],
    tone: OUTCOME_TONES[name],
  }));
}

/** Numbers names in the order in which they first come by. */
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

/** What rows are shown by: the numbered names, the resources, the wording. */
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
  const known = label === null ? null : sent.get(label);
  return [
    reading.sheets.numberOf(planned.sheet),
    planned.row,
    outcomeNumber(name),
    outcome?.id ?? planned.id,
    planned.external,
    typeof known === 'string' ? known : '',
    message,
    changesOf(planned, new Set([label, external]), sent, reading),
  ];
}

function namesOf(resource: Resource | undefined): { readonly label?: string; readonly external?: string } {
  return resource !== undefined && 'external' in resource ? resource : {};
}

/** What changes, or of a new record what it is created with; its name and ExternalID stand beside it. */
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

/** Rows in the page itself, for readers without scripts. */
const FIRST_ROWS = 100;

/** What must be known of a run's rows before the first is written. */
interface RowSurvey {
  readonly problems: readonly Problem[];
  readonly first: readonly ReportRow[];
  /** Rows listed, those among them with a message, and rows not listed, as they are plainly unchanged. */
  readonly listed: number;
  readonly remarks: number;
  readonly unchanged: number;
}

/** Goes through a run's rows once: groups problems, counts, and numbers the names in `reading`. */
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
  /** Notes on the run. */
  readonly notes: readonly Bilingual[];
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
