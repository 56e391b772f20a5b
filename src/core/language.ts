/** A language of the program's messages. */
export type Language = 'en' | 'nl';

/** A text in each language. */
export type Bilingual = Readonly<Record<Language, string>>;

/** A text in both languages. */
export const t = (en: string, nl: string): Bilingual => ({ en, nl });

/** A text that reads the same in both languages, such as a name. */
export const same = (text: string): Bilingual => t(text, text);
