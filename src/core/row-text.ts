import { describeIssue, type Issue, shorten } from './issue.ts';
import { asTyped, type Form, type Language, t } from './language.ts';
import {
  isSending,
  type PlannedRow,
  plannedStatus,
  type RecordReference,
  type RowAbout,
  type RowResult,
  type ShownStatus,
  type Status,
} from './plan.ts';
import { shownText } from './shown-moment.ts';
import type { Locale, Value } from './value.ts';
import { toldApart } from './visible-text.ts';

/** A row's `#status`: what became of it, or in a dry run what would. */
export function statusText({ planned, outcome }: RowResult, dryRun: boolean): ShownStatus {
  if (outcome !== null) return outcome.status;
  const { action } = planned;
  if (!isSending(action)) return plannedStatus(action);
  return dryRun ? action : 'not sent';
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

/** What was found on a row, and what only the service could find. */
export function issuesOf({ planned: { issues }, outcome }: RowResult): readonly Issue[] {
  const later = outcome?.issues ?? [];
  return later.length === 0 ? issues : [...issues, ...later];
}

/** All that is to be told about a row: what went wrong, what was read oddly, why it was left. */
export function messageText(
  { planned, outcome }: RowResult,
  language: Language,
  form: Form = asTyped,
): string {
  const message = outcome?.message ?? planned.message;
  const issues = issuesOf({ planned, outcome });
  const own = message === null ? '' : form(message)[language];
  if (issues.length === 0) return own;
  const said = issues.map((issue) => describeIssue(issue, language, form));
  return [...(own === '' ? [] : [own]), ...said].join('\n');
}

/** Of what something is told. */
interface About {
  readonly about?: RowAbout | undefined;
}

/** What a row is about, by the keys that stand in it: `ProductID 5012, #key weekstart`; empty for none. */
export function keyText({ about }: About): string {
  return Object.entries(about?.key ?? {})
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}

/** What a row is about: its record's name, and behind it the keys; empty where nothing is known. */
export function aboutText(row: About): string {
  const [label, key] = [row.about?.label, keyText(row)];
  if (label === undefined) return key;
  return key === '' ? shorten(label) : `${shorten(label)} (${key})`;
}

/** The same in short: the record's name alone, or the keys where it has none. */
export const nameText = (row: About): string =>
  row.about?.label === undefined ? keyText(row) : shorten(row.about.label);

/** How values are written for people. */
export interface ValueWording {
  readonly language: Language;
  /** How numbers are written: as in the file they were read from. */
  readonly locale: Locale;
  /** Which fields hold prices; by default none. */
  readonly isMoney?: IsMoney;
}

/** Whether a field of a resource is an amount of money. */
type IsMoney = (resource: string, field: string) => boolean;

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
  wording: ValueWording,
): { field: string; from: string; to: string }[] {
  const shown = (field: string, value: Value): string => fieldText(planned, field, value, wording);
  return planned.changes.map((change) => {
    const { field } = change;
    const [from, to] = toldApart(shown(field, change.from), shown(field, change.to));
    return { field, from, to };
  });
}

/** A field's value: a price as money, an id behind the name of its record. */
function fieldText(planned: PlannedRow, field: string, value: Value, wording: ValueWording): string {
  const { language, locale, isMoney } = wording;
  const text = amountText(value, isMoney?.(planned.resource, field) === true, language, locale);
  if (planned.names === undefined || typeof value !== 'number') return text;
  const named = planned.names.find(([of, id]) => of === field && id === value);
  return named === undefined ? text : `${named[2]} (${text})`;
}

/** Whether a row creates a record, so that only its values can be shown. */
export function isMade({ action, changes }: PlannedRow): boolean {
  return action === 'create' && changes.length === 0;
}

/** All values that the requests of a row send, by field: of one that several send, the last. */
export function sentValues({ steps }: PlannedRow): Readonly<Record<string, Value | RecordReference>> {
  const [step, ...others] = steps;
  return others.length === 0 ? (step?.body ?? {}) : Object.assign({}, ...steps.map(({ body }) => body));
}

/** All that a row sends, as text, but for ids that are not known yet; an id with the name of its record. */
function sentTexts(planned: PlannedRow, wording: ValueWording): [field: string, text: string][] {
  return Object.entries(sentValues(planned)).flatMap(([field, value]): [string, string][] => {
    if (value === null || typeof value !== 'object')
      return [[field, fieldText(planned, field, value, wording)]];
    return 'external' in value ? [[field, `ExternalID ${value.external}`]] : [];
  });
}

const madeText = (planned: PlannedRow, wording: ValueWording): string =>
  sentTexts(planned, wording)
    .map(([field, text]) => `${field}: ${shorten(text)}`)
    .join('; ');

/** Yes and no as people read them, in cells and lists to choose from too. */
export const BOOLEAN_WORDS = { en: ['Yes', 'No'], nl: ['Ja', 'Nee'] } as const;
const NOTHING = t('(empty)', '(leeg)');

/** A value as it is said to its reader. */
export function valueText(value: Value, language: Language, locale: Locale = language): string {
  if (value === null) return NOTHING[language];
  if (typeof value === 'boolean') return BOOLEAN_WORDS[language][value ? 0 : 1];
  if (typeof value === 'number') return locale === 'nl' ? String(value).replace('.', ',') : String(value);
  return shownText(value, language);
}

/** A value as it is said to its reader, an amount of money with its cents. */
export const amountText = (
  value: Value,
  money: boolean,
  language: Language,
  locale: Locale = language,
): string =>
  money && typeof value === 'number' ? moneyText(value, locale) : valueText(value, language, locale);

/** A value as its reader would write it in a cell. */
export function writtenText(value: Value, language: Language, locale: Locale = language): string {
  return typeof value === 'string' ? value : valueText(value, language, locale);
}

/** Two decimals at least, and no fewer than the amount has. */
const MONEY = { minimumFractionDigits: 2, maximumFractionDigits: 10 } as const;
const MONEY_FORMATS: Readonly<Record<Locale, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en', MONEY),
  nl: new Intl.NumberFormat('nl', MONEY),
};

const amounts: Readonly<Record<Locale, Map<number, string>>> = { en: new Map(), nl: new Map() };
const MOST_AMOUNTS = 20_000;

/** An amount of money, such as `1.234,50`. Kept, as prices come again, and formatting is slow. */
export function moneyText(amount: number, locale: Locale): string {
  const known = amounts[locale];
  let text = known.get(amount);
  if (text === undefined) {
    if (known.size >= MOST_AMOUNTS) known.clear();
    // A sum may come to minus nothing, which is the same key.
    text = MONEY_FORMATS[locale].format(amount + 0);
    known.set(amount, text);
  }
  return text;
}
