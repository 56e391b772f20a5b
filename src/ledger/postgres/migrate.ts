import { type StopError, usageStop } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import { folding, making, VERSION } from '../tables.ts';
import { type Asked, ask, type Database, inTransaction, LIMITED } from './database.ts';
import { rendered, SCHEMA } from './rendered.ts';

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

/** What an empty schema needs first. */
const FIRST = rendered(
  'create domain @word as text collate "C"; create table @meta (version integer not null)',
  [],
);

/** What only a database has: who may send, and how quickly. Moments of a pace are milliseconds since 1970. */
const OWN = [
  `create table if not exists @leases (
    name text primary key, holder text not null, token bigint not null, until timestamptz not null, run @word
  )`,
  `create table if not exists @parts (
    run @word not null, part integer not null, places text not null, member text, primary key (run, part)
  )`,
  // Written several times a second.
  `create table if not exists @paces (
    service @word primary key, next double precision not null, event bigint not null,
    author text, started double precision, paused double precision, limited boolean,
    members jsonb not null default '{}'
  ) with (fillfactor = 20)`,
  `create or replace function @fence(own_name text, own_version integer)
    returns void language plpgsql as $body$
  begin
    perform 1 from @leases l, @meta m where l.name = own_name and m.version <= own_version for share of l;
    if not found then raise exception '%', (select m.version from @meta m) using errcode = 'CS001'; end if;
  end $body$`,
];

/**
 * What tables of earlier versions lack. What they have in vain stays for one version: a program of the one before
 * that is at work reads it, and only then is told that it is old.
 */
const OLDER = [
  'alter table @runs add column if not exists pruned_at @word',
  'alter table @leases add column if not exists run @word',
  `alter table @paces add column if not exists members jsonb not null default '{}'`,
];

/** Makes one table of some of versions before 21. */
const FOLDING = rendered(
  folding(
    (column) => `to_json(${column}::text)::text`,
    `(select json_object_agg(f.key, json_build_object('sent', f.value, 'held', f.value))
      from json_each(fields::json) as f)::text`,
  ).join(';\n'),
  [],
);

/** Makes the tables, or those of an earlier version this one's. */
const MAKING = rendered(
  [
    ...making(
      { word: '@word', text: 'text', json: 'text', integer: 'bigint', bytes: 'bytea' },
      // A row of it is written three times, and need not move then.
      (table) => (table === 'states' ? 'with (fillfactor = 70)' : ''),
    ),
    ...OWN,
    ...OLDER,
    'alter table @chunks alter column rows set storage external',
  ].join(';\n'),
  [],
);
