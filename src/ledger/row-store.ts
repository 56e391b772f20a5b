import type { Outcome, PlannedRow } from '../schema/plan.ts';
import type { Ledger, RowProgress, StoredResult } from './ledger.ts';
import type { Db } from './open-database.ts';
import type { Writer } from './writer.ts';
import { written } from './written.ts';

type RowStore = Pick<
  Ledger,
  'savePlan' | 'plannedFor' | 'readRows' | 'saveProgress' | 'saveOutcomes' | 'reopenRows'
>;

interface StoredRow {
  readonly plan: string;
  readonly outcome: string | null;
  readonly progress: string | null;
}

const parse = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

function toResult({ plan, outcome, progress }: StoredRow): StoredResult {
  const planned = JSON.parse(plan) as PlannedRow;
  return { planned, outcome: parse<Outcome>(outcome), progress: parse<RowProgress>(progress) };
}

/** The rows of a plan, how far they are, and what became of them. */
export function rowStore(db: Db, { write }: Writer): RowStore {
  const insert = db.prepare(
    'insert into rows (run, seq, sheet, resource, key, plan) values (?, ?, ?, ?, ?, ?)',
  );
  const columns = 'plan, outcome, progress';
  const sameKey = db.prepare(
    `select ${columns} from rows where run = ? and resource = ? and key = ? order by seq`,
  );
  const advance = db.prepare('update rows set progress = ? where run = ? and seq = ?');
  const settle = db.prepare('update rows set outcome = ? where run = ? and seq = ?');
  const reopen = db.prepare(
    'update rows set outcome = null, progress = case when ? then null else progress end where run = ? and seq = ?',
  );
  const page = (where: string) =>
    db.prepare(
      `select ${columns} from rows where run = :run and seq > :after ${where} order by seq limit :limit`,
    );
  const everything = page('');
  const pendingOnly = page('and outcome is null');
  const ofSheet = page('and sheet = :sheet');
  const pendingOfSheet = page('and outcome is null and sheet = :sheet');
  return {
    savePlan: (run, planned) =>
      write(() => {
        for (const row of planned) {
          insert.run(run, row.seq, row.sheet, row.resource, row.key, JSON.stringify(row));
        }
      }),
    plannedFor: async (run, resource, key) =>
      (sameKey.all(run, resource, key) as StoredRow[]).map((row) => toResult(row).planned),
    readRows: async (run, { after, limit, pending = false, sheet }) => {
      const place = { run, after, limit };
      const found =
        sheet === undefined
          ? (pending ? pendingOnly : everything).all(place)
          : (pending ? pendingOfSheet : ofSheet).all({ ...place, sheet });
      return (found as StoredRow[]).map(toResult);
    },
    saveProgress: (run, seq, progress, durable) =>
      write(
        () => written(advance.run(JSON.stringify(progress), run, seq), `row ${seq} of run ${run}`),
        durable,
      ),
    saveOutcomes: (run, outcomes) =>
      write(() => {
        for (const outcome of outcomes) {
          const { seq } = outcome;
          written(settle.run(JSON.stringify(outcome), run, seq), `row ${seq} of run ${run}`);
        }
      }),
    reopenRows: (run, reopened) =>
      write(() => {
        for (const { seq, forget } of reopened) {
          written(reopen.run(forget ? 1 : 0, run, seq), `row ${seq} of run ${run}`);
        }
      }),
  };
}
