import type { PlannedRow } from '../core/plan.ts';
import { type Chunk, packChunk, toChunks } from './chunks.ts';
import type { Ledger, PrunedRows, Pruning } from './ledger.ts';
import type { planStore } from './plan-store.ts';
import type { Db } from './schema.ts';
import type { Writer } from './writer.ts';

/** Rows of a run that stand together. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** How many rows these are. */
export const rowsIn = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { first, last }) => sum + last - first + 1, 0);

interface Place {
  readonly run: string;
  readonly seq: number;
}

/** The places that are needed, by run. */
export function placesByRun(rows: readonly Place[]): ReadonlyMap<string, ReadonlySet<number>> {
  const byRun = new Map<string, Set<number>>();
  for (const { run, seq } of rows) byRun.set(run, (byRun.get(run) ?? new Set()).add(seq));
  return byRun;
}

/** How many of these places are in a stretch. */
export function countIn({ first, last }: Stretch, places: ReadonlySet<number>): number {
  let count = 0;
  for (let seq = first; places.size > 0 && seq <= last; seq++) if (places.has(seq)) count++;
  return count;
}

/** Removes what is kept of old runs. */
export function pruneStore(
  db: Db,
  { write }: Writer,
  { take, forget }: Pick<ReturnType<typeof planStore>, 'take' | 'forget'>,
) {
  const { chunksOf, needed, isOver, replace, isUnsent, drop } = statements(db);

  /** Removes the rows of a chunk, but for those that are needed, and says how many it kept. */
  async function cut(
    run: string,
    chunk: Stretch,
    { places, at }: { readonly places: ReadonlySet<number>; readonly at: string | null },
  ): Promise<number> {
    const count = countIn(chunk, places);
    if (at === null || rowsIn([chunk]) === count) return count;
    const kept = count === 0 ? [] : take(run, chunk.first).filter(({ seq }) => places.has(seq));
    const pieces = toChunks(run, kept);
    const packed = await Promise.all(pieces.map(({ text }) => packChunk(text)));
    await write(() => replace(run, chunk, { at, kept, pieces, packed }));
    return count;
  }

  return {
    async pruneRuns(runs, pruning) {
      const needs = placesByRun(needed(runs, pruning));
      const pruned = new Map<string, PrunedRows>();
      for (const run of runs.filter((one) => isOver(one, pruning.since))) {
        const chunks = chunksOf(run);
        const places = needs.get(run) ?? new Set();
        let kept = 0;
        for (const chunk of chunks) kept += await cut(run, chunk, { places, at: pruning.at });
        forget(run);
        pruned.set(run, { removed: rowsIn(chunks) - kept, kept });
      }
      return pruned;
    },
    async removeRuns(runs) {
      let removed = 0;
      await write(() => {
        for (const run of runs.filter(isUnsent)) {
          removed += rowsIn(chunksOf(run));
          drop(run);
          forget(run);
        }
      });
      return removed;
    },
  } satisfies Partial<Ledger>;
}

interface CutChunk {
  readonly at: string;
  readonly kept: readonly PlannedRow[];
  readonly pieces: readonly Chunk[];
  readonly packed: readonly Buffer[];
}

function statements(db: Db) {
  const stretches = db.prepare('select first, last from chunks where run = ? order by last');
  const end = db.prepare(
    `select max(outcome ->> 'at') as at, max(outcome ->> 'unfinished') as unfinished
     from runs left join states using (run) where run = ? and state = 'done' group by run`,
  );
  const mark = db.prepare(
    `update runs set pruned_at = coalesce(pruned_at, :at) where run = :run and state = 'done'`,
  );
  const dropChunk = db.prepare('delete from chunks where run = ? and last = ?');
  const dropStates = db.prepare(
    `delete from states where run = :run and seq >= :first and seq <= :last
     and seq not in (select value from json_each(:kept))`,
  );
  const insert = db.prepare(
    'insert into chunks (run, first, last, sheet, rows, keys) values (?, ?, ?, ?, ?, ?)',
  );
  const unsent = db.prepare(`select run from runs where run = ? and state in ('planning', 'planned')`);
  const tables = ['chunks', 'states', 'runs'].map((table) =>
    db.prepare(`delete from ${table} where run = ?`),
  );
  return {
    chunksOf: (run: string) => stretches.all(run) as Stretch[],
    needed: neededPlaces(db),
    /** Whether it is done, with no row that was sent lately or has requests left. */
    isOver(run: string, since: string): boolean {
      const [found] = end.all(run) as { at: string | null; unfinished: number | null }[];
      return found !== undefined && !found.unfinished && (found.at ?? '') < since;
    },
    /** Puts what is kept of a chunk in its place. */
    replace(run: string, { first, last }: Stretch, { at, kept, pieces, packed }: CutChunk): void {
      // Nothing is removed of a run that is begun anew meanwhile.
      if (mark.run({ at, run }).changes === 0) return;
      dropChunk.run(run, last);
      for (const [place, piece] of pieces.entries()) {
        const keys = Buffer.from(piece.keys.buffer);
        insert.run(run, piece.first, piece.last, piece.sheet, packed[place] as Buffer, keys);
      }
      dropStates.run({ run, first, last, kept: JSON.stringify(kept.map(({ seq }) => seq)) });
    },
    isUnsent: (run: string) => unsent.all(run).length > 0,
    drop(run: string): void {
      for (const drop of tables) drop.run(run);
    },
  };
}

/** The places of rows that later plans ask for. */
function neededPlaces(db: Db) {
  const ofRuns = 'run in (select value from json_each(:runs))';
  // One look through these for many runs: none has an index by run.
  const asked = db.prepare(
    `select run, seq from writes where ${ofRuns} union select run, seq from unsettled where ${ofRuns}
     union select run, seq from postings
       where ${ofRuns} and alias_of is null and resource in (select value from json_each(:posted))`,
  );
  const updates = db.prepare(
    `select run, seq from states where ${ofRuns} and outcome ->> 'status' = 'updated'`,
  );
  return (runs: readonly string[], { posted, updated }: Pick<Pruning, 'posted' | 'updated'>) => {
    const given = { runs: JSON.stringify(runs), posted: JSON.stringify(posted) };
    const changed = { runs: JSON.stringify(runs.filter((run) => updated.has(run))) };
    return [...asked.all(given), ...updates.all(changed)] as Place[];
  };
}
