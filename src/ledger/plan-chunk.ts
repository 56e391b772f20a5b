import type { PlannedRow } from '../core/plan.ts';
import { hashOf, stir } from './hash-index.ts';
import { unpackRows } from './pack-rows.ts';

/** So many rows stand together at most: a piece is read and written whole. */
const ROWS = 500;

/** Rows of one sheet and resource whose places in the plan follow on each other; what a ledger stores at once. */
export interface PlanChunk {
  readonly first: number;
  readonly last: number;
  readonly sheet: string;
  readonly rows: readonly PlannedRow[];
  /** A hash of each row's record, 0 for a row without a key. */
  readonly keys: Int32Array<ArrayBuffer>;
}

/** Under what a row's record is found. */
export function recordHash(resource: string, key: string): number {
  return hashOf(key, stir(`${resource} `));
}

/** Cuts rows into chunks, in plan order. */
export function toChunks(rows: readonly PlannedRow[]): PlanChunk[] {
  const sorted = inOrder(rows) ? rows : [...rows].sort((one, other) => one.seq - other.seq);
  const chunks: PlanChunk[] = [];
  let start = 0;
  for (let at = 1; at <= sorted.length; at++) {
    if (at < sorted.length && at - start < ROWS && follows(sorted[at - 1], sorted[at])) continue;
    chunks.push(toChunk(start === 0 && at === sorted.length ? sorted : sorted.slice(start, at)));
    start = at;
  }
  return chunks;
}

function follows(one: PlannedRow | undefined, next: PlannedRow | undefined): boolean {
  if (one === undefined || next === undefined || next.seq !== one.seq + 1) return false;
  return next.sheet === one.sheet && next.resource === one.resource;
}

function inOrder(rows: readonly PlannedRow[]): boolean {
  return rows.every((row, at) => at === 0 || row.seq > (rows[at - 1] as PlannedRow).seq);
}

function toChunk(rows: readonly PlannedRow[]): PlanChunk {
  const [first, last] = [rows[0], rows.at(-1)] as [PlannedRow, PlannedRow];
  return {
    first: first.seq,
    last: last.seq,
    sheet: first.sheet,
    rows,
    keys: hashesOf(rows),
  };
}

/** See `PlanChunk.keys`; the rows are of one resource. */
export function hashesOf(rows: readonly PlannedRow[]): Int32Array<ArrayBuffer> {
  const hashes = new Int32Array(rows.length);
  const before = stir(`${rows[0]?.resource} `);
  for (let at = 0; at < rows.length; at++) {
    const { key } = rows[at] as PlannedRow;
    if (key !== null) hashes[at] = hashOf(key, before);
  }
  return hashes;
}

/** The rows of a stored chunk; a ledger of the first version has them as text. */
export function unpack(stored: ArrayBuffer | string): PlannedRow[] {
  return typeof stored === 'string' ? (JSON.parse(stored) as PlannedRow[]) : unpackRows(stored);
}
