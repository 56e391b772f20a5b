import type { Argv } from 'yargs';
import { EXIT, type ExitCode } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Bilingual } from '../core/value.ts';
import { reopenRows } from '../import/apply/reopen-rows.ts';
import { finishImport } from '../import/import.ts';
import { reopenPlan } from '../import/plan/saved-plan.ts';
import { findTakenBack, takenBackText } from '../import/undo/taken-back-run.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import { WORDS } from '../view/words.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { ONLY_PROBLEMS, REPORT } from './result-flags.ts';
import { askToSend, showResult } from './show-result.ts';
import { withSession } from './with-session.ts';

interface ApplyFlags extends CommonFlags {
  readonly run: string;
  readonly yes: boolean;
  readonly out: string | undefined;
  readonly only: 'problems' | undefined;
  readonly report: string | undefined;
  readonly resend: readonly string[];
  readonly done: readonly string[];
}

function builder(argv: Argv): Argv<ApplyFlags> {
  return commonFlags(argv)
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Run to send or to continue (see runs)',
    })
    .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Send without asking' })
    .option('out', {
      alias: 'o',
      type: 'string',
      describe: 'Result workbook (NAME.result.xlsx beside the file)',
    })
    .option('only', ONLY_PROBLEMS)
    .option('report', REPORT)
    .option('resend', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Row (12, or Sheet!12) of unknown outcome to send again, deliberately; may be repeated',
    })
    .option('done', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Row of unknown outcome that you found on the service: it counts as posted; may be repeated',
    })
    .example(
      '$0 apply 20270331-074512-k3vq',
      'send what a dry run showed, or go on after a crash',
    ) as unknown as Argv<ApplyFlags>;
}

/** Before anything is sent of a plan whose file is not what it was. */
function planOnlyText(file: string, why: Bilingual): Bilingual {
  return t(
    `${file} ${why.en}. What is sent is the plan, not what the file says now, and the result is made from it.`,
    `${file} ${why.nl}. Verstuurd wordt het plan, niet wat er nu in het bestand staat, en daarvan wordt het resultaat gemaakt.`,
  );
}

/** `apply RUN`: sends a planned run exactly as shown, or continues an interrupted one. */
export const applyCommand: Command<ApplyFlags> = {
  builder,
  run: (flags) => withSession(flags, (session, view) => runApply(flags, session, view), 'wait'),
};

async function runApply(flags: ApplyFlags, session: Session, view: View): Promise<ExitCode> {
  const { context, settings } = session;
  const plan = await reopenPlan(context, flags.run);
  const by = await findTakenBack(context, flags.run);
  if (by !== undefined && plan.requests > 0) view.note(takenBackText(flags.run, by));
  if (plan.planOnly !== null && plan.requests > 0) view.note(planOnlyText(plan.workbook.file, plan.planOnly));
  const agreed = flags.yes || (await askToSend(flags.json, view, plan, context.signal));
  if (!agreed) {
    view.note(WORDS.declined);
    return EXIT.ok;
  }
  await reopenRows(context, flags.run, flags);
  const result = await finishImport(context, plan, {
    out: flags.out,
    onlyProblems: flags.only === 'problems',
    report: flags.report,
    dryRun: false,
    language: settings.lang,
  });
  return await showResult(session, view, result);
}
