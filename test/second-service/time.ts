import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The time that the service lives in: that of this machine, or one that a test lets pass. */
export interface Time {
  /** What a clock shows, in milliseconds since 1970. */
  now(): number;
  /** Time that went by since some moment; no setting of the clock changes it. */
  steady(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Is told of what happens without a wait, such as bytes that arrive: no time passes before that is over. */
  stir?(): void;
}

export const realTime: Time = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, signal) => pause(ms, undefined, signal && { signal }),
};
