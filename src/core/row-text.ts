import { describeIssue, shorten } from './issue.ts';
import { type Language, t } from './language.ts';
import { type PlannedRow, type RecordReference, type RowResult, type Status, settledStatus } from './plan.ts';
import type { Locale, Value } from './value.ts';

/** A row's `#status`: what became of it, or in a dry run what would. */
export function statusText({ planned, outcome }: RowResult, dryRun: boolean): string {
  if (outcome !== null) return outcome.status;
  return settledStatus(planned.action) ?? (dryRun ? planned.action : 'not sent');
}

const NEEDS_WORK: readonly unknown[] = [
  'conflict',
  'invalid',
  'failed',
  'unknown',
  'not sent',
] satisfies Status[];

/** Whether a status leaves work to do on its row. */
export function needsWork(status: unknown): boolean {
  return NEEDS_WORK.includes(status);
}

/** All that is to be told about a row: what went wrong, what was read oddly, why it was left. */
export function messageText({ planned, outcome }: RowResult, language: Language): string {
  const message = outcome?.message ?? planned.message;
  const issues = [...planned.issues, ...(outcome?.issues ?? [])];
  const said = issues.map((issue) => describeIssue(issue, language));
  return [...(message === null ? [] : [message[language]]), ...said].join('\n');
}

/** How values are written for people. */
export interface ValueWording {
  readonly language: Language;
  /** How numbers are written: as in the file they were read from. */
  readonly locale: Locale;
}

/** What a row changes, one field a line: `Verkoopprijs: 34,50 → 36`; of a new record its values, on one. */
export function changesText(planned: PlannedRow, wording: ValueWording): string {
  if (isMade(planned)) return madeText(planned, wording);
  return shownChanges(planned, wording)
    .map(({ field, from, to }) => `${field}: ${from} → ${to}`)
    .join('\n');
}

/** What a row changes, as text: an id with the name of its record. */
export function shownChanges(
  planned: PlannedRow,
  { language, locale }: ValueWording,
): { field: string; from: string; to: string }[] {
  const shown = (field: string, value: Value): string =>
    withName(planned, field, value, valueText(value, language, locale));
  return planned.changes.map(({ field, from, to }) => ({
    field,
    from: shown(field, from),
    to: shown(field, to),
  }));
}

function withName({ names = [] }: PlannedRow, field: string, value: unknown, text: string): string {
  const named = names.find(([of, id]) => of === field && id === value);
  return named === undefined ? text : `${text} ${named[2]}`;
}

/** Whether a row creates a record, so that only its values can be shown. */
export function isMade({ action, changes }: PlannedRow): boolean {
  return action === 'create' && changes.length === 0;
}

/** All values that the requests of a row send, by field. */
export function sentValues({ steps }: PlannedRow): ReadonlyMap<string, Value | RecordReference> {
  return new Map(steps.flatMap(({ body }) => Object.entries(body)));
}

/** All that a row sends, as text, but for ids that are not known yet; an id with the name of its record. */
export function sentTexts(planned: PlannedRow, wording: ValueWording): [field: string, text: string][] {
  return [...sentValues(planned)].flatMap(([field, value]) => {
    const text = sentText(value, wording);
    return text === null ? [] : [[field, withName(planned, field, value, text)]];
  });
}

function sentText(value: Value | RecordReference, { language, locale }: ValueWording): string | null {
  if (value === null || typeof value !== 'object') return valueText(value, language, locale);
  return 'external' in value ? `ExternalID ${value.external}` : null;
}

const madeText = (planned: PlannedRow, wording: ValueWording): string =>
  sentTexts(planned, wording)
    .map(([field, text]) => `${field}: ${shorten(text)}`)
    .join('; ');

/** Yes and no as a list to choose from shows them. */
export const BOOLEAN_WORDS = { en: ['TRUE', 'FALSE'], nl: ['Ja', 'Nee'] } as const;
const NOTHING = t('(empty)', '(leeg)');

/** A value as its reader would write it. */
export function valueText(value: Value, language: Language, locale: Locale = language): string {
  if (value === null) return NOTHING[language];
  if (typeof value === 'boolean') return BOOLEAN_WORDS[language][value ? 0 : 1];
  if (typeof value === 'number') return locale === 'nl' ? String(value).replace('.', ',') : String(value);
  return value;
}
