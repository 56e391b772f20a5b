import type { KnownRecord, Ledger, WrittenRow } from '../ledger.ts';
import { type Sql, statement, upserting } from '../sql.ts';
import type { PlanReader } from './plan-store.ts';

const AT = 'where service = ? and resource = ?';

const putKey = upserting('keys', ['service', 'resource', 'external'], ['id', 'label'], ['label']);
const putFact = upserting('facts', ['service', 'name'], ['value']);
const putMemory = upserting('memory', ['service', 'resource', 'kind', 'key'], ['value']);

type StoredWrite = Pick<WrittenRow, 'run' | 'seq'> & { readonly key: string; readonly status: string | null };

const DONE: ReadonlySet<string | null> = new Set(['created', 'updated', 'deleted']);

/** Stores what is known of the records of services. */
export function recordStore(sql: Sql, { rowAt }: Pick<PlanReader, 'rowAt'>) {
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

    async recall(service, resource, kind, keys) {
      if (keys?.length === 0) return new Map();
      const text = `select key, value from @memory ${AT} and kind = ? ${keys === undefined ? '' : 'and key in ??'} order by key`;
      const place = [service, resource, kind, ...(keys === undefined ? [] : [keys])];
      const found = await sql.read<{ key: string; value: string }>(text, ...place);
      return new Map(found.map(({ key, value }) => [key, JSON.parse(value)]));
    },
    async remember(service, resource, kind, key, value) {
      const forget = `delete from @memory ${AT} and kind = ? and key = ?`;
      const place = [service, resource, kind, key] as const;
      const told = value === null ? statement(forget, ...place) : putMemory(...place, JSON.stringify(value));
      await sql.write([told]);
    },

    async findWrites(service, resource, keys, since = '') {
      const rows = new Map<string, WrittenRow>();
      if (keys.length === 0) return rows;
      // In plan order, as rows are read by the chunk.
      const found = await sql.read<StoredWrite>(
        `select w.key, w.run, w.seq, s.outcome ->> 'status' as status from (
           select key, value ->> 'run' as run, cast(value ->> 'seq' as bigint) as seq from @memory
           ${AT} and kind = 'write' and key in ?? and coalesce(value ->> 'at', '') >= ?) as w
         left join @states s on s.run = w.run and s.seq = w.seq order by w.run, w.seq`,
        ...[service, resource, keys, since],
      );
      for (const { key, run, seq, status } of found) {
        const row = await rowAt(run, seq);
        if (row !== undefined) rows.set(key, { ...row, run, done: DONE.has(status) });
      }
      return rows;
    },
  } satisfies Partial<Ledger>;
}
