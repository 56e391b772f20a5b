import type { Bilingual } from '../schema/value.ts';

/** Why a file can't be read: the rest of a sentence that begins with the file's name, and what to do. */
export interface Refusal {
  readonly sentence: Bilingual;
  readonly next: Bilingual;
}

/** The way out where a spreadsheet program can open the file. */
export const SAVE: Bilingual = {
  en: 'Open it in a spreadsheet program, save it as .xlsx and use that file.',
  nl: 'Open het in een spreadsheetprogramma, sla het op als .xlsx en gebruik dat bestand.',
};

/** The way out where there is no table in it. */
export const EXPORT: Bilingual = {
  en: 'Ask for the data as .xlsx or .csv.',
  nl: 'Vraag om de gegevens als .xlsx of .csv.',
};

/** The refusal of a document of another kind, named with its article. */
export function notWorkbook(en: string, nl: string, next: Bilingual = EXPORT): Refusal {
  return { sentence: { en: `is ${en}, not a workbook`, nl: `is ${nl}, geen werkmap` }, next };
}
