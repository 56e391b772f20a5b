/** Where the row stands that did not go through, such as `Evenementen!12`; null when all did. */
export type Blame = string | null;

/** What work waits for. */
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
  /** `blame` tells of what this work had to wait for whether it went through; so does the answer of the work itself. */
  add(turn: Turn, work: (blame: Blame) => Promise<Blame>): Promise<Blame>;
}

/** Chains over a runner that bounds how much runs at once. */
export function createRowChains(run: (work: () => Promise<Blame>) => Promise<Blame>): RowChains {
  const tails = new Map<string, Promise<Blame>>();
  return {
    async add({ key, after }, work) {
      const before = [key, ...after].flatMap((name) => (name === null ? [] : (tails.get(name) ?? [])));
      const mine =
        before.length === 0
          ? run(() => work(null))
          : afterAll(before).then((blame) => run(async () => (await work(blame)) ?? blame));
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

async function afterAll(before: readonly Promise<Blame>[]): Promise<Blame> {
  const ended = await Promise.all(before);
  return ended.find((blame) => blame !== null) ?? null;
}
