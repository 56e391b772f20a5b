import type { Clock } from './clock.ts';
import { interruption } from './interrupted-error.ts';
import { openPace } from './pace.ts';
import { openRefusals } from './refusals.ts';
import { openWidth } from './width.ts';

/** How a request left: dealt with, failed in any other way, or turned away. */
export type Leaving = 'accepted' | 'failed' | TurnedAway;

interface TurnedAway {
  readonly turnedAway: true;
  /** What the service asks for, ms; null when it names no time. */
  readonly wait: number | null;
  /** It says that there were too many requests; else it may be one broken worker of several. */
  readonly tooMany: boolean;
}

/** A service that turns away this share without saying why is taken to have a limit, and is asked less. */
const LIMITED = 0.2;

export interface Gate {
  /** Waits for a turn; what comes back goes first. @throws InterruptedError or what ended the service. */
  enter(signal: AbortSignal, returning: boolean): Promise<(leaving: Leaving) => void>;
  readonly inFlight: number;
  readonly limit: number;
  /** Requests a second; Infinity when unlimited. */
  readonly rate: number;
}

interface Waiting {
  go(leave: (leaving: Leaving) => void): void;
}

/** The one gate every request of a service goes through: when the service pushes back, all of them hear of it. */
export function openGate(options: {
  concurrency: number;
  rate?: number | undefined;
  clock: Clock;
  ending: AbortSignal;
}): Gate {
  const { concurrency, clock, ending } = options;
  const width = openWidth(concurrency);
  const pace = openPace(options.rate);
  const refusals = openRefusals();
  const returning: Waiting[] = [];
  const coming: Waiting[] = [];
  let inFlight = 0;
  let loweredAt = 0;
  let waking = false;

  function pump(): void {
    while (inFlight < width.limit) {
      const lane = returning.length > 0 ? returning : coming;
      if (lane.length === 0) return;
      const now = clock.now();
      const wait = pace.next() - now;
      if (wait > 0) {
        wake(wait);
        return;
      }
      inFlight += 1;
      pace.started(now);
      lane.shift()?.go(once((leaving) => leave(leaving, now)));
    }
  }

  function wake(ms: number): void {
    if (waking) return;
    waking = true;
    const awake = () => {
      waking = false;
      if (!ending.aborted) pump();
    };
    clock.sleep(ms, ending).then(awake, awake);
  }

  function leave(leaving: Leaving, startedAt: number): void {
    const now = clock.now();
    inFlight -= 1;
    if (leaving !== 'failed') refusals.note(leaving !== 'accepted');
    if (leaving === 'accepted') {
      width.accepted();
      pace.accepted(now);
    } else if (leaving !== 'failed') {
      turnedAway(leaving, { now, startedAt });
    }
    pump();
  }

  function turnedAway(
    { wait, tooMany }: TurnedAway,
    { now, startedAt }: { readonly now: number; readonly startedAt: number },
  ): void {
    // Those that were on their way when the first was turned away say nothing new.
    const fresh = startedAt >= loweredAt;
    if (wait !== null) pace.pause(now, wait);
    // A worker that fails now and then fails as often at any pace: slowing down for it would never end.
    const limited = tooMany || refusals.share() >= LIMITED;
    if (!fresh) return;
    width.lower(limited ? 0.5 : 0.75);
    if (limited) {
      pace.slowDown(now);
      refusals.forget();
    }
    loweredAt = Math.max(now, pace.next());
  }

  return {
    enter: (signal, back) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(interruption(signal));
        const lane = back ? returning : coming;
        const onAbort = () => {
          lane.splice(lane.indexOf(waiting), 1);
          reject(interruption(signal));
        };
        let gone = false;
        const waiting: Waiting = {
          go(leaving) {
            gone = true;
            signal.removeEventListener('abort', onAbort);
            resolve(leaving);
          },
        };
        lane.push(waiting);
        pump();
        // Only who really waits pays for a listener.
        if (!gone) signal.addEventListener('abort', onAbort);
      }),
    get inFlight() {
      return inFlight;
    },
    get limit() {
      return width.limit;
    },
    get rate() {
      return pace.rate(clock.now());
    },
  };
}

function once(leave: (leaving: Leaving) => void): (leaving: Leaving) => void {
  let left = false;
  return (leaving) => {
    if (left) return;
    left = true;
    leave(leaving);
  };
}
