import { Format, SingleBar } from 'cli-progress';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { cursorStream } from '../../core/standard-streams.ts';
import { wallClock } from '../../run/context.ts';
import type { Progress } from '../../run/progress.ts';

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
  const { stage, of, done } = told;
  const isSame = speed?.last.stage === stage && speed.last.of?.en === of?.en && done >= speed.last.done;
  return isSame ? { ...speed, last: told } : { since: performance.now(), from: done, last: told };
}

function describe({ since, from, last }: Speed, language: Language): string {
  const { stage, done, total, doubt } = last;
  const title = titleOf(last)[language];
  // A list whose first answer did not come yet.
  if (done === 0 && total === null) return `${title} …`;
  const number = new Intl.NumberFormat(language);
  const all =
    total === null ? '' : t(` of ${number.format(total)}`, ` van ${number.format(total)}`)[language];
  const text = `${title}: ${number.format(done)}${all}`;
  if (doubt !== undefined) {
    const [rows, time] = [doubt.rows, wallClock(doubt.until).slice(11)];
    const doubted = t(
      `${rows} in doubt, looked for until ${time}`,
      `${rows} in twijfel, gezocht tot ${time}`,
    );
    return `${text}, ${doubted[language]}`;
  }
  const passed = performance.now() - since;
  const rate = (1000 * (done - from)) / passed;
  if (passed < UNSTEADY || rate === 0) return text;
  const left = total === null ? '' : `, ${duration((total - done) / rate)} ${t('left', 'te gaan')[language]}`;
  const speed = new Intl.NumberFormat(language, { maximumFractionDigits: rate >= 10 ? 0 : 1 }).format(rate);
  return stage === 'listing' ? `${text}${left}` : `${text}, ${speed}/s${left}`;
}

function titleOf({ stage, of, total }: Progress): Bilingual {
  if (stage === 'sending') return t('Sending rows', 'Rijen versturen');
  if (stage === 'writing')
    return total === null
      ? t('Writing the result', 'Resultaat schrijven')
      : t('Writing rows', 'Rijen schrijven');
  if (of === undefined) return t('Planning rows', 'Rijen plannen');
  return t(`Reading ${of.en}`, `${of.nl.slice(0, 1).toUpperCase()}${of.nl.slice(1)} lezen`);
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** How far a run is: a bar with rate and time left on a terminal, a plain line now and then elsewhere. */
export function progressOn(language: Language): ProgressDisplay {
  const stream = cursorStream();
  const isTerminal = stream.isTTY === true;
  let speed: Speed | undefined;
  let starting: NodeJS.Timeout | undefined;
  const bar = new SingleBar({
    ...{ stream, clearOnComplete: true, hideCursor: true, barsize: 24 },
    ...{ noTTYOutput: true, notTTYSchedule: LINE_EVERY },
    format(options, { progress }) {
      const text = speed === undefined ? '' : describe(speed, language);
      const isDrawn = isTerminal && speed?.last.total != null;
      return isDrawn ? `${Format.BarFormat(progress, options)} ${text}` : text;
    },
  });
  const draw = (): void => {
    const { done = 0, total = null } = speed?.last ?? {};
    const [value, end] = total === null ? [0, 1] : [done, total];
    if (!bar.isActive) bar.start(end, value);
    bar.setTotal(end);
    bar.update(value);
  };
  const clear = (): void => {
    clearTimeout(starting);
    starting = undefined;
    bar.stop();
  };
  return {
    clear,
    show(progress) {
      speed = speedOf(speed, progress);
      const { done, total } = progress;
      if (total !== null && done >= total) clear();
      else if (bar.isActive) draw();
      else starting ??= setTimeout(draw, isTerminal ? UNSHOWN : LINE_EVERY).unref();
    },
  };
}
