import { describeIssue } from './issue.ts';
import type { Change, RowResult } from './plan.ts';
import { settledStatus } from './plan.ts';
import type { Language, Value } from './value.ts';

/** A row's `#status`: what became of it, or in a dry run what would (design: JSON output). */
export function statusText({ planned, outcome }: RowResult, dryRun: boolean): string {
  if (outcome !== null) return outcome.status;
  return settledStatus(planned.action) ?? (dryRun ? planned.action : 'not sent');
}

/** Everything worth saying about a row: what went wrong, what was read oddly, why it was left. */
export function messageText({ planned, outcome }: RowResult, language: Language): string {
  const said = [outcome?.message ?? planned.message].flatMap((message) =>
    message === null ? [] : [message[language]],
  );
  const issues = [...planned.issues, ...(outcome?.issues ?? [])].map((issue) =>
    describeIssue(issue, language),
  );
  return [...said, ...issues].join('\n');
}

/** `Verkoopprijs: 34,50 → 36`, one change a line. */
export function changesText(changes: readonly Change[], language: Language): string {
  return changes
    .map(({ field, from, to }) => `${field}: ${valueText(from, language)} → ${valueText(to, language)}`)
    .join('\n');
}

const WORDS = {
  en: { yes: 'TRUE', no: 'FALSE', nothing: '(empty)' },
  nl: { yes: 'Ja', no: 'Nee', nothing: '(leeg)' },
} as const;

/** A value as its reader would write it. */
export function valueText(value: Value, language: Language): string {
  const words = WORDS[language];
  if (value === null) return words.nothing;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return language === 'nl' ? String(value).replace('.', ',') : String(value);
  return value;
}
