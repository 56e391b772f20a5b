import type Database from 'libsql';

/** One connection to a SQLite file. */
export type Db = Database.Database;

/** Marks a database as a ledger: no other program's is taken for one. */
export const APPLICATION_ID = 0x43_61_74_4c;

/** The last schema version from before the first release; a ledger of these is refused. */
export const LAST_UNRELEASED = 4;

/** One entry a version, from `LAST_UNRELEASED + 1` on; a released entry is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
  pragma application_id = ${APPLICATION_ID};
  create table runs (
    run text primary key, service text not null, file text not null, started_at text not null,
    state text not null, plan_version integer not null, counts text, details text
  ) without rowid;
  create table chunks (
    run text not null, first integer not null, last integer not null, sheet text not null,
    rows blob not null, keys blob not null
  );
  create unique index chunks_last on chunks (run, last);
  create table states (
    run text not null, seq integer not null, outcome text, progress text, primary key (run, seq)
  ) without rowid;
  create table sent (
    service text not null, resource text not null, id integer not null, fields text not null,
    primary key (service, resource, id)
  ) without rowid;
  create table postings (
    service text not null, resource text not null, fingerprint text not null,
    run text not null, seq integer not null, state text not null, at text not null, id integer, alias_of text,
    primary key (service, resource, fingerprint)
  ) without rowid;
  create index postings_id on postings (service, resource, id) where id is not null;
  create index postings_alias on postings (service, resource, alias_of) where alias_of is not null;
  create table facts (
    service text not null, name text not null, value text not null, primary key (service, name)
  ) without rowid;
  create table keys (
    service text not null, resource text not null, external integer not null, id integer not null, label text,
    primary key (service, resource, external)
  ) without rowid;
  create index keys_id on keys (service, resource, id);
  create table conflicts (
    service text not null, resource text not null, key text not null, run text not null, lmt text, fields text not null,
    primary key (service, resource, key)
  ) without rowid;
  `,
  `
  create table writes (
    service text not null, resource text not null, key text not null, run text not null, seq integer not null,
    primary key (service, resource, key)
  ) without rowid;
  `,
  `
  create table resends (
    service text not null, resource text not null, fingerprint text not null, run text not null,
    body text not null, late text not null, primary key (service, resource, fingerprint, run)
  ) without rowid;
  `,
  `
  create table unsettled (
    service text not null, resource text not null, key text not null, run text not null, seq integer not null,
    at text not null, primary key (service, resource, key)
  ) without rowid;
  `,
  `
  alter table writes add column at text;
  create index writes_at on writes (service, resource, at) where at is not null;
  `,
  `
  alter table runs add column pruned_at text;
  `,
  `
  create table applied (
    service text not null, resource text not null, key text not null, fields text not null,
    primary key (service, resource, key)
  ) without rowid;
  `,
  // What an outcome tells that is asked for.
  `
  alter table states add column status text generated always as (outcome ->> 'status') virtual;
  alter table states add column sent_at text generated always as (outcome ->> 'at') virtual;
  alter table states add column unfinished integer generated always as (outcome ->> 'unfinished') virtual;
  alter table resends drop column late;
  `,
];

/** The schema version of this program, in `user_version`. */
export const SCHEMA_VERSION = LAST_UNRELEASED + MIGRATIONS.length;

/** Brings a ledger's tables from their version to this one's. */
export function renew(db: Db): void {
  const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number };
  for (const migration of MIGRATIONS.slice(Math.max(0, found - LAST_UNRELEASED))) db.exec(migration);
  db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
}
