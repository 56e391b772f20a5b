import { uptime } from 'node:os';
import type { Counts } from '../core/counts.ts';
import { type Outcome, PLAN_VERSION } from '../core/plan.ts';
import type { BegunBlock, Ledger, RowProgress, RunRecord, StoredResult } from './ledger.ts';
import type { planStore } from './plan-store.ts';
import type { Db } from './schema.ts';
import { expectChange, type Writer } from './writer.ts';

type StoredRun = Omit<RunRecord, 'counts'> & { readonly counts: string | null };

const COLUMNS =
  'run, service, file, started_at as startedAt, plan_version as planVersion, state, counts, pruned_at as prunedAt';

const parse = <T>(text: string | null | undefined): T | null =>
  text == null ? null : (JSON.parse(text) as T);

const toRecord = ({ counts, ...run }: StoredRun): RunRecord => ({ ...run, counts: parse<Counts>(counts) });

/** Stores runs. */
export function runStore(db: Db, { write }: Writer) {
  const insert = db.prepare(
    'insert into runs (run, service, file, started_at, plan_version, state) values (?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare('update runs set state = ?, counts = coalesce(?, counts) where run = ?');
  const select = db.prepare(`select ${COLUMNS} from runs where run = ?`);
  const newest = db.prepare(`select ${COLUMNS} from runs order by started_at desc, run desc limit ?`);
  const among = 'state in (select value from json_each(?))';
  const newestOf = db.prepare(
    `select ${COLUMNS} from runs where ${among} order by started_at desc, run desc limit ? offset ?`,
  );
  const countOf = db.prepare(`select count(*) as count from runs where ${among}`);
  // The postings of a service are many: the index is asked where the next one's begin.
  const services = db.prepare(
    `with recursive posted (service) as (select min(service) from postings union all
       select (select min(postings.service) from postings where postings.service > posted.service)
       from posted where posted.service is not null)
     select service from posted where service is not null union select service from runs`,
  );
  const detail = db.prepare('update runs set details = ? where run = ?');
  const details = db.prepare('select details from runs where run = ?');
  return {
    startRun: ({ run, service, file, startedAt }) =>
      write(() => insert.run(run, service, file, startedAt, PLAN_VERSION, 'planning')),
    setRunState: (run, state, counts) =>
      write(() => expectChange(update.run(state, counts ? JSON.stringify(counts) : null, run), `run ${run}`)),
    // `all`: libsql's `get` adds a member of its own.
    findRun: async (run) => (select.all(run) as StoredRun[]).map(toRecord)[0],
    listServices: async () => (services.all() as { service: string }[]).map(({ service }) => service),
    listRuns: async (limit, wanted) => {
      const { states, offset } = wanted ?? {};
      const found = states ? newestOf.all(JSON.stringify(states), limit, offset) : newest.all(limit);
      return (found as StoredRun[]).map(toRecord);
    },
    countRuns: async (states) => (countOf.all(JSON.stringify(states)) as { count: number }[])[0]?.count ?? 0,
    saveDetails: (run, value) =>
      write(() => expectChange(detail.run(JSON.stringify(value), run), `run ${run}`)),
    findDetails: async (run) => {
      const [row] = details.all(run) as { details: string | null }[];
      return row?.details == null ? undefined : JSON.parse(row.details);
    },
  } satisfies Partial<Ledger>;
}

interface StoredState {
  readonly seq: number;
  readonly outcome: string | null;
  readonly progress: string | null;
}

/** The row is in the run's plan. */
const KNOWN = '(select first from chunks where run = :run and last >= :seq order by last limit 1) <= :seq';

/** `held`: its request was not out yet, on a machine that was started at that moment, s since 1970. */
interface StoredProgress extends RowProgress {
  readonly held?: number;
}

/** For how long the moment is taken to be the same, ms: to ask for it costs as much as a write. */
const SAME = 1000;
let asked = Number.NEGATIVE_INFINITY;
let start = 0;

/** When the machine was started, s since 1970. A clock that is set meanwhile makes it another start. */
function machineStart(): number {
  if (performance.now() - asked < SAME) return start;
  asked = performance.now();
  start = Math.round(Date.now() / 1000 - uptime());
  return start;
}

/** A clock that was set by more than this, s, counts as another start. */
const DRIFT = 2;

/** What a kill kept in is not out; after a power cut nobody knows, as what told it may be lost. */
export function asOut(stored: StoredProgress | null): RowProgress | null {
  if (stored?.held === undefined) return stored;
  const { held, ...progress } = stored;
  return Math.abs(held - machineStart()) > DRIFT ? progress : { ...progress, sendingSince: null };
}

/** Stores the progress and outcomes of rows. */
export function rowStore(
  db: Db,
  { write, writeNow }: Writer,
  { planned }: Pick<ReturnType<typeof planStore>, 'planned'>,
) {
  const states = db.prepare(
    'select seq, outcome, progress from states where run = ? and seq >= ? and seq <= ?',
  );
  const upsert = (column: 'outcome' | 'progress') =>
    db.prepare(
      `insert into states (run, seq, ${column}) select :run, :seq, :value where ${KNOWN}
       on conflict do update set ${column} = excluded.${column}`,
    );
  const [advance, settle] = [upsert('progress'), upsert('outcome')];
  const reopen = db.prepare(
    `insert into states (run, seq) select :run, :seq where ${KNOWN}
     on conflict do update set outcome = null, progress = case when :forget then null else progress end`,
  );
  const place = (run: string, seq: number): string => `row ${seq} of run ${run}`;
  const save = (run: string, seq: number, value: StoredProgress | Outcome, by = advance): void =>
    expectChange(by.run({ run, seq, value: JSON.stringify(value) }), place(run, seq));
  return {
    async readRows(run, { after, limit, pending = false, sheet }) {
      const found: StoredResult[] = [];
      for (const rows of planned(run, after, sheet)) {
        const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
        const known = new Map(
          (states.all(run, first, last) as StoredState[]).map((state) => [state.seq, state]),
        );
        for (const row of rows) {
          if (found.length >= limit) return found;
          const state = known.get(row.seq);
          if (pending && state?.outcome != null) continue;
          found.push({
            planned: row,
            outcome: parse<Outcome>(state?.outcome),
            progress: asOut(parse<StoredProgress>(state?.progress)),
          });
        }
        if (found.length >= limit) return found;
      }
      return found;
    },
    saveProgress: (run, seq, progress) => write(() => save(run, seq, progress)),
    holdProgress: (run, seq, progress) =>
      write(() => save(run, seq, { ...progress, held: machineStart() }), true),
    markSending: (run, seq, progress) => writeNow(() => save(run, seq, progress)),
    saveOutcomes: (run, outcomes) =>
      write(() => {
        for (const outcome of outcomes) save(run, outcome.seq, outcome, settle);
      }),
    reopenRows: (run, reopened) =>
      write(() => {
        for (const { seq, forget } of reopened)
          expectChange(reopen.run({ run, seq, forget: forget ? 1 : 0 }), place(run, seq));
      }),
  } satisfies Partial<Ledger>;
}

/** Counts the rows of a run that were begun. */
export function begunStore(db: Db) {
  const begun = db.prepare(
    `select seq / cast(:size as integer) as block, count(*) as begun, count(outcome) as ended from states
     where run = :run group by block order by block`,
  );
  return {
    countBegun: async (run, size) =>
      (begun.all({ run, size }) as BegunBlock[]).map(({ block, begun: all, ended }) => ({
        ...{ block, begun: all, ended },
      })),
  } satisfies Partial<Ledger>;
}

/** Finds what was out when a run was cut off. */
export function cutOffStore(db: Db, { rowAt }: Pick<ReturnType<typeof planStore>, 'rowAt'>) {
  const begun = db.prepare(
    `select run, seq, progress from runs join states using (run) where service = ?
     and state in ('applying', 'interrupted') and outcome is null and progress is not null`,
  );
  return {
    findCutOff: async (service) =>
      (begun.all(service) as (StoredState & { run: string })[]).flatMap(({ run, seq, progress: stored }) => {
        const progress = asOut(parse<StoredProgress>(stored));
        const row = progress?.sendingSince == null ? undefined : rowAt(run, seq);
        return row === undefined ? [] : [{ run, planned: row, outcome: null, progress }];
      }),
  } satisfies Partial<Ledger>;
}
