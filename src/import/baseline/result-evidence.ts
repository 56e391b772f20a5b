import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { resultFact, resultNames, resultPath } from '../../files/file-name.ts';
import { isSameFile } from '../../files/write-aside.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { isDone, nameByEvidence } from '../../records/evidence.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { PlanRules } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { readWorkbook, type Workbook } from '../../workbook/read-workbook.ts';
import type { MapOptions } from '../map/map-row.ts';
import { newReading, readRows } from '../map/read-rows.ts';
import { type RecogniseOptions, recogniseSheets } from '../map/recognise.ts';
import { learnPosted, type ResultSource, sentElsewhere } from './posted-rows.ts';

/** What is known of the run whose result a file is; the same each time that its rows are planned. */
export interface ReadEvidence {
  readonly source: ResultSource;
  /** This ledger has the run. */
  readonly own: boolean;
  /** The user said that what it was sent to is another service than this one. */
  readonly isOther: boolean;
}

/** How the file is read: a result beside it is read the same way. */
type ResultOptions = Pick<PlanRules, 'onConflict'> & RecogniseOptions & MapOptions;

/**
 * Reads what a file says of the result that it is; `run`: the one that its summary names. Throws StopError with
 * EXIT.usage where a result lies beside the file that says more of its rows than this ledger.
 */
export async function readEvidence(
  context: Context,
  workbook: Workbook,
  run: string | undefined,
  options: ResultOptions,
): Promise<ReadEvidence> {
  const { ledger, serviceKey, elsewhere } = context;
  await refuseBeside(context, workbook, options);
  const source = await learnPosted(context, workbook, options);
  const named = source.run ?? run;
  const written = (await ledger.findFact(serviceKey, resultFact(workbook.file))) !== undefined;
  const isKnown = named !== undefined && (await ledger.findRun(named))?.service === serviceKey;
  const isOther = source.isHere === false && (options.onConflict === 'mine' || elsewhere === 'other');
  const isHere = source.isHere ?? (written || isKnown ? true : null);
  return { source: { ...source, isHere }, own: isKnown || (named === undefined && written), isOther };
}

/**
 * Puts what a result says beside rows, which are then about the records with their `#id`. Throws StopError
 * with EXIT.usage at the first row that was sent to another service: the same number is another record here,
 * or the row would be sent twice.
 */
export function takeEvidence(
  context: Context,
  { source, own, isOther }: ReadEvidence,
  rows: readonly MappedRow[],
): void {
  for (const row of rows) {
    if (row.evidence === undefined) continue;
    const { resource } = row.mapping;
    const { id } = row.evidence;
    if (row.action === 'skip' || isOther) Object.assign(row, { evidence: undefined });
    else if (source.isHere === false && source.service !== null) {
      if (id !== null || isDone(row.evidence)) throw sentElsewhere(source.service, context);
    } else {
      const isListed = source.posted !== null && (id === null || source.posted.has(`${resource.name} ${id}`));
      const evidence = { ...row.evidence, own, isListed, isHere: source.isHere === true };
      Object.assign(row, { evidence });
      if (kindOf(resource).compared === true && 'id' in resource) nameByEvidence(row, evidence, resource.id);
    }
  }
}

/**
 * Refuses a file beside which a result lies, as their names go, of a run that this ledger does not know and
 * that sent something: its rows may have been sent.
 */
async function refuseBeside(context: Context, workbook: Workbook, options: ResultOptions): Promise<void> {
  for (const file of resultNames(resultPath(workbook.file, undefined))) {
    if (!existsSync(file)) return;
    if ((await isSameFile(file, workbook.file)) || (await isKnown(context, file))) continue;
    if (!(await saysSent(context, file, options))) continue;
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

/** Whether this ledger wrote it, for this service or another: it knows better what came of its rows. */
async function isKnown({ ledger }: Context, file: string): Promise<boolean> {
  for (const service of await ledger.listServices())
    if ((await ledger.findFact(service, resultFact(file))) !== undefined) return true;
  return false;
}

/** Whether a result says that rows were sent here, or may have been. */
async function saysSent(context: Context, file: string, options: ResultOptions): Promise<boolean> {
  const book = await readWorkbook(file);
  const { isHere, run } = await learnPosted(context, book, { onConflict: 'mine' });
  if (isHere === false) return false;
  if (run !== null && (await context.ledger.findRun(run)) !== undefined) return false;
  // The sheet of a CSV goes by the file's own name.
  for (const entry of await recogniseSheets(book, { ...options, only: [], choices: [] })) {
    if (entry.kind !== 'import' || entry.mapping.outputs === undefined) continue;
    const says = kindOf(entry.mapping.resource).tells === true ? [...SENT, ...COUNTED] : SENT;
    for await (const { records } of readRows(entry.sheet, entry.mapping, options, newReading()))
      if (records.some(({ evidence }) => says.includes(evidence?.status ?? ''))) return true;
  }
  return false;
}

const SENT: readonly string[] = ['created', 'updated', 'deleted', 'unknown', 'failed'];
/** Of a count these say that it was held against a total. */
const COUNTED: readonly string[] = ['unchanged', 'conflict'];
