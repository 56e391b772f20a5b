import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { EXIT, StopError } from '../errors.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Gate, openGate } from './gate.ts';
import { interruption } from './interrupted-error.ts';
import { type Latency, openLatency } from './latency.ts';
import type { ServiceOptions } from './service-options.ts';
import { openTransport, type Transport } from './transport.ts';
import { openScrub, type Scrub } from './words.ts';

/** What all requests of one service share. */
export interface Wiring {
  readonly transport: Transport;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly latency: Latency;
  readonly scrub: Scrub;
  readonly log: Logger;
  readonly counts: { requests: number; retried: number; refused: number; lost: number; bytes: number };
  /** How far the service's clock is ahead of ours, ms, as its last answer told; null before one did. */
  ahead: number | null;
  /** Aborted when nothing may be sent any more; its reason says why. */
  readonly ending: AbortController;
  readonly retries: number;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Puts together what a service works with. @throws StopError (usage) for a token or limit that cannot be used. */
export function openWiring(base: URL, options: ServiceOptions): Wiring {
  const { token, concurrency, rate, timeout, signal, log, clock = systemClock } = options;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new StopError(
      EXIT.usage,
      token === ''
        ? { en: 'The token is empty.', nl: 'Het token is leeg.' }
        : {
            en: 'The token holds characters that a token cannot have.',
            nl: 'In het token staan tekens die een token niet kan hebben.',
          },
      {
        next: {
          en: 'Put the token alone, on one line, in CATERSHEET_TOKEN or in the token file.',
          nl: 'Zet alleen het token, op één regel, in CATERSHEET_TOKEN of in het tokenbestand.',
        },
      },
    );
  }
  if (!(concurrency >= 1) || !((rate ?? 1) > 0)) {
    throw new StopError(EXIT.usage, {
      en: 'At least one request must be allowed in flight, and a rate above 0.',
      nl: 'Er moet minstens één verzoek tegelijk mogen, en een tempo boven 0.',
    });
  }
  const maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
  const ending = new AbortController();
  // Every request in flight listens to this one signal.
  setMaxListeners(0, ending.signal);
  const interrupt = () => ending.abort(interruption(signal as AbortSignal));
  if (signal?.aborted) interrupt();
  else signal?.addEventListener('abort', interrupt, { once: true });
  ending.signal.addEventListener('abort', () => signal?.removeEventListener('abort', interrupt), {
    once: true,
  });
  return {
    retries: options.retries,
    transport: openTransport({ origin: base.origin, connections: concurrency, timeout, maxAnswerBytes }),
    gate: openGate({ concurrency, rate, clock, ending: ending.signal }),
    clock,
    latency: openLatency(),
    scrub: openScrub(token),
    log: log.child({ part: 'service' }),
    counts: { requests: 0, retried: 0, refused: 0, lost: 0, bytes: 0 },
    ahead: null,
    ending,
  };
}
