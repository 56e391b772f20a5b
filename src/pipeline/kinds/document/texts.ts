import type { Posting } from '../../../ledger/ledger.ts';
import type { Bilingual } from '../../../schema/value.ts';

/** It is there already, so it does not go again. */
export const uploadedText = ({ run, at }: Posting): Bilingual => ({
  en: `uploaded before, in run ${run} at ${at}; give the row a #key of its own to upload it once more`,
  nl: `al eerder geüpload, in run ${run} om ${at}; geef de rij een eigen #key om het nog eens te uploaden`,
});

/** The plan is of another file than the one that is there now. */
export const otherContentText: Bilingual = {
  en: 'the file changed after the plan was made; plan it again',
  nl: 'het bestand is gewijzigd nadat het plan gemaakt was; maak het plan opnieuw',
};

/** The file was there when the plan was made. */
export const goneText: Bilingual = {
  en: 'the file is no longer there, or can no longer be read',
  nl: 'het bestand is er niet meer, of is niet meer te lezen',
};

/** The service takes a file as text only, and a text has an end. */
export const tooLargeText: Bilingual = {
  en: 'the file is too large to go as text (dialect.upload base64)',
  nl: 'het bestand is te groot om als tekst mee te gaan (dialect.upload base64)',
};

/** What the user can look at, as the service lists no documents. */
export const lookText = (event: number, folder: string, name: string): Bilingual => ({
  en: `event ${event}, folder ${folder}: is ${name} there?`,
  nl: `evenement ${event}, map ${folder}: staat ${name} er?`,
});
