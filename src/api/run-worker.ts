import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { ProgramOptions } from '../options/options.ts';
import { serveMetrics, type WorkerMetrics } from '../queue/metrics.ts';
import { type WorkerEvents, work } from '../queue/work.ts';

/** What a worker tells of its runs. */
export interface WorkerTold extends Pick<WorkerEvents, 'began' | 'sent' | 'stopped' | 'joined' | 'helped'> {
  /** Runs wait that a newer version handed over: this one leaves them to others. */
  newer(count: number): void;
}

/** What became of what a worker was at. */
export interface WorkerEnd {
  /** Runs that were given up: nobody tries them again by himself. */
  readonly givenUp: readonly string[];
}

interface WorkerWishes {
  /** Ends when no run waits any more. */
  readonly drain: boolean;
  /** Where its figures are served, on this machine; none where it is left out. */
  readonly metrics?: number | undefined;
  /** Ends it in good order. */
  readonly signal: AbortSignal;
  readonly told: WorkerTold;
}

/** Sends what others handed over, until the signal. Throws StopError for settings that can't be used. */
export async function runWorker(options: ProgramOptions, wishes: WorkerWishes): Promise<WorkerEnd> {
  const { drain, metrics: port, signal, told } = wishes;
  const metrics = port === undefined ? undefined : await served(port);
  const givenUp = new Set<string>();
  try {
    await work(options, { drain, signal, events: both(told, metrics?.events, givenUp) });
    return { givenUp: [...givenUp] };
  } finally {
    await metrics?.close();
  }
}

async function served(port: number): Promise<WorkerMetrics> {
  try {
    return await serveMetrics(port);
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      t(
        `Port ${port} can’t be used for figures: another program has it, or it needs an administrator.`,
        `Poort ${port} is niet te gebruiken voor cijfers: een ander programma heeft hem, of er is een beheerder nodig.`,
      ),
      {
        cause,
        next: t(
          'Name another one with --metrics.',
          'Noem een andere met --metrics.',
          t('Name another one.', 'Noem een andere.'),
        ),
      },
    );
  }
}

/** Tells a person, and counts; gathers the runs that are given up. */
function both(told: WorkerTold, counted: WorkerEvents | undefined, givenUp: Set<string>): WorkerEvents {
  let newer = 0;
  return {
    began(run) {
      givenUp.delete(run);
      told.began(run);
      counted?.began(run);
    },
    sent(...sent) {
      told.sent(...sent);
      counted?.sent(...sent);
    },
    stopped(run, stop, again) {
      if (!again) givenUp.add(run);
      told.stopped(run, stop, again);
      counted?.stopped(run, stop, again);
    },
    joined(run) {
      told.joined(run);
      counted?.joined(run);
    },
    helped(...helped) {
      told.helped(...helped);
      counted?.helped(...helped);
    },
    looked(sizes) {
      if (sizes.newer > newer) told.newer(sizes.newer);
      newer = sizes.newer;
      counted?.looked(sizes);
    },
  };
}
