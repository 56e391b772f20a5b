import { sql } from 'kysely';
import type { Values } from '../../core/value.ts';
import type { Applied, Ledger, OpenConflict, WrittenRow } from '../ledger.ts';
import { plainText } from '../plain-text.ts';
import type { Db, Tx } from './database.ts';
import type { GroupWriter, Kind } from './group-writer.ts';
import type { PlanReader } from './plan-store.ts';
import type { Tables } from './tables.ts';

/** Tables whose rows are remembered in place of what was there. */
type Remembered = 'applied' | 'facts' | 'sent' | 'conflicts' | 'resends' | 'unsettled';

/** What names a row of each. */
const NAMED_BY = {
  applied: ['service', 'resource', 'key'],
  facts: ['service', 'name'],
  sent: ['service', 'resource', 'id'],
  conflicts: ['service', 'resource', 'key'],
  resends: ['service', 'resource', 'fingerprint', 'run'],
  unsettled: ['service', 'resource', 'key'],
} as const satisfies { readonly [T in Remembered]: readonly (keyof Tables[T])[] };

type Row = Readonly<Record<string, unknown>>;

const none = (items: readonly unknown[]): undefined[] => items.map(() => undefined);

/** Remembers rows of a table in place of those with the same name: the last of each. */
function remembering<T extends Remembered>(table: T): Kind<Tables[T]> {
  const names = NAMED_BY[table] as readonly string[];
  return {
    async run(tx, items) {
      const nameOf = (row: Row): string => JSON.stringify(names.map((name) => row[name]));
      const rows = [...new Map(items.map((item) => [nameOf(item as Row), item])).values()];
      const changed = Object.keys(rows[0] ?? {}).filter((name) => !names.includes(name));
      await (tx as Tx)
        .insertInto(table)
        .values(rows as never)
        .onConflict((known) =>
          known
            .columns(names as never)
            .doUpdateSet(
              Object.fromEntries(changed.map((name) => [name, sql.ref(`excluded.${name}`)])) as never,
            ),
        )
        .execute();
      return none(items);
    },
  };
}

interface Forgotten {
  readonly service: string;
  readonly resource: string;
  readonly key: string;
}

const forgetting = (table: 'conflicts' | 'unsettled'): Kind<Forgotten> => ({
  async run(tx, items) {
    for (const { service, resource, key } of items)
      await tx
        .deleteFrom(table)
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where('key', '=', key)
        .execute();
    return none(items);
  },
});

const rememberKeys: Kind<Tables['keys']> = {
  list: 'keys',
  async toList(items) {
    // Of one key the last id counts, and the last label that is one.
    const rows = new Map<string, Tables['keys']>();
    for (const item of items) {
      const name = JSON.stringify([item.service, item.resource, item.external]);
      rows.set(name, { ...item, label: item.label ?? rows.get(name)?.label ?? null });
    }
    return { rows: [...rows.values()], answers: () => none(items) };
  },
};

const rememberWrite: Kind<Tables['writes']> = {
  list: 'writes',
  async toList(items) {
    const nameOf = ({ service, resource, key }: Tables['writes']) => JSON.stringify([service, resource, key]);
    return {
      rows: [...new Map(items.map((item) => [nameOf(item), item])).values()],
      answers: () => none(items),
    };
  },
};

const rememberFact = remembering('facts');
const rememberSent = remembering('sent');
const rememberApplied = remembering('applied');
const rememberConflict = remembering('conflicts');
const rememberResend = remembering('resends');
const rememberUnsettled = remembering('unsettled');
const forgetConflict = forgetting('conflicts');
const forgetUnsettled = forgetting('unsettled');

/** Numbers that are asked for with one statement. */
const isOneOf = (numbers: readonly number[]) => sql<number>`any(${numbers}::bigint[])`;
/** Names that are asked for with one statement. */
const isNamed = (names: readonly string[]) => sql<string>`any(${names}::text[])`;

/** Stores ids by ExternalID. */
export function keyStore(db: Db, { write }: GroupWriter) {
  return {
    async findKeys(service, resource, externals) {
      if (externals.length === 0) return new Map();
      const found = await db
        .selectFrom('keys')
        .select(['external', 'id', 'label'])
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where('external', '=', isOneOf(externals))
        .execute();
      return new Map(found.map(({ external, id, label }) => [external, { id, label }]));
    },
    async rememberKeys(service, resource, pairs) {
      const rows = pairs.map(({ external, id, label = null }) => ({
        ...{ service, resource, external, id, label: label === null ? null : plainText(label) },
      }));
      await Promise.all(rows.map((row) => write(rememberKeys, row)));
    },
    async findExternals(service, resource, ids) {
      if (ids.length === 0) return new Map();
      const found = await db
        .selectFrom('keys')
        .select(['id', 'external'])
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where('id', '=', isOneOf(ids))
        .orderBy('external')
        .execute();
      return new Map(found.map(({ id, external }) => [id, external]));
    },
    async findKnownIds(service, resource, ids) {
      if (ids.length === 0) return new Set();
      const used = (table: 'keys' | 'postings') =>
        db
          .selectFrom(table)
          .select('id')
          .where('service', '=', service)
          .where('resource', '=', resource)
          .where('id', '=', isOneOf(ids));
      const found = await used('keys').union(used('postings')).execute();
      return new Set(found.flatMap(({ id }) => id ?? []));
    },
  } satisfies Partial<Ledger>;
}

/** Stores facts of services, and fields that no read returns. */
export function factStore(db: Db, { write }: GroupWriter) {
  return {
    async findFact(service, name) {
      const fact = db.selectFrom('facts').select('value').where('service', '=', service);
      return (await fact.where('name', '=', name).executeTakeFirst())?.value;
    },
    rememberFact: async (service, name, value) =>
      await write(rememberFact, { service, name, value: plainText(value) }),
    async findSent(service, resource, id) {
      const found = await db
        .selectFrom('sent')
        .select('fields')
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where('id', '=', id)
        .executeTakeFirst();
      return found === undefined ? undefined : (JSON.parse(found.fields) as Values);
    },
    rememberSent: async (service, resource, id, fields) =>
      await write(rememberSent, { service, resource, id, fields: JSON.stringify(fields) }),
  } satisfies Partial<Ledger>;
}

/** Stores what records hold otherwise than they were sent it. */
export function appliedStore(db: Db, { write }: GroupWriter) {
  return {
    async findApplied(service, resource, keys) {
      if (keys.length === 0) return new Map();
      const found = await db
        .selectFrom('applied')
        .select(['key', 'fields'])
        .where('service', '=', service)
        .where('resource', '=', resource)
        .where('key', '=', isNamed(keys.map(plainText)))
        .execute();
      return new Map(found.map(({ key, fields }) => [key, JSON.parse(fields) as Applied]));
    },
    rememberApplied: async (service, resource, key, applied) =>
      await write(rememberApplied, {
        ...{ service, resource, key: plainText(key), fields: JSON.stringify(applied) },
      }),
  } satisfies Partial<Ledger>;
}

/** Stores open conflicts, by record. */
export function conflictStore(db: Db, { write }: GroupWriter) {
  return {
    async findConflicts(service, resource) {
      const found = await db
        .selectFrom('conflicts')
        .select(['key', 'run', 'lmt', 'fields'])
        .where('service', '=', service)
        .where('resource', '=', resource)
        .orderBy('key')
        .execute();
      return found.map(({ fields, ...rest }) => ({
        ...rest,
        fields: JSON.parse(fields) as OpenConflict['fields'],
      }));
    },
    rememberConflict: async (service, resource, { key, run, lmt, fields }) =>
      await write(rememberConflict, {
        ...{ service, resource, key: plainText(key), run, lmt },
        fields: JSON.stringify(fields),
      }),
    forgetConflict: async (service, resource, key) =>
      await write(forgetConflict, { service, resource, key: plainText(key) }),
  } satisfies Partial<Ledger>;
}

/** Stores the creates that were sent again. */
export function resendStore(db: Db, { write }: GroupWriter) {
  return {
    async findResends(service, resource) {
      const found = await db
        .selectFrom('resends')
        .select(['fingerprint', 'run', 'body', 'late'])
        .where('service', '=', service)
        .where('resource', '=', resource)
        .orderBy('fingerprint')
        .orderBy('run')
        .execute();
      return found.map(({ body, late, ...rest }) => ({
        ...rest,
        body: JSON.parse(body) as Values,
        late: JSON.parse(late) as number[],
      }));
    },
    rememberResend: async (service, resource, { fingerprint, run, body, late }) =>
      await write(rememberResend, {
        ...{ service, resource, fingerprint: plainText(fingerprint), run },
        ...{ body: JSON.stringify(body), late: JSON.stringify(late) },
      }),
  } satisfies Partial<Ledger>;
}

/** Stores the writes that may still arrive, by record. */
export function unsettledStore(db: Db, { write }: GroupWriter) {
  return {
    findUnsettled: async (service, resource) =>
      await db
        .selectFrom('unsettled')
        .select(['key', 'run', 'seq', 'at'])
        .where('service', '=', service)
        .where('resource', '=', resource)
        .orderBy('key')
        .execute(),
    rememberUnsettled: async (service, resource, { key, run, seq, at }) =>
      await write(rememberUnsettled, { service, resource, key: plainText(key), run, seq, at }),
    forgetUnsettled: async (service, resource, key) =>
      await write(forgetUnsettled, { service, resource, key: plainText(key) }),
  } satisfies Partial<Ledger>;
}

/** Stores which row wrote a record last: what it sent stands in its plan. */
export function writeStore(db: Db, { write }: GroupWriter, { rowAt }: Pick<PlanReader, 'rowAt'>) {
  const ofResource = (service: string, resource: string) =>
    db.selectFrom('writes').where('writes.service', '=', service).where('resource', '=', resource);
  return {
    async findWrites(service, resource, keys, since) {
      const rows = new Map<string, WrittenRow>();
      if (keys.length === 0) return rows;
      let query = ofResource(service, resource)
        .leftJoin('states', (join) =>
          join.onRef('states.run', '=', 'writes.run').onRef('states.seq', '=', 'writes.seq'),
        )
        .select(['key', 'writes.run', 'writes.seq', 'states.status'])
        .where('key', '=', isNamed(keys.map(plainText)));
      if (since !== undefined) query = query.where('at', '>=', since);
      // In plan order, as rows are read by the chunk.
      for (const { key, run, seq, status } of await query
        .orderBy('writes.run')
        .orderBy('writes.seq')
        .execute()) {
        const row = await rowAt(run, seq);
        if (row !== undefined) rows.set(key, { ...row, run, done: DONE.has(status ?? '') });
      }
      return rows;
    },
    async findLastWrite(service, resource) {
      const last = ofResource(service, resource).select(({ fn }) => fn.max('at').as('at'));
      return (await last.where('at', 'is not', null).executeTakeFirst())?.at ?? null;
    },
    rememberWrite: async (service, resource, { key, run, seq, at }) =>
      await write(rememberWrite, { service, resource, key: plainText(key), run, seq, at }),
  } satisfies Partial<Ledger>;
}

const DONE: ReadonlySet<string> = new Set(['created', 'updated', 'deleted']);
