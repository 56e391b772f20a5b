import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { resultFact, resultNames, resultPath } from '../files/file-name.ts';
import { isSameFile } from '../files/write-aside.ts';
import type { Context } from '../run/context.ts';
import { readWorkbook, type Workbook } from '../workbook/read-workbook.ts';
import { learnPosted } from './baseline/result-evidence.ts';

/** Refuses a file beside which a result lies, as their names go, of a run that this ledger does not know. */
export async function refuseBeside(context: Context, workbook: Workbook): Promise<void> {
  const usual = new Set([resultPath(workbook.file), resultPath(workbook.file, true)]);
  for (const one of usual) await refuseNamed(context, workbook, one);
}

async function refuseNamed(context: Context, workbook: Workbook, usual: string): Promise<void> {
  for (const file of resultNames(usual)) {
    if (!existsSync(file)) return;
    if (isSameFile(file, workbook.file) || (await isKnown(context, file))) continue;
    const name = basename(file);
    const message = t(
      `${name}, beside this file, is the result of a run that is not known here: rows of this file may have been sent.`,
      `${name}, naast dit bestand, is het resultaat van een run die hier niet bekend is: rijen van dit bestand kunnen verstuurd zijn.`,
    );
    const next = t(
      'Import that result in place of this file; it repeats nothing. Or move it elsewhere, to send these rows.',
      'Importeer dat resultaat in plaats van dit bestand; daarbij wordt niets herhaald. Of zet het ergens anders, om deze rijen te versturen.',
    );
    throw new StopError(EXIT.usage, message, { next });
  }
}

/** Statuses of a dry run are others. */
const SENT: readonly unknown[] = [
  'created',
  'updated',
  'deleted',
  'unknown',
  'failed',
  'unchanged',
  'conflict',
];

/** Whether a result is of a run that this ledger knows better, was sent to another service, or sent nothing. */
async function isKnown(context: Context, file: string): Promise<boolean> {
  const { ledger } = context;
  for (const service of await ledger.listServices())
    if ((await ledger.findFact(service, resultFact(file))) !== undefined) return true;
  const book = await readWorkbook(file);
  const { isHere, run } = await learnPosted(context, book, { onConflict: 'mine' });
  if (isHere === false || (run !== null && (await ledger.findRun(run)) !== undefined)) return true;
  for (const { rows } of book.sheets) {
    let status: number | undefined;
    for await (const { cells } of rows) {
      status ??= cells.find(({ value }) => value === '#status')?.column;
      if (cells.some(({ column, value }) => column === status && SENT.includes(value))) return false;
    }
  }
  return true;
}
