/** A language of the program's messages. */
export type Language = 'en' | 'nl';

/** A text in each language. */
export interface Bilingual extends Readonly<Record<Language, string>> {
  /** The same for those who type no commands; absent where it is no other. */
  readonly page?: Bilingual;
}

/** A text in both languages. */
/* @__NO_SIDE_EFFECTS__ */
export const t = (en: string, nl: string): Bilingual => ({ en, nl });

/** A text with the flag or command that does what it says, which only those see who type commands. */
/* @__NO_SIDE_EFFECTS__ */
export function withFlag(text: Bilingual, flag: string): Bilingual {
  const said = (one: string): string => one.replace(/\.?$/, (stop) => ` (${flag})${stop}`);
  return { ...t(said(text.en), said(text.nl)), page: text };
}

/** A text that reads the same in both languages, such as a name. */
export const same = (text: string): Bilingual => t(text, text);

/** A text as it is said to those who type no commands. */
export const onPage = (text: Bilingual): Bilingual => text.page ?? text;

/** How texts are said: as they are, with commands, or as on a page. */
export type Form = (text: Bilingual) => Bilingual;

/** A text as it is said where commands are typed. */
export const asTyped: Form = (text) => text;

/** A text made of others: `make` gets them as they are and, where they differ, as a page says them. */
export function composed<Parts extends readonly Bilingual[]>(
  parts: Parts,
  make: (...parts: Parts) => Bilingual,
): Bilingual {
  const text = make(...parts);
  if (parts.every(({ page }) => page === undefined)) return text;
  return { ...text, page: onPage(make(...(parts.map(onPage) as unknown as Parts))) };
}

/** Texts one behind the other. */
export const inOne = (texts: readonly Bilingual[], between = ' '): Bilingual =>
  composed(texts, (...all) =>
    t(all.map(({ en }) => en).join(between), all.map(({ nl }) => nl).join(between)),
  );
