import { languageOf } from '../../api/profile-names.ts';
import { type Runs, runDocument, withRuns } from '../../api/runs.ts';
import { withdrawRun } from '../../api/withdraw-run.ts';
import { EXIT, type ExitCode, type StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { type Given, programOptions } from '../../options/options.ts';
import { wrongUsage } from '../stops.ts';
import { showDocument, showWithRows } from '../view/documents.ts';
import { show } from '../view/lines.ts';
import { listSteps, runSteps, stepLines } from '../view/next-steps.ts';
import { rowText } from '../view/row-line.ts';
import { runText } from '../view/summaries.ts';

type RunsFlags = Omit<Given<'runs'>, 'withdraw'>;

/** `runs`: what the ledger remembers of earlier runs; takes one back from workers. It needs no service. */
export async function runsCommand({ withdraw, ...flags }: Given<'runs'>): Promise<ExitCode> {
  const { run, json } = flags;
  const say = (words: Bilingual): void => show('stderr', [words[languageOf(flags.lang)]]);
  if (withdraw && run === undefined) throw NO_RUN();
  if (withdraw && run !== undefined) {
    await withdrawRun(run, { ...programOptions(flags), onWait: say });
    say(WITHDRAWN);
  }
  const asJson = json !== undefined;
  await withRuns(flags, (runs) =>
    run === undefined ? showList(runs, asJson, flags) : showRun(runs, run, asJson, flags),
  );
  return EXIT.ok;
}

const WITHDRAWN = t('Workers send nothing more of this run.', 'Workers versturen niets meer van deze run.');
const NO_RUN = (): StopError =>
  wrongUsage(
    t('--withdraw takes back one run.', '--withdraw haalt één run terug.'),
    t('Name the run. catersheet runs lists them.', 'Noem de run. catersheet runs laat ze zien.'),
  );
const NONE = t('There are no runs yet.', 'Er zijn nog geen runs.');

async function showList({ list, language }: Runs, json: boolean, flags: RunsFlags): Promise<void> {
  const runs = await list();
  if (json) showDocument('runs', { runs: runs.map(runDocument) });
  else {
    show(
      'stdout',
      runs.flatMap((one) => runText(one, language)),
    );
    // What a program reads from stdout stays the runs alone.
    show('stderr', runs.length === 0 ? [NONE[language]] : stepLines(listSteps(runs, flags), language));
  }
}

async function showRun(
  { open, language }: Runs,
  run: string,
  json: boolean,
  flags: RunsFlags,
): Promise<void> {
  const { record, dryRun, rows, documents } = await open(run);
  if (json) {
    await showWithRows<'run'>(runDocument(record), documents);
    return;
  }
  show('stdout', runText(record, language));
  for await (const row of rows) show('stdout', [rowText(row, dryRun, language)]);
  show('stderr', stepLines(runSteps(record, flags), language));
}
