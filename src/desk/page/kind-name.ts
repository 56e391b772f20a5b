/** A kind of sheets: the usual name of its tab, and what its rows are. */
interface Kind {
  readonly sheet: string;
  readonly words: string;
}

/** What a kind's rows are, where the name of its tab doesn't say it already: Pakketten, pakketten. */
export const wordsBeside = ({ sheet, words }: Kind): string =>
  sheet.toLowerCase() === words.toLowerCase() ? '' : words;

/** A kind in one text, for a choice. */
export function kindText(kind: Kind): string {
  const words = wordsBeside(kind);
  return words === '' ? kind.sheet : `${kind.sheet}: ${words}`;
}
