import { type Language, t } from '../../core/language.ts';
import type { UnknownColumn } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';

/** How a file was read, in words: of the whole file, and of each sheet. */
interface ReadingNotes {
  readonly whole: readonly string[];
  ofSheet(sheet: string): string[];
}

const NOT_USED = t('columns not used', 'niet-gebruikte kolommen');
const MEANT = t('did you mean', 'bedoelt u');
const OR = t('or', 'of');

/** A header that means nothing, and what it may be meant as: `Verkoop prijs (did you mean Verkoopprijs?)`. */
export function unknownText({ header, near }: UnknownColumn, language: Language): string {
  return near.length === 0 ? header : `${header} (${MEANT[language]} ${near.join(` ${OR[language]} `)}?)`;
}

/** The notes of a plan, with the columns that are not used. */
export function readingNotes({ notes, recognised }: Plan, language: Language): ReadingNotes {
  const unknown = new Map(
    recognised.flatMap((entry) =>
      entry.kind === 'import' ? [[entry.sheet.name, entry.mapping.unknownColumns] as const] : [],
    ),
  );
  const textsOf = (of: string | null): string[] =>
    notes.filter(({ sheet }) => sheet === of).map(({ text }) => text[language]);
  return {
    whole: textsOf(null),
    ofSheet(sheet) {
      const columns = (unknown.get(sheet) ?? []).map((column) => unknownText(column, language));
      const unused = columns.length === 0 ? [] : [`${NOT_USED[language]}: ${columns.join(', ')}`];
      return [...textsOf(sheet), ...unused];
    },
  };
}
