import { describeIssue, shorten } from './issue.ts';
import type { Language } from './language.ts';
import {
  type PlannedRow,
  type RecordReference,
  type RowResult,
  STATUSES,
  type Status,
  settledStatus,
} from './plan.ts';
import type { Locale, Value } from './value.ts';

/** A row's `#status`: what became of it, or in a dry run what would. */
export function statusText({ planned, outcome }: RowResult, dryRun: boolean): string {
  if (outcome !== null) return outcome.status;
  return settledStatus(planned.action) ?? (dryRun ? planned.action : 'not sent');
}

const STATUS_TEXTS: ReadonlySet<string> = new Set([...STATUSES, 'create', 'update', 'delete']);

/** Whether a text is a status or an action, as `#status` holds them. */
export function isStatusText(text: string): boolean {
  return STATUS_TEXTS.has(text.trim());
}

const NEEDS_WORK: ReadonlySet<unknown> = new Set<Status>([
  'conflict',
  'invalid',
  'failed',
  'unknown',
  'not sent',
]);

/** Whether a status leaves work to do on its row. */
export function needsWork(status: unknown): boolean {
  return NEEDS_WORK.has(status);
}

/** All that is to be told about a row: what went wrong, what was read oddly, why it was left. */
export function messageText({ planned, outcome }: RowResult, language: Language): string {
  const said = [outcome?.message ?? planned.message].flatMap((message) =>
    message === null ? [] : [message[language]],
  );
  const issues = [...planned.issues, ...(outcome?.issues ?? [])].map((issue) =>
    describeIssue(issue, language),
  );
  return [...said, ...issues].join('\n');
}

/** How values are written for people. */
export interface ValueWording {
  readonly language: Language;
  /** How numbers are written: as in the file they were read from. */
  readonly locale: Locale;
}

/**
 * What a row changes, one field a line: `Verkoopprijs: 34,50 → 36`; of a new record its values, on one line.
 */
export function changesText(planned: PlannedRow, wording: ValueWording): string {
  const { changes } = planned;
  if (isMade(planned)) return madeText(planned, wording);
  const shown = (value: Value): string => valueText(value, wording.language, wording.locale);
  return changes.map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`).join('\n');
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
  const parts: string[] = [];
  for (const [field, value] of sentValues(planned)) {
    const text = sentText(value, wording);
    if (text !== null) parts.push(`${field}: ${shorten(text)}`);
  }
  return parts.join('; ');
}

const WORDS = {
  en: { yes: 'TRUE', no: 'FALSE', nothing: '(empty)' },
  nl: { yes: 'Ja', no: 'Nee', nothing: '(leeg)' },
} as const;

/** A value as its reader would write it. */
export function valueText(value: Value, language: Language, locale: Locale = language): string {
  const words = WORDS[language];
  if (value === null) return words.nothing;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return locale === 'nl' ? String(value).replace('.', ',') : String(value);
  return value;
}
