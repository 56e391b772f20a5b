import type { Clock } from '../../src/service/clock.ts';

export interface VirtualClock extends Clock {
  /** Runs until the work is done, jumping from one sleeper to the next. */
  run<T>(work: Promise<T>): Promise<T>;
}

/**
 * Time that passes only when everyone sleeps: minutes of pacing are simulated in milliseconds, the same each
 * time.
 */
export function virtualClock(): VirtualClock {
  let time = 1_000_000;
  let seed = 7;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => time,
    random() {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: time + ms, wake });
      }),
    async run(work) {
      let done = false;
      const end = () => {
        done = true;
      };
      work.then(end, end);
      while (!done) {
        await new Promise(setImmediate);
        if (done) break;
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers.shift();
        if (next === undefined) throw new Error('everyone waits for nothing');
        time = Math.max(time, next.at);
        next.wake();
      }
      return work;
    },
  };
}
