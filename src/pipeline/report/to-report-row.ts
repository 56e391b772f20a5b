import type { PlannedRow, Reference, RowResult } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import { isMade, messageText, sentText, sentValues, statusText, valueText } from '../../schema/row-text.ts';
import type { Value } from '../../schema/value.ts';
import { outcomeName, outcomeNumber } from './outcomes.ts';
import type { ReportChange, ReportRow } from './report-data.ts';
import type { ReportWording } from './report-wording.ts';

/** Numbers names as they first come by. */
export class Names {
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
  readonly sheets: Names;
  readonly fields: Names;
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
  return resource?.kind === 'catalogue' || resource?.kind === 'event' ? resource : {};
}

const wordOf = (value: Value | Reference): string => (typeof value === 'string' ? value : '');

/** What changes, or of a new record what it is made with; its name and ExternalID stand beside it. */
function changesOf(
  planned: PlannedRow,
  beside: ReadonlySet<string | null>,
  sent: ReadonlyMap<string, Value | Reference>,
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
