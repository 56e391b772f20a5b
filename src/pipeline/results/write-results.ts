import { basename, dirname, extname, join, resolve } from 'node:path';
import { EXIT, StopError } from '../../errors.ts';
import { OUTPUT_MARKS } from '../../schema/header.ts';
import { type ResultSheet, writeResult } from '../../workbook/write-result.ts';
import type { Context } from '../context.ts';
import type { SheetReading } from '../map/read-rows.ts';
import type { RecognisedSheet } from '../map/recognise.ts';
import type { Plan } from '../plan/plan-import.ts';
import { type ResultWording, resultRows } from './result-rows.ts';

/**
 * Where the result goes: `--out`, else beside the input as `NAME.result.xlsx`. Never over the input.
 * Throws StopError with EXIT.usage when both are one file.
 */
export function resultPath(input: string, out: string | undefined): string {
  const ending = extname(input);
  const csv = ['.csv', '.txt', '.tsv'].includes(ending.toLowerCase());
  const name = `${basename(input, ending).replace(/\.result$/, '')}.result${csv ? '.csv' : '.xlsx'}`;
  const target = out ?? join(dirname(input), name);
  if (resolve(target) !== resolve(input)) return target;
  throw new StopError(
    EXIT.usage,
    {
      en: `The result would overwrite the input ${input}.`,
      nl: `Het resultaat zou het ingelezen bestand ${input} overschrijven.`,
    },
    { next: { en: 'Name another file with --out.', nl: 'Noem een ander bestand met --out.' } },
  );
}

/** Writes the input's sheets with every row's outcome beside it; the previous result stays whole until this one is. */
export async function writeResults(
  context: Context,
  plan: Plan,
  target: string,
  wording: ResultWording,
): Promise<void> {
  const sheets = plan.recognised.map((entry) => toResultSheet(context, plan, entry, wording));
  const { delimiter } = plan.workbook;
  await writeResult(target, sheets, delimiter === undefined ? {} : { delimiter });
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

async function* asTheyStand({
  sheet,
}: RecognisedSheet): ResultSheet['rows'] extends AsyncIterable<infer R> ? AsyncGenerator<R> : never {
  for await (const row of sheet.rows) yield { row };
}

/** Right of the last used column; an earlier result's columns don't count when nothing stands right of them. */
function firstFreeColumn(
  entry: RecognisedSheet & { kind: 'import' },
  reading: SheetReading | undefined,
): number {
  const { outputColumns } = entry.mapping;
  const last = reading?.lastColumn ?? 0;
  let first = last + 1;
  while (outputColumns.has(first - 1)) first--;
  return first;
}
