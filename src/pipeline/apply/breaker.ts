import { EXIT, StopError } from '../../errors.ts';
import type { RequestError } from '../../service/request-error.ts';

/** Ends a run when the service stays away: sending row after row into nothing helps nobody. */
export interface Breaker {
  /** To be told of every row's end; null for one that went through. */
  note(error: RequestError | null): void;
  /** The reason to stop, once there is one. */
  stop(): StopError | null;
}

/** Nothing came back at all, or only that it is too busy; an answer that went wrong tells that the service is there. */
function away({ kind, status }: RequestError): boolean {
  return kind === 'unreachable' || kind === 'busy' || (kind === 'lost' && status === null);
}

/** Stops after `limit` rows in a row that could not reach the service. */
export function createBreaker(limit: number): Breaker {
  let rows = 0;
  let stop: StopError | null = null;
  return {
    stop: () => stop,
    note(error) {
      rows = error !== null && away(error) ? rows + 1 : 0;
      if (rows < limit || stop !== null) return;
      stop = new StopError(
        EXIT.service,
        {
          en: `The service could not be reached for ${rows} rows in a row; the rest was not sent.`,
          nl: `De dienst was ${rows} rijen achter elkaar niet bereikbaar; de rest is niet verstuurd.`,
        },
        {
          next: {
            en: 'Check the connection.',
            nl: 'Kijk de verbinding na.',
          },
        },
      );
    },
  };
}
