import { type StopError, usageStop } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import { VERSION } from '../tables.ts';
import { type Asked, ask, type Database, inTransaction, LIMITED } from './database.ts';
import { SCHEMA } from './rendered.ts';
import { FIRST, FOLDING, MAKING } from './tables.ts';

/** The tables are made, or brought to this version, by one program at a time. */
export async function makeReady(database: Database): Promise<void> {
  const { asked, place } = database;
  const known = await versionOf(asked);
  refuseNewer(known, place);
  if (known === VERSION) return;
  await inTransaction(database, 'read committed', async (tx) => {
    await ask(tx, `select ${LIMITED}, pg_advisory_xact_lock(hashtextextended('catersheet ledger', 0))`);
    const found = await versionOf(tx);
    refuseNewer(found, place);
    if (found === VERSION) return;
    // A schema that an administrator made may be used by one who may not make any.
    const [exists] = await ask(tx, 'select 1 from pg_namespace where nspname = ?', SCHEMA);
    if (exists === undefined) await tx.query(`create schema ${SCHEMA}`);
    if (found === 0) await tx.query(FIRST);
    await tx.query(MAKING);
    if (found > 0 && found < 21) await tx.query(FOLDING);
    await ask(tx, 'delete from @meta; insert into @meta (version) values (?)', VERSION);
  });
}

/** The version of a ledger's tables; 0 where there is no ledger yet. */
export async function versionOf(asked: Asked): Promise<number> {
  // Asked of the catalogue's rows: a name may be remembered as unknown that another program just made.
  const [exists] = await ask(
    asked,
    `select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = ? and c.relname = 'meta'`,
    SCHEMA,
  );
  if (exists === undefined) return 0;
  return (await ask<{ version: number }>(asked, 'select version from @meta'))[0]?.version ?? 0;
}

/** Throws StopError for tables of a program that came after this one. */
export function refuseNewer(found: number, place: string): void {
  const stop = newerStop(found, place);
  if (stop !== undefined) throw stop;
}

/** The same, as a value; undefined for tables that this program knows. */
export function newerStop(found: number, place: string): StopError | undefined {
  if (found <= VERSION) return undefined;
  return usageStop(
    t(
      `The ledger ${place} was written by a newer catersheet.`,
      `Het register ${place} is geschreven door een nieuwere catersheet.`,
    ),
    withFlag(
      t('Use that version, or name another ledger.', 'Gebruik die versie, of noem een ander register.'),
      '--ledger',
    ),
  );
}
