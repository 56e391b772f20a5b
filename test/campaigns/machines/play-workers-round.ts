import { startRelay } from '../../helpers/pace/relay.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import type { RowSpec } from '../any-service/draw-workbook.ts';
import { type MachinesEnd, playOn, STOPPED, wait } from './play-machines-round.ts';

/** What befalls a worker, or the database that holds the queue and the ledger. */
export type WorkerMishap = 'kill' | 'stop' | 'cut' | 'database';

/** How a round goes: 36 rows of seven sheets for each of `size`, and the share of answers that are lost. */
interface WorkersWishes {
  readonly workers: number;
  readonly mishaps: readonly WorkerMishap[];
  readonly size: number;
  readonly lost: number;
}

interface WorkerHere {
  send(signal: NodeJS.Signals): void;
  readonly relay: Awaited<ReturnType<typeof startRelay>>;
}

/** The rows but for a third: most rows are in the files of both people. Events stay, as links name them. */
const without = (rows: readonly RowSpec[], which: number): RowSpec[] =>
  rows.filter(({ token, kind }) => kind === 'event' || token % 3 !== which);

/**
 * Two people hand over files with many rows in common, and workers send them, while workers are killed,
 * stopped or cut from the database, and that is restarted.
 */
export function playWorkersRound(
  postgres: TestPostgres,
  round: number,
  { workers: count, mishaps, size, lost }: WorkersWishes,
): Promise<MachinesEnd> {
  return playOn(postgres, { round, size, lost, concurrency: 16, doubt: 2 }, async (play, rows) => {
    const { ledger, random } = play.set;
    const workers = new Map<string, WorkerHere>();
    const relays: WorkerHere['relay'][] = [];
    let ended = false;
    const endWorkers = (): void => {
      ended = true;
      for (const { send } of workers.values()) send('SIGTERM');
    };
    /** A worker with a way of its own to the database, that is begun again whenever it ends. */
    const work = async (name: string): Promise<void> => {
      const relay = await startRelay(Number(new URL(ledger).port));
      relays.push(relay);
      while (!ended) {
        const onStart = (send: WorkerHere['send']) => workers.set(name, { send, relay });
        await play.program(name, ['worker'], { ledger: relay.by(ledger), onStart });
        await wait(200);
      }
    };
    /** Hands a file over, and follows it until it is sent. */
    const person = async (name: string, which: number): Promise<void> => {
      let args = ['import', await play.fileOf(name, without(rows, which)), '--queue'];
      for (let time = 0; time < 20; time += 1) {
        const { code, stderr } = await play.program(name, args);
        if (code === 0 || code === 5 || code === 6) return;
        // The database or the workers were away; what is known of the run goes on.
        const [, run] = /catersheet apply (\d{8}-\d{6}-\w{4})/.exec(stderr) ?? [];
        if (run !== undefined) args = ['apply', run, '--queue'];
        await wait(500);
      }
      throw new Error(`${name} came to no end`);
    };
    const disturb = async (): Promise<void> => {
      for (const mishap of mishaps) {
        await wait(random.between(1_500, 6_000));
        const worker = workers.get(random.pick([...workers.keys()] as [string, ...string[]]));
        if (mishap === 'database') await postgres.restart();
        else play.kills.push(Date.now());
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
    };
    try {
      const working = Array.from({ length: count }, (_, at) => work(`w${at}`));
      await Promise.all([person('p1', 0), person('p2', 1), disturb()]);
      endWorkers();
      await Promise.all(working);
      return await play.toItsEnd(await play.fileOf('all', rows));
    } finally {
      endWorkers();
      for (const relay of relays) await relay.stop();
    }
  });
}
