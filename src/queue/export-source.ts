import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AskedExport, ExportQueue, TakenExport } from './export-jobs.ts';

/** How much of a file goes along at once. */
const PART = 1024 * 1024;
/** The first part of a source, the next ones below it: what is made of it has higher numbers. */
const FIRST = -2;

/** What tells a source from another of its name. */
export async function sourceOf(file: string): Promise<NonNullable<AskedExport['source']>> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { name: file, sha256: hash.digest('hex') };
}

/** Keeps the bytes of a source for the worker who takes the export. */
export async function keepSource({ database }: ExportQueue, job: string, file: string): Promise<void> {
  let part = FIRST;
  for await (const bytes of createReadStream(file, { highWaterMark: PART })) {
    const at = part--;
    await database.patiently(() =>
      database.query(
        `insert into catersheet.export_parts (job, part, bytes) values ($1, $2, $3)
         on conflict (job, part) do update set bytes = excluded.bytes`,
        [job, at, bytes],
      ),
    );
  }
}

/** A source as it stands at a worker. */
interface Fetched {
  /** Where it is; undefined for an export without one. */
  readonly file: string | undefined;
  /** Plain data in which the file is called as it is where it comes from. */
  named<T>(data: T): T;
  remove(): Promise<void>;
}

/** Fetches the source of an export into a folder of its own, under the name that it has. */
export async function fetchSource({ database }: ExportQueue, { job, asked }: TakenExport): Promise<Fetched> {
  const { source } = asked;
  if (source === undefined) return { file: undefined, named: (data) => data, async remove() {} };
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-'));
  const file = join(folder, basename(source.name));
  const handle = await open(file, 'wx', 0o600);
  try {
    for (let part = FIRST; ; part--) {
      const { rows } = await database.patiently(() =>
        database.query('select bytes from catersheet.export_parts where job = $1 and part = $2', [job, part]),
      );
      const [found] = rows as { bytes: Buffer }[];
      if (found === undefined) break;
      await handle.write(found.bytes);
    }
  } finally {
    await handle.close();
  }
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  return {
    file,
    named: <T>(data: T): T =>
      JSON.parse(JSON.stringify(data).replaceAll(inJson(file), inJson(source.name))) as T,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
