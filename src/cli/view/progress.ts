import { type Options, SingleBar } from 'cli-progress';
import type { Bilingual, Language } from '../../core/language.ts';
import { cursorStream } from '../../core/standard-streams.ts';
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
/** What is done within this time is not worth a line on the terminal, ms. */
const UNSHOWN = 500;
/** A speed of less than this time tells nothing, ms. */
const UNSTEADY = 1500;

/** What a speed is counted from, and the last that was told. */
interface Speed {
  readonly since: number;
  readonly from: number;
  readonly last: Progress;
}

/** The speed with what is told now: from the start of a stage, or of the rows of a file once more. */
function speedOf(speed: Speed | undefined, told: Progress): Speed {
  if (speed === undefined || !isSame(speed.last, told) || told.done < speed.last.done)
    return { since: performance.now(), from: told.done, last: told };
  return { ...speed, last: told };
}

const isSame = (one: Progress, other: Progress): boolean =>
  one.stage === other.stage && one.of?.en === other.of?.en;

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

function describe({ since, from, last }: Speed, language: Language): string {
  const { stage, done, total, doubt, of } = last;
  const number = new Intl.NumberFormat(language);
  const shown = { done: number.format(done), total: number.format(total ?? 0) };
  const count = total === null ? shown.done : say(WORDS.ofAll, language, shown);
  const text = say(wordsOf(last), language, { ...ofWords(of?.[language] ?? ''), count });
  // A list whose first answer did not come yet.
  if (done === 0 && total === null) return text.replace(/: 0$/, ' …');
  const passed = performance.now() - since;
  const rate = (1000 * (done - from)) / passed;
  if (doubt !== undefined) return `${text}, ${say(WORDS.inDoubt, language, { rows: doubt.rows })}`;
  if (passed < UNSTEADY || rate === 0) return text;
  const left = total === null ? '' : `, ${duration((total - done) / rate)} ${say(WORDS.left, language)}`;
  const speed = new Intl.NumberFormat(language, { maximumFractionDigits: rate >= 10 ? 0 : 1 }).format(rate);
  return stage === 'listing' ? `${text}${left}` : `${text}, ${speed}/s${left}`;
}

function wordsOf({ stage, of, total }: Progress): Bilingual {
  if (stage === 'sending') return WORDS.sending;
  if (stage === 'writing') return total === null ? WORDS.writing : WORDS.writingRows;
  return of === undefined ? WORDS.planning : WORDS.reading;
}

const ofWords = (of: string) => ({ of, Of: `${of.slice(0, 1).toUpperCase()}${of.slice(1)}` });

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** How far a run is: a bar on a terminal, a line now and then elsewhere. */
export function progressOn(language: Language): ProgressDisplay {
  const stream = cursorStream();
  return stream.isTTY === true ? progressBar(stream, language) : progressLines(language);
}

/** A bar with rate and time left, for a terminal; a line of text where the end is not known. */
function progressBar(stream: NodeJS.WriteStream, language: Language): ProgressDisplay {
  const opened = performance.now();
  let bar: { readonly single: SingleBar; readonly endless: boolean } | undefined;
  let speed: Speed | undefined;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    timer = undefined;
    bar?.single.stop();
    bar = undefined;
  };
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (speed === undefined) return;
    const { done, total } = speed.last;
    const endless = total === null;
    const isDone = total !== null && done >= total;
    if (isDone || bar?.endless !== endless) clear();
    if (isDone) return;
    const text = describe(speed, language);
    if (bar === undefined) {
      const format = endless ? '{text}' : '{bar} {text}';
      bar = { single: new SingleBar({ ...BAR, stream, format }), endless };
      bar.single.start(total ?? 1, endless ? 0 : done, { text });
      return;
    }
    bar.single.setTotal(total ?? 1);
    bar.single.update(endless ? 0 : done, { text });
  };
  const doubts = doubtTeller(language, clear);
  return {
    clear() {
      doubts.clear();
      clear();
    },
    show(progress) {
      const before = speed?.last;
      const isList = progress.stage === 'listing';
      doubts.take(progress);
      speed = speedOf(speed, progress);
      // Of short lists, one after the other, only some are named.
      const wait = isList && before !== undefined && !isSame(before, progress) ? UNSHOWN : 0;
      const due = Math.max(wait, opened + UNSHOWN - performance.now());
      if (due <= 0) draw();
      else timer ??= setTimeout(draw, due).unref();
    },
  };
}

const BAR: Options = { clearOnComplete: true, hideCursor: true, barsize: 24 };

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
      if (progress.stage === 'listing') return;
      speed = speedOf(speed, progress);
      if (now - printed < LINE_EVERY || (progress.stage === 'writing' && progress.total === null)) return;
      printed = now;
      show('stderr', [describe(speed, language)]);
    },
  };
}
