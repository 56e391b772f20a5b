/** The PostgreSQL schema that holds all tables: a company may keep a ledger beside other data. */
export const SCHEMA = 'catersheet';

/** JSON stands as text: it may hold what PostgreSQL refuses as `jsonb`, and is read whole. */
type Json = string;

/** The tables of a ledger, column by column as the embedded one has them. */
export interface Tables {
  meta: { version: number };
  runs: {
    run: string;
    service: string;
    file: string;
    started_at: string;
    state: string;
    plan_version: number;
    counts: Json | null;
    details: Json | null;
  };
  chunks: { run: string; first: number; last: number; sheet: string; rows: Buffer; keys: Buffer };
  states: {
    run: string;
    seq: number;
    status: string | null;
    outcome: Json | null;
    progress: Json | null;
  };
  sent: { service: string; resource: string; id: number; fields: Json };
  postings: {
    service: string;
    resource: string;
    fingerprint: string;
    run: string;
    seq: number;
    state: 'sending' | 'done';
    at: string;
    id: number | null;
    alias_of: string | null;
  };
  facts: { service: string; name: string; value: string };
  keys: { service: string; resource: string; external: number; id: number; label: string | null };
  conflicts: {
    service: string;
    resource: string;
    key: string;
    run: string;
    lmt: string | null;
    fields: Json;
  };
  writes: { service: string; resource: string; key: string; run: string; seq: number; at: string | null };
  resends: {
    service: string;
    resource: string;
    fingerprint: string;
    run: string;
    body: Json;
    late: Json;
  };
  unsettled: { service: string; resource: string; key: string; run: string; seq: number; at: string };
  leases: { name: string; holder: string; token: number; until: Date; run: string | null };
  parts: { run: string; part: number; places: Json; member: string | null; done: boolean };
  paces: {
    service: string;
    next: number;
    event: number;
    author: string | null;
    started: number | null;
    paused: number | null;
    limited: boolean | null;
  };
  pace_members: {
    service: string;
    program: string;
    rate: number | null;
    concurrency: number | null;
    joined: number;
    heard: number;
    wants: number;
    share: number;
  };
  export_parts: { job: string; part: number; bytes: Buffer; made: Date };
}

/**
 * One entry a version; a released entry is never edited. Texts are compared by their bytes: fingerprints are
 * looked for by how they begin, and runs are listed by name.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create domain ${SCHEMA}.word as text collate "C";
  create table ${SCHEMA}.runs (
    run ${SCHEMA}.word primary key, service ${SCHEMA}.word not null, file text not null,
    started_at ${SCHEMA}.word not null, state text not null, plan_version integer not null,
    counts text, details text
  );
  create index runs_newest on ${SCHEMA}.runs (started_at desc, run desc);
  create table ${SCHEMA}.chunks (
    run ${SCHEMA}.word not null, first bigint not null, last bigint not null, sheet text not null,
    rows bytea not null, keys bytea not null, primary key (run, last)
  );
  alter table ${SCHEMA}.chunks alter column rows set storage external;
  create table ${SCHEMA}.states (
    run ${SCHEMA}.word not null, seq bigint not null, status text, outcome text, progress text,
    primary key (run, seq)
  ) with (fillfactor = 70);
  create table ${SCHEMA}.sent (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, id bigint not null,
    fields text not null, primary key (service, resource, id)
  );
  create table ${SCHEMA}.postings (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, fingerprint ${SCHEMA}.word not null,
    run ${SCHEMA}.word not null, seq bigint not null, state text not null, at ${SCHEMA}.word not null,
    id bigint, alias_of ${SCHEMA}.word, primary key (service, resource, fingerprint)
  );
  create index postings_id on ${SCHEMA}.postings (service, resource, id) where id is not null;
  create index postings_alias on ${SCHEMA}.postings (service, resource, alias_of) where alias_of is not null;
  create table ${SCHEMA}.facts (
    service ${SCHEMA}.word not null, name ${SCHEMA}.word not null, value text not null,
    primary key (service, name)
  );
  create table ${SCHEMA}.keys (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, external bigint not null,
    id bigint not null, label text, primary key (service, resource, external)
  );
  create index keys_id on ${SCHEMA}.keys (service, resource, id);
  create table ${SCHEMA}.conflicts (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, key ${SCHEMA}.word not null,
    run ${SCHEMA}.word not null, lmt text, fields text not null, primary key (service, resource, key)
  );
  create table ${SCHEMA}.writes (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, key ${SCHEMA}.word not null,
    run ${SCHEMA}.word not null, seq bigint not null, at ${SCHEMA}.word, primary key (service, resource, key)
  );
  create index writes_at on ${SCHEMA}.writes (service, resource, at) where at is not null;
  create table ${SCHEMA}.resends (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, fingerprint ${SCHEMA}.word not null,
    run ${SCHEMA}.word not null, body text not null, late text not null,
    primary key (service, resource, fingerprint, run)
  );
  create table ${SCHEMA}.unsettled (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, key ${SCHEMA}.word not null,
    run ${SCHEMA}.word not null, seq bigint not null, at ${SCHEMA}.word not null,
    primary key (service, resource, key)
  );
  create table ${SCHEMA}.leases (
    name text primary key, holder text not null, token bigint not null, until timestamptz not null
  );
  `,
  // Moments are milliseconds since 1970. Both tables are written several times a second.
  `
  create table ${SCHEMA}.paces (
    service ${SCHEMA}.word primary key, next double precision not null, event bigint not null,
    author text, started double precision, paused double precision, limited boolean
  ) with (fillfactor = 20);
  create table ${SCHEMA}.pace_members (
    service ${SCHEMA}.word not null, program ${SCHEMA}.word not null, rate double precision,
    concurrency integer, joined double precision not null, heard double precision not null,
    wants integer not null, share integer not null, primary key (service, program)
  ) with (fillfactor = 20);
  `,
  // The run that several programs send, and which of them sends what of it.
  `
  alter table ${SCHEMA}.leases add column run ${SCHEMA}.word;
  create table ${SCHEMA}.parts (
    run ${SCHEMA}.word not null, part integer not null, places text not null, member text,
    done boolean not null default false, primary key (run, part)
  );
  `,
  // Files that workers wrote for others, until they are fetched. Most are packed already.
  `
  create table ${SCHEMA}.export_parts (
    job uuid not null, part integer not null, bytes bytea not null,
    made timestamptz not null default clock_timestamp(), primary key (job, part)
  );
  alter table ${SCHEMA}.export_parts alter column bytes set storage external;
  `,
];

/** The schema version of this program, in `meta`. */
export const VERSION = MIGRATIONS.length;
