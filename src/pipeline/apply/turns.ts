/** A bounded number of places; who gets one gives it back. */
export interface Turns {
  /** Waits for a place. Answers what gives it back. */
  take(): Promise<() => void>;
}

/** Places in the order they are asked for; `most` is asked anew each time, as what a service bears changes. */
export function createTurns(most: () => number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const next = (): void => {
    while (waiting.length > 0 && taken < most()) {
      taken++;
      waiting.shift()?.();
    }
  };
  return {
    async take() {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      next();
      await turn;
      let back = false;
      return () => {
        if (back) return;
        back = true;
        taken--;
        next();
      };
    },
  };
}
