/** Marks a database as a ledger, so that no other program's is ever taken for one. */
export const APPLICATION_ID = 0x43_61_74_4c;

/** The schema, one entry a version; an entry that has been released is never edited, only followed by another. */
export const MIGRATIONS: readonly string[] = [
  `
  pragma application_id = ${APPLICATION_ID};
  create table runs (
    run text primary key, service text not null, file text not null, started_at text not null,
    state text not null, plan_version integer not null, counts text, details text
  ) without rowid;
  create table rows (
    run text not null, seq integer not null, sheet text not null, resource text not null, key text,
    plan text not null, outcome text, progress text,
    primary key (run, seq)
  ) without rowid;
  create index rows_key on rows (run, resource, key) where key is not null;
  create table sent (
    service text not null, resource text not null, id integer not null, fields text not null,
    primary key (service, resource, id)
  ) without rowid;
  create table postings (
    service text not null, resource text not null, fingerprint text not null,
    run text not null, seq integer not null, state text not null, at text not null, id integer,
    primary key (service, resource, fingerprint)
  ) without rowid;
  create index postings_id on postings (service, resource, id) where id is not null;
  create table facts (
    service text not null, name text not null, value text not null, primary key (service, name)
  ) without rowid;
  create table keys (
    service text not null, resource text not null, external integer not null, id integer not null, label text,
    primary key (service, resource, external)
  ) without rowid;
  create index keys_id on keys (service, resource, id);
  `,
  `
  create table chunks (
    run text not null, first integer not null, last integer not null, sheet text not null, rows blob not null, keys blob
  );
  create unique index chunks_last on chunks (run, last);
  create table states (
    run text not null, seq integer not null, outcome text, progress text, primary key (run, seq)
  ) without rowid;
  insert into chunks (run, first, last, sheet, rows) select run, seq, seq, sheet, '[' || plan || ']' from rows order by run, seq;
  insert into states select run, seq, outcome, progress from rows where outcome is not null or progress is not null;
  drop table rows;
  `,
  `
  alter table postings add column alias_of text;
  create index postings_alias on postings (service, resource, alias_of) where alias_of is not null;
  `,
  `
  create table conflicts (
    service text not null, resource text not null, key text not null, run text not null, lmt text, fields text not null,
    primary key (service, resource, key)
  ) without rowid;
  `,
];
