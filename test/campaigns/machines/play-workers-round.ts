import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { startRelay } from '../../helpers/pace/relay.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { type CliOptions, runCli } from '../../helpers/run-cli.ts';
import { Random } from '../../second-service/random.ts';
import { startSecondService } from '../../second-service/second-service.ts';
import { type RowSpec, sheetsOf } from '../any-service/draw-workbook.ts';
import { type Finding, Judge, type RowSaid } from '../any-service/judge.ts';
import { pacedRows } from './paced-rows.ts';

/** How a round goes: 36 rows of seven sheets for each of `size`, and the share of answers that are lost. */
interface WorkersWishes {
  readonly workers: number;
  /** What befalls a worker, or the database that holds the queue and the ledger. */
  readonly mishaps: readonly ('kill' | 'stop' | 'cut' | 'database')[];
  readonly size: number;
  readonly lost: number;
}

/** What came of a round. */
export interface WorkersEnd {
  readonly round: number;
  readonly rows: number;
  readonly unknown: number;
  readonly findings: readonly Finding[];
  /** The journal, to read what happened. */
  readonly journal: readonly string[];
}

interface WorkerHere {
  send(signal: NodeJS.Signals): void;
  readonly relay: Awaited<ReturnType<typeof startRelay>>;
}

/** Longer than the right to send lasts without a word, ms. */
const STOPPED = 17_000;
/** Few have as many beginnings before them. */
const MOST_TIMES = 20;

/** The rows but for a third: most rows are in the files of both people. Events stay, as links name them. */
const without = (rows: readonly RowSpec[], which: number): RowSpec[] =>
  rows.filter(({ token, kind }) => kind === 'event' || token % 3 !== which);

/**
 * Two people at machines of their own hand over files with many rows in common, and workers send them, while
 * workers are killed, stopped or cut from the database, and that is restarted. What is said at the end of all rows
 * is held against the service's journal.
 */
export async function playWorkersRound(
  postgres: TestPostgres,
  round: number,
  { workers: count, mishaps, size, lost }: WorkersWishes,
): Promise<WorkersEnd> {
  const random = new Random(round);
  const service = await startSecondService({
    seed: round,
    company: 'lookups',
    speed: { beforeMs: [5, 40], clientGone: random.pick(['done', 'not done']) },
    failures: { mix: [{ probability: lost, failure: { kind: 'reset', when: 'after' } }] },
  });
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-machines-'));
  const ledger = await postgres.database();
  const rows = pacedRows(service, size);
  const kills: number[] = [];
  const workers = new Map<string, WorkerHere>();
  const relays: WorkerHere['relay'][] = [];
  let ended = false;
  const endWorkers = (): void => {
    ended = true;
    for (const { send } of workers.values()) send('SIGTERM');
  };
  const fileOf = (name: string, of: readonly RowSpec[]): Promise<string> =>
    makeWorkbook(join(folder, `${name}.xlsx`), sheetsOf(of));
  /** Runs the program at a machine. */
  const program = async (name: string, args: readonly string[], by: string, more: CliOptions = {}) => {
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const env = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: home };
    const sends = args[0] === 'worker' ? [] : ['--yes', '--allow-delete', '--out', 'r.xlsx'];
    const all = [...args, ...sends, '--doubt', '2', '--concurrency', '16', '--ledger', by];
    const end = await runCli(all, { cwd: home, env, own: true, ...more });
    if (end.code === 1) throw new Error(`${name} broke: ${end.stderr}`);
    return end;
  };
  /** A worker with a way of its own to the database, that is begun again whenever it ends. */
  const work = async (name: string): Promise<void> => {
    const relay = await startRelay(Number(new URL(ledger).port));
    relays.push(relay);
    while (!ended) {
      const onStart = (send: WorkerHere['send']) => workers.set(name, { send, relay });
      await program(name, ['worker'], relay.by(ledger), { onStart });
      await sleep(200);
    }
  };
  /** Hands a file over, and follows it until it is sent. */
  const person = async (name: string, which: number): Promise<void> => {
    let args = ['import', await fileOf(name, without(rows, which)), '--queue'];
    for (let time = 0; time < MOST_TIMES; time += 1) {
      const { code, stderr } = await program(name, args, ledger);
      if (code === 0 || code === 5 || code === 6) return;
      // The database or the workers were away; what is known of the run goes on.
      const [, run] = /catersheet apply (\d{8}-\d{6}-\w{4})/.exec(stderr) ?? [];
      if (run !== undefined) args = ['apply', run, '--queue'];
      await sleep(500);
    }
    throw new Error(`${name} came to no end`);
  };
  const disturb = async (): Promise<void> => {
    for (const mishap of mishaps) {
      await sleep(random.between(1_500, 6_000));
      const worker = workers.get(random.pick([...workers.keys()]));
      if (mishap === 'database') await postgres.restart();
      else kills.push(Date.now());
      if (mishap === 'kill') worker?.send('SIGKILL');
      if (mishap === 'stop') {
        worker?.send('SIGSTOP');
        await sleep(STOPPED);
        worker?.send('SIGCONT');
      }
      if (mishap === 'cut') {
        worker?.relay.cut();
        await sleep(random.pick([2_000, STOPPED]));
        worker?.relay.restore();
      }
    }
  };
  try {
    const working = Array.from({ length: count }, (_, at) => work(`w${at}`));
    await Promise.all([person('p1', 0), person('p2', 1), disturb()]);
    endWorkers();
    await Promise.all(working);
    const { stdout } = await program('p1', ['import', await fileOf('all', rows), '--json=all'], ledger);
    const said = (JSON.parse(stdout) as { rows: readonly RowSaid[] }).rows;
    const circumstances = { kills, concurrency: 16, touched: new Set<number>() };
    const findings = new Judge(service, rows, said, circumstances).judge();
    const unknown = said.filter(({ status }) => status === 'unknown').length;
    return { round, rows: rows.length, unknown, findings, journal: service.journal.lines() };
  } finally {
    endWorkers();
    for (const relay of relays) await relay.stop();
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
