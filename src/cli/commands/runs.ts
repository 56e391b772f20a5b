import { type Runs, runDocument, withRuns } from '../../api/runs.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { Given } from '../../options/options.ts';
import { showDocument, showWithRows } from '../view/documents.ts';
import { show } from '../view/lines.ts';
import { rowText } from '../view/row-line.ts';
import { runText } from '../view/summaries.ts';

/** `runs`: what the ledger remembers of earlier runs; it needs no service. */
export async function runsCommand(flags: Given<'runs'>): Promise<ExitCode> {
  const { run, json } = flags;
  const asJson = json !== undefined;
  await withRuns(flags, (runs) => (run === undefined ? showList(runs, asJson) : showRun(runs, run, asJson)));
  return EXIT.ok;
}

async function showList({ list, language }: Runs, json: boolean): Promise<void> {
  const runs = await list();
  if (json) showDocument('runs', { runs: runs.map(runDocument) });
  else
    show(
      'stdout',
      runs.flatMap((one) => runText(one, language)),
    );
}

async function showRun({ open, language }: Runs, run: string, json: boolean): Promise<void> {
  const { record, dryRun, rows, documents } = await open(run);
  if (json) {
    await showWithRows<'run'>(runDocument(record), documents);
    return;
  }
  show('stdout', runText(record, language));
  for await (const row of rows) show('stdout', [rowText(row, dryRun, language)]);
}
