import { type Outcome, PLAN_VERSION, type PlannedRow, type RowResult } from '../schema/plan.ts';
import type { Ledger, RunRecord } from './ledger.ts';
import { type Db, openDatabase } from './open-database.ts';
import { openWriter, type Writer } from './writer.ts';

interface StoredRow {
  plan: string;
  outcome: string | null;
}

function toResult(row: StoredRow): RowResult {
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as Outcome);
  return { planned: JSON.parse(row.plan) as PlannedRow, outcome };
}

/** The ledger in one SQLite file of the user's; `:memory:` keeps nothing. */
export function openLedger(file: string): Ledger {
  const db = openDatabase(file);
  const writer = openWriter(db);
  const close = async (): Promise<void> => {
    writer.flush();
    db.close();
  };
  return { ...runs(db, writer), ...rows(db, writer), ...keys(db, writer), close };
}

/** A write that found nothing to write to would be lost without a word. */
function written({ changes }: { readonly changes: number }, what: string): void {
  if (changes === 0) throw new Error(`the ledger knows no ${what}`);
}

function runs(db: Db, { write }: Writer): Pick<Ledger, 'startRun' | 'setRunState' | 'findRun'> {
  const insert = db.prepare(
    'insert into runs (run, service, file, started_at, plan_version, state) values (?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare('update runs set state = ?, counts = coalesce(?, counts) where run = ?');
  const select = db.prepare(
    'select run, service, file, started_at as startedAt, plan_version as planVersion, state from runs where run = ?',
  );
  return {
    startRun: ({ run, service, file, startedAt }) =>
      write(() => insert.run(run, service, file, startedAt, PLAN_VERSION, 'planning')),
    setRunState: (run, state, counts) =>
      write(() => {
        written(update.run(state, counts === undefined ? null : JSON.stringify(counts), run), `run ${run}`);
      }),
    // `all`, as `get` adds a member of the library's own.
    findRun: async (run) => select.all(run)[0] as RunRecord | undefined,
  };
}

function rows(
  db: Db,
  { write }: Writer,
): Pick<Ledger, 'savePlan' | 'plannedFor' | 'readRows' | 'markSending' | 'saveOutcomes'> {
  const insert = db.prepare(
    'insert into rows (run, seq, sheet, resource, key, plan) values (?, ?, ?, ?, ?, ?)',
  );
  const sameKey = db.prepare(
    'select plan, outcome from rows where run = ? and resource = ? and key = ? order by seq',
  );
  const mark = db.prepare('update rows set sending = 1 where run = ? and seq = ?');
  const settle = db.prepare('update rows set outcome = ? where run = ? and seq = ?');
  const page = (where: string) =>
    db.prepare(
      `select plan, outcome from rows where run = :run and seq > :after ${where} order by seq limit :limit`,
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
    // On disk before the request is sent: after a power cut too it must be known that it may have been.
    markSending: (run, seq) => write(() => written(mark.run(run, seq), `row ${seq} of run ${run}`), true),
    saveOutcomes: (run, outcomes) =>
      write(() => {
        for (const outcome of outcomes) {
          const { seq } = outcome;
          written(settle.run(JSON.stringify(outcome), run, seq), `row ${seq} of run ${run}`);
        }
      }),
  };
}

function keys(db: Db, { write }: Writer): Pick<Ledger, 'findKeys' | 'rememberKeys'> {
  const select = db.prepare('select id from keys where service = ? and resource = ? and external = ?');
  const upsert = db.prepare(
    'insert into keys (service, resource, external, id) values (?, ?, ?, ?) on conflict do update set id = excluded.id',
  );
  return {
    findKeys: async (service, resource, externals) => {
      const found = new Map<number, number>();
      for (const external of externals) {
        const row = select.get(service, resource, external) as { id: number } | undefined;
        if (row !== undefined) found.set(external, row.id);
      }
      return found;
    },
    rememberKeys: (service, resource, pairs) =>
      write(() => {
        for (const { external, id } of pairs) upsert.run(service, resource, external, id);
      }),
  };
}
