import { normaliseHeader } from './header.ts';
import type { Bilingual } from './value.ts';

/** The sheets of a template that are not filled in: how to fill in the others, and the lists to choose from. */
export const OWN_SHEETS = {
  guide: { en: 'Guide', nl: 'Uitleg' },
  lists: { en: 'Lists', nl: 'Keuzelijsten' },
} as const satisfies Readonly<Record<string, Bilingual>>;

const GUIDES: ReadonlySet<string> = new Set(Object.values(OWN_SHEETS.guide).map(normaliseHeader));

/** Whether a sheet is the explanation in a template, by its name. */
export function isGuideName(sheet: string): boolean {
  return GUIDES.has(normaliseHeader(sheet));
}
