import { uptime } from 'node:os';
import type { Outcome } from '../../core/plan.ts';
import type { Ledger, RowProgress, StoredResult } from '../ledger.ts';
import { parsed, plainJson, type Sql, type Statement, statement, upserting } from '../sql.ts';
import type { PlanReader } from './plan-store.ts';

interface StoredState {
  readonly seq: number;
  readonly outcome: string | null;
  readonly progress: string | null;
}

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

/** Each is told by itself, and leaves the other as it was. */
const put = upserting('states', ['run', 'seq'], ['outcome', 'progress'], ['outcome', 'progress']);

/** Stores the progress and outcomes of rows. */
export function rowStore(sql: Sql, { planned, rowAt }: Pick<PlanReader, 'planned' | 'rowAt'>) {
  // Whose request this program has not let out yet. Others can't know that, unless it is written.
  const held = new Set<string>();
  const nameOf = (run: string, seq: number): string => `${run} ${seq}`;
  const progressOf = (run: string, seq: number, stored: string | null): RowProgress | null => {
    const progress = asOut(parsed<StoredProgress>(stored));
    return progress !== null && held.has(nameOf(run, seq)) ? { ...progress, sendingSince: null } : progress;
  };

  const advance = (run: string, seq: number, progress: StoredProgress) =>
    put(run, seq, null, JSON.stringify(progress));
  const told = function* (
    run: string,
    seq: number,
    { outcome, progress }: Parameters<Ledger['saveRow']>[2],
  ): Generator<Statement> {
    const json = (value: unknown) => (value == null ? null : plainJson(value));
    for (const [name, now] of Object.entries({ outcome, progress }))
      if (now === null)
        yield statement(`update @states set ${name} = null where run = ? and seq = ?`, run, seq);
    if (outcome || progress) yield put(run, seq, json(outcome), json(progress));
  };

  return {
    async readRows(run, { after, limit, pending = false, sheet }) {
      const found: StoredResult[] = [];
      if (limit <= 0) return found;
      for await (const next of planned(run, after, sheet)) {
        const rows = pending ? next : next.slice(0, limit - found.length);
        const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
        const states = await sql.read<StoredState>(
          'select seq, outcome, progress from @states where run = ? and seq >= ? and seq <= ?',
          ...[run, first, last],
        );
        const known = new Map(states.map((state) => [state.seq, state]));
        for (const row of rows) {
          const { outcome = null, progress = null } = known.get(row.seq) ?? {};
          if (pending && outcome !== null) continue;
          found.push({
            planned: row,
            outcome: parsed<Outcome>(outcome),
            progress: progressOf(run, row.seq, progress),
          });
          if (found.length >= limit) return found;
        }
      }
      return found;
    },
    async saveRow(run, seq, now) {
      if (now.progress !== undefined) held.delete(nameOf(run, seq));
      await sql.write([...told(run, seq, now)]);
    },
    async intend(run, seq, progress) {
      const name = nameOf(run, seq);
      held.add(name);
      try {
        // Where nothing can be written as it goes out, it is out for all others from now on.
        const stored = sql.writeNow === undefined ? progress : { ...progress, held: machineStart() };
        await sql.write([advance(run, seq, stored)], true);
      } catch (error) {
        held.delete(name);
        throw error;
      }
    },
    markSending(run, seq, progress) {
      if (!held.delete(nameOf(run, seq))) throw new Error(`nothing was held of row ${seq} of run ${run}`);
      sql.writeNow?.(advance(run, seq, progress));
    },
    async countEnded(run) {
      const [found] = await sql.read<{ ended: number }>(
        'select count(outcome) as ended from @states where run = ?',
        run,
      );
      return found?.ended ?? 0;
    },
    async findCutOff(service) {
      const begun = await sql.read<{ run: string; seq: number; progress: string }>(
        `select r.run, s.seq, s.progress from @runs r join @states s on s.run = r.run
         where r.service = ? and r.state in ('applying', 'interrupted')
         and s.outcome is null and s.progress is not null order by r.run, s.seq`,
        service,
      );
      const found: (StoredResult & { readonly run: string })[] = [];
      for (const { run, seq, progress: stored } of begun) {
        const progress = progressOf(run, seq, stored);
        const row = progress?.sendingSince == null ? undefined : await rowAt(run, seq);
        if (row !== undefined) found.push({ run, planned: row, outcome: null, progress });
      }
      return found;
    },
  } satisfies Partial<Ledger>;
}
