import type { Values } from '../../core/value.ts';
import type {
  Applied,
  KnownRecord,
  Ledger,
  OpenConflict,
  Resend,
  UnsettledWrite,
  WrittenPlace,
  WrittenRow,
} from '../ledger.ts';
import { type Sql, type Statement, statement, upserting } from '../sql.ts';
import type { PlanReader } from './plan-store.ts';

const OF_RECORD = ['service', 'resource', 'key'];
const AT = 'where service = ? and resource = ?';

const putKey = upserting('keys', ['service', 'resource', 'external'], ['id', 'label'], ['label']);
const putFact = upserting('facts', ['service', 'name'], ['value']);
const putSent = upserting('sent', ['service', 'resource', 'id'], ['fields']);
const putApplied = upserting('applied', OF_RECORD, ['fields']);
const putWrite = upserting('writes', OF_RECORD, ['run', 'seq', 'at']);
const putConflict = upserting('conflicts', OF_RECORD, ['run', 'lmt', 'fields']);
const putResend = upserting('resends', ['service', 'resource', 'fingerprint', 'run'], ['body']);
const putUnsettled = upserting('unsettled', OF_RECORD, ['run', 'seq', 'at']);

type Fields = { readonly fields: string };
type StoredConflict = Omit<OpenConflict, 'fields'> & Fields;
type StoredResend = Omit<Resend, 'body'> & { readonly body: string };
type StoredWrite = WrittenPlace & { readonly status: string | null };

const DONE: ReadonlySet<string | null> = new Set(['created', 'updated', 'deleted']);

/** Stores what is known of the records of services. */
export function recordStore(sql: Sql, { rowAt }: Pick<PlanReader, 'rowAt'>) {
  /** What is remembered of a record, in place of what was; nothing where it is to be forgotten. */
  const put = async (table: string, record: readonly [string, string, string], written: Statement | null) =>
    void (await sql.write([written ?? statement(`delete from @${table} ${AT} and key = ?`, ...record)]));
  return {
    async findKeys(service, resource, numbers, by = 'external') {
      if (numbers.length === 0) return new Map();
      // Else SQLite takes the index of the order for that of the ids.
      const text = `select external, id, label from @keys ${AT} and ${by} in ?? order by +external`;
      const found = await sql.read<KnownRecord>(text, service, resource, numbers);
      return new Map(found.map((pair) => [pair[by], pair]));
    },
    async rememberKeys(service, resource, pairs) {
      if (pairs.length > 0)
        await sql.write(
          pairs.map(({ external, id, label = null }) => putKey(service, resource, external, id, label)),
        );
    },
    async findKnownIds(service, resource, ids) {
      if (ids.length === 0) return new Set();
      const text = `select id from @keys ${AT} and id in ?? union select id from @postings ${AT} and id in ??`;
      const found = await sql.read<{ id: number }>(text, service, resource, ids, service, resource, ids);
      return new Set(found.map(({ id }) => id));
    },

    async findFact(service, name) {
      const text = 'select value from @facts where service = ? and name = ?';
      return (await sql.read<{ value: string }>(text, service, name))[0]?.value;
    },
    rememberFact: async (service, name, value) => void (await sql.write([putFact(service, name, value)])),

    async findSent(service, resource, id) {
      const text = `select fields from @sent ${AT} and id = ?`;
      const [found] = await sql.read<Fields>(text, service, resource, id);
      return found === undefined ? undefined : (JSON.parse(found.fields) as Values);
    },
    rememberSent: async (service, resource, id, fields) =>
      void (await sql.write([putSent(service, resource, id, JSON.stringify(fields))])),

    async lastApplied(service, resource, keys) {
      if (keys.length === 0) return new Map();
      const text = `select key, fields from @applied ${AT} and key in ??`;
      const found = await sql.read<Fields & { key: string }>(text, service, resource, keys);
      return new Map(found.map(({ key, fields }) => [key, JSON.parse(fields) as Applied]));
    },
    async rememberApplied(...[service, resource, key, applied]) {
      const record = [service, resource, key] as const;
      const isSame = Object.keys(applied).length === 0;
      await put('applied', record, isSame ? null : putApplied(...record, JSON.stringify(applied)));
    },

    async findWrites(service, resource, keys, since = '') {
      const rows = new Map<string, WrittenRow>();
      if (keys.length === 0) return rows;
      // In plan order, as rows are read by the chunk.
      const found = await sql.read<StoredWrite>(
        `select w.key, w.run, w.seq, s.outcome ->> 'status' as status from @writes w left join @states s on s.run = w.run and s.seq = w.seq
         where w.service = ? and w.resource = ? and w.key in ?? and coalesce(w.at, '') >= ? order by w.run, w.seq`,
        ...[service, resource, keys, since],
      );
      for (const { key, run, seq, status } of found) {
        const row = await rowAt(run, seq);
        if (row !== undefined) rows.set(key, { ...row, run, done: DONE.has(status) });
      }
      return rows;
    },
    rememberWrite: async (service, resource, { key, run, seq, at }) =>
      void (await sql.write([putWrite(service, resource, key, run, seq, at)])),

    async findConflicts(service, resource) {
      const text = `select key, run, lmt, fields from @conflicts ${AT} order by key`;
      const found = await sql.read<StoredConflict>(text, service, resource);
      return found.map(({ fields, ...rest }) => ({
        ...rest,
        fields: JSON.parse(fields) as OpenConflict['fields'],
      }));
    },
    async rememberConflict(service, resource, key, conflict) {
      const record = [service, resource, key] as const;
      const { run = '', lmt = null, fields } = conflict ?? {};
      await put('conflicts', record, conflict && putConflict(...record, run, lmt, JSON.stringify(fields)));
    },

    async findResends(service, resource) {
      const text = `select fingerprint, run, body from @resends ${AT} order by fingerprint, run`;
      const found = await sql.read<StoredResend>(text, service, resource);
      return found.map(({ body, ...rest }) => ({ ...rest, body: JSON.parse(body) as Values }));
    },
    rememberResend: async (service, resource, { fingerprint, run, body }) =>
      void (await sql.write([putResend(service, resource, fingerprint, run, JSON.stringify(body))])),

    findUnsettled: async (service, resource) => [
      ...(await sql.read<UnsettledWrite>(
        `select key, run, seq, at from @unsettled ${AT} order by key`,
        ...[service, resource],
      )),
    ],
    async rememberUnsettled(service, resource, key, write) {
      const record = [service, resource, key] as const;
      await put('unsettled', record, write && putUnsettled(...record, write.run, write.seq, write.at));
    },
  } satisfies Partial<Ledger>;
}
