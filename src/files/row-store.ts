import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Row } from '../core/cell.ts';
import { makeSheet, type Sheet, type SheetLayout } from './sheet.ts';
import { PRIVATE } from './write-aside.ts';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** Rows that are packed together: so many are unpacked for one of them. */
const TOGETHER = 250;
/** Packed rows that stay in memory unpacked. */
const RECENT = 8;

/** Where rows of a sheet are in the file of the store: the lowest and highest of their numbers, and bytes. */
interface Piece {
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly bytes: number;
}

/**
 * The rows of sheets as they were read, so that any of them is found again at once: packed in a private
 * temporary file, of which memory holds the places. Whoever reads a sheet of `kept` to its end fills it.
 */
export class RowStore {
  private readonly sheets = new Map<string, readonly Piece[]>();
  private readonly recent = new Map<number, Promise<Row[]>>();
  private file: Promise<{ readonly handle: FileHandle; readonly folder: string }> | undefined;
  private size = 0;

  /** Whether a sheet was read to its end. */
  has(sheet: string): boolean {
    return this.sheets.has(sheet);
  }

  /** The same sheet, whose rows are kept the first time that they are read to their end. */
  kept(sheet: Sheet): Sheet {
    const { name, hidden, layout } = sheet;
    const read = () => (this.has(name) ? sheet.batches[Symbol.asyncIterator]() : this.keeping(sheet));
    return makeSheet(name, hidden, read as () => AsyncGenerator<Row[]>, layout as SheetLayout);
  }

  /** Rows of a sheet by their numbers, in the order of the file; those that hold nothing are absent. */
  async rows(sheet: string, numbers: readonly number[]): Promise<Row[]> {
    const wanted = new Set(numbers);
    const pieces = (this.sheets.get(sheet) ?? []).filter(({ first, last }) =>
      numbers.some((number) => number >= first && number <= last),
    );
    const found: Row[] = [];
    for (const piece of pieces)
      for (const row of await this.read(piece)) if (wanted.has(row.number)) found.push(row);
    return found;
  }

  /** All rows of a sheet, in batches. */
  async *batches(sheet: string): AsyncGenerator<Row[]> {
    for (const piece of this.sheets.get(sheet) ?? []) yield await this.unpacked(piece);
  }

  /** Removes the file. */
  async close(): Promise<void> {
    const file = await this.file;
    this.sheets.clear();
    this.recent.clear();
    await file?.handle.close();
    if (file !== undefined) await rm(file.folder, { recursive: true, force: true });
  }

  private async *keeping(sheet: Sheet): AsyncGenerator<Row[]> {
    const pieces: Piece[] = [];
    let waiting: Row[] = [];
    let keeping = Promise.resolve();
    const keep = async (rows: Row[]): Promise<void> => {
      await keeping;
      const piece = this.put(rows).then((one) => void pieces.push(one));
      // A failure is thrown where it is awaited.
      piece.catch(() => {});
      keeping = piece;
    };
    for await (const batch of sheet.batches) {
      for (const row of batch) {
        if (waiting.push(row) < TOGETHER) continue;
        await keep(waiting);
        waiting = [];
      }
      yield batch;
    }
    if (waiting.length > 0) await keep(waiting);
    await keeping;
    if (!this.has(sheet.name)) this.sheets.set(sheet.name, pieces);
  }

  private async put(rows: readonly Row[]): Promise<Piece> {
    this.file ??= openPrivate();
    const [{ handle }, packed] = await Promise.all([
      this.file,
      pack(JSON.stringify(rows), { level: constants.Z_BEST_SPEED }),
    ]);
    const at = this.size;
    this.size += packed.length;
    await handle.write(packed, 0, packed.length, at);
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    for (const { number } of rows) [first, last] = [Math.min(first, number), Math.max(last, number)];
    return { first, last, at, bytes: packed.length };
  }

  private read(piece: Piece): Promise<Row[]> {
    const rows = this.recent.get(piece.at) ?? this.unpacked(piece);
    this.recent.delete(piece.at);
    this.recent.set(piece.at, rows);
    const [oldest] = this.recent.keys();
    if (this.recent.size > RECENT && oldest !== undefined) this.recent.delete(oldest);
    return rows;
  }

  private async unpacked({ at, bytes }: Piece): Promise<Row[]> {
    const file = await this.file;
    if (file === undefined) return [];
    const { buffer } = await file.handle.read(Buffer.alloc(bytes), 0, bytes, at);
    return JSON.parse((await unpack(buffer)).toString()) as Row[];
  }
}

/** A temporary file in a folder of its own, for this user alone. */
async function openPrivate() {
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-'));
  const handle = await open(join(folder, 'rows'), 'wx+', PRIVATE);
  // Without a name from here on, where the system has such files: a kill leaves nothing of it.
  if (process.platform !== 'win32') await rm(folder, { recursive: true, force: true });
  return { folder, handle };
}
