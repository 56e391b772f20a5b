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
  /** What is known beside it, such as the names that look like it; else the way out. */
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

/** The example number of each locale. */
const NUMBERS: Readonly<Record<Locale, string>> = { nl: '1.234,50', en: '1,234.50' };

const HERE = t('what stands here', 'wat hier staat');
const THE_RECORD = t('the same record', 'hetzelfde record');

/** How the texts of an issue are said. */
interface Saying {
  readonly language: Language;
  readonly form: Form;
}

/** What cells hold, as it stands in a sentence: in quotes, on one line. */
function quoted(found: string, language: Language): string {
  if (found === '') return HERE[language];
  const text = shorten(shownText(found, language));
  return language === 'nl' ? `„${text}”` : `“${text}”`;
}

function hintText({ hint = '' }: Finding, { language, form }: Saying): string {
  return typeof hint === 'string' ? hint : form(hint)[language];
}

/** A text that ends as a sentence does, and begins so. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;

/** A text of the catalogue with what stands for its parts; empty where it needs a hint that there is none of. */
function filled(text: Bilingual, issue: Finding & Partial<Issue>, saying: Saying): string {
  const { language, form } = saying;
  const { found, field, locale = 'nl' } = issue;
  // A page reads what is typed as it writes numbers itself.
  const number = NUMBERS[form === onPage ? language : locale];
  const record = found === '' || field == null ? THE_RECORD[language] : `${field} ${found}`;
  const parts = {
    value: quoted(found, language),
    record,
    hint: hintText(issue, saying).replace(/\.$/, ''),
    number,
  };
  const own = form(text)[language];
  if (own === '' || (parts.hint === '' && own.includes('{hint}'))) return '';
  return sentence(own.replace(/\{(\w+)\}/g, (_, name: keyof typeof parts) => parts[name]));
}

/** Whether the catalogue has a place for an issue's own hint: else the hint is the way out. */
const placesHint = ({ says, way }: (typeof ISSUES)[IssueCode]): boolean =>
  says.en.includes('{hint}') || way.en.includes('{hint}');

/** What the user can do about an issue; empty where a page offers it by itself. */
export function wayOut(issue: Finding, language: Language, form: Form = asTyped): string {
  const entry = ISSUES[issue.code];
  const saying = { language, form };
  const own = hintText(issue, saying);
  return own === '' || placesHint(entry) ? filled(entry.way, issue, saying) : sentence(own);
}

/**
 * What tells causes with one code apart: the issue's own way out, whatever amounts stand in it. Empty where it
 * is the same for all of them.
 */
export function causeOf({ code, hint = '' }: Finding): string {
  if (placesHint(ISSUES[code])) return '';
  return (typeof hint === 'string' ? hint : hint.en).replace(/\d+/g, '');
}

/** For people: `F12 Verkoopprijs: “abc” is not a number. Write it like 1.234,50.` */
export function describeIssue(issue: Issue, language: Language, form: Form = asTyped): string {
  const { says, name } = ISSUES[issue.code];
  const said = filled(says, issue, { language, form }) || sentence(name[language]);
  return placed(issue, [said, wayOut(issue, language, form)]);
}

/** The same of cells that hold different texts. */
export function describeCells(issue: Issue, language: Language, form: Form = asTyped): string {
  const { name, way } = ISSUES[issue.code];
  const isOwn = way.en.includes('{hint}');
  return placed(issue, [sentence(name[language]), isOwn ? '' : wayOut(issue, language, form)]);
}

function placed({ address, field }: Issue, sentences: readonly string[]): string {
  const where = [address, field].filter((part) => part !== null).join(' ');
  return `${where}${where === '' ? '' : ': '}${sentences.filter((one) => one !== '').join(' ')}`;
}

/** The code of an issue behind what it is called: `geen getal (number-expected)`. */
export const issueName = (code: IssueCode, language: Language): string =>
  `${ISSUES[code].name[language]} (${code})`;

/** A text on one line, cut off at 60 characters. */
export function shorten(text: string): string {
  if (text.length <= 60 && !/[^\S ]| {2}/.test(text)) return text;
  const flat = text.replace(/\s+/g, ' ');
  return flat.length <= 60 ? flat : `${startOf(flat, 57)}…`;
}
