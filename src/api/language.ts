import type { Language } from '../core/language.ts';
import { spokenLanguage } from '../session/spoken-language.ts';

/** The language that is named, else that of the machine. */
export const languageOf = (named: Language | undefined): Language => named ?? spokenLanguage(process.env);
