import { setTimeout as sleep } from 'node:timers/promises';

/** How often a queue is looked at while its worker is busy, ms. */
const LOOK = 1000;

/** Does work, and looks at the queue meanwhile: who watches its figures wants those of now. */
export async function whileLooked<T>(look: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const looking = (async () => {
    for (;;) {
      await sleep(LOOK, undefined, { signal: done.signal }).catch(() => {});
      if (done.signal.aborted) return;
      // What is wrong with the queue is found by the work too, which tells it.
      await look().catch(() => {});
    }
  })();
  try {
    return await work();
  } finally {
    done.abort();
    await looking;
  }
}

/** After a look others have so many times as long: a look at a million rows costs as much as sending them. */
const REST = 20;

/**
 * A look that is made when it is asked for, but not again so soon that it keeps others from their work, nor
 * before `least` ms; `now`: it is made in any case.
 */
export function atLeisure(least: number, look: () => Promise<unknown>): (now?: boolean) => Promise<void> {
  let from = Number.NEGATIVE_INFINITY;
  return async (now = false) => {
    const began = performance.now();
    if (!now && began < from) return;
    await look();
    const ended = performance.now();
    from = Math.max(began + least, ended + REST * (ended - began));
  };
}
