import type { Argv } from 'yargs';
import { EXIT, type ExitCode } from '../core/errors.ts';
import type { Language } from '../core/value.ts';
import { countNow } from '../import/apply/apply-plan.ts';
import { rowDocuments } from '../import/import-document.ts';
import { findTakenBack } from '../import/undo/taken-back-run.ts';
import { eachRow } from '../ledger/each-row.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { tryLock } from '../ledger/lock.ts';
import { openLedger } from '../ledger/sqlite-ledger.ts';
import { unknownRun } from '../run/runs.ts';
import { resolveSettings } from '../session/settings.ts';
import { rowText, runText, type ShownRun } from '../view/runs-text.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';

interface RunsFlags extends CommonFlags {
  readonly run: string | undefined;
}

/** So many of the newest runs are listed. */
const NEWEST = 50;

function builder(argv: Argv): Argv<RunsFlags> {
  return commonFlags(argv)
    .positional('run', { type: 'string', describe: 'Run to show row by row' })
    .example('$0 runs 20270331-074512-k3vq', 'every row of one run') as unknown as Argv<RunsFlags>;
}

/** `runs`: what the ledger remembers of earlier runs; it needs no service. */
export const runsCommand: Command<RunsFlags> = {
  builder,
  async run(flags) {
    const settings = resolveSettings(flags);
    const ledger = openLedger(settings.ledger);
    const lock = tryLock(settings.ledger);
    lock?.release();
    try {
      return await showRuns(ledger, flags, settings.lang, lock === null);
    } finally {
      await ledger.close();
    }
  },
};

async function showRuns(
  ledger: Ledger,
  { run, json }: RunsFlags,
  language: Language,
  busy: boolean,
): Promise<ExitCode> {
  if (run === undefined) {
    const runs = await Promise.all(
      (await ledger.listRuns(NEWEST)).map((one) => asItStands(ledger, one, busy)),
    );
    print(
      json === undefined
        ? runs.map((one) => runText(one, language)).join('\n')
        : JSON.stringify({ runs: runs.map(({ busy: _, ...plain }) => plain) }, null, 2),
    );
    return EXIT.ok;
  }
  const found = await ledger.findRun(run);
  if (found === undefined) throw unknownRun(run);
  const record = await asItStands(ledger, found, busy);
  await (json === undefined ? printRows(ledger, record, language) : printJson(ledger, record, language));
  return EXIT.ok;
}

/** A run that was not brought to its end has the counts of its plan: what became of its rows by now is counted anew. */
async function asItStands(ledger: Ledger, record: RunRecord, busy: boolean): Promise<ShownRun> {
  const takenBack = await findTakenBack({ ledger, serviceKey: record.service }, record.run);
  const known = takenBack === undefined ? record : { ...record, takenBack };
  if (record.state !== 'applying') return { ...known, busy: busy && record.state === 'planning' };
  return { ...known, busy, counts: await countNow(ledger, record.run) };
}

const unsent = ({ state }: RunRecord): boolean => state === 'planned' || state === 'planning';

async function printRows(ledger: Ledger, record: ShownRun, language: Language): Promise<void> {
  print(runText(record, language));
  for await (const row of eachRow(ledger, record.run)) print(rowText(row, unsent(record), language));
}

async function printJson(ledger: Ledger, record: RunRecord, language: Language): Promise<void> {
  const rows = [];
  const options = { dryRun: unsent(record), language, all: true };
  for await (const row of rowDocuments(eachRow(ledger, record.run), options)) rows.push(row);
  const { busy: _, ...plain } = record as ShownRun;
  print(JSON.stringify({ ...plain, rows }, null, 2));
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}
