import { packChunk } from '../chunks.ts';
import { toColumns } from '../columns.ts';
import type { Ledger, PrunedRows, Pruning } from '../ledger.ts';
import { type Sql, statement } from '../sql.ts';
import type { PlanReader } from './plan-store.ts';

/** Rows of a run that stand together. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

interface Place {
  readonly run: string;
  readonly seq: number;
}

/** Removes what is kept of old runs. */
export function pruneStore(sql: Sql, { take, forget }: Pick<PlanReader, 'take' | 'forget'>) {
  const chunksOf = async (run: string) =>
    await sql.read<Stretch>('select first, last from @chunks where run = ? order by last', run);

  /** The places of rows that later plans ask for, by run. */
  async function needed(runs: readonly string[], { posted, updated }: Pruning) {
    const found = await sql.read<Place>(
      `select value ->> 'run' as run, cast(value ->> 'seq' as bigint) as seq from @memory
         where kind in ('write', 'unsettled') and value ->> 'run' in ??
       union select run, seq from @postings where run in ?? and alias_of is null and resource in ??
       union select run, seq from @states where run in ?? and outcome ->> 'status' = 'updated'`,
      ...[runs, runs, posted, runs.filter((run) => updated.has(run))],
    );
    const byRun = new Map<string, number[]>();
    for (const { run, seq } of found) {
      const places = byRun.get(run);
      if (places === undefined) byRun.set(run, [seq]);
      else places.push(seq);
    }
    return byRun;
  }

  /** A run that is done, with no row that was sent lately or has requests left; undefined for any other. */
  async function overRun(run: string, since: string) {
    const [found] = await sql.read<{ at: string | null; unfinished: unknown; before: string | null }>(
      `select max(s.outcome ->> 'at') as at, max(s.outcome ->> 'unfinished') as unfinished, max(r.pruned_at) as before
       from @runs r left join @states s on s.run = r.run where r.run = ? and r.state = 'done' group by r.run`,
      run,
    );
    const isOver = found !== undefined && !found.unfinished && (found.at ?? '') < since;
    return isOver ? found : undefined;
  }

  /**
   * Leaves of a chunk the rows in these places, where they stand. One chunk at a time: who else writes to a file
   * waits for no more than that. Nothing is removed of a run that is begun anew meanwhile.
   */
  async function cut(
    run: string,
    { first, last }: Stretch,
    places: readonly number[],
    at: string,
  ): Promise<void> {
    const [kept, isDone] = [new Set(places), `exists (select 1 from @runs where run = ? and state = 'done')`];
    const rows = kept.size === 0 ? [] : await take(run, first);
    const left = rows.map((row, place) => (kept.has(first + place) ? row : null));
    await sql.write([
      statement(
        `update @runs set pruned_at = coalesce(pruned_at, ?) where run = ? and state = 'done'`,
        at,
        run,
      ),
      kept.size === 0
        ? statement(`delete from @chunks where run = ? and last = ? and ${isDone}`, run, last, run)
        : statement(
            `update @chunks set rows = ? where run = ? and last = ? and ${isDone}`,
            ...[await packChunk(toColumns(left)), run, last, run],
          ),
      statement(
        `delete from @states where run = ? and seq >= ? and seq <= ? and seq not in ?? and ${isDone}`,
        ...[run, first, last, places, run],
      ),
    ]);
  }

  return {
    async pruneRuns(runs, pruning) {
      const pruned = new Map<string, PrunedRows>();
      const needs = await needed(runs, pruning);
      for (const run of runs) {
        const over = await overRun(run, pruning.since);
        if (over === undefined) continue;
        const sum = { removed: 0, kept: 0 };
        for (const chunk of await chunksOf(run)) {
          const places = (needs.get(run) ?? []).filter((seq) => seq >= chunk.first && seq <= chunk.last);
          const there =
            over.before === null
              ? chunk.last - chunk.first + 1
              : (await take(run, chunk.first)).filter((row) => row !== null).length;
          sum.kept += places.length;
          sum.removed += there - places.length;
          if (pruning.at !== null && places.length < there) await cut(run, chunk, places, pruning.at);
        }
        forget(run);
        pruned.set(run, sum);
      }
      return pruned;
    },
    async removeRuns(runs) {
      // What is left of a run that is gone goes with it: nobody begins one that is not there.
      const gone = 'run in ?? and not exists (select 1 from @runs r where r.run = t.run)';
      await sql.write([
        statement(`delete from @runs where run in ?? and state in ('planning', 'planned')`, runs),
        statement(`delete from @chunks as t where ${gone}`, runs),
        statement(`delete from @states as t where ${gone}`, runs),
      ]);
      for (const run of runs) forget(run);
    },
  } satisfies Partial<Ledger>;
}
