import type { Outcome } from '../core/plan.ts';
import type { Ledger, RowProgress, StoredResult } from './ledger.ts';
import type { Db } from './open-database.ts';
import { type PlanStore, planStore } from './plan-store.ts';
import type { Writer } from './writer.ts';
import { written } from './written.ts';

interface RowStore
  extends Pick<
      Ledger,
      'savePlan' | 'plannedFor' | 'readRows' | 'saveProgress' | 'saveOutcomes' | 'reopenRows'
    >,
    Pick<PlanStore, 'settled'> {}

interface StoredState {
  readonly seq: number;
  readonly outcome: string | null;
  readonly progress: string | null;
}

const parse = <T>(text: string | null | undefined): T | null =>
  text == null ? null : (JSON.parse(text) as T);

/** Only rows that a plan has can have a state. */
const KNOWN = '(select first from chunks where run = :run and last >= :seq order by last limit 1) <= :seq';

/** The rows of a plan, how far they are, and what became of them. */
export function rowStore(db: Db, writer: Writer): RowStore {
  const { write } = writer;
  const plans = planStore(db, writer);
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
  return {
    savePlan: plans.savePlan,
    plannedFor: plans.plannedFor,
    settled: plans.settled,
    async readRows(run, { after, limit, pending = false, sheet }) {
      const found: StoredResult[] = [];
      for (const rows of plans.planned(run, after, sheet)) {
        const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
        const known = new Map(
          (states.all(run, first, last) as StoredState[]).map((state) => [state.seq, state]),
        );
        for (const planned of rows) {
          if (found.length >= limit) return found;
          const state = known.get(planned.seq);
          if (pending && state?.outcome != null) continue;
          found.push({
            planned,
            outcome: parse<Outcome>(state?.outcome),
            progress: parse<RowProgress>(state?.progress),
          });
        }
        if (found.length >= limit) return found;
      }
      return found;
    },
    saveProgress: (run, seq, progress, durable) =>
      write(
        () => written(advance.run({ run, seq, value: JSON.stringify(progress) }), place(run, seq)),
        durable,
      ),
    saveOutcomes: (run, outcomes) =>
      write(() => {
        for (const outcome of outcomes) {
          const { seq } = outcome;
          written(settle.run({ run, seq, value: JSON.stringify(outcome) }), place(run, seq));
        }
      }),
    reopenRows: (run, reopened) =>
      write(() => {
        for (const { seq, forget } of reopened) {
          written(reopen.run({ run, seq, forget: forget ? 1 : 0 }), place(run, seq));
        }
      }),
  };
}
