/**
 * Runs work side by side, but work under the same key one after the other, in the order it was added. Work that
 * waits for its turn takes no place among those running.
 */
export interface RowChains {
  /** `previousOk` tells whether all earlier work under the key went well. */
  add(key: string | null, work: (previousOk: boolean) => Promise<boolean>): Promise<boolean>;
}

export function createRowChains(run: (work: () => Promise<boolean>) => Promise<boolean>): RowChains {
  const tails = new Map<string, Promise<boolean>>();
  return {
    async add(key, work) {
      if (key === null) return await run(() => work(true));
      const before = tails.get(key);
      const mine =
        before === undefined
          ? run(() => work(true))
          : before.then((ok) => run(async () => (await work(ok)) && ok));
      tails.set(key, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === mine) tails.delete(key);
      }
    },
  };
}
