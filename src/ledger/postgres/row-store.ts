import { sql } from 'kysely';
import type { Outcome } from '../../core/plan.ts';
import type { BegunBlock, Ledger, RowProgress, StoredResult } from '../ledger.ts';
import type { Db, Tx } from './database.ts';
import type { GroupWriter, Kind } from './group-writer.ts';
import type { PlanReader } from './plan-store.ts';
import { SCHEMA } from './tables.ts';

interface Place {
  readonly run: string;
  readonly seq: number;
}

interface NewProgress extends Place {
  readonly progress: RowProgress;
}

interface NewOutcome extends Place {
  readonly outcome: Outcome;
}

interface Reopened extends Place {
  readonly forget: boolean;
}

const nameOf = ({ run, seq }: Place): string => `${run} ${seq}`;
const unknown = ({ run, seq }: Place): Error => new Error(`the ledger knows no row ${seq} of run ${run}`);

/** The last of each place: one statement can't write a place twice. */
const lastOfEach = <T extends Place>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [nameOf(item), item])).values(),
];

/** Most rows of one statement, which has room for 65,535 values. */
const MOST = 5000;

/** Which of the calls write rows that are in a plan: all of one call, or none. */
async function ofPlannedRows<T extends Place>(
  { has }: Pick<PlanReader, 'has'>,
  calls: readonly (readonly T[])[],
) {
  const answers: (undefined | Error)[] = [];
  const known: T[] = [];
  for (const items of calls) {
    let missing: T | undefined;
    for (const item of items) if (!(await has(item.run, item.seq))) missing ??= item;
    answers.push(missing && unknown(missing));
    if (missing === undefined) known.push(...items);
  }
  return { answers, rows: lastOfEach(known) };
}

const advancing = (plans: PlanReader): Kind<readonly NewProgress[]> => ({
  list: 'progress',
  async toList(calls) {
    const { answers, rows } = await ofPlannedRows(plans, calls);
    return {
      rows: rows.map(({ run, seq, progress }) => ({ run, seq, progress: JSON.stringify(progress) })),
      answers: () => answers,
    };
  },
});

const settling = (plans: PlanReader): Kind<readonly NewOutcome[]> => ({
  list: 'outcomes',
  async toList(calls) {
    const { answers, rows } = await ofPlannedRows(plans, calls);
    return {
      rows: rows.map(({ run, seq, outcome }) => ({
        ...{ run, seq, status: outcome.status, outcome: JSON.stringify(outcome) },
      })),
      answers: () => answers,
    };
  },
});

const reopening = (plans: PlanReader): Kind<readonly Reopened[]> => ({
  async run(tx, calls) {
    const { answers, rows } = await ofPlannedRows(plans, calls);
    for (let at = 0; at < rows.length; at += MOST) await writeReopened(tx, rows.slice(at, at + MOST));
    return answers;
  },
});

async function writeReopened(tx: Tx, items: readonly Reopened[]): Promise<void> {
  const none = { status: null, outcome: null };
  for (const forget of [false, true]) {
    const places = items.filter((item) => item.forget === forget).map(({ run, seq }) => ({ run, seq }));
    if (places.length === 0) continue;
    await tx
      .insertInto('states')
      .values(places)
      .onConflict((known) =>
        known.columns(['run', 'seq']).doUpdateSet(forget ? { ...none, progress: null } : none),
      )
      .execute();
  }
}

/**
 * Stores the progress and outcomes of rows. `sending` is asked just before a request goes out, and throws
 * where this program may no longer send.
 */
export function rowStore(db: Db, { write }: GroupWriter, plans: PlanReader) {
  const [advance, settle, reopen] = [advancing(plans), settling(plans), reopening(plans)];
  // Whose request this program has not let out yet. Others can't know that: for them it is out.
  const held = new Map<string, RowProgress>();
  const asHere = (place: Place, stored: string | null): RowProgress | null => {
    const progress = stored === null ? null : (JSON.parse(stored) as RowProgress);
    return progress !== null && held.has(nameOf(place)) ? { ...progress, sendingSince: null } : progress;
  };
  const save = async (place: Place, progress: RowProgress): Promise<void> => {
    held.delete(nameOf(place));
    await write(advance, [{ ...place, progress }]);
  };

  return {
    readRows: async (run, wanted) => await readRows(db, plans, asHere, run, wanted),
    saveProgress: async (run, seq, progress) => await save({ run, seq }, progress),
    async holdProgress(run, seq, progress) {
      const place = { run, seq };
      held.set(nameOf(place), progress);
      try {
        await write(advance, [{ ...place, progress }]);
      } catch (error) {
        held.delete(nameOf(place));
        throw error;
      }
    },
    /** It is out for all others since it was held. */
    markSending(run, seq) {
      const name = nameOf({ run, seq });
      if (!held.has(name)) throw unknown({ run, seq });
      held.delete(name);
    },
    saveOutcomes: async (run, outcomes) =>
      await write(
        settle,
        outcomes.map((outcome) => ({ run, seq: outcome.seq, outcome })),
      ),
    reopenRows: async (run, reopened) =>
      await write(
        reopen,
        reopened.map((row) => ({ run, ...row })),
      ),
    async countBegun(run, size) {
      const { rows } = await sql<BegunBlock>`
        select seq / ${sql.lit(size)} as block, count(*) as begun, count(outcome) as ended
        from ${sql.table(`${SCHEMA}.states`)} where run = ${run} group by block order by block`.execute(db);
      return rows;
    },
    findCutOff: async (service) => await findCutOff(db, plans, asHere, service),
  } satisfies Partial<Ledger>;
}

/** Progress as this program knows it: a request of its own that it has not let out is not out. */
type AsHere = (place: Place, stored: string | null) => RowProgress | null;

async function readRows(
  db: Db,
  plans: PlanReader,
  asHere: AsHere,
  run: string,
  { after, limit, pending = false, sheet }: Parameters<Ledger['readRows']>[1],
): Promise<StoredResult[]> {
  const found: StoredResult[] = [];
  if (limit <= 0) return found;
  for await (const rows of plans.planned(run, after, sheet)) {
    const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
    const states = await db
      .selectFrom('states')
      .select(['seq', 'outcome', 'progress'])
      .where('run', '=', run)
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .execute();
    const known = new Map(states.map((state) => [state.seq, state]));
    for (const planned of rows) {
      const state = known.get(planned.seq);
      if (pending && state?.outcome != null) continue;
      found.push({
        planned,
        outcome: state?.outcome == null ? null : (JSON.parse(state.outcome) as Outcome),
        progress: asHere({ run, seq: planned.seq }, state?.progress ?? null),
      });
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** Finds what was out when a run was cut off. */
async function findCutOff(
  db: Db,
  plans: PlanReader,
  asHere: AsHere,
  service: string,
): Promise<(StoredResult & { readonly run: string })[]> {
  const begun = await db
    .selectFrom('runs')
    .innerJoin('states', 'states.run', 'runs.run')
    .select(['runs.run', 'states.seq', 'states.progress'])
    .where('runs.service', '=', service)
    .where('runs.state', 'in', ['applying', 'interrupted'])
    .where('states.outcome', 'is', null)
    .where('states.progress', 'is not', null)
    .orderBy('runs.run')
    .orderBy('states.seq')
    .execute();
  const found: (StoredResult & { readonly run: string })[] = [];
  for (const { run, seq, progress: stored } of begun) {
    const progress = asHere({ run, seq }, stored);
    const planned = progress?.sendingSince == null ? undefined : await plans.rowAt(run, seq);
    if (planned !== undefined) found.push({ run, planned, outcome: null, progress });
  }
  return found;
}
