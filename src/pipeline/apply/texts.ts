import type { Posting } from '../../ledger/ledger.ts';
import type { Bilingual } from '../../schema/value.ts';

/** The service answered, and said no. */
export const refusedText = (words: string | null): Bilingual => ({
  en: words ?? 'the service answered success: false',
  nl: words ?? 'de dienst antwoordde success: false',
});

/** The row needs a record that an earlier row should have made. */
export const noRecordText = (): Bilingual => ({
  en: 'the record should have been created by an earlier row of this file, and was not',
  nl: 'het record had door een eerdere rij van dit bestand aangemaakt moeten zijn, en dat is niet gebeurd',
});

/** An earlier row about the same record, or about one that this row needs, did not go through. */
export const earlierFailedText = (): Bilingual => ({
  en: 'an earlier row about the same record, or one that this row needs, did not go through',
  nl: 'een eerdere rij over hetzelfde record, of een die deze rij nodig heeft, is niet gelukt',
});

/** A create without an id in its answer. */
export const noIdText = (): Bilingual => ({
  en: 'the service said it was created but gave no id',
  nl: 'de dienst zei dat het aangemaakt is maar gaf geen id',
});

/** The record is there, its key is not stored yet. */
export const keyPendingText = (external: number, reason: string): Bilingual => ({
  en: `created; ExternalID ${external} could not be stored yet (${reason}), the next import does so`,
  nl: `aangemaakt; ExternalID ${external} kon nog niet worden opgeslagen (${reason}), de volgende import doet dat`,
});

/** The record is there, and the service won't have its key. */
export const keyRefusedText = (external: number, reason: string): Bilingual => ({
  en: `created; the service refused ExternalID ${external} (${reason}), this program's ledger remembers it`,
  nl: `aangemaakt; de dienst weigerde ExternalID ${external} (${reason}), het grootboek van dit programma onthoudt het`,
});

/** Another run sent the same, or is about to. */
export const takenText = ({ run, at, state }: Posting): Bilingual => ({
  en:
    state === 'done'
      ? `sent already, in run ${run} at ${at}`
      : `run ${run} sent it at ${at} and no answer is known`,
  nl:
    state === 'done'
      ? `al verstuurd, in run ${run} om ${at}`
      : `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend`,
});

/** An earlier try was cut off and what came of it can't be told. */
export const doubtText = (since: string): Bilingual => ({
  en: `sent at ${since}, and no answer is known; look on the service whether it is there before sending it again`,
  nl: `verstuurd om ${since}, en er is geen antwoord bekend; kijk op de dienst of het er staat voor je het opnieuw verstuurt`,
});
