import type { PlannedRow } from '../../core/plan.ts';
import { addKeys, type Chunk, packChunk, recordHash, toChunks, toRows, unpackChunk } from '../chunks.ts';
import { toColumns } from '../columns.ts';
import { HashIndex } from '../hash-index.ts';
import type { Ledger } from '../ledger.ts';
import type { Db } from './database.ts';
import type { GroupWriter, Kind } from './group-writer.ts';
import { damagedRows } from './stops.ts';

/** A chunk that is packed, as it is kept. */
type PackedChunk = Pick<Chunk, 'run' | 'first' | 'last' | 'sheet' | 'keys'> & { readonly rows: Buffer };

/** Unpacked chunks that are kept: the next row is mostly in one of them. */
const MOST_KEPT = 4;

const keysOf = ({ keys }: Pick<Chunk, 'keys'>): Buffer =>
  Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);

/** All chunks of one call, or none; one that is there as it is was written by the same call, done again. */
const insert: Kind<readonly PackedChunk[]> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const chunks of items) {
      const taken = async ({ run, first, last, rows }: PackedChunk): Promise<boolean> => {
        const found = await tx
          .selectFrom('chunks')
          .select(['first', 'last', 'rows'])
          .where('run', '=', run)
          .where('last', '>=', first)
          .where('first', '<=', last)
          .execute();
        return found.some((one) => one.first !== first || one.last !== last || !rows.equals(one.rows));
      };
      const own = chunks.some((one, at) => chunks.slice(0, at).some((other) => overlap(one, other)));
      const [first] = chunks;
      if (own || (await anyAsync(chunks, taken))) {
        answers.push(new Error(`run ${first?.run} has rows planned from ${first?.first} on already`));
        continue;
      }
      const rows = chunks.map(({ keys, ...chunk }) => ({ ...chunk, keys: keysOf({ keys }) }));
      if (rows.length > 0)
        await tx
          .insertInto('chunks')
          .values(rows)
          .onConflict((known) => known.doNothing())
          .execute();
      answers.push(undefined);
    }
    return answers;
  },
};

const overlap = (one: PackedChunk, other: PackedChunk): boolean =>
  one.run === other.run && one.first <= other.last && other.first <= one.last;

async function anyAsync<T>(list: readonly T[], is: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of list) if (await is(one)) return true;
  return false;
}

interface Replaced {
  readonly run: string;
  readonly last: number;
  readonly rows: Buffer;
}

const replace: Kind<Replaced> = {
  async run(tx, items) {
    const answers: (undefined | Error)[] = [];
    for (const { run, last, rows } of items) {
      const change = tx.updateTable('chunks').set({ rows }).where('run', '=', run).where('last', '=', last);
      const done = await change.executeTakeFirst();
      const isKnown = done.numUpdatedRows > 0n;
      answers.push(isKnown ? undefined : new Error(`the ledger knows no rows up to ${last} of run ${run}`));
    }
    return answers;
  },
};

/** What other stores need of the plans. */
export interface PlanReader {
  /** The rows of the chunk that holds this place. */
  take(run: string, seq: number): Promise<readonly PlannedRow[]>;
  rowAt(run: string, seq: number): Promise<PlannedRow | undefined>;
  planned(run: string, after: number, sheet?: string): AsyncGenerator<readonly PlannedRow[]>;
  /** Whether the plan has a row in this place. */
  has(run: string, seq: number): Promise<boolean>;
}

/** Stores plans in chunks, as the embedded ledger does; rows are found while they are being written too. */
export function planStore(db: Db, { write }: GroupWriter, place: string) {
  const waiting = new Set<Chunk>();
  const underWay = new Set<Promise<unknown>>();
  const reader = chunkReader(db, waiting, place);
  const index = recordIndex(db, waiting);

  async function store(chunks: readonly Chunk[]): Promise<void> {
    const packed = await Promise.all(chunks.map(({ text }) => packChunk(text)));
    const whole = chunks.map(({ text: _, ...chunk }, at) => ({ ...chunk, rows: packed[at] as Buffer }));
    await write(insert, whole);
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
    replaceRows: async (run, rows) => {
      // What is being saved is not there yet.
      await Promise.allSettled(underWay);
      await replaceIn({ write, reader }, run, rows);
    },
    async settled() {
      await Promise.allSettled(underWay);
    },
    async plannedFor(run, resource, key) {
      const places = await index.find(run, recordHash(resource, key));
      const rows = await Promise.all(places.map((seq) => reader.rowAt(run, seq)));
      // Two records may share a hash.
      return rows.flatMap((row) => (row?.resource === resource && row.key === key ? [row] : []));
    },
    async rowsAt(run, places) {
      const rows: PlannedRow[] = [];
      for (const seq of places) {
        const row = await reader.rowAt(run, seq);
        if (row !== undefined) rows.push(row);
      }
      return rows;
    },
    reader: reader as PlanReader,
    /** To be called when a run's rows are others in the database. */
    forget(run: string): void {
      reader.forget(run);
      index.forget(run);
    },
  } satisfies Partial<Ledger> & Record<string, unknown>;
}

/** Puts rows in the place of those that are there, chunk by chunk. */
async function replaceIn(
  { write, reader }: Pick<GroupWriter, 'write'> & { readonly reader: ReturnType<typeof chunkReader> },
  run: string,
  rows: readonly PlannedRow[],
): Promise<void> {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  for (const { seq } of rows) {
    if (!bySeq.has(seq)) continue;
    const stored = await reader.take(run, seq);
    const now = stored.map((row) => bySeq.get(row.seq) ?? row);
    for (const row of stored) bySeq.delete(row.seq);
    bySeq.delete(seq);
    await write(replace, { run, last: now.at(-1)?.seq ?? seq, rows: await packChunk(toColumns(now)) });
    reader.forget(run);
  }
}

interface KeptChunk {
  readonly run: string;
  readonly first: number;
  readonly last: number;
  readonly rows: readonly PlannedRow[];
}

const holds = (run: string, seq: number) => (one: Pick<Chunk, 'run' | 'first' | 'last'>) =>
  one.run === run && one.first <= seq && seq <= one.last;

/** The chunks that were used last. */
function keptChunks() {
  let kept: readonly KeptChunk[] = [];
  return {
    keep(chunk: KeptChunk): KeptChunk {
      const others = kept.filter((one) => one.run !== chunk.run || one.last !== chunk.last);
      kept = [chunk, ...others].slice(0, MOST_KEPT);
      return chunk;
    },
    find: (run: string, seq: number) => kept.find(holds(run, seq)),
    forget(run: string): void {
      kept = kept.filter((one) => one.run !== run);
    },
  };
}

/** The rows of a chunk. Throws StopError where they are damaged: what can't be read is not sent. */
function unpacked(
  place: string,
  run: string,
  { first, last, rows }: Pick<PackedChunk, 'first' | 'last' | 'rows'>,
): readonly PlannedRow[] {
  try {
    return unpackChunk(rows);
  } catch (error) {
    throw damagedRows(place, { run, first, last }, error);
  }
}

/** Reads rows by place. */
function chunkReader(db: Db, waiting: ReadonlySet<Chunk>, place: string) {
  const { keep, find, forget } = keptChunks();

  /** The first chunk of a run, or of a sheet of it, with a row after this place. */
  async function next(run: string, after: number, sheet?: string): Promise<KeptChunk | undefined> {
    const near = sheet === undefined ? find(run, after + 1) : undefined;
    if (near !== undefined) return near;
    let query = db
      .selectFrom('chunks')
      .select(['first', 'last', 'rows'])
      .where('run', '=', run)
      .where('last', '>', after);
    if (sheet !== undefined) query = query.where('sheet', '=', sheet);
    const found = await query.orderBy('last').limit(1).executeTakeFirst();
    if (found === undefined) return undefined;
    return keep({ run, first: found.first, last: found.last, rows: unpacked(place, run, found) });
  }

  async function chunkWith(run: string, seq: number): Promise<KeptChunk | undefined> {
    const near = find(run, seq);
    if (near !== undefined) return near;
    const fresh = [...waiting].find(holds(run, seq));
    if (fresh !== undefined)
      return keep({ run, first: fresh.first, last: fresh.last, rows: toRows(fresh.text) });
    const found = await next(run, seq - 1);
    return found !== undefined && found.first <= seq ? found : undefined;
  }

  return {
    async rowAt(run: string, seq: number): Promise<PlannedRow | undefined> {
      const chunk = await chunkWith(run, seq);
      return chunk?.rows[seq - chunk.first];
    },
    has: async (run: string, seq: number): Promise<boolean> => {
      const chunk = await chunkWith(run, seq);
      return chunk?.rows[seq - chunk.first] !== undefined;
    },
    /** The rows of the chunk that holds this place, which are about to change. */
    async take(run: string, seq: number): Promise<readonly PlannedRow[]> {
      const chunk = await next(run, seq - 1);
      return chunk !== undefined && chunk.first <= seq ? chunk.rows : [];
    },
    forget,
    /** A run's rows in plan order, after place `after`; `sheet`: of that sheet alone. */
    async *planned(run: string, after: number, sheet?: string): AsyncGenerator<readonly PlannedRow[]> {
      let chunk = await next(run, after, sheet);
      while (chunk !== undefined) {
        const { first, last, rows } = chunk;
        yield first > after ? rows : rows.slice(after + 1 - first);
        chunk = await next(run, last, sheet);
      }
    },
  };
}

/** Finds the places of a record's rows. The index of one run, the last asked for, is kept. */
function recordIndex(db: Db, waiting: ReadonlySet<Chunk>) {
  let index:
    | { readonly run: string; readonly places: Promise<HashIndex>; readonly later: Chunk[] }
    | undefined;

  async function read(run: string): Promise<HashIndex> {
    const places = new HashIndex();
    const added = new Set<number>();
    const add = (chunk: Pick<Chunk, 'first' | 'keys'>): void => {
      if (added.has(chunk.first)) return;
      added.add(chunk.first);
      addKeys(places, chunk);
    };
    // Before the first wait: what is being saved may be there by the time that the database answers.
    const saving = [...waiting].filter((chunk) => chunk.run === run);
    const query = db.selectFrom('chunks').select(['first', 'keys']).where('run', '=', run).orderBy('last');
    for (const { first, keys } of await query.execute()) add({ first, keys: toHashes(keys) });
    for (const chunk of saving) add(chunk);
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
        const later: Chunk[] = [];
        const places = read(run);
        index = { run, places, later };
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

/** Hashes of a chunk's rows; the bytes may begin anywhere in a larger buffer. */
const toHashes = (keys: Buffer): Int32Array<ArrayBuffer> =>
  new Int32Array(Uint8Array.from(keys).buffer as ArrayBuffer);
