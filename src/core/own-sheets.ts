import { normaliseHeader } from './header.ts';
import { type Bilingual, t } from './language.ts';

/**
 * The sheets that the program itself writes: in a template the guide, there and in an export the lists to
 * choose from and in an export what ids name, in a result the summary, in an undo what it can't take back. And the one
 * of the user's own rules.
 */
export const OWN_SHEETS = {
  guide: t('Guide', 'Uitleg'),
  lists: t('Lists', 'Keuzelijsten'),
  lookUp: t('Look up', 'Opzoeken'),
  summary: t('Result', 'Resultaat'),
  undone: t('Not undone', 'Niet terug te draaien'),
  rules: t('Rules', 'Regels'),
} as const satisfies Readonly<Record<string, Bilingual>>;

/** The sheets around the lists of a finance export. */
export const FINANCE_SHEETS = {
  overview: t('Overview', 'Overzicht'),
  manifest: t('Manifest', 'Verantwoording'),
} as const satisfies Readonly<Record<string, Bilingual>>;

/** Whether a workbook is a finance export, by its sheet names. */
export const isFinanceBook = (sheets: readonly string[]): boolean =>
  Object.values(FINANCE_SHEETS).every(({ en, nl }) => sheets.includes(en) || sheets.includes(nl));

/** Whether a sheet has the name of one of those, numbered or not. */
export function isOwnName(own: keyof typeof OWN_SHEETS, sheet: string): boolean {
  const name = normaliseHeader(sheet.replace(/ \(\d+\)$/, ''));
  return Object.values(OWN_SHEETS[own]).some((one) => normaliseHeader(one) === name);
}

/** The headers of the lists of what an undo can't take back, and of what ids name. */
export const LIST_HEADERS = {
  undone: { en: ['Sheet', 'Row', 'Why'], nl: ['Werkblad', 'Rij', 'Waarom'] },
  lookUp: { en: ['Kind', 'Number', 'Name'], nl: ['Soort', 'Nummer', 'Naam'] },
} as const;

/** Whether a sheet is one of these lists, by its name and headers. */
export const isOwnList = (own: keyof typeof LIST_HEADERS, sheet: string, top: readonly string[]): boolean =>
  isOwnName(own, sheet) &&
  Object.values<readonly string[]>(LIST_HEADERS[own]).some((headers) =>
    headers.every((header, column) => top[column] === header),
  );

/** The title of a summary, which tells it from a user's sheet of the same name. */
export const SUMMARY_TITLE: Bilingual = t('Result of catersheet', 'Resultaat van catersheet');

/** Whether a sheet is the summary of a result, by its name and title. */
export const isSummary = (sheet: string, top: unknown): boolean =>
  isOwnName('summary', sheet) && Object.values(SUMMARY_TITLE).includes(top as string);
