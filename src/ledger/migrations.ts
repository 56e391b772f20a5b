/** Marks a database as a ledger, so that no other program's is ever taken for one. */
export const APPLICATION_ID = 0x43_61_74_4c;

/** The schema, one entry a version; an entry that has been released is never edited, only followed by another. */
export const MIGRATIONS: readonly string[] = [
  `
  pragma application_id = ${APPLICATION_ID};
  create table runs (
    run text primary key, service text not null, file text not null, started_at text not null,
    state text not null, plan_version integer not null, counts text
  ) without rowid;
  create table rows (
    run text not null, seq integer not null, sheet text not null, resource text not null, key text,
    plan text not null, sending integer not null default 0, outcome text,
    primary key (run, seq)
  ) without rowid;
  create index rows_key on rows (run, resource, key) where key is not null;
  create table keys (
    service text not null, resource text not null, external integer not null, id integer not null,
    primary key (service, resource, external)
  ) without rowid;
  `,
];
