/** What the program says is said in. */
export type Language = 'en' | 'nl';

/** One sentence in the languages of the program. */
export type Bilingual = Readonly<Record<Language, string>>;

/** A sentence in both languages. */
export const t = (en: string, nl: string): Bilingual => ({ en, nl });
