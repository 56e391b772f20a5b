/** The PostgreSQL schema that holds all tables: a company may keep a ledger beside other data. */
export const SCHEMA = 'catersheet';

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
  // Files that workers of an earlier version wrote for others: nothing uses the table any more.
  `
  create table ${SCHEMA}.export_parts (
    job uuid not null, part integer not null, bytes bytea not null,
    made timestamptz not null default clock_timestamp(), primary key (job, part)
  );
  alter table ${SCHEMA}.export_parts alter column bytes set storage external;
  `,
  // What a sent row writes, with one statement. A plan that was made while a table was empty reads all of it:
  // the index is the way however long the table grows. Places stand in one order, so that two programs that
  // claim the same never wait for each other.
  `
  create function ${SCHEMA}.write_lists(
    right_name text, right_token bigint, right_holder text, own_version integer,
    new_progress json, new_outcomes json, new_keys json, new_writes json, new_settled json, new_claims json,
    out found_version integer, out unknown_places integer[], out other_holders json
  ) language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $body$
  declare
    made text[];
    found_places integer[];
    wanted_count integer;
  begin
    if right_name is not null then
      perform 1 from ${SCHEMA}.leases l
        where l.name = right_name and l.token = right_token and l.holder = right_holder for share;
      if not found then return; end if;
    end if;
    select m.version into found_version from ${SCHEMA}.meta m;
    if right_name is not null and found_version > own_version then return; end if;
    if new_progress is not null then
      insert into ${SCHEMA}.states as s (run, seq, progress)
        select n.run, n.seq, n.progress
        from json_to_recordset(new_progress) as n (run text, seq bigint, progress text)
        order by n.run, n.seq
        on conflict (run, seq) do update set progress = excluded.progress;
    end if;
    if new_outcomes is not null then
      insert into ${SCHEMA}.states as s (run, seq, status, outcome)
        select n.run, n.seq, n.status, n.outcome
        from json_to_recordset(new_outcomes) as n (run text, seq bigint, status text, outcome text)
        order by n.run, n.seq
        on conflict (run, seq) do update set status = excluded.status, outcome = excluded.outcome;
    end if;
    if new_keys is not null then
      insert into ${SCHEMA}.keys as k (service, resource, external, id, label)
        select n.service, n.resource, n.external, n.id, n.label
        from json_to_recordset(new_keys)
          as n (service text, resource text, external bigint, id bigint, label text)
        order by n.service, n.resource, n.external
        on conflict (service, resource, external)
          do update set id = excluded.id, label = coalesce(excluded.label, k.label);
    end if;
    if new_writes is not null then
      insert into ${SCHEMA}.writes as w (service, resource, key, run, seq, at)
        select n.service, n.resource, n.key, n.run, n.seq, n.at
        from json_to_recordset(new_writes)
          as n (service text, resource text, key text, run text, seq bigint, at text)
        order by n.service, n.resource, n.key
        on conflict (service, resource, key) do update set run = excluded.run, seq = excluded.seq, at = excluded.at;
    end if;
    if new_settled is not null then
      with done as (
        update ${SCHEMA}.postings p set state = 'done', id = n.id
        from json_to_recordset(new_settled)
          as n (place integer, service text, resource text, name text, id bigint)
        where p.service = n.service and p.resource = n.resource and p.fingerprint = n.name
        returning n.place
      )
      select array_agg(d.place) into found_places from done d;
      with done as (
        update ${SCHEMA}.postings p set state = 'done', id = n.id
        from json_to_recordset(new_settled)
          as n (place integer, service text, resource text, name text, id bigint)
        where p.service = n.service and p.resource = n.resource and p.alias_of = n.name
        returning n.place
      )
      select found_places || array_agg(d.place) into found_places from done d;
      select array_agg(n.place) into unknown_places from json_to_recordset(new_settled) as n (place integer)
        where not n.place = any(coalesce(found_places, '{}'));
    end if;
    if new_claims is not null then
      with own as (
        insert into ${SCHEMA}.postings (service, resource, fingerprint, run, seq, state, at, id, alias_of)
          select n.service, n.resource, n.fingerprint, n.run, n.seq, n.state, n.at, n.id, n.alias_of
          from json_to_recordset(new_claims) as n (
            service text, resource text, fingerprint text, run text, seq bigint, state text, at text, id bigint,
            alias_of text)
          order by n.service, n.resource, n.fingerprint
          on conflict (service, resource, fingerprint) do nothing
          returning service, resource, fingerprint
      )
      select array_agg(concat_ws(chr(10), o.service, o.resource, o.fingerprint)) into made from own o;
      wanted_count := json_array_length(new_claims);
      if coalesce(array_length(made, 1), 0) < wanted_count then
        -- The same row goes on after a crash; its sender settles whether it may be sent again. Done is done.
        select count(*), json_agg(json_build_object(
            'place', n.place, 'name', p.fingerprint, 'fingerprint', coalesce(p.alias_of, p.fingerprint),
            'run', p.run, 'seq', p.seq, 'state', p.state, 'at', p.at, 'id', p.id
          )) filter (where p.run <> n.run or p.seq <> n.seq or p.state = 'done')
          into wanted_count, other_holders
          from json_to_recordset(new_claims)
            as n (place integer, service text, resource text, fingerprint text, run text, seq bigint)
          join ${SCHEMA}.postings p
            on p.service = n.service and p.resource = n.resource and p.fingerprint = n.fingerprint;
        if wanted_count < json_array_length(new_claims) then
          raise exception 'a posting was given back meanwhile' using errcode = '40001';
        end if;
        delete from ${SCHEMA}.postings p
          using json_to_recordset(new_claims)
            as n (place integer, service text, resource text, fingerprint text)
          where p.service = n.service and p.resource = n.resource and p.fingerprint = n.fingerprint
            and concat_ws(chr(10), p.service, p.resource, p.fingerprint) = any(made)
            and n.place in (select h.place from json_to_recordset(other_holders) as h (place integer));
      end if;
    end if;
  end $body$;
  `,
  `
  alter table ${SCHEMA}.runs add column pruned_at ${SCHEMA}.word;
  `,
  `
  create table ${SCHEMA}.applied (
    service ${SCHEMA}.word not null, resource ${SCHEMA}.word not null, key ${SCHEMA}.word not null,
    fields text not null, primary key (service, resource, key)
  );
  `,
  // What an outcome tells that is asked for. The function before stays for programs of earlier versions that are
  // at work: it tells them that they are.
  `
  alter table ${SCHEMA}.states drop column status,
    add column status text generated always as (substring(outcome from '"status":"([^"]*)"')) stored,
    add column sent_at ${SCHEMA}.word generated always as (substring(outcome from '"at":"([^"]*)"')) stored,
    add column unfinished integer
      generated always as (case when outcome like '%"unfinished":true%' then 1 else 0 end) stored;
  alter table ${SCHEMA}.resends drop column late;
  drop table ${SCHEMA}.export_parts;
  create function ${SCHEMA}.fence(right_name text, right_token bigint, right_holder text, own_version integer)
    returns void language plpgsql as $body$
  begin
    perform 1 from ${SCHEMA}.leases l
      where l.name = right_name and l.token = right_token and l.holder = right_holder for share;
    if not found then raise exception 'taken over' using errcode = 'CS001'; end if;
    if (select m.version from ${SCHEMA}.meta m) > own_version then
      raise exception '%', (select m.version from ${SCHEMA}.meta m) using errcode = 'CS001';
    end if;
  end $body$;
  `,
  // Who shares a pace stands in its one row. Parts of a run that were sent are gone.
  `
  drop table ${SCHEMA}.pace_members;
  alter table ${SCHEMA}.parts drop column done;
  alter table ${SCHEMA}.paces add column members jsonb not null default '{}';
  `,
];

/** The schema version of this program, in `meta`. */
export const VERSION = MIGRATIONS.length;
