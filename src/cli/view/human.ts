import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Format, SingleBar } from 'cli-progress';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { cursorStream, type Line } from '../../core/standard-streams.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { wallClock } from '../../run/context.ts';
import type { Progress } from '../../run/progress.ts';
import { serviceText } from '../../run/service-text.ts';
import { importLines, planLines } from './import-lines.ts';
import { show, stopLines, type View } from './lines.ts';
import type { GivenFlags } from './next-steps.ts';

/** How a run is shown to people. */
interface HumanOptions {
  readonly language: Language;
  readonly quiet: boolean;
  readonly color: boolean;
  /** The flags of the command, which a following one needs too. */
  readonly given: GivenFlags;
}

/** Shows a run to people: a bar while it works, then a summary that a cook can read. */
export function humanView({ language, quiet, color, given }: HumanOptions): View {
  const bar = quiet ? NO_PROGRESS : progressOn(language);
  let planTold = false;
  const told = (to: 'stdout' | 'stderr', lines: readonly Line[]): void => {
    bar.clear();
    show(to, lines, color);
  };
  const err = (...lines: readonly Line[]): void => told('stderr', lines);
  const out = (lines: readonly Line[]): void => told('stdout', lines);
  // What is read meanwhile goes on, and would be drawn over the question and what is typed.
  let isAsking = false;
  return {
    language,
    note(text) {
      if (!quiet) err(text[language]);
    },
    progress(progress) {
      if (!isAsking) bar.show(progress);
    },
    questions(signal) {
      if (process.stdin.isTTY !== true) return null;
      const ask = async (question: Bilingual): Promise<string> => {
        err();
        isAsking = true;
        return await askLine(question[language], signal).finally(() => {
          isAsking = false;
        });
      };
      const agreed = async (question: Bilingual): Promise<boolean> =>
        /^(y|yes|j|ja)$/i.test((await ask(question)).trim());
      return {
        agreed,
        async confirm(plan) {
          err(...planLines(plan, language), '');
          planTold = process.stdout.isTTY === true;
          const { en, nl } = serviceText(plan.service);
          return await agreed(t(`Send this to ${en}? [y/N] `, `Dit versturen naar ${nl}? [j/N] `));
        },
        async takeHeaders({ sheets }) {
          const lines = sheets.flatMap(({ sheet, resource, columns }) =>
            columns.flatMap(({ header, fields, isOpen, sample }) =>
              isOpen ? [] : `  ${sheet} (${resource}): ${header} → ${fields[0]}  ${sample}`,
            ),
          );
          err('', ...lines, '');
          return await agreed(
            t(
              'These headers may stand for columns that are known. Take them so, also next time? [y/N] ',
              'Deze koppen staan misschien voor bekende kolommen. Zo overnemen, ook de volgende keer? [j/N] ',
            ),
          );
        },
        async createUnnamed(sheets) {
          const rows = sheets.reduce((sum, one) => sum + one.rows, 0);
          const of = sheets.map(({ sheet }) => sheet).join(', ');
          return await agreed(
            t(
              `Rows of ${of} that name no record: ${rows}. Create them as new? [y/N] `,
              `Rijen van ${of} die geen record noemen: ${rows}. Als nieuw aanmaken? [j/N] `,
            ),
          );
        },
      };
    },
    async showImport(shown) {
      out(await importLines(shown, language, given, planTold));
    },
    showSeveral: (work) => work(),
    show(_document, lines, to = 'stdout') {
      if (to === 'stdout' || !quiet) told(to, lines);
    },
    stop(error, logFile) {
      const log = logFile === null ? [] : [`${t('Log', 'Logboek')[language]}: ${logFile}`];
      err(...stopLines(error, language), ...log);
    },
    close: () => bar.clear(),
  };
}

/**
 * Asks on the terminal; the answer is empty at the end of input (Ctrl-D). Rejects with a StopError at Ctrl-C
 * or when the signal aborts.
 */
async function askLine(question: string, signal: AbortSignal | undefined): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: cursorStream() });
  const interrupt = new AbortController();
  // A terminal that readline reads from gives Ctrl-C to readline, not to the process.
  lines.on('SIGINT', () => interrupt.abort());
  const asked = lines.question(visibleLine(question), {
    signal: AbortSignal.any([interrupt.signal, ...(signal ? [signal] : [])]),
  });
  try {
    return await Promise.race([asked, once(lines, 'close').then(() => '')]);
  } catch {
    throw new StopError(
      EXIT.interrupted,
      t('Interrupted: nothing was sent.', 'Onderbroken: er is niets verstuurd.'),
    );
  } finally {
    lines.close();
  }
}

const NO_PROGRESS = { show(_: Progress) {}, clear() {} };

const LINE_EVERY = 3000;
/** What is done within this time is not worth a line on the terminal, ms. */
const UNSHOWN = 500;

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
  const number = (value: number, maximumFractionDigits = 0): string =>
    value.toLocaleString(language, { maximumFractionDigits });
  const all = total === null ? '' : t(` of ${number(total)}`, ` van ${number(total)}`)[language];
  const text = `${titleOf(last)[language]}: ${number(done)}${all}`;
  if (doubt !== undefined) {
    const [rows, time] = [doubt.rows, wallClock(doubt.until).slice(11)];
    const said = t(`${rows} in doubt, looked for until ${time}`, `${rows} in twijfel, gezocht tot ${time}`);
    return `${text}, ${said[language]}`;
  }
  const rate = (1000 * (done - from)) / (performance.now() - since);
  if (rate === 0) return text;
  const left = total === null ? '' : `, ${duration((total - done) / rate)} ${t('left', 'te gaan')[language]}`;
  return `${text}${stage === 'listing' ? '' : `, ${number(rate, rate >= 10 ? 0 : 1)}/s`}${left}`;
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
function progressOn(language: Language): typeof NO_PROGRESS {
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
