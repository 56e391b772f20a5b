/** One request as the service saw it. */
export interface LoggedRequest {
  /** Arrival, in ms since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The endpoint's name in the table; null for a path that is not in it. */
  readonly endpoint: string | null;
  readonly effect: 'none' | 'same' | 'each' | null;
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly ms: number;
  /** Requests in flight when it arrived, itself included. */
  readonly inFlight: number;
  /** The fault that it met. */
  readonly fault: string | null;
}

const KEPT = 200_000;

/** Keeps the last 200,000 requests since it was cleared; `tell` is called with each one that has ended. */
export function createRequestLog(tell: (request: LoggedRequest) => void = () => {}) {
  let requests: LoggedRequest[] = [];
  let inFlight = 0;

  return {
    /** Logs an arrival; the returned function logs its end. */
    arrive(request: Pick<LoggedRequest, 'method' | 'path' | 'endpoint' | 'effect'>) {
      inFlight += 1;
      const [started, arrived] = [performance.now(), inFlight];
      return (status: number, fault: string | null): void => {
        inFlight -= 1;
        const times = { at: performance.timeOrigin + started, ms: performance.now() - started };
        const logged = { ...request, ...times, status, inFlight: arrived, fault };
        if (requests.length >= 2 * KEPT) requests = requests.slice(-KEPT);
        requests.push(logged);
        tell(logged);
      };
    },
    /** `onlyWrites`: leaves reads out; `refused`: answers with 429. */
    report(onlyWrites: boolean) {
      const chosen = requests.filter(({ effect }) => !onlyWrites || effect === 'same' || effect === 'each');
      const counts: Record<string, number> = {};
      for (const { endpoint } of chosen)
        counts[endpoint ?? 'unknown'] = (counts[endpoint ?? 'unknown'] ?? 0) + 1;
      const refused = chosen.filter(({ status }) => status === 429).length;
      return { requests: chosen, counts, refused, inFlight: measureInFlight(chosen) };
    },
    clear: () => {
      requests = [];
    },
  };
}

/** Requests in flight at once; the average is weighted by time, from the first arrival to the last. */
export function measureInFlight(spans: readonly Pick<LoggedRequest, 'at' | 'ms'>[]) {
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
