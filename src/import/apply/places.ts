/** Room for so many rows at work at once, in the order of asking; one that waits long gives its own up. */
export type Places = ReturnType<typeof createPlaces>;

/** Places for `most` rows at once. */
export function createPlaces(most: number) {
  const asking: (() => void)[] = [];
  let taken = 0;
  let aside = 0;
  const given: (() => void)[] = [];
  const take = (first: boolean): Promise<void> | void => {
    if (taken < most) {
      taken++;
      return;
    }
    return new Promise((resolve) => (first ? asking.unshift(resolve) : asking.push(resolve)));
  };
  const giveBack = (): void => {
    const next = asking.shift();
    if (next === undefined) taken--;
    else next();
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
    /** Rows that have a place or ask for one, and rows that gave theirs up for a while. */
    counts: () => ({ busy: taken + asking.length, aside }),
    /** Resolves when a row next gives its place back. */
    freed: () => new Promise<void>((resolve) => given.push(resolve)),
  };
}
