import { createInterface } from 'node:readline';
import { type Options, SingleBar } from 'cli-progress';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Language, t } from '../../core/language.ts';
import { cursorStream } from '../../core/standard-streams.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { wallClock } from '../../run/context.ts';
import type { Progress } from '../../run/progress.ts';
import { show } from './lines.ts';
import { say, WORDS } from './words.ts';

/** Shows how far a run is, on stderr. */
interface ProgressDisplay {
  show(progress: Progress): void;
  /** Takes the display away before something else is printed. */
  clear(): void;
}

/** The display of nothing. */
export const NO_PROGRESS: ProgressDisplay = { show() {}, clear() {} };

const LINE_EVERY = 3000;
/** How often it is said again what is waited for, ms: in doubt or not changes all the time. */
const DOUBT_EVERY = 15_000;
/** How long rows that come into doubt are counted before they are named together, ms. */
const GATHERED = 500;

interface Speed {
  readonly stage: Progress['stage'];
  readonly since: number;
  readonly done: number;
}

/** What the speed is counted from: a stage, or the rows of a file once more. */
function isAnew(speed: Speed | undefined, { stage, done }: Progress): boolean {
  return speed === undefined || speed.stage !== stage || done < speed.done;
}

/** Says in full what is waited for: all rows in doubt together, and more of them soon. */
function doubtTeller(language: Language, before: () => void) {
  let latest: Progress['doubt'];
  let told = { rows: 0, at: Number.NEGATIVE_INFINITY };
  let due = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  };
  const tell = (): void => {
    clear();
    if (latest === undefined) return;
    const { rows, until } = latest;
    told = { rows, at: performance.now() };
    before();
    // A wait of some seconds would otherwise seem to end before it began.
    const shown = wallClock(until).slice(11, until.getTime() - Date.now() < 60_000 ? 19 : 16);
    const many = `${rows} ${say(WORDS.rows, language)}`;
    const words = rows === 1 ? WORDS.lookingForOne : WORDS.looking;
    show('stderr', [say(words, language, { rows: many, time: shown })]);
  };
  const take = ({ doubt }: Progress): void => {
    latest = doubt;
    const now = performance.now();
    const pause = (doubt?.rows ?? 0) > told.rows ? LINE_EVERY : DOUBT_EVERY;
    const next = Math.max(now + GATHERED, told.at + pause);
    if (doubt === undefined || next >= due) return;
    clear();
    due = next;
    timer = setTimeout(tell, next - now).unref();
  };
  return { take, clear };
}

function describe(progress: Progress, speed: Speed, now: number, language: Language): string {
  const { stage, done, total, doubt } = progress;
  const seconds = (now - speed.since) / 1000;
  const rate = seconds > 0 ? done / seconds : 0;
  const count = total === null ? `${done}` : `${done}/${total}`;
  const left =
    total === null || rate === 0 ? '' : `, ${duration((total - done) / rate)} ${say(WORDS.left, language)}`;
  const speedText = `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s${left}`;
  const last = doubt === undefined ? speedText : say(WORDS.inDoubt, language, { rows: doubt.rows });
  return `${say(WORDS[stage], language)} ${count} ${say(WORDS.rows, language)}, ${last}`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** How far a run is: a bar on a terminal, a line now and then elsewhere. */
export function progressOn(language: Language): ProgressDisplay {
  const stream = cursorStream();
  return stream.isTTY === true ? progressBar(stream, language) : progressLines(language);
}

/** A bar with rate and time left, for a terminal. */
function progressBar(stream: NodeJS.WriteStream, language: Language): ProgressDisplay {
  const options: Options = {
    stream,
    clearOnComplete: true,
    hideCursor: true,
    format: '{bar} {text}',
    barsize: 24,
  };
  let bar: SingleBar | undefined;
  let speed: Speed | undefined;
  const clear = (): void => {
    bar?.stop();
    bar = undefined;
  };
  const doubts = doubtTeller(language, clear);
  return {
    clear() {
      doubts.clear();
      clear();
    },
    show(progress) {
      const since = performance.now();
      if (isAnew(speed, progress)) clear();
      speed = {
        since,
        ...(isAnew(speed, progress) ? {} : speed),
        stage: progress.stage,
        done: progress.done,
      };
      doubts.take(progress);
      const text =
        progress.stage === 'writing' && progress.total === null
          ? say(WORDS.writing, language)
          : describe(progress, speed, performance.now(), language);
      // While the total is unknown the bar stays empty; the text counts.
      const total = progress.total ?? 1;
      const value = progress.total === null ? 0 : progress.done;
      if (bar === undefined) {
        bar = new SingleBar(options);
        bar.start(total, value, { text });
      } else bar.update(value, { text });
      if (progress.total !== null && progress.done >= progress.total) clear();
    },
  };
}

/** A plain line every few seconds, for logs and pipes. */
function progressLines(language: Language): ProgressDisplay {
  let speed: Speed | undefined;
  let printed = performance.now();
  const doubts = doubtTeller(language, () => {});
  return {
    clear: doubts.clear,
    show(progress) {
      const now = performance.now();
      doubts.take(progress);
      const { stage, done } = progress;
      speed = { since: now, ...(isAnew(speed, progress) ? {} : speed), stage, done };
      if (now - printed < LINE_EVERY || (progress.stage === 'writing' && progress.total === null)) return;
      printed = now;
      show('stderr', [describe(progress, speed, now, language)]);
    },
  };
}

const UNSENT = t('Interrupted: nothing was sent.', 'Onderbroken: er is niets verstuurd.');

/**
 * Asks on the terminal; the answer is empty at the end of input (Ctrl-D). Rejects with a StopError at Ctrl-C
 * or when the signal aborts.
 */
export function askLine(question: string, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, output: cursorStream() });
    let answered = false;
    const interrupt = (): void => {
      reject(new StopError(EXIT.interrupted, UNSENT));
      lines.close();
    };
    // A terminal that readline reads from gives Ctrl-C to readline, not to the process.
    lines.on('SIGINT', interrupt);
    signal?.addEventListener('abort', interrupt, { once: true });
    lines.on('close', () => {
      signal?.removeEventListener('abort', interrupt);
      if (!answered) show('stderr', ['']);
      resolve('');
    });
    lines.question(visibleLine(question), (answer) => {
      answered = true;
      resolve(answer);
      lines.close();
    });
    if (signal?.aborted) interrupt();
  });
}
