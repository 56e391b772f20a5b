/** Room for so many rows at work at once, in the order of asking; one that waits long gives its own up. */
export type Places = ReturnType<typeof createPlaces>;

/** Places for so many rows at once as `most` says at the time, at least one. */
export function createPlaces(most: () => number) {
  const asking: (() => void)[] = [];
  let taken = 0;
  let aside = 0;
  const given: (() => void)[] = [];
  const hasRoom = (): boolean => taken < Math.max(1, most());
  const take = (first: boolean): Promise<void> | void => {
    if (hasRoom()) {
      taken++;
      return;
    }
    return new Promise((resolve) => (first ? asking.unshift(resolve) : asking.push(resolve)));
  };
  const giveBack = (): void => {
    taken--;
    while (asking.length > 0 && hasRoom()) {
      taken++;
      asking.shift()?.();
    }
    for (const tell of given.splice(0)) tell();
  };
  return {
    /** Does work in a place. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      await take(false);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
    /** Does work that only waits, of a row that has a place: others have it meanwhile. */
    async aside<T>(work: () => Promise<T>): Promise<T> {
      aside++;
      giveBack();
      try {
        return await work();
      } finally {
        // Rows may wait for this one: it goes before those that have not begun.
        await take(true);
        aside--;
      }
    },
    /** Rows that have a place or ask for one, those that ask, and rows that gave theirs up for a while. */
    counts: () => ({ busy: taken + asking.length, waiting: asking.length, aside }),
    /** Resolves when a row next gives its place back. */
    freed: () => new Promise<void>((resolve) => given.push(resolve)),
  };
}
