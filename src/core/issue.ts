import { ISSUES, type IssueCode } from './issue-catalogue.ts';
import { asTyped, type Bilingual, type Form, type Language, onPage, t } from './language.ts';
import { shownText } from './shown-moment.ts';
import type { Locale } from './value.ts';
import { startOf } from './visible-text.ts';

/** What a codec finds wrong or odd about a cell, without the cell's place. */
export interface Finding {
  /** What is wrong, the same in every language. */
  readonly code: IssueCode;
  /** What stands there. */
  readonly found: string;
  /** What helps to correct it. */
  readonly hint?: string | Bilingual;
  /** The locale of the file's numbers, where that is not Dutch. */
  readonly locale?: Locale;
}

/** Something wrong (`error`) or read in an unexpected way (`warning`) on one cell or row. Plain data. */
export interface Issue extends Finding {
  readonly severity: 'error' | 'warning';
  readonly field: string | null;
  /** Such as `F12`; null when no such cell exists. */
  readonly address: string | null;
}

/** Places a finding on a cell. `strict` turns warnings into errors. */
export function issueAt(
  finding: Finding,
  place: { readonly field: string | null; readonly address: string | null },
  strict = false,
): Issue {
  const { code, found, hint, locale } = finding;
  const { field, address } = place;
  const severity = strict ? 'error' : ISSUES[code].severity;
  const issue = { code, found, field, address, severity };
  if (hint === undefined && locale === undefined) return issue;
  return {
    ...issue,
    ...(hint === undefined ? {} : { hint }),
    ...(locale === undefined ? {} : { locale }),
  };
}

/** Issues under `strict`: each one stops its row. */
export function heldTo(strict: boolean, issues: readonly Issue[]): readonly Issue[] {
  return strict ? issues.map((issue) => ({ ...issue, severity: 'error' })) : issues;
}

/** Whether any issue stops its row. */
export function stopsRow(issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.severity === 'error');
}

const FOUND = t('found', 'gevonden');
const EXPECTED = t('expected', 'verwacht');

/** The example number of each locale. */
const NUMBERS: Readonly<Record<Locale, string>> = { nl: '1.234,50', en: '1,234.50' };

/** What was expected at the issue's cell. A page reads what is typed as it writes numbers itself. */
export function expectedText(
  { code, locale = 'nl' }: Finding,
  language: Language,
  form: Form = asTyped,
): string {
  return ISSUES[code].expected[language].replace('{number}', NUMBERS[form === onPage ? language : locale]);
}

/** What was found, in words where the cell shows nothing. */
export function foundText(issue: Finding, language: Language): string {
  const { found }: { found?: Bilingual } = ISSUES[issue.code];
  return issue.found === '' && found !== undefined ? found[language] : issue.found;
}

/** The advice; empty where it consists of a hint that the issue lacks. */
function adviceText(issue: Finding, language: Language, form: Form): string {
  const { hint = '' } = issue;
  const own = typeof hint === 'string' ? hint : form(hint)[language];
  const advice = form(ISSUES[issue.code].advice)[language];
  if (!advice.includes('{hint}')) return advice;
  return own === '' ? '' : advice.replace('{hint}', () => own);
}

/**
 * What tells causes with one code apart: the issue's own hint where that is all the advice, whatever amounts
 * stand in it. Empty where advice is the same for all of them.
 */
export function causeOf({ code, hint = '' }: Finding): string {
  if (ISSUES[code].advice.en !== '{hint}') return '';
  return (typeof hint === 'string' ? hint : hint.en).replace(/\d+/g, '');
}

/** One line for people: `F12 Verkoopprijs: found "abc", expected a number such as 1.234,50`. */
export function describeIssue(issue: Issue, language: Language, form: Form = asTyped): string {
  const shown =
    issue.found === '' ? foundText(issue, language) : `"${shorten(shownText(issue.found, language))}"`;
  return described(issue, shown, language, form);
}

/** The same of cells that hold different texts. */
export const describeCells = (issue: Issue, language: Language, form: Form = asTyped): string =>
  described(issue, '', language, form);

function described(issue: Issue, shown: string, language: Language, form: Form): string {
  const where = [issue.address, issue.field].filter((part) => part !== null).join(' ');
  const advice = adviceText(issue, language, form);
  const { brief = false }: { brief?: boolean } = ISSUES[issue.code];
  if (brief && advice !== '') return `${where}${where === '' ? '' : ': '}${advice}`;
  const found = shown === '' ? '' : `${FOUND[language]} ${shown}, `;
  const tail = advice === '' ? '' : ` (${advice})`;
  return `${where}${where === '' ? '' : ': '}${found}${EXPECTED[language]} ${expectedText(issue, language, form)}${tail}`;
}

/** A text on one line, cut off at 60 characters. */
export function shorten(text: string): string {
  if (text.length <= 60 && !/[^\S ]| {2}/.test(text)) return text;
  const flat = text.replace(/\s+/g, ' ');
  return flat.length <= 60 ? flat : `${startOf(flat, 57)}…`;
}
