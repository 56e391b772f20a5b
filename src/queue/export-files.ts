import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { type ExportQueue, KEPT_DAYS, type MadeExport, type TakenExport } from './export-jobs.ts';
import { type Mark, mayFollow } from './export-marks.ts';

/** How much of a file is kept and fetched at once. */
const PART = 1024 * 1024;
/** The part with the marks: before those of the file. */
const MARKS = -1;

/** Another worker has the export by now: this one was silent for too long. */
export class TakenOver extends Error {}

/** Takes a file as it is written, and keeps it part by part in the database. */
export class PartsStream extends Writable {
  readonly #queue: ExportQueue;
  readonly #taken: TakenExport;
  readonly #hash = createHash('sha256');
  #waiting: Buffer[] = [];
  #length = 0;
  #parts = 0;
  #size = 0;

  constructor(queue: ExportQueue, taken: TakenExport) {
    super({ highWaterMark: PART });
    this.#queue = queue;
    this.#taken = taken;
  }

  /** Its size and checksum, once it has ended. */
  get sum(): Pick<MadeExport, 'size' | 'sha256'> {
    return { size: this.#size, sha256: this.#hash.copy().digest('hex') };
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    this.#waiting.push(chunk);
    this.#length += chunk.length;
    if (this.#length < PART) done();
    else this.#keep().then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    // The first part takes away what another worker left, also where the file is empty.
    if (this.#length > 0 || this.#parts === 0) this.#keep().then(() => done(), done);
    else done();
  }

  async #keep(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#length = 0;
    if (!(await this.#queue.keepPart(this.#taken, this.#parts++, bytes))) throw new TakenOver();
  }
}

/** Keeps what an export is to remember, beside its file. */
export async function keepMarks(
  queue: ExportQueue,
  taken: TakenExport,
  marks: readonly Mark[],
): Promise<void> {
  if (!(await queue.keepPart(taken, MARKS, Buffer.from(JSON.stringify(marks))))) throw new TakenOver();
}

/** The bytes of a file that was made, part by part. */
async function* partsOf({ database }: ExportQueue, job: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const bytes = await database.patiently(async () => {
      const { rows } = await database.query(
        'select bytes from catersheet.export_parts where job = $1 and part = $2',
        [job, part],
      );
      return (rows as { bytes: Buffer }[])[0]?.bytes;
    });
    if (bytes === undefined) return;
    yield bytes;
  }
}

/** Whether the file of an export is kept still. */
export async function isKept({ database }: ExportQueue, job: string): Promise<boolean> {
  return await database.patiently(async () => {
    const { rows } = await database.query(
      'select 1 from catersheet.export_parts where job = $1 and part = $2',
      [job, MARKS],
    );
    return rows.length > 0;
  });
}

interface Pouring {
  readonly stream: Writable;
  /** What is written of the bytes. */
  readonly as?: (bytes: Buffer) => Buffer | string;
}

/** Writes the file of an export to a stream; says whether all of it was there, and was taken. */
export async function pourInto(
  queue: ExportQueue,
  job: string,
  { size, sha256 }: MadeExport,
  { stream, as = (bytes) => bytes }: Pouring,
): Promise<'whole' | 'cut off' | 'gone'> {
  const hash = createHash('sha256');
  let poured = 0;
  for await (const bytes of partsOf(queue, job)) {
    hash.update(bytes);
    poured += bytes.length;
    if (!(await written(stream, as(bytes)))) return 'cut off';
  }
  return poured === size && hash.digest('hex') === sha256 ? 'whole' : 'gone';
}

async function written(stream: Writable, bytes: Buffer | string): Promise<boolean> {
  if (stream.destroyed) return false;
  return await new Promise((resolve) => {
    const closed = (): void => resolve(false);
    stream.once('close', closed);
    stream.write(bytes, (error) => {
      stream.off('close', closed);
      resolve(error == null);
    });
  });
}

/** Whether a file is what an export made: it was put there, and the program was killed before it said so. */
export async function isThere(file: string, { size, sha256 }: MadeExport): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true || found.size !== size) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256;
}

/**
 * To be called when the file of an export reached the person: its parts are removed, and what it is to
 * remember is remembered, once. `fact` is then no more the name of a job.
 */
export async function settle(
  { database }: ExportQueue,
  job: string,
  fact: { readonly service: string; readonly name: string; readonly value: string },
): Promise<void> {
  await database.patiently(() =>
    database.inTransaction(async (query) => {
      // One after the other: each looks at what the one before remembered.
      await query("select pg_advisory_xact_lock(hashtextextended('catersheet export marks', 0))", []);
      const { rows } = await query('select bytes from catersheet.export_parts where job = $1 and part = $2', [
        job,
        MARKS,
      ]);
      const [kept] = rows as { bytes: Buffer }[];
      if (kept === undefined) return;
      await query('delete from catersheet.export_parts where job = $1', [job]);
      const marks: Mark[] = [];
      for (const mark of JSON.parse(kept.bytes.toString()) as Mark[]) {
        const now = await query('select value from catersheet.facts where service = $1 and name = $2', [
          mark.service,
          mark.name,
        ]);
        if (mayFollow(mark, (now.rows as { value: string }[])[0]?.value)) marks.push(mark);
      }
      for (const { service, name, value } of [...marks, fact])
        await query(
          `insert into catersheet.facts (service, name, value) values ($1, $2, $3)
           on conflict (service, name) do update set value = excluded.value`,
          [service, name, value],
        );
    }),
  );
}

/** Removes the files that nobody fetched in time. */
export async function removeOld({ database }: ExportQueue): Promise<void> {
  await database.query(
    `delete from catersheet.export_parts where job in (
       select job from catersheet.export_parts group by job
       having max(made) < clock_timestamp() - interval '${KEPT_DAYS} days')`,
    [],
  );
}
