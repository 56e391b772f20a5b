import type { Counts } from '../../core/counts.ts';
import { PLAN_VERSION } from '../../core/plan.ts';
import type { Ledger, RunRecord } from '../ledger.ts';
import { parsed, type Sql, statement } from '../sql.ts';

type StoredRun = Omit<RunRecord, 'counts'> & { readonly counts: string | null };

const COLUMNS = `run, service, file, started_at as "startedAt", plan_version as "planVersion", state, counts,
  pruned_at as "prunedAt"`;
const RUNS = `select ${COLUMNS} from @runs`;
const NEWEST = 'order by started_at desc, run desc limit ?';

/** Null for what stays as it is. */
const jsonOf = (value: unknown): string | null => JSON.stringify(value) ?? null;

const toRecord = ({ counts, ...run }: StoredRun): RunRecord => ({ ...run, counts: parsed<Counts>(counts) });

/** Stores runs. */
export function runStore(sql: Sql) {
  const find = async (run: string) => {
    const text = `select ${COLUMNS}, details from @runs where run = ?`;
    const [found] = await sql.read<StoredRun & { readonly details: string | null }>(text, run);
    if (found === undefined) return undefined;
    const { details, ...stored } = found;
    return { ...toRecord(stored), details: details === null ? undefined : JSON.parse(details) };
  };
  return {
    async startRun({ run, service, file, startedAt }) {
      const insert = `insert into @runs (run, service, file, started_at, plan_version, state)
        values (?, ?, ?, ?, ?, 'planning') on conflict do nothing returning run`;
      const [made] = await sql.write([statement(insert, run, service, file, startedAt, PLAN_VERSION)]);
      if (made?.length === 1) return;
      // A write whose end was not told was done again.
      const known = await find(run);
      const isSame =
        known?.service === service && known.file === sql.kept(file) && known.startedAt === startedAt;
      if (!isSame || known.state !== 'planning') throw new Error(`there is a run ${run} already`);
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
    findRun: find,
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
      const found =
        wanted === undefined
          ? await sql.read<StoredRun>(`${RUNS} ${NEWEST}`, limit)
          : await sql.read<StoredRun>(
              `${RUNS} where state in ?? ${NEWEST} offset ?`,
              wanted.states,
              limit,
              wanted.offset,
            );
      return found.map(toRecord);
    },
    async countRuns(states) {
      const text = 'select count(*) as count from @runs where state in ??';
      return (await sql.read<{ count: number }>(text, states))[0]?.count ?? 0;
    },
  } satisfies Partial<Ledger>;
}
