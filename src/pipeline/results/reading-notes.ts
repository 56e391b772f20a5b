import type { Language } from '../../schema/value.ts';
import type { UnknownColumn } from '../map/unknown-columns.ts';
import type { Plan } from '../plan/plan-import.ts';

/** How a file was read, in words: of the whole file, and of each sheet. */
export interface ReadingNotes {
  readonly whole: readonly string[];
  ofSheet(sheet: string): string[];
}

const NOT_USED = { en: 'columns not used', nl: 'niet-gebruikte kolommen' } as const;
const MEANT = { en: 'did you mean', nl: 'bedoelt u' } as const;
const OR = { en: 'or', nl: 'of' } as const;

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
