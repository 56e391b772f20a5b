import { sql } from 'kysely';
import { type Chunk, packChunk, toChunks } from '../chunks.ts';
import type { Ledger, PrunedRows } from '../ledger.ts';
import { isNeeded, placesByRun, rowsIn, type Stretch } from '../prune-store.ts';
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
  const { chunksOf, needed, sentLast } = lookUps(db);

  /** Removes the rows of a chunk, but for those that are needed, and says how many it kept. */
  async function cutChunk(run: string, chunk: Stretch, places: ReadonlySet<number>, at: string) {
    const all = isNeeded(chunk, places) ? await reader.take(run, chunk.first) : [];
    const kept = all.filter(({ seq }) => places.has(seq));
    if (rowsIn([chunk]) === kept.length) return kept.length;
    const pieces = await Promise.all(
      toChunks(run, kept).map(async ({ text, keys, ...piece }) => ({
        ...piece,
        ...{ rows: await packChunk(text), keys: Buffer.from(keys.buffer) },
      })),
    );
    await write(cut, { run, chunk, at, pieces, kept: kept.map(({ seq }) => seq) });
    return kept.length;
  }

  return {
    async pruneRuns(runs, { at, since }) {
      const pruned = new Map<string, PrunedRows>();
      if (runs.length === 0) return pruned;
      const places = await needed(runs);
      for (const run of runs) {
        if (((await sentLast(run)) ?? '') >= since) continue;
        const chunks = await chunksOf(run);
        let kept = 0;
        for (const chunk of chunks) kept += await cutChunk(run, chunk, places.get(run) ?? new Set(), at);
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
  const chunksOf = async (run: string): Promise<Stretch[]> =>
    await db.selectFrom('chunks').select(['first', 'last']).where('run', '=', run).orderBy('last').execute();

  async function needed(runs: readonly string[]) {
    const [writes, unsettled] = (['writes', 'unsettled'] as const).map((table) =>
      db.selectFrom(table).select(['run', 'seq']).where('run', 'in', runs).execute(),
    );
    return placesByRun([...((await writes) ?? []), ...((await unsettled) ?? [])]);
  }

  /** When a row of it was sent last, wall clock. */
  async function sentLast(run: string): Promise<string | null> {
    const last = sql<string | null>`max(substring(outcome from '"at":"([^"]*)"'))`.as('at');
    const found = await db.selectFrom('states').select(last).where('run', '=', run).executeTakeFirst();
    return found?.at ?? null;
  }

  return { chunksOf, needed, sentLast };
}
