import { EXIT, StopError } from '../../errors.ts';
import type { RequestErrorKind } from '../../service/request-error.ts';

/** Ends a run when the service stays away: sending row after row into nothing helps nobody. */
export interface Breaker {
  /** To be told of every row's end; null for one that got an answer. */
  note(kind: RequestErrorKind | null): void;
  /** The reason to stop, once there is one. */
  stop(): StopError | null;
}

const AWAY: ReadonlySet<RequestErrorKind> = new Set(['unreachable', 'busy']);

/** Stops after `limit` rows in a row that could not reach the service. */
export function createBreaker(limit: number): Breaker {
  let away = 0;
  let stop: StopError | null = null;
  return {
    stop: () => stop,
    note(kind) {
      away = kind !== null && AWAY.has(kind) ? away + 1 : 0;
      if (away < limit || stop !== null) return;
      stop = new StopError(
        EXIT.service,
        `The service could not be reached for ${away} rows in a row; the rest was not sent.`,
        {
          next: 'Check the connection and import the file again: what is done stays done, only the rest is sent.',
        },
      );
    },
  };
}
