import type { Counts } from '../../core/counts.ts';
import { PLAN_VERSION } from '../../core/plan.ts';
import type { Ledger, RunRecord } from '../ledger.ts';
import { change, parsed, type Sql, statement } from '../sql.ts';

type StoredRun = Omit<RunRecord, 'counts'> & { readonly counts: string | null };

const RUNS = `select run, service, file, started_at as "startedAt", plan_version as "planVersion", state, counts,
  pruned_at as "prunedAt" from @runs`;
const NEWEST = 'order by started_at desc, run desc limit ?';

/** Null for what stays as it is. */
const jsonOf = (value: unknown): string | null => JSON.stringify(value) ?? null;

const toRecord = ({ counts, ...run }: StoredRun): RunRecord => ({ ...run, counts: parsed<Counts>(counts) });

/** Stores runs. */
export function runStore(sql: Sql) {
  const find = async (run: string) =>
    (await sql.read<StoredRun>(`${RUNS} where run = ?`, run)).map(toRecord)[0];
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
    updateRun: async (run, { state = null, counts, details }) =>
      await change(
        sql,
        [
          statement(
            `update @runs set state = coalesce(?, state), counts = coalesce(?, counts), details = coalesce(?, details)
             where run = ? returning run`,
            ...[state, jsonOf(counts), jsonOf(details), run],
          ),
        ],
        `run ${run}`,
      ),
    async moveRun(run, from, { state, details }) {
      const text = `update @runs set state = ?, details = coalesce(?, details)
        where run = ? and state in ?? returning run`;
      const [moved = []] = await sql.write([statement(text, state, jsonOf(details), run, from)]);
      return moved.length > 0;
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
    async findDetails(run) {
      const text = 'select details from @runs where run = ?';
      const [found] = await sql.read<{ details: string | null }>(text, run);
      return found?.details == null ? undefined : JSON.parse(found.details);
    },
  } satisfies Partial<Ledger>;
}
