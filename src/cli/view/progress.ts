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
  if (doubt !== undefined) {
    const time = wallClock(doubt.until).slice(11);
    return `${text}, ${say(WORDS.inDoubt, language, { rows: doubt.rows, time })}`;
  }
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

/** How what is told is drawn. */
interface Drawing {
  /** When it is drawn next, ms from now; `isNew`: it is of another stage than what was told before. */
  due(progress: Progress, isNew: boolean): number;
  draw(progress: Progress, text: string): void;
  clear(): void;
}

/** How far a run is: a bar on a terminal, a line now and then elsewhere. */
export function progressOn(language: Language): ProgressDisplay {
  const stream = cursorStream();
  const drawing = stream.isTTY === true ? barOn(stream) : plainLines();
  let speed: Speed | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const draw = (): void => {
    stop();
    if (speed === undefined) return;
    const { done, total } = speed.last;
    if (total !== null && done >= total) drawing.clear();
    else drawing.draw(speed.last, describe(speed, language));
  };
  return {
    clear() {
      stop();
      drawing.clear();
    },
    show(progress) {
      const isNew = speed !== undefined && !isSame(speed.last, progress);
      speed = speedOf(speed, progress);
      const due = drawing.due(progress, isNew);
      if (due <= 0) draw();
      else timer ??= setTimeout(draw, due).unref();
    },
  };
}

/** A bar with rate and time left, for a terminal; a line of text where the end is not known. */
function barOn(stream: NodeJS.WriteStream): Drawing {
  const opened = performance.now();
  let bar: { readonly single: SingleBar; readonly endless: boolean } | undefined;
  const clear = (): void => {
    bar?.single.stop();
    bar = undefined;
  };
  return {
    clear,
    // Of short lists, one after the other, only some are named.
    due: ({ stage }, isNew) =>
      Math.max(stage === 'listing' && isNew ? UNSHOWN : 0, opened + UNSHOWN - performance.now()),
    draw({ done, total }, text) {
      const endless = total === null;
      if (bar?.endless !== endless) clear();
      if (bar === undefined) {
        const format = endless ? '{text}' : '{bar} {text}';
        bar = { single: new SingleBar({ ...BAR, stream, format }), endless };
        bar.single.start(total ?? 1, endless ? 0 : done, { text });
        return;
      }
      bar.single.setTotal(total ?? 1);
      bar.single.update(endless ? 0 : done, { text });
    },
  };
}

const BAR: Options = { clearOnComplete: true, hideCursor: true, barsize: 24 };

/** A plain line every few seconds, for logs and pipes. */
function plainLines(): Drawing {
  let printed = performance.now();
  return {
    clear() {},
    due: () => printed + LINE_EVERY - performance.now(),
    draw({ stage, total }, text) {
      if (stage === 'listing' || (stage === 'writing' && total === null)) return;
      printed = performance.now();
      show('stderr', [text]);
    },
  };
}
