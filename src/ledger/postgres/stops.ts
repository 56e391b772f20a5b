import { StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import { codeOf, isPassing } from './database.ts';

const again = t(
  'Nothing was sent that is not in the ledger: give the same command again once that is mended.',
  'Er is niets verstuurd dat niet in het register staat: geef dezelfde opdracht opnieuw als dat verholpen is.',
);

interface Words {
  what(place: string): Bilingual;
  readonly next: Bilingual;
}

const REFUSED: Words = {
  what: (place) =>
    t(
      `The ledger ${place} refuses the user or the password.`,
      `Het register ${place} weigert de gebruiker of het wachtwoord.`,
    ),
  next: t(
    'Put the password in CATERSHEET_LEDGER_PASSWORD, PGPASSWORD or ~/.pgpass, never in the address.',
    'Zet het wachtwoord in CATERSHEET_LEDGER_PASSWORD, PGPASSWORD of ~/.pgpass, nooit in het adres.',
  ),
};

/** What PostgreSQL refuses, by its code. */
const BY_CODE: Readonly<Record<string, Words>> = {
  '28P01': REFUSED,
  '28000': REFUSED,
  '3D000': {
    what: (place) => t(`There is no database ${place}.`, `Er is geen database ${place}.`),
    next: withFlag(t('Make it, or name another.', 'Maak hem, of noem een andere.'), 'createdb, --ledger'),
  },
  '42501': {
    what: (place) =>
      t(
        `The user of the ledger ${place} may not make or use its tables.`,
        `De gebruiker van het register ${place} mag de tabellen niet maken of gebruiken.`,
      ),
    next: t(
      'Ask the administrator of the database to make the schema: create schema catersheet authorization USER.',
      'Vraag de beheerder van de database om het schema te maken: create schema catersheet authorization GEBRUIKER.',
    ),
  },
  '25006': {
    what: (place) =>
      t(
        `The ledger ${place} may only be read: it is a copy.`,
        `Het register ${place} kan alleen gelezen worden: het is een kopie.`,
      ),
    next: t('Name the server that is written to.', 'Noem de server waarin geschreven wordt.'),
  },
  '53100': {
    what: (place) =>
      t(`The disk of the ledger ${place} is full.`, `De schijf van het register ${place} is vol.`),
    next: again,
  },
};

const UNREACHED: Words = {
  what: (place) => t(`The ledger ${place} can't be reached.`, `Het register ${place} is niet te bereiken.`),
  next: again,
};

const UNUSABLE: Words = {
  what: (place) => t(`The ledger ${place} can't be used.`, `Het register ${place} kan niet gebruikt worden.`),
  next: again,
};

/** The stop for an error of the database; undefined where the write itself is wrong. */
export function databaseStop(place: string, cause: unknown): StopError | undefined {
  if (cause instanceof StopError) return cause;
  const code = codeOf(cause);
  const words = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : isPassing(cause) ? UNREACHED : undefined;
  return words && stopWith(place, words, cause);
}

/** The same as a database is opened: whatever is wrong stops. */
export const openingStop = (place: string, cause: unknown): StopError =>
  databaseStop(place, cause) ?? stopWith(place, UNUSABLE, cause);

function stopWith(place: string, { what, next }: Words, cause: unknown): StopError {
  const { en, nl } = what(place);
  // What the driver says holds no password; the first line says it.
  const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
  const said = why === '' ? t(en, nl) : t(`${en} (${why})`, `${nl} (${why})`);
  return usageStop(said, next, cause);
}

/** The stop for rows of a plan that can't be read. */
export const damagedRows = (
  place: string,
  { run, first, last }: { readonly run: string; readonly first: number; readonly last: number },
  cause: unknown,
): StopError =>
  usageStop(
    t(
      `The ledger ${place} is damaged: rows ${first} to ${last} of run ${run} can't be read.`,
      `Het register ${place} is beschadigd: rijen ${first} tot en met ${last} van run ${run} zijn niet te lezen.`,
    ),
    t(
      'Put a backup of the database back; nothing is sent with it as it is.',
      'Zet een back-up van de database terug; zoals het is wordt er niets mee verstuurd.',
    ),
    cause,
  );

/** Another program has the right to send by now. */
export const takenOver = (place: string): StopError =>
  usageStop(
    t(
      `This program was silent for so long that another may send with the ledger ${place} by now.`,
      `Dit programma was zo lang stil dat een ander nu met het register ${place} mag versturen.`,
    ),
    withFlag(
      t(
        'Nothing is sent any more. Look how far the run is, and go on with it.',
        'Er wordt niets meer verstuurd. Kijk hoe ver de run is, en ga ermee verder.',
      ),
      'catersheet runs, catersheet apply',
    ),
  );
