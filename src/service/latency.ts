const REMEMBERED = 64;

/** How long the service takes to answer; the middle of the last answers, as lists take longer than records. */
export interface Latency {
  /** To be told of every answer, ms. */
  answered(ms: number): void;
  /** ms; null before the first answer. */
  median(): number | null;
}

/** Of no answers yet. */
export function openLatency(): Latency {
  let last: number[] = [];
  return {
    answered(ms) {
      if (last.length >= 2 * REMEMBERED) last = last.slice(-REMEMBERED);
      last.push(ms);
    },
    median() {
      const sorted = last.slice(-REMEMBERED).sort((one, other) => one - other);
      return sorted[Math.floor(sorted.length / 2)] ?? null;
    },
  };
}
