import { type InFlight, measureInFlight } from './in-flight.ts';

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
  /** What was made to go wrong with it. */
  readonly fault: string | null;
}

/** The log since it was last cleared. */
export interface LogReport {
  readonly requests: readonly LoggedRequest[];
  readonly counts: Readonly<Record<string, number>>;
  /** Answers with 429. */
  readonly refused: number;
  readonly inFlight: InFlight;
}

const KEPT = 200_000;

export interface RequestLog {
  /** Notes an arrival; the returned function notes its end. */
  arrive(
    request: Pick<LoggedRequest, 'method' | 'path' | 'endpoint' | 'effect'>,
  ): (status: number, fault: string | null) => void;
  /** Of the writes alone when asked so. */
  report(onlyWrites: boolean): LogReport;
  clear(): void;
}

/** Keeps the last 200,000 requests; `tell` hears of each one when it has ended. */
export function createRequestLog(tell: (request: LoggedRequest) => void = () => {}): RequestLog {
  let requests: LoggedRequest[] = [];
  let inFlight = 0;

  return {
    arrive(request) {
      inFlight += 1;
      const [started, arrived] = [performance.now(), inFlight];
      return (status, fault) => {
        inFlight -= 1;
        const ms = performance.now() - started;
        const logged = {
          at: performance.timeOrigin + started,
          ...request,
          status,
          ms,
          inFlight: arrived,
          fault,
        };
        if (requests.length >= 2 * KEPT) requests = requests.slice(-KEPT);
        requests.push(logged);
        tell(logged);
      };
    },
    report(onlyWrites) {
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
