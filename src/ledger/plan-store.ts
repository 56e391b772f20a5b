import type { PlannedRow } from '../core/plan.ts';
import { addKeys, type Chunk, packChunk, recordHash, toChunks, toRows, unpackChunk } from './chunks.ts';
import { toColumns } from './columns.ts';
import { HashIndex } from './hash-index.ts';
import type { Ledger } from './ledger.ts';
import { unreadable } from './scan.ts';
import type { Db } from './schema.ts';
import { expectChange, type Writer } from './writer.ts';

/**
 * Stores plans, in chunks of rows that are packed by column and compressed. Rows are found by place and by
 * record, also while they are being written.
 */
export function planStore(db: Db, { write }: Writer) {
  const table = chunkTable(db);
  const waiting = new Set<Chunk>();
  const underWay = new Set<Promise<unknown>>();
  const index = recordIndex(table, waiting);
  const reader = chunkReader(table, waiting);

  async function store(chunks: readonly Chunk[]): Promise<void> {
    const packed = await Promise.all(chunks.map(({ text }) => packChunk(text)));
    await write(() => {
      for (const [at, chunk] of chunks.entries()) table.insert(chunk, packed[at] as Buffer);
    });
  }

  return {
    async savePlan(run, rows) {
      const chunks = toChunks(run, rows);
      for (const chunk of chunks) index.add(waiting.add(chunk) && chunk);
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
      // What is being saved is not on file yet.
      await Promise.allSettled(underWay);
      const bySeq = new Map(rows.map((row) => [row.seq, row]));
      for (const { seq } of rows) {
        if (!bySeq.has(seq)) continue;
        const stored = reader.take(run, seq);
        const now = stored.map((row) => bySeq.get(row.seq) ?? row);
        for (const row of stored) bySeq.delete(row.seq);
        const packed = await packChunk(toColumns(now));
        await write(() => table.replace(run, now.at(-1)?.seq ?? seq, packed));
      }
    },
    /** Resolves when nothing is being saved. */
    async settled() {
      await Promise.allSettled(underWay);
    },
    async plannedFor(run, resource, key) {
      const rows = index.find(run, recordHash(resource, key)).map((seq) => reader.rowAt(run, seq));
      // Two records may share a hash.
      return rows.flatMap((row) => (row?.resource === resource && row.key === key ? [row] : []));
    },
    take: reader.take,
    /** To be called when a run's rows are others on file. */
    forget(run: string): void {
      reader.forget(run);
      index.forget(run);
    },
    rowsAt: async (run, places) => places.flatMap((seq) => reader.rowAt(run, seq) ?? []),
    planned: reader.planned,
    rowAt: reader.rowAt,
  } satisfies Partial<Ledger> & Record<string, unknown>;
}

interface StoredChunk {
  readonly first: number;
  readonly last: number;
  readonly rows: ArrayBuffer;
}

type ChunkTable = ReturnType<typeof chunkTable>;

/** The chunks on file. */
function chunkTable(db: Db) {
  const insert = db.prepare(
    'insert into chunks (run, first, last, sheet, rows, keys) values (?, ?, ?, ?, ?, ?)',
  );
  const replace = db.prepare('update chunks set rows = ? where run = ? and last = ?');
  const reaching = db.prepare('select first from chunks where run = ? and last >= ? order by last limit 1');
  const next = db.prepare(
    `select first, last, rows from chunks
     where run = ? and last > ? and sheet = coalesce(?, sheet) order by last limit 1`,
  );
  const keys = db.prepare('select first, keys from chunks where run = ? order by last');
  return {
    /** Throws when the run has a row in one of its places already. */
    insert({ run, first, last, sheet, keys: hashes }: Chunk, packed: Buffer): void {
      const [known] = reaching.all(run, first) as Pick<StoredChunk, 'first'>[];
      if (known !== undefined && known.first <= last)
        throw new Error(`run ${run} has rows planned from ${known.first} on already`);
      insert.run(run, first, last, sheet, packed, Buffer.from(hashes.buffer));
    },
    replace(run: string, last: number, packed: Buffer): void {
      expectChange(replace.run(packed, run, last), `rows up to ${last} of run ${run}`);
    },
    /** The first chunk of a run, or of a sheet of it, with a row after this place. */
    next: (run: string, after: number, sheet: string | null = null): StoredChunk | undefined =>
      (next.all(run, after, sheet) as StoredChunk[])[0],
    *keys(run: string): Generator<Pick<Chunk, 'first' | 'keys'>> {
      for (const chunk of keys.iterate(run) as Iterable<{ first: number; keys: ArrayBuffer }>)
        yield { first: chunk.first, keys: new Int32Array(chunk.keys) };
    },
  };
}

/** Reads rows by place. The last chunk is kept: the next row is mostly in it. */
function chunkReader(table: ChunkTable, waiting: ReadonlySet<Chunk>) {
  let kept: { readonly run: string; readonly first: number; readonly rows: PlannedRow[] } | undefined;

  function rowsOf(run: string, { first, rows: packed }: StoredChunk): PlannedRow[] {
    if (kept?.run !== run || kept.first !== first) kept = { run, first, rows: unpacked(packed) };
    return kept.rows;
  }

  return {
    rowAt(run: string, seq: number): PlannedRow | undefined {
      const near = kept?.run === run ? kept.rows[seq - kept.first] : undefined;
      if (near !== undefined) return near;
      for (const { run: of, first, last, text } of waiting) {
        if (of !== run || seq < first || seq > last) continue;
        kept = { run, first, rows: toRows(text) };
        return kept.rows[seq - first];
      }
      const chunk = table.next(run, seq - 1);
      return chunk && rowsOf(run, chunk)[seq - chunk.first];
    },
    /** The rows of the chunk that holds this place, which are about to change. */
    take(run: string, seq: number): readonly PlannedRow[] {
      const chunk = table.next(run, seq - 1);
      const rows = chunk === undefined ? [] : rowsOf(run, chunk);
      kept = undefined;
      return rows;
    },
    forget(run: string): void {
      if (kept?.run === run) kept = undefined;
    },
    /** A run's rows in plan order, after place `after`; `sheet`: of that sheet alone. */
    *planned(run: string, after: number, sheet?: string): Generator<PlannedRow[]> {
      let chunk = table.next(run, after, sheet);
      while (chunk !== undefined) {
        const rows = rowsOf(run, chunk);
        yield chunk.first > after ? rows : rows.slice(after + 1 - chunk.first);
        chunk = table.next(run, chunk.last, sheet);
      }
    },
  };
}

/** Finds the places of a record's rows. The index of one run, the last asked for, is kept. */
function recordIndex(table: ChunkTable, waiting: ReadonlySet<Chunk>) {
  let index: { readonly run: string; readonly places: HashIndex } | undefined;

  function ofRun(run: string): HashIndex {
    if (index?.run === run) return index.places;
    const places = new HashIndex();
    for (const chunk of table.keys(run)) addKeys(places, chunk);
    for (const chunk of waiting) if (chunk.run === run) addKeys(places, chunk);
    index = { run, places };
    return places;
  }

  return {
    /** A run is indexed when it is first asked for. */
    add(chunk: Chunk): void {
      if (index?.run === chunk.run) addKeys(index.places, chunk);
    },
    forget(run: string): void {
      if (index?.run === run) index = undefined;
    },
    find: (run: string, hash: number): number[] =>
      ofRun(run)
        .find(hash)
        .sort((a, b) => a - b),
  };
}

/** The rows of a chunk on file. Throws where they are damaged. */
function unpacked(packed: ArrayBuffer): PlannedRow[] {
  try {
    return unpackChunk(Buffer.from(packed));
  } catch (error) {
    throw unreadable(`what is kept can't be read: ${(error as Error).message}`, error);
  }
}

/** Throws where rows of a run are damaged, and says of which. */
export function checkRows(db: Db): void {
  const all = db.prepare('select run, first, last, rows from chunks').iterate();
  for (const { run, first, last, rows } of all as Iterable<StoredChunk & { readonly run: string }>) {
    try {
      unpacked(rows);
    } catch (error) {
      throw unreadable(`rows ${first} to ${last} of run ${run}: ${(error as Error).message}`, error);
    }
  }
}
