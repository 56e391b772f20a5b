import type { Bilingual } from './value.ts';

/** The words of one kind of issue. */
export interface IssueEntry {
  readonly severity: 'error' | 'warning';
  /** What was found, where the cell shows nothing that could be quoted. */
  readonly found?: Bilingual;
  /** What was expected there, in a few words; `{number}` stands for a number as the file would write it. */
  readonly expected: Bilingual;
  /** What the user can do about it; `{hint}` stands for the issue's own hint, such as near names. */
  readonly advice: Bilingual;
}

/** An issue that stops its row. */
export const error = (expected: Bilingual, advice: Bilingual): IssueEntry => ({
  severity: 'error',
  expected,
  advice,
});

/** An issue that says how something was read. */
export const warning = (expected: Bilingual, advice: Bilingual): IssueEntry => ({
  severity: 'warning',
  expected,
  advice,
});

/** Words in both languages. */
export const t = (en: string, nl: string): Bilingual => ({ en, nl });
