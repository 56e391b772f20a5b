import { createHash } from 'node:crypto';
import type { PlannedRow } from '../../core/plan.ts';
import { addKeys, type Chunk, packChunk, recordHash, toChunks, toRows, unpackChunk } from '../chunks.ts';
import { toColumns } from '../columns.ts';
import { HashIndex } from '../hash-index.ts';
import type { Ledger, PrunedRows, Pruning } from '../ledger.ts';
import { change, type Sql, type Statement, statement } from '../sql.ts';

/** Unpacked chunks that are kept: the next row is mostly in one of them. */
const MOST_KEPT = 4;

type Place = Pick<Chunk, 'run' | 'first' | 'last'>;
type KeptChunk = Place & { readonly rows: ChunkRows };
type StoredChunk = Pick<Chunk, 'first' | 'last'> & { readonly rows: Buffer };

/** Rows by their place in a chunk; null for one that was pruned. */
type ChunkRows = readonly (PlannedRow | null)[];

/** What other stores need of the plans. */
export interface PlanReader {
  rowAt(run: string, seq: number): Promise<PlannedRow | undefined>;
  /** The rows of the chunk that holds this place, which are about to change; null for those that are gone. */
  take(run: string, seq: number): Promise<ChunkRows>;
  /** A run's rows in plan order, after place `after`; `sheet`: of that sheet alone. */
  planned(run: string, after: number, sheet?: string): AsyncGenerator<readonly PlannedRow[]>;
  /** To be called when a run's rows are others in the database. */
  forget(run: string): void;
}

/**
 * Puts a chunk where the run has no row yet: else a column has no value, so that the database refuses all of it.
 * One that is there as it is was written by the same call, done again.
 */
function insertChunk({ run, first, last, sheet, keys }: Omit<Chunk, 'text'>, packed: Buffer): Statement {
  return statement(
    `insert into @chunks (run, first, last, sheet, rows, keys)
     select n.run, case when not exists (select 1 from @chunks c where c.run = n.run and c.last >= ? and c.first <= ?
       and not (c.first = ? and c.last = ? and c.rows = n.rows)) then ? end, ?, ?, n.rows, ?
     from (select ? as run, ? as rows) as n where true on conflict do nothing`,
    ...[first, last, first, last, first, last, sheet, bytesOf(keys), run, packed],
  );
}

const bytesOf = (keys: Int32Array<ArrayBuffer>): Buffer =>
  Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);

/** Hashes of a chunk's rows; the bytes may begin anywhere in a larger buffer. */
const toHashes = (keys: Buffer): Int32Array<ArrayBuffer> => new Int32Array(Uint8Array.from(keys).buffer);

/**
 * Stores plans, in chunks of rows that are packed by column and compressed. Rows are found by place and by
 * record, also while they are being written.
 */
export function planStore(sql: Sql) {
  const waiting = new Set<Chunk>();
  const underWay = new Set<Promise<unknown>>();
  const reader = chunkReader(sql, waiting);
  const index = recordIndex(sql, waiting);

  async function store(chunks: readonly Chunk[]): Promise<void> {
    const packed = await Promise.all(chunks.map(({ text }) => packChunk(text)));
    await sql.write(chunks.map((chunk, at) => insertChunk(chunk, packed[at] as Buffer)));
  }

  return {
    async savePlan(run, rows) {
      const chunks = toChunks(run, rows);
      for (const chunk of chunks) {
        waiting.add(chunk);
        index.add(chunk);
      }
      const storing = store(chunks);
      underWay.add(storing);
      try {
        await storing;
      } finally {
        underWay.delete(storing);
        for (const chunk of chunks) waiting.delete(chunk);
      }
    },
    async replaceRows(run, rows) {
      // What is being saved is not there yet.
      await Promise.allSettled(underWay);
      const bySeq = new Map(rows.map((row) => [row.seq, row]));
      for (const { seq } of rows) {
        if (!bySeq.has(seq)) continue;
        const stored = await reader.take(run, seq);
        const now = stored.map((row) => row && (bySeq.get(row.seq) ?? row));
        for (const row of stored) bySeq.delete(row?.seq ?? -1);
        const last = now.at(-1)?.seq ?? seq;
        const text = 'update @chunks set rows = ? where run = ? and last = ? returning last';
        const replaced = statement(text, await packChunk(toColumns(now)), run, last);
        await change(sql, [replaced], `rows up to ${last} of run ${run}`);
        reader.forget(run);
      }
    },
    async findPlanHash(run) {
      const hash = createHash('sha256');
      let after = -1;
      for (;;) {
        const found = await sql.read<StoredChunk>(
          'select first, last, rows from @chunks where run = ? and last > ? order by last limit 20',
          ...[run, after],
        );
        for (const { rows } of found) hash.update(Buffer.from(rows));
        const last = found.at(-1)?.last;
        if (last === undefined) return hash.digest();
        after = last;
      }
    },
    /** Resolves when nothing is being saved. */
    async settled() {
      await Promise.allSettled(underWay);
    },
    async plannedFor(run, resource, key) {
      const rows: PlannedRow[] = [];
      for (const seq of await index.find(run, recordHash(resource, key))) {
        const row = await reader.rowAt(run, seq);
        // Two records may share a hash.
        if (row?.resource === resource && row.key === key) rows.push(row);
      }
      return rows;
    },
    reader: {
      ...reader,
      forget(run) {
        reader.forget(run);
        index.forget(run);
      },
    } satisfies PlanReader,
  } satisfies Partial<Ledger> & Record<string, unknown>;
}

const holds = (run: string, seq: number) => (one: Place) =>
  one.run === run && one.first <= seq && seq <= one.last;

/** Reads rows by place. */
function chunkReader(sql: Sql, waiting: ReadonlySet<Chunk>) {
  let kept: readonly KeptChunk[] = [];

  function keep(chunk: KeptChunk): KeptChunk {
    kept = [chunk, ...kept.filter((one) => one.run !== chunk.run || one.last !== chunk.last)].slice(
      0,
      MOST_KEPT,
    );
    return chunk;
  }

  /** The first chunk of a run, or of a sheet of it, with a row after this place. */
  async function next(run: string, after: number, sheet?: string): Promise<KeptChunk | undefined> {
    const near = sheet === undefined ? kept.find(holds(run, after + 1)) : undefined;
    if (near !== undefined) return near;
    const [found] = await sql.read<StoredChunk>(
      `select first, last, rows from @chunks where run = ? and last > ?
       ${sheet === undefined ? '' : 'and sheet = ?'} order by last limit 1`,
      ...[run, after, ...(sheet === undefined ? [] : [sheet])],
    );
    if (found === undefined) return undefined;
    const place = { run, first: found.first, last: found.last };
    try {
      return keep({ ...place, rows: unpackChunk(Buffer.from(found.rows)) });
    } catch (error) {
      throw sql.damaged(place, error);
    }
  }

  return {
    async rowAt(run: string, seq: number): Promise<PlannedRow | undefined> {
      let chunk = kept.find(holds(run, seq));
      if (chunk === undefined) {
        const saving = [...waiting].find(holds(run, seq));
        chunk = saving && keep({ run, first: saving.first, last: saving.last, rows: toRows(saving.text) });
      }
      chunk ??= await next(run, seq - 1);
      return chunk?.rows[seq - chunk.first] ?? undefined;
    },
    async take(run: string, seq: number): Promise<ChunkRows> {
      const chunk = await next(run, seq - 1);
      return chunk !== undefined && chunk.first <= seq ? chunk.rows : [];
    },
    forget(run: string): void {
      kept = kept.filter((one) => one.run !== run);
    },
    async *planned(run: string, after: number, sheet?: string): AsyncGenerator<readonly PlannedRow[]> {
      let chunk = await next(run, after, sheet);
      while (chunk !== undefined) {
        const { first, last, rows } = chunk;
        yield rows.slice(Math.max(0, after + 1 - first)).filter((row) => row !== null);
        chunk = await next(run, last, sheet);
      }
    },
  };
}

interface RunIndex {
  readonly run: string;
  readonly places: Promise<HashIndex>;
  /** Chunks that are saved since it is being read. */
  readonly later: Chunk[];
}

/** Finds the places of a record's rows. The index of one run, the last asked for, is kept. */
function recordIndex(sql: Sql, waiting: ReadonlySet<Chunk>) {
  let index: RunIndex | undefined;

  async function read(run: string): Promise<HashIndex> {
    const places = new HashIndex();
    // Before the first wait: what is being saved may be there by the time that the database answers.
    const saving = [...waiting].filter((chunk) => chunk.run === run);
    const text = 'select first, keys from @chunks where run = ? order by last';
    const stored = await sql.read<{ first: number; keys: Buffer }>(text, run);
    const found = new Map<number, Pick<Chunk, 'first' | 'keys'>>(saving.map((chunk) => [chunk.first, chunk]));
    for (const { first, keys } of stored) found.set(first, { first, keys: toHashes(Buffer.from(keys)) });
    for (const chunk of found.values()) addKeys(places, chunk);
    return places;
  }

  return {
    /** A run is indexed when it is first asked for. */
    add(chunk: Chunk): void {
      if (index?.run === chunk.run) index.later.push(chunk);
    },
    forget(run: string): void {
      if (index?.run === run) index = undefined;
    },
    async find(run: string, hash: number): Promise<number[]> {
      if (index?.run !== run) {
        const places = read(run);
        index = { run, places, later: [] };
        places.catch(() => {
          if (index?.places === places) index = undefined;
        });
      }
      const { places: reading, later } = index;
      const places = await reading;
      for (const chunk of later.splice(0)) addKeys(places, chunk);
      // What was saved while the index was read may be in it twice.
      return [...new Set(places.find(hash))].sort((one, other) => one - other);
    },
  };
}

/** Rows of a run that stand together. */
interface Stretch {
  readonly first: number;
  readonly last: number;
}

interface NeededRow {
  readonly run: string;
  readonly seq: number;
}

/** Removes what is kept of old runs. */
export function pruneStore(sql: Sql, { take, forget }: Pick<PlanReader, 'take' | 'forget'>) {
  const chunksOf = async (run: string) =>
    await sql.read<Stretch>('select first, last from @chunks where run = ? order by last', run);

  /** The places of rows that later plans ask for, by run. */
  async function needed(runs: readonly string[], { posted, updated }: Pruning) {
    const found = await sql.read<NeededRow>(
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
