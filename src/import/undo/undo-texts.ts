import { type Bilingual, t } from '../../core/language.ts';

/** So many rows of a sheet were not sent. */
export const notSent = (count: number): Bilingual =>
  count === 1
    ? t(
        'it was not sent: there is nothing to take back',
        'het is niet verstuurd: er valt niets terug te draaien',
      )
    : t(
        `${count} rows were not sent, this one first: there is nothing to take back`,
        `${count} rijen zijn niet verstuurd, deze als eerste: er valt niets terug te draaien`,
      );

/** The service refused the row. */
export const FAILED: Bilingual = t(
  'the service refused it: there is nothing to take back',
  'de dienst heeft het geweigerd: er valt niets terug te draaien',
);

/** Sent, and no answer is known; of a posting only the user can tell. */
export function maybeThere(at: string | null, posted: boolean): Bilingual {
  const [en, nl] = at === null ? ['', ''] : [` at ${at}`, ` om ${at}`];
  if (!posted)
    return t(
      `it was sent${en}, no answer is known, and what became of it could not be looked up: undo the run again later, or look on the service and take it back by hand`,
      `het is verstuurd${nl}, er is geen antwoord bekend, en wat ervan geworden is was niet op te zoeken: draai de run later nog eens terug, of kijk op de dienst en draai het met de hand terug`,
    );
  return t(
    `it was sent${en} and no answer is known: it may be there; look on the service, then say so with apply --done or --resend`,
    `het is verstuurd${nl} en er is geen antwoord bekend: het kan er staan; kijk op de dienst en zeg het met apply --done of --resend`,
  );
}

/** The old value was empty, and a sheet can't clear the field. */
export const wasEmpty = (field: string): Bilingual =>
  t(
    `${field} was empty, and the service can't be told to empty it again`,
    `${field} was leeg, en de dienst kan het niet weer leegmaken`,
  );

/** No read returns the field, so that its old value is not known. */
export const wasUnknown = (field: string): Bilingual =>
  t(
    `what ${field} was before is not known: the service does not tell it`,
    `wat ${field} daarvoor was is niet bekend: de dienst zegt het niet`,
  );

/** No cell holds the old value. */
export const unfit = (field: string): Bilingual =>
  t(`what ${field} was before can't stand in a cell`, `wat ${field} daarvoor was past niet in een cel`);

/** What a command did that no import can take back. */
export const notTakenBack = (command: string): Bilingual =>
  t(
    `what ${command} did can’t be taken back from here`,
    `wat ${command} deed is van hieruit niet terug te draaien`,
  );
