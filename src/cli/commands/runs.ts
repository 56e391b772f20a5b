import { type Runs, runDocument, runWithRows, withRuns } from '../../api/runs.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { Given } from '../../options/options.ts';
import { rowText, runText } from '../view/summaries.ts';

/** `runs`: what the ledger remembers of earlier runs; it needs no service. */
export async function runsCommand(flags: Given<'runs'>): Promise<ExitCode> {
  const { run, json } = flags;
  const asJson = json !== undefined;
  await withRuns(flags, (runs) => (run === undefined ? showList(runs, asJson) : showRun(runs, run, asJson)));
  return EXIT.ok;
}

async function showList({ list, language }: Runs, json: boolean): Promise<void> {
  const runs = await list();
  print(
    json ? asText({ runs: runs.map(runDocument) }) : runs.map((one) => runText(one, language)).join('\n'),
  );
}

async function showRun({ open, language }: Runs, run: string, json: boolean): Promise<void> {
  const opened = await open(run);
  if (json) {
    print(asText(await runWithRows(opened, language)));
    return;
  }
  print(runText(opened.record, language));
  for await (const row of opened.rows) print(rowText(row, opened.dryRun, language));
}

const asText = (document: object): string => JSON.stringify(document, null, 2);

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}
