import { EXIT, type StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import { serviceText } from '../../run/service-text.ts';
import { headerLines } from './header-lines.ts';
import { importLines, planLines } from './import-lines.ts';
import { show, stopLines, widthOf } from './lines.ts';
import type { GivenFlags } from './next-command.ts';
import { NO_PROGRESS, progressOn } from './progress.ts';
import { questionsOn } from './terminal.ts';
import type { View } from './view.ts';

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
  // Kept until anything else is told; an error that comes before makes it no news.
  let first: Bilingual | null = null;
  let planTold = false;
  const told = (to: 'stdout' | 'stderr', lines: readonly Line[]): void => {
    bar.clear();
    if (first !== null) show('stderr', [first[language]]);
    first = null;
    show(to, lines, color);
  };
  const err = (...lines: readonly Line[]): void => told('stderr', lines);
  const out = (lines: readonly Line[]): void => told('stdout', lines);
  const questions = questionsOn(() => err());
  return {
    language,
    note(text) {
      if (!quiet) err(text[language]);
    },
    tellFirst(text) {
      if (!quiet) first = text;
    },
    progress(progress) {
      if (progress.stage === 'sending' && first !== null) err();
      if (!questions.isOpen()) bar.show(progress);
    },
    async confirm(plan, signal) {
      err(...planLines(plan, { language, width: widthOf('stderr') }), '');
      planTold = process.stdout.isTTY === true;
      const service = serviceText(plan.service)[language];
      return await questions.agreed(
        t(`Send this to ${service}? [y/N] `, `Dit versturen naar ${service}? [j/N] `)[language],
        signal,
      );
    },
    ask: (question, signal) => questions.agreed(question[language], signal),
    async takeHeaders(proposed, signal) {
      err('', ...headerLines(proposed, language), '');
      return await questions.agreed(
        t('Take them so, also next time? [y/N] ', 'Zo overnemen, ook de volgende keer? [j/N] ')[language],
        signal,
      );
    },
    askText: (question, signal) => questions.line(question[language], signal),
    tell: (text) => err(text[language]),
    async showImport(shown) {
      out(await importLines(shown, { language, width: widthOf('stdout') }, given, planTold));
    },
    showSeveral: (work) => work(),
    show(_name, _document, lines, to = 'stdout') {
      if (to === 'stdout' || !quiet) told(to, lines);
    },
    stop(error, logFile) {
      if (error.exit === EXIT.usage || error.exit === EXIT.file) first = null;
      err(...stoppedLines(error, logFile, language));
    },
    close: () => bar.clear(),
  };
}

function stoppedLines(error: StopError, logFile: string | null, language: Language): Line[] {
  const [, ...next] = stopLines(error, language);
  const log = logFile === null ? [] : [`${t('Log', 'Logboek')[language]}: ${logFile}`];
  return [['red', error.texts.message[language]], ...next, ...log];
}
