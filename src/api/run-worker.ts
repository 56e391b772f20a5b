import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { ProgramOptions } from '../options/options.ts';
import { serveMetrics, type WorkerMetrics } from '../queue/metrics.ts';
import { type WorkerEvents, work } from '../queue/work.ts';
import { type ExportEvents, workExports } from '../queue/work-exports.ts';
import { makeExport } from './make-export.ts';

/** What a worker tells of its runs and exports. */
export interface WorkerTold extends Pick<WorkerEvents, 'began' | 'sent' | 'stopped' | 'joined' | 'helped'> {
  readonly exports: Pick<ExportEvents, 'began' | 'made' | 'stopped'>;
  /** Runs and exports wait that a newer version handed over: this one leaves them to others. */
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
  const newer = newerTeller(told);
  // What stops the one stops the other.
  const failed = new AbortController();
  const wished = { drain, signal: AbortSignal.any([signal, failed.signal]) };
  const runs = both(told, metrics?.events, givenUp, newer('runs'));
  const exports = bothExports(told.exports, metrics?.exports, newer('exports'));
  const works = [
    work(options, { ...wished, events: runs }),
    workExports(options, { ...wished, events: exports, make: makeExport }),
  ];
  try {
    for (const one of works) one.catch((error) => failed.abort(error));
    await Promise.allSettled(works);
    await Promise.all(works);
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

/** Tells of what waits for a newer version, each time that there is more of it. */
function newerTeller(told: WorkerTold): (of: 'runs' | 'exports') => (count: number) => void {
  const counts = { runs: 0, exports: 0 };
  return (of) => (count) => {
    const isMore = count > counts[of];
    counts[of] = count;
    if (isMore) told.newer(counts.runs + counts.exports);
  };
}

/** Tells a person, and counts; gathers the runs that are given up. */
function both(
  told: WorkerTold,
  counted: WorkerEvents | undefined,
  givenUp: Set<string>,
  newer: (count: number) => void,
): WorkerEvents {
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
      newer(sizes.newer);
      counted?.looked(sizes);
    },
  };
}

/** The same for exports; what stops one is told to who asked for it. */
function bothExports(
  told: WorkerTold['exports'],
  counted: ExportEvents | undefined,
  newer: (count: number) => void,
): ExportEvents {
  return {
    began(asked) {
      told.began(asked);
      counted?.began(asked);
    },
    made(...made) {
      told.made(...made);
      counted?.made(...made);
    },
    stopped(...stopped) {
      told.stopped(...stopped);
      counted?.stopped(...stopped);
    },
    looked(sizes) {
      newer(sizes.newer);
      counted?.looked(sizes);
    },
  };
}
