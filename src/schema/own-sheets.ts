import { normaliseHeader } from './header.ts';
import type { Bilingual } from './value.ts';

/** The sheets of a template that are not filled in: how to fill in the others, and the lists to choose from; and the summary of a result. */
export const OWN_SHEETS = {
  guide: { en: 'Guide', nl: 'Uitleg' },
  lists: { en: 'Lists', nl: 'Keuzelijsten' },
  summary: { en: 'Result', nl: 'Resultaat' },
} as const satisfies Readonly<Record<string, Bilingual>>;

const GUIDES: ReadonlySet<string> = new Set(Object.values(OWN_SHEETS.guide).map(normaliseHeader));

/** Whether a sheet is the explanation in a template, by its name. */
export function isGuideName(sheet: string): boolean {
  return GUIDES.has(normaliseHeader(sheet));
}

/** What stands at the top of a summary, by which it is told from a sheet of the user's with its name. */
export const SUMMARY_TITLE: Bilingual = { en: 'Result of catersheet', nl: 'Resultaat van catersheet' };

const SUMMARY_NAME = new RegExp(`^(?:${Object.values(OWN_SHEETS.summary).join('|')})(?: \\(\\d+\\))?$`, 'i');
const TITLES: ReadonlySet<unknown> = new Set(Object.values(SUMMARY_TITLE));

/** Whether a sheet is the summary of a result, by its name and what stands at its top. */
export function isSummary(sheet: string, top: unknown): boolean {
  return SUMMARY_NAME.test(sheet.trim()) && TITLES.has(top);
}
