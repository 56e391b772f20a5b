import type { Counts } from '../../core/counts.ts';
import type { StopError } from '../../core/errors.ts';
import { PLAN_VERSION } from '../../core/plan.ts';
import type { KnownRecord, Ledger, RunRecord, WrittenRow } from '../ledger.ts';
import { parsed, type Sql, statement, upserting } from '../sql.ts';
import { type PlanReader, planStore, pruneStore } from './plan-store.ts';
import { postingStore } from './posting-store.ts';
import { rowStore } from './row-store.ts';

/**
 * A ledger in any database; `close` is called once nothing is being saved. Its methods say by `stopOf` what is wrong with
 * where it is kept, where that or what it holds is.
 */
export function storesOn(
  sql: Sql,
  close: () => Promise<void>,
  stopOf: (error: unknown) => StopError | undefined,
): Ledger {
  const { reader, settled, ...plans } = planStore(sql);
  const ledger: Ledger = {
    ...runStore(sql),
    ...plans,
    ...rowStore(sql, reader),
    ...recordStore(sql, reader),
    ...postingStore(sql),
    ...pruneStore(sql, reader),
    async close() {
      await settled();
      await close();
    },
  };
  const rethrow = (error: unknown): never => {
    throw stopOf(error) ?? error;
  };
  const methods = Object.entries(ledger).map(([name, method]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      try {
        const answer = method(...given);
        return answer instanceof Promise ? answer.catch(rethrow) : answer;
      } catch (error) {
        return rethrow(error);
      }
    },
  ]);
  return Object.fromEntries(methods) as Ledger;
}

type StoredRun = Omit<RunRecord, 'counts'> & { readonly counts: string | null };

const COLUMNS = `run, service, file, started_at as "startedAt", plan_version as "planVersion", state, counts,
  pruned_at as "prunedAt"`;

/** Null for what stays as it is. */
const jsonOf = (value: unknown): string | null => JSON.stringify(value) ?? null;

const toRecord = ({ counts, ...run }: StoredRun): RunRecord => ({ ...run, counts: parsed<Counts>(counts) });

/** Stores runs. */
function runStore(sql: Sql) {
  return {
    async startRun({ run, service, file, startedAt }) {
      // The same run is there where a write whose end was not told is done again.
      const text = `insert into @runs as t (run, service, file, started_at, plan_version, state)
        values (?, ?, ?, ?, ?, 'planning') on conflict (run) do update set state = t.state
        where t.service = excluded.service and t.file = excluded.file and t.started_at = excluded.started_at
        and t.state = 'planning' returning run`;
      const [made] = await sql.write([statement(text, run, service, file, startedAt, PLAN_VERSION)]);
      if (made?.length !== 1) throw new Error(`there is a run ${run} already`);
    },
    async updateRun(run, { state = null, counts, details }, from) {
      const text = `update @runs set state = coalesce(?, state), counts = coalesce(?, counts), details = coalesce(?, details)
        where run = ? ${from === undefined ? '' : 'and state in ??'} returning run`;
      const now = [state, jsonOf(counts), jsonOf(details), run];
      const [changed = []] = await sql.write([
        statement(text, ...now, ...(from === undefined ? [] : [from])),
      ]);
      // What nobody asks about would be lost silently.
      if (changed.length === 0 && from === undefined) throw new Error(`the ledger knows no run ${run}`);
      return changed.length > 0;
    },
    async findRun(run) {
      const text = `select ${COLUMNS}, details from @runs where run = ?`;
      const [found] = await sql.read<StoredRun & { readonly details: string | null }>(text, run);
      if (found === undefined) return undefined;
      const { details, ...stored } = found;
      return { ...toRecord(stored), details: details === null ? undefined : JSON.parse(details) };
    },
    async listServices() {
      // The postings of a service are many: the index is asked where the next one's begin.
      const found = await sql.read<{ service: string }>(
        `with recursive posted (service) as (select min(service) from @postings union all
           select (select min(p.service) from @postings p where p.service > posted.service)
           from posted where posted.service is not null)
         select service from posted where service is not null union select service from @runs`,
      );
      return found.map(({ service }) => service);
    },
    async listRuns(limit, wanted) {
      const text = `select ${COLUMNS} from @runs ${wanted === undefined ? '' : 'where state in ??'} order by started_at desc, run desc
        limit ? offset ?`;
      const page = [...(wanted ? [wanted.states] : []), limit, wanted?.offset ?? 0];
      return (await sql.read<StoredRun>(text, ...page)).map(toRecord);
    },
    async countRuns(states) {
      const text = 'select count(*) as count from @runs where state in ??';
      return (await sql.read<{ count: number }>(text, states))[0]?.count ?? 0;
    },
  } satisfies Partial<Ledger>;
}

const AT = 'where service = ? and resource = ?';

const putKey = upserting('keys', ['service', 'resource', 'external'], ['id', 'label'], ['label']);
const putFact = upserting('facts', ['service', 'name'], ['value']);
const putMemory = upserting('memory', ['service', 'resource', 'kind', 'key'], ['value']);

type StoredWrite = Pick<WrittenRow, 'run' | 'seq'> & { readonly key: string; readonly status: string | null };

const DONE: ReadonlySet<string | null> = new Set(['created', 'updated', 'deleted']);

/** Stores what is known of the records of services. */
function recordStore(sql: Sql, { rowAt }: Pick<PlanReader, 'rowAt'>) {
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
