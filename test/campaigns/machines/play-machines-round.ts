import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { type CliResult, runCli } from '../../helpers/run-cli.ts';
import { Random } from '../../second-service/random.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';
import { type RowSpec, sheetsOf } from '../any-service/draw-workbook.ts';
import { type Finding, Judge, type RowSaid } from '../any-service/judge.ts';
import { pacedRows } from './paced-rows.ts';

/** What befalls a machine, or the database that holds the ledger of all. */
type Mishap = 'kill' | 'stop' | 'database';

/** How a round goes: people at machines of their own, with the same file of 36 rows for each of `size`. */
interface MachineWishes {
  readonly machines: number;
  readonly mishaps: readonly Mishap[];
  readonly size: number;
  /** The share of answers that are lost. */
  readonly lost: number;
}

/** What came of a round. */
export interface MachinesEnd {
  readonly round: number;
  readonly rows: number;
  readonly unknown: number;
  readonly findings: readonly Finding[];
  /** The journal, to read what happened. */
  readonly journal: readonly string[];
  readonly ms: number;
}

/** Longer than the right to send lasts without a word, ms. */
export const STOPPED = 17_000;

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Setting {
  readonly service: SecondService;
  readonly postgres: TestPostgres;
  readonly folder: string;
  readonly ledger: string;
  readonly random: Random;
}

type Send = (signal: NodeJS.Signals) => void;

/** Programs with one service and one ledger in a database. */
export class Play {
  readonly kills: number[] = [];
  readonly set: Setting;
  readonly #more: readonly string[];

  constructor(set: Setting, more: readonly string[]) {
    this.set = set;
    this.#more = more;
  }

  /** The workbook of these rows. */
  async fileOf(name: string, rows: readonly RowSpec[]): Promise<string> {
    return await makeWorkbook(join(this.set.folder, `${name}.xlsx`), sheetsOf(rows));
  }

  /** Runs the program at a machine; undefined where it broke off in a way that one more try may mend. */
  async program(
    name: string,
    args: readonly string[],
    {
      ledger = this.set.ledger,
      onStart = () => {},
    }: { ledger?: string; onStart?: (send: Send) => void } = {},
  ): Promise<CliResult> {
    const { folder, service } = this.set;
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const env = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: home };
    const sends = args[0] === 'worker' ? [] : ['--yes', '--allow-delete', '--out', 'r.xlsx'];
    const all = [...args, ...sends, ...this.#more, '--ledger', ledger];
    const end = await runCli(all, { cwd: home, env, own: true, onStart });
    if (end.code === 1) throw new Error(`${name} broke: ${end.stderr}`);
    return end;
  }

  /** One import of all rows, by one person alone: what it says of each is held against the journal. */
  async toItsEnd(file: string): Promise<readonly RowSaid[]> {
    const { code, stdout, stderr } = await this.program('p1', ['import', file, '--json=all']);
    if (!stdout.startsWith('{')) throw new Error(`ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { rows: readonly RowSaid[] }).rows;
  }
}

interface PlayHow {
  readonly round: number;
  readonly size: number;
  readonly lost: number;
  readonly concurrency: number;
  readonly doubt: number;
}

/** Opens a stage for one round, plays on it, and holds what is said at the end against the service's journal. */
export async function playOn(
  postgres: TestPostgres,
  { round, size, lost, concurrency, doubt }: PlayHow,
  act: (play: Play, rows: readonly RowSpec[]) => Promise<readonly RowSaid[]>,
): Promise<MachinesEnd> {
  const started = performance.now();
  const random = new Random(round);
  const service = await startSecondService({
    seed: round,
    company: 'lookups',
    speed: { beforeMs: [5, 40], clientGone: random.pick(['done', 'not done']) },
    failures: { mix: [{ probability: lost, failure: { kind: 'reset', when: 'after' } }] },
  });
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-machines-'));
  try {
    const rows = pacedRows(service, size);
    const more = ['--doubt', String(doubt), '--concurrency', String(concurrency)];
    const play = new Play({ service, postgres, folder, random, ledger: await postgres.database() }, more);
    const end = await act(play, rows);
    const circumstances = { kills: play.kills, concurrency, touched: new Set<number>() };
    return {
      ...{ round, rows: rows.length, findings: new Judge(service, rows, end, circumstances).judge() },
      journal: service.journal.lines(),
      unknown: end.filter(({ status }) => status === 'unknown').length,
      ms: performance.now() - started,
    };
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Several people import the same file at once, each at a machine of their own, with one ledger in a database,
 * while programs are killed or stopped and the database is restarted.
 */
export function playMachinesRound(
  postgres: TestPostgres,
  round: number,
  { machines, mishaps, size, lost }: MachineWishes,
): Promise<MachinesEnd> {
  return playOn(postgres, { round, size, lost, concurrency: 8, doubt: 1 }, async (play, rows) => {
    const file = await play.fileOf('a', rows);
    const names = Array.from({ length: machines }, (_, at) => `m${at}`) as [string, ...string[]];
    const running = new Map<string, Send>();
    const work = async (name: string): Promise<void> => {
      for (let time = 0; time < 20; time += 1) {
        const { code } = await play.program(name, ['import', file], {
          onStart: (send) => running.set(name, send),
        });
        running.delete(name);
        // 2: it lost the right to send, or the database.
        if (code !== null && code !== 2) return;
      }
      throw new Error(`${name} came to no end`);
    };
    const disturb = async (): Promise<void> => {
      const { random } = play.set;
      for (const mishap of mishaps) {
        await wait(random.between(300, 2_500));
        const name = random.pick(names);
        if (mishap === 'database') await postgres.restart();
        else play.kills.push(Date.now());
        if (mishap === 'kill') running.get(name)?.('SIGKILL');
        if (mishap !== 'stop') continue;
        running.get(name)?.('SIGSTOP');
        await wait(STOPPED);
        running.get(name)?.('SIGCONT');
      }
    };
    await Promise.all([...names.map(work), disturb()]);
    return await play.toItsEnd(file);
  });
}
