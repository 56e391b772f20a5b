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
  const shown = (value: Value): string => valueText(value, wording.language, wording.locale);
  return planned.changes.map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`).join('\n');
}

/** Whether a row creates a record, so that only its values can be shown. */
export function isMade({ action, changes }: PlannedRow): boolean {
  return action === 'create' && changes.length === 0;
}

/** All values that the requests of a row send, by field. */
export function sentValues({ steps }: PlannedRow): ReadonlyMap<string, Value | RecordReference> {
  return new Map(steps.flatMap(({ body }) => Object.entries(body)));
}

/** A value that is sent, as text; null for an id that is not known yet. */
export function sentText(value: Value | RecordReference, { language, locale }: ValueWording): string | null {
  if (value === null || typeof value !== 'object') return valueText(value, language, locale);
  return 'external' in value ? `ExternalID ${value.external}` : null;
}

function madeText(planned: PlannedRow, wording: ValueWording): string {
  const parts = [...sentValues(planned)].flatMap(([field, value]) => {
    const text = sentText(value, wording);
    return text === null ? [] : [`${field}: ${shorten(text)}`];
  });
  return parts.join('; ');
}

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
