import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { Random } from '../../second-service/random.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';
import { sheetsOf } from '../any-service/draw-workbook.ts';
import { type Finding, Judge, type RowSaid } from '../any-service/judge.ts';
import { pacedRows } from '../paced-kills/paced-rows.ts';

/** What befalls a machine, or the database that holds the ledger of all. */
export type Mishap = 'kill' | 'stop' | 'database';

/** How a round goes. */
export interface MachineWishes {
  /** People at machines of their own, at most eight, with the same file. */
  readonly machines: number;
  readonly mishaps: readonly Mishap[];
  /** 25 rows for each. */
  readonly size: number;
  /** The share of answers that are lost. */
  readonly lost: number;
}

/** What came of a round. */
export interface MachinesEnd {
  readonly round: number;
  readonly rows: number;
  readonly unknown: number;
  /** Programs that were begun, on all machines. */
  readonly programs: number;
  readonly findings: readonly Finding[];
  /** The journal, to read what happened. */
  readonly journal: readonly string[];
  readonly ms: number;
}

interface Document {
  readonly rows: readonly RowSaid[];
}

const CONCURRENCY = 8;
/** Longer than the right to send lasts without a word, ms. */
const STOPPED = 17_000;

const MACHINES = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'] as const;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Several people import the same file at once, each at a machine of their own, with one ledger in a database,
 * while programs are killed or stopped and the database is restarted; holds the end against the journal.
 */
export async function playMachinesRound(
  postgres: TestPostgres,
  round: number,
  wishes: MachineWishes,
): Promise<MachinesEnd> {
  const started = performance.now();
  const random = new Random(round);
  const service = await startSecondService({
    seed: round,
    company: 'lookups',
    speed: { beforeMs: [5, 40], clientGone: random.pick(['done', 'not done']) },
    failures: { mix: [{ probability: wishes.lost, failure: { kind: 'reset', when: 'after' } }] },
  });
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-machines-'));
  try {
    const rows = pacedRows(service, wishes.size);
    const file = await makeWorkbook(join(folder, 'a.xlsx'), sheetsOf(rows));
    const ledger = await postgres.database();
    const play = new Play({ service, postgres, folder, file, ledger, random });
    const names = MACHINES.slice(0, wishes.machines) as [string, ...string[]];
    for (const name of names) await mkdir(join(folder, name));
    await Promise.all([...names.map((name) => play.work(name)), play.disturb(names, wishes.mishaps)]);
    const end = await play.toItsEnd('m1', ['import', file]);
    const circumstances = { kills: play.kills, concurrency: CONCURRENCY, touched: new Set<number>() };
    const findings = new Judge(service, rows, end.rows, circumstances).judge();
    return {
      ...{ round, rows: rows.length, findings, journal: service.journal.lines() },
      programs: play.programs,
      unknown: end.rows.filter(({ status }) => status === 'unknown').length,
      ms: performance.now() - started,
    };
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Setting {
  readonly service: SecondService;
  readonly postgres: TestPostgres;
  readonly folder: string;
  readonly file: string;
  readonly ledger: string;
  readonly random: Random;
}

class Play {
  readonly kills: number[] = [];
  programs = 0;
  readonly #set: Setting;
  readonly #running = new Map<string, (signal: NodeJS.Signals) => void>();

  constructor(setting: Setting) {
    this.#set = setting;
  }

  /** Imports the file at a machine until it comes to an end that is not a mishap's. */
  async work(name: string): Promise<void> {
    for (let time = 0; time < 20; time += 1) {
      const { code, stderr } = await this.#program(name, ['import', this.#set.file], (send) => {
        this.#running.set(name, send);
      });
      this.#running.delete(name);
      if (code === 1) throw new Error(`${name} broke: ${stderr}`);
      // 2: it lost the right to send, or the database.
      if (code !== null && code !== 2) return;
    }
    throw new Error(`${name} came to no end`);
  }

  async disturb(names: readonly [string, ...string[]], mishaps: readonly Mishap[]): Promise<void> {
    const { random, postgres } = this.#set;
    for (const mishap of mishaps) {
      await wait(random.between(300, 2_500));
      const name = random.pick(names);
      if (mishap === 'database') await postgres.restart();
      else if (mishap === 'kill') this.#signal(name, 'SIGKILL');
      else {
        this.#signal(name, 'SIGSTOP');
        await wait(STOPPED);
        this.#signal(name, 'SIGCONT');
      }
    }
  }

  async toItsEnd(name: string, args: readonly string[]): Promise<Document> {
    const { code, stdout, stderr } = await this.#program(name, [...args, '--json=all']);
    if (!stdout.startsWith('{')) throw new Error(`ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Document;
  }

  #signal(name: string, signal: NodeJS.Signals): void {
    if (signal !== 'SIGCONT') this.kills.push(Date.now());
    this.#running.get(name)?.(signal);
  }

  async #program(
    name: string,
    args: readonly string[],
    onStart?: (kill: (signal: NodeJS.Signals) => void) => void,
  ) {
    const { folder, service, ledger } = this.#set;
    this.programs++;
    const home = join(folder, name);
    const env = {
      ...{ CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: home },
    };
    const sends = ['--yes', '--out', 'r.xlsx', '--doubt', '1', '--concurrency', String(CONCURRENCY)];
    return await runCli([...args, ...sends, '--ledger', ledger], {
      ...{ cwd: home, env, own: true },
      ...(onStart && { onStart }),
    });
  }
}
