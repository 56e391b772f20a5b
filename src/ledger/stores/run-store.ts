import type { Counts } from '../../core/counts.ts';
import { PLAN_VERSION } from '../../core/plan.ts';
import type { Ledger, RunRecord } from '../ledger.ts';
import { parsed, type Sql, statement } from '../sql.ts';

type StoredRun = Omit<RunRecord, 'counts'> & { readonly counts: string | null };

const COLUMNS = `run, service, file, started_at as "startedAt", plan_version as "planVersion", state, counts,
  pruned_at as "prunedAt"`;

/** Null for what stays as it is. */
const jsonOf = (value: unknown): string | null => JSON.stringify(value) ?? null;

const toRecord = ({ counts, ...run }: StoredRun): RunRecord => ({ ...run, counts: parsed<Counts>(counts) });

/** Stores runs. */
export function runStore(sql: Sql) {
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
