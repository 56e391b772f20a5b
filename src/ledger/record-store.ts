import type { Values } from '../core/value.ts';
import type {
  Applied,
  KeyPair,
  KnownRecord,
  Ledger,
  OpenConflict,
  Resend,
  UnsettledWrite,
  WrittenPlace,
} from './ledger.ts';
import type { planStore } from './plan-store.ts';
import type { Db } from './schema.ts';
import type { Writer } from './writer.ts';

/** Stores ids by ExternalID, facts, and fields that no read returns. */
export function recordStore(db: Db, { write }: Writer) {
  const keys = db.prepare(
    `select external, id, label from keys
     where service = ? and resource = ? and external in (select value from json_each(?))`,
  );
  const anyKey = db.prepare('select 1 from keys where service = ? and resource = ? limit 1');
  const externals = db.prepare(
    `select id, external from keys
     where service = ? and resource = ? and id in (select value from json_each(?)) order by +external`,
  );
  const used = db.prepare(
    `select id from keys where service = :service and resource = :resource and id = :id
     union select id from postings where service = :service and resource = :resource and id = :id`,
  );
  const fact = db.prepare('select value from facts where service = ? and name = ?');
  const learn = db.prepare('replace into facts (service, name, value) values (?, ?, ?)');
  const keep = db.prepare(
    `insert into keys (service, resource, external, id, label) values (?, ?, ?, ?, ?)
     on conflict do update set id = excluded.id, label = coalesce(excluded.label, label)`,
  );
  const fields = db.prepare('select fields from sent where service = ? and resource = ? and id = ?');
  const send = db.prepare('replace into sent (service, resource, id, fields) values (?, ?, ?, ?)');
  return {
    findKeys: async (service, resource, externals) => {
      if (externals.length === 0 || anyKey.all(service, resource).length === 0) return new Map();
      const found = keys.all(service, resource, JSON.stringify(externals)) as (KnownRecord & KeyPair)[];
      return new Map(found.map(({ external, id, label }) => [external, { id, label }]));
    },
    rememberKeys: (service, resource, pairs) =>
      write(() => {
        for (const { external, id, label } of pairs) keep.run(service, resource, external, id, label ?? null);
      }),
    findExternals: async (service, resource, ids) => {
      if (ids.length === 0) return new Map();
      const found = externals.all(service, resource, JSON.stringify(ids)) as KeyPair[];
      return new Map(found.map(({ id, external }) => [id, external]));
    },
    findKnownIds: async (service, resource, ids) =>
      new Set(ids.filter((record) => used.all({ service, resource, id: record }).length > 0)),
    findFact: async (service, name) => (fact.all(service, name) as { value: string }[])[0]?.value,
    rememberFact: (service, name, value) => write(() => learn.run(service, name, value)),
    findSent: async (service, resource, record) => {
      const row = fields.get(service, resource, record) as { fields: string } | undefined;
      return row === undefined ? undefined : (JSON.parse(row.fields) as Values);
    },
    rememberSent: (service, resource, record, values) =>
      write(() => send.run(service, resource, record, JSON.stringify(values))),
  } satisfies Partial<Ledger>;
}

/** Stores which row wrote a record last: what it sent stands in its plan. */
export function writeStore(
  db: Db,
  { write }: Writer,
  { rowAt }: Pick<ReturnType<typeof planStore>, 'rowAt'>,
) {
  // In plan order, as rows are read by the chunk.
  const find = db.prepare(
    `select key, run, seq, outcome ->> 'status' in ('created', 'updated', 'deleted') as done
     from writes left join states using (run, seq)
     where service = ? and resource = ? and key in (select value from json_each(?)) and coalesce(at, '') >= ?
     order by run, seq`,
  );
  const last = db.prepare(
    'select max(at) as at from writes where service = ? and resource = ? and at is not null',
  );
  const keep = db.prepare(
    'replace into writes (service, resource, key, run, seq, at) values (?, ?, ?, ?, ?, ?)',
  );
  return {
    findWrites: async (service, resource, keys, since = '') => {
      const found = find.all(service, resource, JSON.stringify(keys), since) as (WrittenPlace & {
        readonly key: string;
        readonly done: number | null;
      })[];
      return new Map(
        found.flatMap(({ key, run, seq, done }) => {
          const row = rowAt(run, seq);
          return row === undefined ? [] : [[key, { ...row, run, done: done === 1 }] as const];
        }),
      );
    },
    findLastWrite: async (service, resource) =>
      (last.all(service, resource) as { at: string | null }[])[0]?.at ?? null,
    rememberWrite: (service, resource, { key, run, seq, at }) =>
      write(() => keep.run(service, resource, key, run, seq, at)),
  } satisfies Partial<Ledger>;
}

/** Stores what records hold otherwise than they were sent it. */
export function appliedStore(db: Db, { write }: Writer) {
  const any = db.prepare('select 1 from applied where service = ? and resource = ? limit 1');
  const find = db.prepare(
    `select key, fields from applied
     where service = ? and resource = ? and key in (select value from json_each(?))`,
  );
  const keep = db.prepare('replace into applied (service, resource, key, fields) values (?, ?, ?, ?)');
  const drop = db.prepare('delete from applied where service = ? and resource = ? and key = ?');
  return {
    findApplied: async (service, resource, keys) => {
      if (keys.length === 0 || any.all(service, resource).length === 0) return new Map();
      const found = find.all(service, resource, JSON.stringify(keys)) as { key: string; fields: string }[];
      return new Map(found.map(({ key, fields }) => [key, JSON.parse(fields) as Applied]));
    },
    rememberApplied: (service, resource, key, applied) =>
      write(() => {
        if (Object.keys(applied).length === 0) drop.run(service, resource, key);
        else keep.run(service, resource, key, JSON.stringify(applied));
      }),
  } satisfies Partial<Ledger>;
}

type StoredConflict = Omit<OpenConflict, 'fields'> & { readonly fields: string };

/** Stores open conflicts, by record. */
export function conflictStore(db: Db, { write }: Writer) {
  const find = db.prepare('select key, run, lmt, fields from conflicts where service = ? and resource = ?');
  const keep = db.prepare(
    'replace into conflicts (service, resource, key, run, lmt, fields) values (?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('delete from conflicts where service = ? and resource = ? and key = ?');
  return {
    findConflicts: async (service, resource) =>
      (find.all(service, resource) as StoredConflict[]).map(({ fields, ...rest }) => ({
        ...rest,
        fields: JSON.parse(fields) as OpenConflict['fields'],
      })),
    rememberConflict: (service, resource, { key, run, lmt, fields }) =>
      write(() => keep.run(service, resource, key, run, lmt, JSON.stringify(fields))),
    forgetConflict: (service, resource, key) => write(() => drop.run(service, resource, key)),
  } satisfies Partial<Ledger>;
}

type StoredResend = Omit<Resend, 'body' | 'late'> & { readonly body: string; readonly late: string };

/** Stores the creates that were sent again. */
export function resendStore(db: Db, { write }: Writer) {
  const find = db.prepare(
    'select fingerprint, run, body, late from resends where service = ? and resource = ?',
  );
  const keep = db.prepare(
    'replace into resends (service, resource, fingerprint, run, body, late) values (?, ?, ?, ?, ?, ?)',
  );
  return {
    findResends: async (service, resource) =>
      (find.all(service, resource) as StoredResend[]).map(({ body, late, ...rest }) => ({
        ...rest,
        body: JSON.parse(body) as Values,
        late: JSON.parse(late) as number[],
      })),
    rememberResend: (service, resource, { fingerprint, run, body, late }) =>
      write(() => keep.run(service, resource, fingerprint, run, JSON.stringify(body), JSON.stringify(late))),
  } satisfies Partial<Ledger>;
}

/** Stores the writes that may still arrive, by record. */
export function unsettledStore(db: Db, { write }: Writer) {
  const find = db.prepare('select key, run, seq, at from unsettled where service = ? and resource = ?');
  const keep = db.prepare(
    'replace into unsettled (service, resource, key, run, seq, at) values (?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('delete from unsettled where service = ? and resource = ? and key = ?');
  return {
    findUnsettled: async (service, resource) => find.all(service, resource) as UnsettledWrite[],
    rememberUnsettled: (service, resource, { key, run, seq, at }) =>
      write(() => keep.run(service, resource, key, run, seq, at)),
    forgetUnsettled: (service, resource, key) => write(() => drop.run(service, resource, key)),
  } satisfies Partial<Ledger>;
}
