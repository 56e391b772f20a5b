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
