/** What work waits for, and whether that went well. */
export interface Turn {
  /** The work's own chain; null when no other work is about the same record. */
  readonly key: string | null;
  /** Chains that must have come to their end, as they stand now, before this work begins. */
  readonly after: readonly string[];
}

/**
 * Runs work side by side, but work under the same key one after the other, in the order it was added, and after the
 * work it needs. Work that waits for its turn takes no place among those running.
 */
export interface RowChains {
  /** `previousOk` tells whether all that this work had to wait for went well. */
  add(turn: Turn, work: (previousOk: boolean) => Promise<boolean>): Promise<boolean>;
}

/** Chains over a runner that bounds how much runs at once. */
export function createRowChains(run: (work: () => Promise<boolean>) => Promise<boolean>): RowChains {
  const tails = new Map<string, Promise<boolean>>();
  return {
    async add({ key, after }, work) {
      const before = [key, ...after].flatMap((name) => (name === null ? [] : (tails.get(name) ?? [])));
      const mine =
        before.length === 0
          ? run(() => work(true))
          : afterAll(before).then((ok) => run(async () => (await work(ok)) && ok));
      if (key === null) return await mine;
      tails.set(key, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === mine) tails.delete(key);
      }
    },
  };
}

async function afterAll(before: readonly Promise<boolean>[]): Promise<boolean> {
  const ended = await Promise.all(before);
  return ended.every((ok) => ok);
}
