/** One request's time: when it arrived and how long it took, in ms. */
export interface Span {
  readonly at: number;
  readonly ms: number;
}

export interface InFlight {
  /** Requests in flight, weighted by time. */
  readonly average: number;
  readonly max: number;
}

/**
 * How many of the requests were in flight at once. The average runs from the first arrival to the last one:
 * what comes after it is the tail, in which nobody sends anything any more.
 */
export function measureInFlight(spans: readonly Span[]): InFlight {
  if (spans.length === 0) return { average: 0, max: 0 };
  const arrivals = spans.map((span) => span.at).sort((a, b) => a - b);
  const departures = spans.map((span) => span.at + span.ms).sort((a, b) => a - b);
  const [first = 0, last = 0] = [arrivals[0], arrivals.at(-1)];
  const busy = spans.reduce((sum, { at, ms }) => sum + Math.min(at + ms, last) - at, 0);
  const average = last > first ? busy / (last - first) : spans.length;
  return { average: Math.round(average * 100) / 100, max: highest(arrivals, departures) };
}

function highest(arrivals: readonly number[], departures: readonly number[]): number {
  let [left, max] = [0, 0];
  for (const [index, arrival] of arrivals.entries()) {
    while ((departures[left] ?? Number.POSITIVE_INFINITY) <= arrival) left += 1;
    max = Math.max(max, index + 1 - left);
  }
  return max;
}
