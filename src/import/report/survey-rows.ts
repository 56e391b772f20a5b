import { SHOWN_WORDS } from '../../core/counts.ts';
import { OUTCOME_TONES, type OutcomeName } from '../../core/outcome-tones.ts';
import type { PlannedRow, RowResult } from '../../core/plan.ts';
import { isMade, keyText, messageText, sentTexts, sentValues, shownChanges } from '../../core/row-text.ts';
import { visibleText } from '../../core/visible-text.ts';
import type { Resource } from '../../schema/resource.ts';
import { createProblemTally, type ProblemTally } from '../results/problem-tally.ts';
import { outcomeOf, type ResultWording } from '../results/row-outcome.ts';
import type { ReportChange, ReportHead, ReportRow } from './report-row.ts';

const NAMES = Object.keys(OUTCOME_TONES) as OutcomeName[];

/** The number of an outcome in a report's head. */
export const outcomeNumber = (name: OutcomeName): number => NAMES.indexOf(name);

/** Every outcome with its word, as what was done or what would be. */
export function outcomeWords({ dryRun, language }: ResultWording): ReportHead['outcomes'] {
  return NAMES.map((name) => ({
    text: SHOWN_WORDS[name][dryRun ? 'would' : 'done'][language],
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
  readonly resources: readonly Resource[];
  readonly wording: ResultWording;
}

/** A row as the page shows it; null for one that is plainly unchanged. */
export function toReportRow(result: RowResult, reading: RowReading): ReportRow | null {
  const { planned, outcome } = result;
  const { language, form } = reading.wording;
  const name = outcomeOf(result, reading.wording);
  const message = visibleText(messageText(result, language, form));
  if (name === 'unchanged' && message === '') return null;
  const resource = reading.resources.find((one) => one.name === planned.resource);
  const label = planned.about?.label ?? named(planned, resource);
  const beside = [
    resource?.label ?? [],
    resource !== undefined && 'external' in resource ? resource.external : [],
  ];
  return [
    reading.sheets.numberOf(planned.sheet),
    planned.row,
    outcomeNumber(name),
    outcome?.id ?? planned.id,
    visibleText(keysBeside(planned, resource)),
    label ?? '',
    message,
    changesOf(result, beside.flat(), reading),
  ];
}

/** The name that a row sends, and that of what it links. */
function named(planned: PlannedRow, resource: Resource | undefined): string | undefined {
  const label = resource?.label === undefined ? undefined : sentValues(planned)[resource.label];
  return typeof label === 'string' ? label : undefined;
}

/** The keys of a row, but for the id that stands before them, with the ExternalID that its record has. */
function keysBeside({ about, external, id }: PlannedRow, resource: Resource | undefined): string {
  const key = { ...about?.key };
  if (resource !== undefined && 'external' in resource) {
    if (external !== null) key[resource.external] = external;
    if (id !== null) delete key[resource.id];
  }
  return keyText({ about: { key } });
}

/** What changes, or of a new record what it is created with, but for what stands `beside` it. */
function changesOf(
  { planned }: RowResult,
  beside: readonly string[],
  { fields, wording }: RowReading,
): ReportChange[] {
  if (!isMade(planned))
    return shownChanges(planned, wording).map(({ field, from, to }) => [fields.numberOf(field), from, to]);
  return sentTexts(planned, wording).flatMap(([field, text]): ReportChange[] =>
    beside.includes(field) ? [] : [[fields.numberOf(field), null, text]],
  );
}

/** Rows in the page itself, for readers without scripts. */
const FIRST_ROWS = 100;

/** What must be known of a run's rows before the first is written. */
export interface RowSurvey {
  readonly tally: ProblemTally;
  readonly first: readonly ReportRow[];
  /** Rows listed, those among them with a message, and rows not listed, as they are plainly unchanged. */
  readonly listed: number;
  readonly remarks: number;
  readonly unchanged: number;
}

/** Goes through a run's rows once: groups problems, counts, and numbers the names in `reading`. */
export async function surveyRows(rows: AsyncIterable<RowResult>, reading: RowReading): Promise<RowSurvey> {
  const tally = createProblemTally(reading.wording);
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
  return { tally, first, listed, remarks, unchanged };
}
