import { type Bilingual, t } from '../../core/language.ts';
import type { Posting } from '../../ledger/ledger.ts';

/** The service answered, and said no. */
export const refusedText = (words: string | null): Bilingual => ({
  en: words ?? 'the service answered success: false',
  nl: words ?? 'de dienst antwoordde success: false',
});

/** The row needs a record that an earlier row should have made. */
export const noRecordText = (): Bilingual =>
  t(
    'the record should have been created by an earlier row of this file, and was not',
    'het record had door een eerdere rij van dit bestand aangemaakt moeten zijn, en dat is niet gebeurd',
  );

/** An earlier row about the same record, or about one that this row needs, did not go through. */
export const earlierFailedText = (place: string): Bilingual =>
  t(
    `waits for ${place}, about the same record or one that this row needs, and that did not go through`,
    `wacht op ${place}, over hetzelfde record of een dat deze rij nodig heeft, en dat is niet gelukt`,
  );

/** A create without an id in its answer. */
export const noIdText = (): Bilingual =>
  t('the service said it was created but gave no id', 'de dienst zei dat het aangemaakt is maar gaf geen id');

/** The record is there, its key is not stored yet. */
export const keyPendingText = (external: number, reason: Bilingual): Bilingual =>
  t(
    `created; ExternalID ${external} could not be stored yet (${reason.en}): apply the run again, or import the file again, to store it`,
    `aangemaakt; ExternalID ${external} kon nog niet worden opgeslagen (${reason.nl}): voer de run nog eens uit, of importeer het bestand opnieuw, om dat te doen`,
  );

/** The record was made, and someone deleted it before its key was stored. */
export const goneSinceText = (external: number): Bilingual =>
  t(
    `created, and no longer on the service: there is nothing to store ExternalID ${external} on`,
    `aangemaakt, en niet meer op de dienst: er is niets om ExternalID ${external} bij op te slaan`,
  );

/** Said once of a run in which keys are still to be stored. */
export const keysPendingText = (rows: number, run: string): Bilingual =>
  t(
    `${rows === 1 ? '1 record was created and lacks its ExternalID' : `${rows} records were created and lack their ExternalID`} still; catersheet apply ${run} stores it.`,
    `${rows === 1 ? '1 record is aangemaakt en heeft zijn' : `${rows} records zijn aangemaakt en hebben hun`} ExternalID nog niet; catersheet apply ${run} slaat die op.`,
  );

/** Of a row whose create went through, and not what should follow it. */
export const createdAllTheSameText = (id: number | null, why: Bilingual | null): Bilingual => {
  const as = id === null ? '' : `${id}`;
  return t(
    `created${as === '' ? '' : ` as ${as}`}, but what an update should add did not go through${why === null ? '' : `: ${why.en}`}`,
    `aangemaakt${as === '' ? '' : ` als ${as}`}, maar wat een wijziging moest toevoegen is niet gelukt${why === null ? '' : `: ${why.nl}`}`,
  );
};

/** The record is there, and the service won't have its key. */
export const keyRefusedText = (external: number, reason: string): Bilingual =>
  t(
    `created; the service refused ExternalID ${external} (${reason}), this program's ledger remembers it`,
    `aangemaakt; de dienst weigerde ExternalID ${external} (${reason}), het grootboek van dit programma onthoudt het`,
  );

/** The record has its key in the ledger alone. */
export const keyOnlyHereText = (external: number): Bilingual =>
  t(
    `the service does not take ExternalID ${external}; this program's ledger remembers it`,
    `de dienst neemt ExternalID ${external} niet aan; het grootboek van dit programma onthoudt het`,
  );

/** The user looked, and said so. */
export const foundByUserText = (): Bilingual =>
  t('found on the service by hand (--done)', 'met de hand op de dienst gevonden (--done)');

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
export const doubtText = (since: string): Bilingual =>
  t(
    `sent at ${since}, and no answer is known; look on the service whether it is there before sending it again`,
    `verstuurd om ${since}, en er is geen antwoord bekend; kijk op de dienst of het er staat voor je het opnieuw verstuurt`,
  );
