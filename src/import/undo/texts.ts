import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';

/** Nothing of so many rows of a sheet reached the service. */
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

export const FAILED: Bilingual = t(
  'the service refused it: there is nothing to take back',
  'de dienst heeft het geweigerd: er valt niets terug te draaien',
);

/** Sent, and no answer is known; of a posting nobody but the user can tell. */
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

/** A deleted record does not come back under its number. */
export function deletedForGood(id: number | null): Bilingual {
  const number = id === null ? '' : ` ${id}`;
  return t(
    `it was deleted, and the service gives the number${number} out no more: make it anew by hand where it is missed`,
    `het is verwijderd, en de dienst geeft het nummer${number} niet meer uit: maak het zo nodig met de hand opnieuw`,
  );
}

/** The run made it, and the service deletes none of its kind. */
export function cannotDelete(id: number | null): Bilingual {
  const number = id === null ? '' : ` (${id})`;
  return t(
    `it was created${number}, and the service cannot delete it: cancel it by hand`,
    `het is aangemaakt${number}, en de dienst kan het niet verwijderen: annuleer het met de hand`,
  );
}

/** Neither an answer nor the ledger told the id. */
export const NO_ID: Bilingual = t(
  'its number on the service is not known: look it up and take it back by hand',
  'het nummer op de dienst is niet bekend: zoek het op en draai het met de hand terug',
);

export const wasEmpty = (field: string): Bilingual =>
  t(
    `${field} was empty, and the service can't be told to empty it again`,
    `${field} was leeg, en de dienst kan het niet weer leegmaken`,
  );

export const wasUnknown = (field: string): Bilingual =>
  t(
    `what ${field} was before is not known: the service does not tell it`,
    `wat ${field} daarvoor was is niet bekend: de dienst zegt het niet`,
  );

export const unfit = (field: string): Bilingual =>
  t(`what ${field} was before can't stand in a cell`, `wat ${field} daarvoor was past niet in een cel`);

/** The day and the times of an event, of which one can't come back. */
export const goTogether = (fields: readonly string[], why: readonly Bilingual[]): Bilingual =>
  t(
    `${fields.join(', ')}: left as it is, as the day and the times of an event go together (${why.map(({ en }) => en).join('; ')})`,
    `${fields.join(', ')}: gelaten zoals het is, want de dag en de tijden van een evenement horen bij elkaar (${why.map(({ nl }) => nl).join('; ')})`,
  );

export const linkedMore = (count: number): Bilingual =>
  t(
    `it was linked ${count} times; once is linked again`,
    `het was ${count} keer gekoppeld; één keer wordt opnieuw gekoppeld`,
  );

export const linkLost: Bilingual = t(
  'what the link held before is not known',
  'wat er in de koppeling stond is niet bekend',
);

/** What stands before the reason of a mutation that takes another one back, and of one that takes such a one back. */
const UNDONE: Bilingual = t('Undone: ', 'Ongedaan gemaakt: ');
const AGAIN: Bilingual = t('Again: ', 'Opnieuw: ');

const startsWith = (reason: string, heads: Bilingual): boolean =>
  Object.values(heads).some((head) => reason.startsWith(head));

/** The reason of a mutation that takes another one back: the user's own words, whatever was undone before. */
export function undoneReason(reason: string, run: string): Bilingual {
  const undoes = startsWith(reason, UNDONE);
  const own = /^(?:[^:]+: )(.*) \(run [\w-]+\)$/s.exec(reason)?.[1];
  const words = (undoes || startsWith(reason, AGAIN)) && own !== undefined ? own : reason;
  const heads = undoes && own !== undefined ? AGAIN : UNDONE;
  const tail = ` (run ${run})`;
  const within = (head: string): string =>
    `${head}${words.slice(0, LONGEST - head.length - tail.length)}${tail}`;
  return { en: within(heads.en), nl: within(heads.nl) };
}

/** Characters that a reason has at most, as a rule. */
const LONGEST = 255;

/** What a command did that no import can take back. */
export const notTakenBack = (command: string): Bilingual =>
  t(
    `what ${command} did can’t be taken back from here`,
    `wat ${command} deed is van hieruit niet terug te draaien`,
  );
