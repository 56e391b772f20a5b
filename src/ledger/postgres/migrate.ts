import { sql } from 'kysely';
import { type StopError, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { type Database, LIMITED } from './database.ts';
import { MIGRATIONS, SCHEMA, VERSION } from './tables.ts';

const META = sql.table(`${SCHEMA}.meta`);

/** The tables are made, or brought to this version, by one program at a time. */
export async function makeReady({ db, place }: Database): Promise<void> {
  const known = await versionOf(db);
  refuseNewer(known, place);
  if (known === VERSION) return;
  await db.transaction().execute(async (tx) => {
    await sql`select ${LIMITED}, pg_advisory_xact_lock(hashtextextended('catersheet ledger', 0))`.execute(tx);
    const found = await versionOf(tx);
    refuseNewer(found, place);
    if (found === VERSION) return;
    // A schema that an administrator made may be used by one who may not make any.
    const [exists] = (await sql`select 1 from pg_namespace where nspname = ${SCHEMA}`.execute(tx)).rows;
    if (exists === undefined) await sql`create schema ${sql.id(SCHEMA)}`.execute(tx);
    if (found === 0) await sql`create table ${META} (version integer not null)`.execute(tx);
    for (const migration of MIGRATIONS.slice(found)) await sql.raw(migration).execute(tx);
    await sql`delete from ${META}`.execute(tx);
    await sql`insert into ${META} (version) values (${VERSION})`.execute(tx);
  });
}

/** The version of a ledger's tables; 0 where there is no ledger yet. */
export async function versionOf(db: Database['db']): Promise<number> {
  // Asked of the catalogue's rows: a name may be remembered as unknown that another program just made.
  const { rows } = await sql`
    select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${SCHEMA} and c.relname = 'meta'`.execute(db);
  if (rows.length === 0) return 0;
  return (await sql<{ version: number }>`select version from ${META}`.execute(db)).rows[0]?.version ?? 0;
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
    t(
      'Use that version, or name another ledger with --ledger.',
      'Gebruik die versie, of noem een ander register met --ledger.',
      t('Use that version.', 'Gebruik die versie.'),
    ),
  );
}
