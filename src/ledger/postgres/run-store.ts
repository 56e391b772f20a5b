import { sql } from 'kysely';
import type { Counts } from '../../core/counts.ts';
import { PLAN_VERSION } from '../../core/plan.ts';
import type { Ledger, RunRecord } from '../ledger.ts';
import { plainText } from '../plain-text.ts';
import type { Db } from './database.ts';
import type { GroupWriter, Kind } from './group-writer.ts';

type NewRun = Parameters<Ledger['startRun']>[0];
interface NewState {
  readonly run: string;
  readonly state: RunRecord['state'];
  readonly counts: Counts | undefined;
}

interface StoredRun {
  readonly run: string;
  readonly service: string;
  readonly file: string;
  readonly started_at: string;
  readonly state: string;
  readonly plan_version: number;
  readonly counts: string | null;
  readonly pruned_at: string | null;
}

const COLUMNS = [
  'run',
  'service',
  'file',
  'started_at',
  'state',
  'plan_version',
  'counts',
  'pruned_at',
] as const;

const toRecord = ({ started_at, plan_version, state, counts, pruned_at, ...run }: StoredRun): RunRecord => ({
  ...run,
  ...{ startedAt: started_at, planVersion: plan_version, state: state as RunRecord['state'] },
  counts: counts === null ? null : (JSON.parse(counts) as Counts),
  prunedAt: pruned_at,
});

const unknown = (run: string): Error => new Error(`the ledger knows no run ${run}`);

/** Once: a transaction that is done again finds the run as it made it. */
const start: Kind<NewRun> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const { run, service, file, startedAt } of items) {
      const row = {
        ...{ run, service, file: plainText(file), started_at: startedAt },
        ...{ plan_version: PLAN_VERSION, state: 'planning' },
      };
      await tx
        .insertInto('runs')
        .values(row)
        .onConflict((known) => known.doNothing())
        .execute();
      const found = await tx.selectFrom('runs').selectAll().where('run', '=', run).executeTakeFirstOrThrow();
      const same = found.service === service && found.file === row.file && found.started_at === startedAt;
      answers.push(
        same && found.state === 'planning' ? undefined : new Error(`there is a run ${run} already`),
      );
    }
    return answers;
  },
};

const changeState: Kind<NewState> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const { run, state, counts } of items) {
      const change = { state, ...(counts === undefined ? {} : { counts: JSON.stringify(counts) }) };
      const done = await tx.updateTable('runs').set(change).where('run', '=', run).executeTakeFirst();
      answers.push(done.numUpdatedRows === 0n ? unknown(run) : undefined);
    }
    return answers;
  },
};

const keepDetails: Kind<{ readonly run: string; readonly details: string }> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const { run, details } of items) {
      const done = await tx.updateTable('runs').set({ details }).where('run', '=', run).executeTakeFirst();
      answers.push(done.numUpdatedRows === 0n ? unknown(run) : undefined);
    }
    return answers;
  },
};

/** Stores runs. */
export function runStore(db: Db, { write }: GroupWriter) {
  return {
    startRun: (run) => write(start, run),
    setRunState: (run, state, counts) => write(changeState, { run, state, counts }),
    findRun: async (run) => {
      const found = await db.selectFrom('runs').select(COLUMNS).where('run', '=', run).executeTakeFirst();
      return found === undefined ? undefined : toRecord(found);
    },
    listServices: async () => {
      // The postings of a service are many: the index is asked where the next one's begin.
      const { rows } = await sql<{ service: string }>`
        with recursive posted (service) as (
          (select min(service) from ${sql.table('catersheet.postings')})
          union all
          select (select min(p.service) from ${sql.table('catersheet.postings')} p where p.service > posted.service)
          from posted where posted.service is not null
        )
        select service from posted where service is not null
        union select service from ${sql.table('catersheet.runs')}`.execute(db);
      return rows.map(({ service }) => service);
    },
    listRuns: async (limit, wanted) => {
      const newest = db
        .selectFrom('runs')
        .select(COLUMNS)
        .orderBy('started_at', 'desc')
        .orderBy('run', 'desc')
        .limit(limit);
      const found = await (wanted === undefined
        ? newest
        : newest.where('state', 'in', wanted.states).offset(wanted.offset)
      ).execute();
      return found.map(toRecord);
    },
    countRuns: async (states) => {
      const { count } = await db
        .selectFrom('runs')
        .select((of) => of.fn.countAll().as('count'))
        .where('state', 'in', states)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    saveDetails: (run, details) => write(keepDetails, { run, details: JSON.stringify(details) }),
    findDetails: async (run) => {
      const found = await db.selectFrom('runs').select('details').where('run', '=', run).executeTakeFirst();
      return found?.details == null ? undefined : JSON.parse(found.details);
    },
  } satisfies Partial<Ledger>;
}
