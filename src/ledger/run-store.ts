import type { Counts } from '../core/counts.ts';
import { PLAN_VERSION } from '../core/plan.ts';
import type { Ledger, RunRecord } from './ledger.ts';
import type { Db } from './open-database.ts';
import type { Writer } from './writer.ts';
import { written } from './written.ts';

type RunStore = Pick<
  Ledger,
  'startRun' | 'setRunState' | 'findRun' | 'listRuns' | 'saveDetails' | 'findDetails'
>;

interface StoredRun extends Omit<RunRecord, 'counts'> {
  readonly counts: string | null;
}

const COLUMNS = 'run, service, file, started_at as startedAt, plan_version as planVersion, state, counts';

function toRecord({ counts, ...run }: StoredRun): RunRecord {
  return { ...run, counts: counts === null ? null : (JSON.parse(counts) as Counts) };
}

/** Runs: when, where to, which file, how far. */
export function runStore(db: Db, { write }: Writer): RunStore {
  const insert = db.prepare(
    'insert into runs (run, service, file, started_at, plan_version, state) values (?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare('update runs set state = ?, counts = coalesce(?, counts) where run = ?');
  const select = db.prepare(`select ${COLUMNS} from runs where run = ?`);
  const newest = db.prepare(`select ${COLUMNS} from runs order by started_at desc, run desc limit ?`);
  const detail = db.prepare('update runs set details = ? where run = ?');
  const details = db.prepare('select details from runs where run = ?');
  return {
    startRun: ({ run, service, file, startedAt }) =>
      write(() => insert.run(run, service, file, startedAt, PLAN_VERSION, 'planning')),
    setRunState: (run, state, counts) =>
      write(() => {
        written(update.run(state, counts === undefined ? null : JSON.stringify(counts), run), `run ${run}`);
      }),
    // `all`, as `get` adds a member of the library's own.
    findRun: async (run) => (select.all(run) as StoredRun[]).map(toRecord)[0],
    listRuns: async (limit) => (newest.all(limit) as StoredRun[]).map(toRecord),
    saveDetails: (run, value) => write(() => written(detail.run(JSON.stringify(value), run), `run ${run}`)),
    findDetails: async (run) => {
      const [row] = details.all(run) as { details: string | null }[];
      return row?.details == null ? undefined : (JSON.parse(row.details) as unknown);
    },
  };
}
