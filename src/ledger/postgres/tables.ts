import { folding, making } from '../tables.ts';
import { rendered } from './rendered.ts';

/** What an empty schema needs first. */
export const FIRST = rendered(
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
export const FOLDING = rendered(
  folding(
    (column) => `to_json(${column}::text)::text`,
    `(select json_object_agg(f.key, json_build_object('sent', f.value, 'held', f.value))
      from json_each(fields::json) as f)::text`,
  ).join(';\n'),
  [],
);

/** Makes the tables, or those of an earlier version this one's. */
export const MAKING = rendered(
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
