import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';

/** Whether a ledger's place is a database on a server: `postgres://…`. */
export const isDatabase = (place: string): boolean => /^postgres(?:ql)?:\/\//i.test(place);

/**
 * An address of a ledger as it is used. Throws StopError with EXIT.usage for one that is none, and one that
 * tells a password.
 */
export function databaseAddress(named: string): string {
  let url: URL;
  try {
    url = new URL(named);
  } catch {
    // It may hold a password: it is not shown.
    throw usageStop(
      t(
        'The address of the ledger is no address of a database.',
        'Het adres van het register is geen adres van een database.',
      ),
      WRITTEN,
    );
  }
  if (url.password !== '' || url.searchParams.has('password'))
    throw usageStop(
      t(
        `The address of the ledger on ${url.host} holds a password: others can read it there.`,
        `In het adres van het register op ${url.host} staat een wachtwoord: daar kunnen anderen het lezen.`,
      ),
      t(
        'Leave it out, and put it in CATERSHEET_LEDGER_PASSWORD, PGPASSWORD or ~/.pgpass.',
        'Laat het weg, en zet het in CATERSHEET_LEDGER_PASSWORD, PGPASSWORD of ~/.pgpass.',
      ),
    );
  if (url.pathname.length <= 1)
    throw usageStop(
      t(
        `The address of the ledger on ${url.host} names no database.`,
        `Het adres van het register op ${url.host} noemt geen database.`,
      ),
      WRITTEN,
    );
  return named;
}

const WRITTEN = t(
  'Write it as postgres://user@server:5432/database.',
  'Schrijf het als postgres://gebruiker@server:5432/database.',
);
