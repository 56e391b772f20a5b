import { EXIT, StopError } from '../../errors.ts';
import { OUTPUT_MARKS } from '../../schema/header.ts';
import { type ResultRow, type ResultSheet, writeResult } from '../../workbook/write-result.ts';
import type { Context } from '../context.ts';
import type { RecognisedSheet } from '../map/recognise.ts';
import type { Plan } from '../plan/plan-import.ts';
import { firstFreeColumn } from './check-room.ts';
import { isCsv } from './result-path.ts';
import { type ResultWording, resultRows } from './result-rows.ts';

/** Where the result is, or why there is none. */
export type Written =
  | { readonly result: string; readonly resultError: null }
  | { readonly result: null; readonly resultError: StopError };

/**
 * Writes the input's sheets with every row's outcome beside it; the previous result stays whole until this one is. As
 * CSV, the sheet that was imported. Throws nothing: what was sent by then has to be told, whatever becomes of the file.
 */
export async function writeResults(
  context: Context,
  plan: Plan,
  target: string,
  wording: ResultWording,
): Promise<Written> {
  const written = isCsv(target) ? plan.recognised.filter(({ kind }) => kind === 'import') : plan.recognised;
  const sheets = written.map((entry) => toResultSheet(context, plan, entry, wording));
  const { delimiter } = plan.workbook;
  try {
    await writeResult(target, sheets, delimiter === undefined ? {} : { delimiter });
    return { result: target, resultError: null };
  } catch (cause) {
    context.log.error({ err: cause, target }, 'the result could not be written');
    return { result: null, resultError: notWritten(target, cause, wording.dryRun) };
  }
}

/** Why there is no result, and how to get one. */
function notWritten(target: string, cause: unknown, dryRun: boolean): StopError {
  const again = dryRun
    ? { en: 'import the file again', nl: 'importeer het bestand opnieuw' }
    : {
        en: 'import the same file again: rows that are done come out unchanged',
        nl: 'importeer hetzelfde bestand opnieuw: rijen die klaar zijn komen er ongewijzigd uit',
      };
  const next = {
    en: `Make room for it or name another file with --out, then ${again.en}.`,
    nl: `Maak er plaats voor of noem een ander bestand met --out, en ${again.nl}.`,
  };
  if (cause instanceof StopError) return new StopError(cause.exitCode, cause.texts.message, { next, cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  const text = {
    en: `The result ${target} could not be written: ${why}`,
    nl: `Het resultaat ${target} kon niet worden geschreven: ${why}`,
  };
  return new StopError(EXIT.fault, text, { next, cause });
}

function toResultSheet(
  context: Context,
  plan: Plan,
  entry: RecognisedSheet,
  wording: ResultWording,
): ResultSheet {
  const { name, hidden } = entry.sheet;
  if (entry.kind !== 'import')
    return { name, hidden, headerRow: null, added: null, rows: asTheyStand(entry) };
  const { mapping, sheet } = entry;
  const firstColumn = firstFreeColumn(entry, plan.readings.get(name));
  return {
    name,
    hidden,
    headerRow: mapping.headerRow,
    added: { firstColumn, headers: OUTPUT_MARKS },
    rows: resultRows(context, plan.run, sheet, mapping, wording),
  };
}

async function* asTheyStand({ sheet }: RecognisedSheet): AsyncGenerator<ResultRow> {
  for await (const row of sheet.rows) yield { row };
}
