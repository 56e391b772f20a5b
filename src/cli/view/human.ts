import type { StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import { serviceText } from '../../run/service-text.ts';
import { importLines, planLines } from './import-lines.ts';
import { show, stopLines } from './lines.ts';
import type { GivenFlags } from './next-command.ts';
import { NO_PROGRESS, progressOn } from './progress.ts';
import { askLine } from './terminal.ts';
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
    show(_name, _document, lines, to = 'stdout') {
      if (to === 'stdout' || !quiet) told(to, lines);
    },
    stop(error, logFile) {
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
