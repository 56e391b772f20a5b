import { normaliseHeader } from './header.ts';
import { type Bilingual, type Language, t } from './language.ts';

/**
 * The sheets that the program itself writes: in a template the guide, there and in an export the lists to
 * choose from and in an export what ids name, in a result the summary, in an undo what it can't take back.
 */
export const OWN_SHEETS = {
  guide: t('Guide', 'Uitleg'),
  lists: t('Lists', 'Keuzelijsten'),
  lookUp: t('Look up', 'Opzoeken'),
  summary: t('Result', 'Resultaat'),
  undone: t('Not undone', 'Niet terug te draaien'),
} as const satisfies Readonly<Record<string, Bilingual>>;

/** The sheets around the lists of a finance export. */
export const FINANCE_SHEETS = {
  overview: t('Overview', 'Overzicht'),
  manifest: t('Manifest', 'Verantwoording'),
} as const satisfies Readonly<Record<string, Bilingual>>;

/** Whether a workbook is a finance export, by its sheet names. */
export const isFinanceBook = (sheets: readonly string[]): boolean =>
  Object.values(FINANCE_SHEETS).every(({ en, nl }) => sheets.includes(en) || sheets.includes(nl));

const GUIDES: ReadonlySet<string> = new Set(Object.values(OWN_SHEETS.guide).map(normaliseHeader));

/** Whether a sheet is the guide of a template, by its name. */
export function isGuideName(sheet: string): boolean {
  return GUIDES.has(normaliseHeader(sheet));
}

const LISTS: ReadonlySet<string> = new Set(Object.values(OWN_SHEETS.lists).map(normaliseHeader));

/** Whether a hidden sheet is that of the lists to choose from, by its name. */
export function isListsName(sheet: string): boolean {
  return LISTS.has(normaliseHeader(sheet.replace(/ \(\d+\)$/, '')));
}

/** The title of a summary, which tells it from a user's sheet of the same name. */
export const SUMMARY_TITLE: Bilingual = t('Result of catersheet', 'Resultaat van catersheet');

/** The headers of the list of what an undo can't take back. */
export const UNDONE_HEADERS = { en: ['Sheet', 'Row', 'Why'], nl: ['Werkblad', 'Rij', 'Waarom'] } as const;

/** The headers of the list of what ids name. */
export const LOOK_UP_HEADERS = {
  en: ['Kind', 'Number', 'Name'],
  nl: ['Soort', 'Nummer', 'Naam'],
} as const;

/** Whether a sheet is the list of what an undo can't take back, by its name and headers. */
export const isUndone = (sheet: string, top: readonly string[]): boolean =>
  isOwnList('undone', UNDONE_HEADERS, sheet, top);

/** Whether a sheet is the list of what ids name, by its name and headers. */
export const isLookUp = (sheet: string, top: readonly string[]): boolean =>
  isOwnList('lookUp', LOOK_UP_HEADERS, sheet.replace(/ \(\d+\)$/, ''), top);

function isOwnList(
  own: keyof typeof OWN_SHEETS,
  headers: Readonly<Record<Language, readonly string[]>>,
  sheet: string,
  top: readonly string[],
): boolean {
  return (Object.keys(headers) as Language[]).some(
    (language) =>
      OWN_SHEETS[own][language] === sheet.trim() &&
      headers[language].every((header, column) => top[column] === header),
  );
}

const SUMMARY_NAME = new RegExp(`^(?:${Object.values(OWN_SHEETS.summary).join('|')})(?: \\(\\d+\\))?$`, 'i');
const TITLES: ReadonlySet<unknown> = new Set(Object.values(SUMMARY_TITLE));

/** Whether a sheet is the summary of a result, by its name and title. */
export function isSummary(sheet: string, top: unknown): boolean {
  return SUMMARY_NAME.test(sheet.trim()) && TITLES.has(top);
}
