import { EXIT, StopError } from '../core/errors.ts';
import type { Bilingual, Language } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import type { QueueDatabase } from '../ledger/queue-database.ts';
import type { Progress } from '../run/progress.ts';
import { type Engine, openEngine, queueName } from './engine.ts';
import { QUEUE_SCHEMA, refuseFile } from './queued-runs.ts';

/** An export that was handed over, in plain data. */
export interface AskedExport {
  /** The kinds of records by their names in `export`, or `finance` alone. */
  readonly what: readonly string[];
  /** The options of the export alone. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The service as the person names it. */
  readonly service: string;
  readonly lang: Language;
  /** How numbers and dates are read and written; a setting where the options name none. */
  readonly locale: Locale;
  /** It ends on a terminal. */
  readonly terminal: boolean;
  /** The file of the person's that says what to export, by its name there; its bytes go along. */
  readonly source?: { readonly name: string; readonly sha256: string };
}

/** What stopped an export, in plain data. */
type StoppedExport = Pick<StopError, 'exit' | 'change'> & Pick<StopError['texts'], 'message' | 'next'>;

/** What a worker wrote, in plain data. */
export interface MadeExport {
  /** What the export came to, as JSON: its members keep their order so. */
  readonly result: string;
  readonly size: number;
  readonly sha256: string;
}

/** What became of an export that was handed over, so far. */
export type ExportState =
  /** `withdrawn`: who asked for it took it back. */
  | { readonly state: 'waiting' | 'withdrawn' | 'unknown' }
  | { readonly state: 'working'; readonly progress: Progress | null }
  /** `at`: when it was, by the database's clock. */
  | { readonly state: 'made'; readonly made: MadeExport; readonly at: Date }
  | { readonly state: 'stopped'; readonly stop: StopError };

/** An export that a worker has taken from the queue. */
export interface TakenExport {
  readonly job: string;
  /** The worker's name: one that is thought dead may do no more. */
  readonly worker: string;
  readonly asked: AskedExport;
  /** Workers that died of it. */
  readonly deaths: number;
}

/** How many exports stand where. */
export interface ExportSizes {
  /** For workers of this version. */
  readonly waiting: number;
  readonly working: number;
  /** Handed over by a newer version, which this one leaves alone. */
  readonly newer: number;
}

/** A job as it stands in the queue. */
interface ExportJob {
  /** Of its shape. */
  readonly version: number;
  readonly asked: AskedExport;
  readonly deaths: number;
  readonly worker?: string;
  /** When its worker was last heard of, by the database's clock. */
  readonly heard?: string;
  /** The worker began, and knows that it got it. */
  readonly begun?: true;
  readonly progress?: Progress;
}

/** What is read of a job. */
interface FoundJob {
  readonly state: string;
  readonly data: ExportJob;
  readonly output: Output | null;
  /** When it ended. */
  readonly at: Date;
  /** The engine put it away. */
  readonly isOld: boolean;
}

type Output = { readonly made: MadeExport } | { readonly stop: StoppedExport };

/** The version of a job's shape: raised when one of this version would make another file of a newer one. */
const JOB_VERSION = 1;
/** A worker that is not heard of for so long, s, is taken for dead. */
const SILENT = 10;
/** A file that nobody fetches is kept for so many days, and so is an export that nobody makes. */
export const KEPT_DAYS = 7;

const JOB = `${QUEUE_SCHEMA}.job`;
const KNOWN = `(data->>'version')::int <= ${JOB_VERSION}`;
const DEAD = `(state = 'active'
  and coalesce((data->>'heard')::timestamptz, started_on) < clock_timestamp() - interval '${SILENT} s')`;
/** Of this worker still. */
const OWN = `name = $1 and id = $2 and state = 'active' and data->>'worker' = $3`;

/** The exports of one service that wait for workers, or are at one. Any worker may take any. */
export class ExportQueue {
  readonly database: QueueDatabase;
  readonly #engine: Engine;
  readonly #name: string;

  private constructor(engine: Engine, name: string) {
    this.#engine = engine;
    this.database = engine.database;
    this.#name = name;
  }

  /**
   * Opens the queue of a service in the database of its ledger. Throws StopError (usage) for a ledger in a
   * file, or a database that can't be used.
   */
  static async open(ledger: string, serviceKey: string, signal?: AbortSignal): Promise<ExportQueue> {
    refuseFile(ledger);
    const name = queueName('exports', serviceKey);
    // The queue of runs beside it is tended, and the engine tends all.
    return new ExportQueue(await openEngine(ledger, { tends: false, signal, queues: [{ name }] }), name);
  }

  /** Hands an export over under this name, unless it was. */
  async handOver(job: string, asked: AskedExport): Promise<void> {
    const data: ExportJob = { version: JOB_VERSION, asked, deaths: 0 };
    const keepUntil = new Date(Date.now() + KEPT_DAYS * 86_400_000).toISOString();
    const lasting = { retryLimit: 0, expireInSeconds: 10 * 365 * 24 * 3600, keepUntil };
    await this.database.patiently(() =>
      this.#engine.boss.insert([{ id: job, name: this.#name, data, ...lasting }]),
    );
  }

  /** What became of an export so far. */
  async stateOf(job: string): Promise<ExportState> {
    const found = (await this.#look('job', job)) ?? (await this.#look('archive', job));
    if (found === undefined) return { state: 'unknown' };
    const { state, data, output, isOld, at } = found;
    if (state === 'completed' && output !== null)
      return 'made' in output
        ? { state: 'made', made: output.made, at }
        : { state: 'stopped', stop: stopFrom(output.stop) };
    if (state === 'cancelled') return { state: 'withdrawn' };
    if (isOld) return { state: 'unknown' };
    if (state === 'active') return { state: 'working', progress: data.progress ?? null };
    return state === 'created' || state === 'retry' ? { state: 'waiting' } : { state: 'unknown' };
  }

  async #look(table: 'job' | 'archive', job: string) {
    return await this.database.patiently(async () => {
      const { rows } = await this.database.query(
        `select state::text as state, data, output, completed_on as at,
           ${table === 'archive'} as "isOld"
         from ${QUEUE_SCHEMA}.${table} where name = $1 and id = $2`,
        [this.#name, job],
      );
      return (rows as FoundJob[])[0];
    });
  }

  /** Takes the next one for a worker, or one that a dead worker was at; undefined where there is none. */
  async take(worker: string): Promise<TakenExport | undefined> {
    return await this.database.patiently(async () => {
      const { rows } = await this.database.query(
        `with next as (
           select id, data ? 'begun' and state = 'active' as died from ${JOB}
           where name = $1 and ${KNOWN} and ((state < 'active' and start_after < now()) or ${DEAD})
           order by created_on, id limit 1 for update skip locked)
         update ${JOB} j set state = 'active', started_on = clock_timestamp(),
           data = (j.data - 'begun' - 'progress') || jsonb_build_object('worker', $2::text,
             'heard', clock_timestamp(), 'deaths', (j.data->>'deaths')::int + died::int)
         from next where j.name = $1 and j.id = next.id returning j.id, j.data`,
        [this.#name, worker],
      );
      const [found] = rows as { id: string; data: ExportJob }[];
      return found && { job: found.id, worker, asked: found.data.asked, deaths: found.data.deaths };
    });
  }

  /** Says that the worker lives, and how far it is; false where another has the export by now. */
  async beat({ job, worker }: TakenExport, progress: Progress | null): Promise<boolean> {
    const { rows } = await this.database.query(
      `update ${JOB} set data = data || jsonb_build_object('begun', true, 'heard', clock_timestamp(), 'progress', $4::jsonb)
       where ${OWN} returning 1`,
      [this.#name, job, worker, JSON.stringify(progress)],
    );
    return rows.length > 0;
  }

  /** Keeps a part of the file; part 0 takes the place of what another worker wrote. False as in `beat`. */
  async keepPart({ job, worker }: TakenExport, part: number, bytes: Buffer): Promise<boolean> {
    return await this.database.patiently(() =>
      this.database.inTransaction(async (query) => {
        // Held until the end: nobody takes the export over meanwhile.
        const own = await query(`select 1 from ${JOB} where ${OWN} for share`, [this.#name, job, worker]);
        if (own.rows.length === 0) return false;
        if (part === 0)
          await query('delete from catersheet.export_parts where job = $1 and part >= -1', [job]);
        await query(
          `insert into catersheet.export_parts (job, part, bytes) values ($1, $2, $3)
           on conflict (job, part) do update set bytes = excluded.bytes`,
          [job, part, bytes],
        );
        return true;
      }),
    );
  }

  /** To be called when all of the file is kept, or it can't be made. */
  async end({ job, worker }: TakenExport, end: { readonly made: MadeExport } | StopError): Promise<void> {
    const output: Output = end instanceof StopError ? { stop: plainStop(end) } : end;
    await this.database.patiently(() =>
      this.database.query(
        `update ${JOB} set state = 'completed', completed_on = now(), output = $4::jsonb,
           data = data - 'progress' where ${OWN}`,
        [this.#name, job, worker, JSON.stringify(output)],
      ),
    );
  }

  /** Gives an export back to the others, as this worker stops. */
  async giveBack({ job, worker }: TakenExport): Promise<void> {
    await this.database.patiently(() =>
      this.database.query(
        `update ${JOB} set state = 'created', started_on = null,
           data = data - 'begun' - 'worker' - 'heard' - 'progress' where ${OWN}`,
        [this.#name, job, worker],
      ),
    );
  }

  /** How many exports wait, and are at a worker. */
  async sizes(): Promise<ExportSizes> {
    const { rows } = await this.database.query(
      `select count(*) filter (where state < 'active' and ${KNOWN})::int as waiting,
         count(*) filter (where state = 'active')::int as working,
         count(*) filter (where state < 'active' and not ${KNOWN})::int as newer
       from ${JOB} where name = $1 and state <= 'active'`,
      [this.#name],
    );
    return rows[0] as ExportSizes;
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}

const plainStop = ({ exit, change, texts }: StopError): StoppedExport => {
  const { message, next } = texts;
  return { exit, message, ...(next && { next }), ...(change && { change }) } as StoppedExport;
};

/** The stop as the command itself would have thrown it. */
function stopFrom({ exit, message, next, change }: StoppedExport): StopError {
  const known = Object.values(EXIT).includes(exit) ? exit : EXIT.fault;
  return new StopError(known, message as Bilingual, { next, change });
}
