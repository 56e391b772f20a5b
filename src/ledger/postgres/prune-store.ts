import { sql } from 'kysely';
import { type Chunk, packChunk, toChunks } from '../chunks.ts';
import type { Ledger, PrunedRows, Pruning } from '../ledger.ts';
import { countIn, placesByRun, rowsIn, type Stretch } from '../prune-store.ts';
import type { Db } from './database.ts';
import type { GroupWriter, Kind } from './group-writer.ts';
import type { planStore } from './plan-store.ts';

/** A chunk that gives way to the rows of it that are needed. */
interface Cut {
  readonly run: string;
  readonly chunk: Stretch;
  readonly at: string;
  readonly pieces: readonly (Omit<Chunk, 'text' | 'keys'> & {
    readonly rows: Buffer;
    readonly keys: Buffer;
  })[];
  /** Places. */
  readonly kept: readonly number[];
}

const cut: Kind<Cut> = {
  async run(tx, items) {
    for (const { run, chunk, at, pieces, kept } of items) {
      const marked = await tx
        .updateTable('runs')
        .set({ pruned_at: sql`coalesce(pruned_at, ${at})` })
        .where('run', '=', run)
        // Nothing is removed of a run that is begun anew meanwhile.
        .where('state', '=', 'done')
        .executeTakeFirst();
      if (marked.numUpdatedRows === 0n) continue;
      await tx.deleteFrom('chunks').where('run', '=', run).where('last', '=', chunk.last).execute();
      if (pieces.length > 0)
        await tx
          .insertInto('chunks')
          .values([...pieces])
          .onConflict((known) => known.doNothing())
          .execute();
      await tx
        .deleteFrom('states')
        .where('run', '=', run)
        .where('seq', '>=', chunk.first)
        .where('seq', '<=', chunk.last)
        .where(sql<boolean>`not seq = any(${kept}::bigint[])`)
        .execute();
    }
    return items.map(() => undefined);
  },
};

const remove: Kind<readonly string[]> = {
  async run(tx, items) {
    const unsent = await tx
      .selectFrom('runs')
      .select('run')
      .where('run', 'in', items.flat())
      .where('state', 'in', ['planning', 'planned'])
      .forUpdate()
      .execute();
    const runs = unsent.map(({ run }) => run);
    for (const table of runs.length === 0 ? [] : (['chunks', 'states', 'runs'] as const))
      await tx.deleteFrom(table).where('run', 'in', runs).execute();
    return items.map(() => undefined);
  },
};

/** Removes what is kept of old runs. */
export function pruneStore(
  db: Db,
  { write }: GroupWriter,
  { reader, forget }: Pick<ReturnType<typeof planStore>, 'reader' | 'forget'>,
) {
  const { chunksOf, needed, isOver } = lookUps(db);

  /** Removes the rows of a chunk, but for those that are needed, and says how many it kept. */
  async function cutChunk(
    run: string,
    chunk: Stretch,
    { places, at }: { readonly places: ReadonlySet<number>; readonly at: string | null },
  ): Promise<number> {
    const count = countIn(chunk, places);
    if (at === null || rowsIn([chunk]) === count) return count;
    const all = count === 0 ? [] : await reader.take(run, chunk.first);
    const kept = all.filter(({ seq }) => places.has(seq));
    const pieces = await Promise.all(
      toChunks(run, kept).map(async ({ text, keys, ...piece }) => ({
        ...piece,
        ...{ rows: await packChunk(text), keys: Buffer.from(keys.buffer) },
      })),
    );
    await write(cut, { run, chunk, at, pieces, kept: kept.map(({ seq }) => seq) });
    return count;
  }

  return {
    async pruneRuns(runs, pruning) {
      const pruned = new Map<string, PrunedRows>();
      if (runs.length === 0) return pruned;
      const needs = await needed(runs, pruning);
      for (const run of runs) {
        if (!(await isOver(run, pruning.since))) continue;
        const chunks = await chunksOf(run);
        const places = needs.get(run) ?? new Set();
        let kept = 0;
        for (const chunk of chunks) kept += await cutChunk(run, chunk, { places, at: pruning.at });
        forget(run);
        pruned.set(run, { removed: rowsIn(chunks) - kept, kept });
      }
      return pruned;
    },
    async removeRuns(runs) {
      if (runs.length === 0) return 0;
      const unsent = db.selectFrom('runs').select('run').where('state', 'in', ['planning', 'planned']);
      const chunks = await db
        .selectFrom('chunks')
        .select(['first', 'last'])
        .where('run', 'in', unsent.where('run', 'in', runs))
        .execute();
      await write(remove, runs);
      for (const run of runs) forget(run);
      return rowsIn(chunks);
    },
  } satisfies Partial<Ledger>;
}

function lookUps(db: Db) {
  /** The places of rows that later plans ask for. */
  async function needed(runs: readonly string[], { posted, updated }: Pick<Pruning, 'posted' | 'updated'>) {
    const changed = runs.filter((run) => updated.has(run));
    // A list of none is none: there is no run, and no resource, of that name.
    const found = [
      await db.selectFrom('writes').select(['run', 'seq']).where('run', 'in', runs).execute(),
      await db.selectFrom('unsettled').select(['run', 'seq']).where('run', 'in', runs).execute(),
      await db
        .selectFrom('postings')
        .select(['run', 'seq'])
        .where('run', 'in', runs)
        .where('resource', 'in', ['', ...posted])
        .where('alias_of', 'is', null)
        .execute(),
      await db
        .selectFrom('states')
        .select(['run', 'seq'])
        .where('run', 'in', ['', ...changed])
        .where('status', '=', 'updated')
        .execute(),
    ];
    return placesByRun(found.flat());
  }

  return {
    needed,
    chunksOf: async (run: string): Promise<Stretch[]> =>
      await db
        .selectFrom('chunks')
        .select(['first', 'last'])
        .where('run', '=', run)
        .orderBy('last')
        .execute(),
    /** Whether it is done, with no row that was sent lately or has requests left. */
    async isOver(run: string, since: string): Promise<boolean> {
      const { rows } = await sql<{ at: string | null; unfinished: boolean | null }>`
        select max(substring(s.outcome from '"at":"([^"]*)"')) as at,
          bool_or(s.outcome like '%"unfinished":true%') as unfinished
        from ${sql.table('catersheet.runs')} r left join ${sql.table('catersheet.states')} s using (run)
        where r.run = ${run} and r.state = 'done' group by r.run`.execute(db);
      const [found] = rows;
      return found !== undefined && found.unfinished !== true && (found.at ?? '') < since;
    },
  };
}
