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
  /** The fault that it met. */
  readonly fault: string | null;
}

const KEPT = 200_000;

/** Keeps the last 200,000 requests since it was cleared. */
export function createRequestLog() {
  let requests: LoggedRequest[] = [];
  let inFlight = 0;

  return {
    /** Logs an arrival; the returned function logs its end. */
    arrive(request: Pick<LoggedRequest, 'method' | 'path' | 'endpoint' | 'effect'>) {
      const started = performance.now();
      inFlight += 1;
      return (status: number, fault: string | null): void => {
        inFlight -= 1;
        const times = { at: performance.timeOrigin + started, ms: performance.now() - started };
        if (requests.length >= 2 * KEPT) requests = requests.slice(-KEPT);
        requests.push({ ...request, ...times, status, fault });
      };
    },
    /** Those that have ended, and how many have not. */
    report: () => ({ requests, inFlight }),
    clear: () => {
      requests = [];
    },
  };
}
