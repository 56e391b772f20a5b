import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { startRelay } from '../../helpers/pace/relay.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { type CliResult, runCli } from '../../helpers/run-cli.ts';
import { Random } from '../../second-service/random.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';
import { type RowSpec, sheetsOf } from '../any-service/draw-workbook.ts';
import { Judge, type RowSaid } from '../any-service/judge.ts';
import { allSheets } from './all-sheets.ts';
import type { MachinesEnd } from './play-machines-round.ts';

/** What befalls a worker, or the database that holds the queue and the ledger. */
export type WorkerMishap = 'kill' | 'stop' | 'cut' | 'database';

/** How a round goes. */
export interface WorkersWishes {
  readonly workers: number;
  readonly mishaps: readonly WorkerMishap[];
  /** 36 rows of seven sheets for each. */
  readonly size: number;
  /** The share of answers that are lost. */
  readonly lost: number;
}

const CONCURRENCY = 16;
/** Longer than the right to send lasts without a word, ms. */
const STOPPED = 17_000;
/** The people, and which third of the rows each one's file lacks: most rows are in both. */
const PEOPLE = ['p1', 'p2'] as const;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Two people hand over files with many rows in common, and workers send them, while workers are killed,
 * stopped or cut from the database, and that is restarted; holds the end against the service's journal.
 */
export async function playWorkersRound(
  postgres: TestPostgres,
  round: number,
  wishes: WorkersWishes,
): Promise<MachinesEnd> {
  const started = performance.now();
  const random = new Random(round);
  const service = await startSecondService({
    seed: round,
    company: 'lookups',
    speed: { beforeMs: [5, 40], clientGone: random.pick(['done', 'not done']) },
    failures: { mix: [{ probability: wishes.lost, failure: { kind: 'reset', when: 'after' } }] },
  });
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-workers-'));
  const play = new Play({ service, postgres, folder, random, ledger: await postgres.database() });
  try {
    const rows = allSheets(service, wishes.size);
    const workers = Array.from({ length: wishes.workers }, (_, at) => play.worker(`w${at}`));
    const people = PEOPLE.map((name, at) => play.person(name, without(rows, at)));
    const mishaps = play.disturb(wishes.mishaps);
    await Promise.all([...people, mishaps]);
    await play.endWorkers();
    await Promise.all(workers);
    const end = await play.toItsEnd(rows);
    const circumstances = { kills: play.kills, concurrency: CONCURRENCY, touched: new Set<number>() };
    const findings = new Judge(service, rows, end, circumstances).judge();
    return {
      ...{ round, rows: rows.length, findings, journal: service.journal.lines(), programs: play.programs },
      unknown: end.filter(({ status }) => status === 'unknown').length,
      ms: performance.now() - started,
    };
  } finally {
    await play.endWorkers();
    await play.close();
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The rows but for some: events stay, as links name them. */
const without = (rows: readonly RowSpec[], which: number): RowSpec[] =>
  rows.filter(({ token, kind }) => kind === 'event' || token % 3 !== which);

interface Setting {
  readonly service: SecondService;
  readonly postgres: TestPostgres;
  readonly folder: string;
  readonly ledger: string;
  readonly random: Random;
}

interface WorkerHere {
  send(signal: NodeJS.Signals): void;
  readonly relay: Awaited<ReturnType<typeof startRelay>>;
}

class Play {
  readonly kills: number[] = [];
  programs = 0;
  readonly #set: Setting;
  readonly #workers = new Map<string, WorkerHere>();
  readonly #relays: Awaited<ReturnType<typeof startRelay>>[] = [];
  #ended = false;

  constructor(setting: Setting) {
    this.#set = setting;
  }

  /** A worker with a way of its own to the database, that is begun again whenever it ends. */
  async worker(name: string): Promise<void> {
    const { ledger } = this.#set;
    const relay = await startRelay(Number(new URL(ledger).port));
    this.#relays.push(relay);
    while (!this.#ended) {
      const { code, stderr } = await this.#program(name, ['worker'], relay.by(ledger), (send) =>
        this.#workers.set(name, { send, relay }),
      );
      if (code === 1) throw new Error(`${name} broke: ${stderr}`);
      await wait(200);
    }
  }

  /** Hands a file over, and follows it until it is sent. */
  async person(name: string, rows: readonly RowSpec[]): Promise<void> {
    const { folder, ledger } = this.#set;
    const file = await makeWorkbook(join(folder, `${name}.xlsx`), sheetsOf(rows));
    let args = ['import', file, '--queue', '--allow-delete'];
    for (let time = 0; time < 20; time += 1) {
      const { code, stderr } = await this.#program(name, args, ledger);
      if (code === 1) throw new Error(`${name} broke: ${stderr}`);
      if (code === 0 || code === 5 || code === 6) return;
      // The database or the workers were away; what is known of the run goes on.
      const [, run] = /catersheet apply (\d{8}-\d{6}-\w{4})/.exec(stderr) ?? [];
      if (run !== undefined) args = ['apply', run, '--queue', '--allow-delete'];
      await wait(500);
    }
    throw new Error(`${name} came to no end`);
  }

  async disturb(mishaps: readonly WorkerMishap[]): Promise<void> {
    const { random, postgres } = this.#set;
    for (const mishap of mishaps) {
      await wait(random.between(1_500, 6_000));
      const worker = this.#workers.get(random.pick([...this.#workers.keys()] as [string, ...string[]]));
      if (mishap === 'database') await postgres.restart();
      else this.kills.push(Date.now());
      if (mishap === 'kill') worker?.send('SIGKILL');
      if (mishap === 'stop') {
        worker?.send('SIGSTOP');
        await wait(STOPPED);
        worker?.send('SIGCONT');
      }
      if (mishap === 'cut') {
        worker?.relay.cut();
        await wait(random.pick([2_000, STOPPED]));
        worker?.relay.restore();
      }
    }
  }

  async endWorkers(): Promise<void> {
    this.#ended = true;
    for (const { send } of this.#workers.values()) send('SIGTERM');
  }

  /** One import of all rows, by one person alone: what it says of each is held against the journal. */
  async toItsEnd(rows: readonly RowSpec[]): Promise<readonly RowSaid[]> {
    const { folder, ledger } = this.#set;
    const file = await makeWorkbook(join(folder, 'all.xlsx'), sheetsOf(rows));
    const args = ['import', file, '--allow-delete', '--json=all'];
    const { code, stdout, stderr } = await this.#program('p1', args, ledger);
    if (!stdout.startsWith('{')) throw new Error(`ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { rows: readonly RowSaid[] }).rows;
  }

  async close(): Promise<void> {
    for (const relay of this.#relays) await relay.stop();
  }

  async #program(
    name: string,
    args: readonly string[],
    ledger: string,
    onStart: (send: (signal: NodeJS.Signals) => void) => void = () => {},
  ): Promise<CliResult> {
    const { folder, service } = this.#set;
    this.programs++;
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const env = {
      ...{ CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: home },
    };
    const sends = args[0] === 'worker' ? [] : ['--yes', '--out', 'r.xlsx'];
    const all = [...args, ...sends, '--doubt', '2', '--concurrency', String(CONCURRENCY), '--ledger', ledger];
    return await runCli(all, { cwd: home, env, own: true, onStart });
  }
}
