import type { PlannedRow } from '../core/plan.ts';
import { HashIndex } from './hash-index.ts';
import type { Ledger } from './ledger.ts';
import type { Db } from './open-database.ts';
import { packText, rowsOfText, rowsText } from './pack-rows.ts';
import { hashesOf, type PlanChunk, recordHash, toChunks, unpack } from './plan-chunk.ts';
import type { Writer } from './writer.ts';

/** A chunk that is being packed and written, without its rows: they would be kept until then, though nobody asks for most of them. */
interface WaitingChunk extends Omit<PlanChunk, 'rows'> {
  readonly run: string;
  /** As `rowsOfText` reads them. */
  readonly text: string;
}

interface StoredChunk {
  readonly first: number;
  readonly last: number;
  readonly rows: ArrayBuffer | string;
  /** Absent in a ledger of the first version. */
  readonly keys: ArrayBuffer | null;
}

/** The rows of plans, in chunks. */
export interface PlanStore extends Pick<Ledger, 'savePlan' | 'plannedFor'> {
  /** A run's planned rows in plan order, after `after`; of one sheet when it is named. */
  planned(run: string, after: number, sheet?: string): Generator<PlannedRow[]>;
  /** Resolves when nothing is being saved. */
  settled(): Promise<void>;
}

/** Plans are read by place and by record; the index of the run at hand is kept. */
export function planStore(db: Db, { write }: Writer): PlanStore {
  const insert = db.prepare(
    'insert into chunks (run, first, last, sheet, rows, keys) values (?, ?, ?, ?, ?, ?)',
  );
  const next = db.prepare('select first, last from chunks where run = ? and last >= ? order by last limit 1');
  const any = db.prepare(
    'select first, last, rows from chunks where run = ? and last > ? order by last limit 1',
  );
  const ofSheet = db.prepare(
    'select first, last, rows from chunks where run = ? and last > ? and sheet = ? order by last limit 1',
  );
  const allChunks = db.prepare(
    'select first, case when keys is null then rows end as rows, keys from chunks where run = ? order by last',
  );
  const underWay = new Set<Promise<unknown>>();
  const waiting = new Set<WaitingChunk>();
  let index: { readonly run: string; readonly places: HashIndex } | undefined;
  let read: { readonly run: string; readonly first: number; readonly rows: PlannedRow[] } | undefined;

  function rowsOf(run: string, chunk: StoredChunk): PlannedRow[] {
    if (read?.run === run && read.first === chunk.first) return read.rows;
    const rows = unpack(chunk.rows);
    read = { run, first: chunk.first, rows };
    return rows;
  }

  async function store(run: string, chunks: readonly WaitingChunk[]): Promise<void> {
    const packed = await Promise.all(chunks.map(({ text }) => packText(text)));
    await write(() => {
      for (const [at, { first, last, sheet, keys }] of chunks.entries()) {
        const [following] = next.all(run, first) as Pick<StoredChunk, 'first'>[];
        if (following !== undefined && following.first <= last)
          throw new Error(`run ${run} has rows planned from ${following.first} on already`);
        insert.run(run, first, last, sheet, packed[at], Buffer.from(keys.buffer));
      }
    });
  }

  function rowAt(run: string, seq: number): PlannedRow | undefined {
    const near = read?.run === run ? read.rows[seq - read.first] : undefined;
    if (near !== undefined) return near;
    for (const { run: of, first, last, text } of waiting) {
      if (of !== run || seq < first || seq > last) continue;
      read = { run, first, rows: rowsOfText(text) };
      return read.rows[seq - first];
    }
    const [chunk] = any.all(run, seq - 1) as [StoredChunk];
    return rowsOf(run, chunk)[seq - chunk.first];
  }

  function indexOf(run: string): HashIndex {
    if (index?.run === run) return index.places;
    const places = new HashIndex();
    for (const { first, rows, keys } of allChunks.iterate(run) as Iterable<StoredChunk>)
      addKeys(places, first, keys === null ? hashesOf(unpack(rows)) : new Int32Array(keys));
    for (const chunk of waiting) if (chunk.run === run) addKeys(places, chunk.first, chunk.keys);
    index = { run, places };
    return places;
  }

  async function save(run: string, chunks: readonly WaitingChunk[]): Promise<void> {
    for (const chunk of chunks) {
      waiting.add(chunk);
      // A run that is only saved is indexed when it is first asked for.
      if (index?.run === run) addKeys(index.places, chunk.first, chunk.keys);
    }
    try {
      const storing = store(run, chunks);
      underWay.add(storing);
      await storing.finally(() => underWay.delete(storing));
    } finally {
      for (const chunk of chunks) waiting.delete(chunk);
    }
  }

  return {
    savePlan: (run, rows) =>
      save(
        run,
        toChunks(rows).map(({ rows: own, ...chunk }) => ({ ...chunk, run, text: rowsText(own) })),
      ),
    async settled() {
      await Promise.allSettled(underWay);
    },
    async plannedFor(run, resource, key) {
      const found: PlannedRow[] = [];
      for (const seq of indexOf(run)
        .find(recordHash(resource, key))
        .sort((a, b) => a - b)) {
        const row = rowAt(run, seq);
        if (row?.resource === resource && row.key === key) found.push(row);
      }
      return found;
    },
    *planned(run, after, sheet) {
      for (let from = after; ; ) {
        const [chunk] = (
          sheet === undefined ? any.all(run, from) : ofSheet.all(run, from, sheet)
        ) as StoredChunk[];
        if (chunk === undefined) return;
        const rows = rowsOf(run, chunk);
        yield chunk.first > after ? rows : rows.slice(after + 1 - chunk.first);
        from = chunk.last;
      }
    },
  };
}

function addKeys(places: HashIndex, first: number, keys: Int32Array): void {
  for (let at = 0; at < keys.length; at++) {
    const hash = keys[at] as number;
    if (hash !== 0) places.add(hash, first + at);
  }
}
