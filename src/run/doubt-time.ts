import type { Progress } from './progress.ts';

/** The doubts of a session: what is still looked for, and how long. */
export type DoubtTime = ReturnType<typeof openDoubtTime>;

/** When a write is looked for after it was given up, ms; after that twice as long each time. */
const LOOKS = [300, 1200, 3000];
/** So long ago on this machine's clock is over, ms: more than a change of the hour could make of it. */
const LONG_AGO = 3 * 3_600_000;

/**
 * The time in which a write may still appear, `doubt` seconds from when it was given up, and the waits for
 * it. `signal` ends them all. Time is what this process saw pass: a clock that is set changes nothing.
 */
export function openDoubtTime(
  doubt: number,
  {
    signal,
    onProgress,
  }: { signal?: AbortSignal | undefined; onProgress?: ((progress: Progress) => void) | undefined } = {},
) {
  const opened = performance.now();
  const waits = new Set<{ readonly end: number; wake(): void }>();
  let last: Progress = { stage: 'reading', done: 0, total: null };
  let ended = signal?.aborted === true;
  const end = (): void => {
    ended = true;
    signal?.removeEventListener('abort', end);
    for (const { wake } of waits) wake();
  };
  signal?.addEventListener('abort', end);
  const tell = (progress: Progress): void => {
    last = progress;
    let latest = 0;
    for (const wait of waits) latest = Math.max(latest, wait.end);
    const until = new Date(Date.now() + latest - performance.now());
    onProgress?.(waits.size === 0 ? progress : { ...progress, doubt: { rows: waits.size, until } });
  };
  /** Waits with what `work` needs to pause; it is counted as in doubt meanwhile. */
  const waiting = async <T>(until: number, work: (pause: (to: number) => Promise<void>) => Promise<T>) => {
    let wake = (): void => {};
    const wait = { end: until, wake: () => wake() };
    waits.add(wait);
    tell(last);
    try {
      return await work(
        (to) =>
          new Promise((resolve) => {
            wake = wakeAfter(to, resolve);
            if (ended) wake();
          }),
      );
    } finally {
      waits.delete(wait);
      tell(last);
    }
  };
  return {
    /** Tells how far a stage is, with the rows in doubt. */
    tell,
    /** Ends all waits, now and later: what is in doubt is left so. */
    end,
    /** Whether they were ended. */
    ended: (): boolean => ended,
    /** Until when a write may appear that is given up now, by `performance.now()`. */
    fromNow: (): number => performance.now() + doubt * 1000,
    /**
     * The same of one that an earlier process sent at `since`, of which nobody knows when it was given up: it
     * has its whole time from this session's start on, unless it is long ago.
     */
    ofEarlier: (since: Date): number => (Date.now() - since.getTime() > LONG_AGO ? 0 : opened + doubt * 1000),
    /** Waits until then; false when the waits were ended before. */
    async passed(until: number): Promise<boolean> {
      if (performance.now() < until) await waiting(until, (pause) => pause(until));
      return !ended;
    },
    /**
     * Looks at growing pauses until what is seen is `known` or the time is over, the last time at its end;
     * undefined when the waits were ended before that.
     */
    async look<T>(
      until: number,
      look: () => Promise<T>,
      known: (seen: T) => boolean,
    ): Promise<T | undefined> {
      if (ended) return undefined;
      const from = performance.now();
      const first = await look();
      if (known(first) || from >= until) return first;
      return await waiting(until, (pause) =>
        lookAgain({ from, until, known, look, pause, isEnded: () => ended }),
      );
    },
  };
}

interface Looking<T> {
  readonly from: number;
  readonly until: number;
  look(): Promise<T>;
  known(seen: T): boolean;
  pause(to: number): Promise<void>;
  isEnded(): boolean;
}

async function lookAgain<T>({
  from,
  until,
  look,
  known,
  pause,
  isEnded,
}: Looking<T>): Promise<T | undefined> {
  for (let at = 0; ; at++) {
    const next = lookAfter(at);
    if (performance.now() >= from + next && from + next < until) continue;
    await pause(Math.min(from + next, until));
    if (isEnded()) return undefined;
    const begun = performance.now();
    const seen = await look();
    if (known(seen) || begun >= until) return seen;
  }
}

/** Calls `done` at that moment, or when what it answers is called before. */
function wakeAfter(to: number, done: () => void): () => void {
  const timer = setTimeout(() => done(), Math.max(0, to - performance.now()) + 1);
  return () => {
    clearTimeout(timer);
    done();
  };
}

/** When the look after so many comes, ms from the first. */
const lookAfter = (looks: number): number => LOOKS[looks] ?? 3000 * 2 ** (looks - LOOKS.length + 1);
