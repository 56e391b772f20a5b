import { eachOf } from '../../core/batches.ts';
import type { Row } from '../../core/cell.ts';
import { asStop, EXIT, StopError } from '../../core/errors.ts';
import { normaliseHeader, outputMark } from '../../core/header.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import type { RowResult } from '../../core/plan.ts';
import type { SheetCounts } from '../../core/plan-report.ts';
import { isCsv } from '../../files/file-name.ts';
import { isPostedSheet } from '../../files/posted-sheet.ts';
import {
  type CorrectedCells,
  type NumberedOutcome,
  type ResultSheet,
  withCells,
} from '../../files/result-sheet.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { writeResult } from '../../workbook/write-result.ts';
import { pagesNow } from '../apply/outcomes.ts';
import { newReading } from '../map/read-rows.ts';
import type { RecognisedSheet } from '../map/recognise.ts';
import { outputHeaders, type SheetMapping } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';
import { correctedCells, correctionsOf } from './corrected-cells.ts';
import { postedSheets } from './posted-sheets.ts';
import { createProblemTally, type ProblemTally } from './problem-tally.ts';
import { firstFreeColumn, THE_RESULT } from './result-place.ts';
import { resultSummary } from './result-summary.ts';
import { type ResultWording, toOutcome } from './row-outcome.ts';

/** Where the result is, or why there is none; `resultNotes` are notes on the file. */
export type Written = { readonly resultNotes: readonly Bilingual[] } & (
  | { readonly result: string | null; readonly resultError: null }
  | { readonly result: null; readonly resultError: StopError }
);

/** Nothing was to be written. */
export const NO_RESULT: Written = { result: null, resultError: null, resultNotes: [] };

/**
 * Writes the input's workbook, or as CSV its one imported sheet, with every row's outcome beside it. The
 * previous result stays whole until this one is. Throws nothing: what was sent by then must be told, whatever
 * becomes of the file.
 */
export async function writeResults(
  context: Context,
  plan: Plan,
  counts: readonly SheetCounts[],
  target: string,
  wishes: ResultWording,
): Promise<Written> {
  const { workbook } = plan;
  const tally = createProblemTally(wishes);
  const made = new Date(context.time.now());
  const csv = isCsv(target);
  const kept = workbook.format === 'xlsx' && !csv;
  const options = {
    made,
    style: workbook.style,
    like: workbook.file,
    summary: resultSummary({ plan, sheets: counts, tally, at: wallClock(made), wording: wishes }),
    ...(kept ? { source: workbook.file } : {}),
  };
  try {
    const work = { context, plan, tally, wishes, kept, csv };
    const all = [...(await fileSheets(work)), ...postedSheets(context, plan.run, plan.sheets)];
    const { place, notes } = await writeResult(target, all, options);
    return { result: place, resultError: null, resultNotes: notes };
  } catch (cause) {
    context.log.error({ err: cause, target }, 'the result could not be written');
    const resultError = notWritten(THE_RESULT, target, cause, roomFor(wishes.dryRun));
    return { result: null, resultError, resultNotes: [] };
  }
}

/** How to get a result after all. */
function roomFor(dryRun: boolean): Bilingual {
  const again = dryRun
    ? t('import the file again', 'importeer het bestand opnieuw')
    : t(
        'import the same file again: rows that are done come out unchanged',
        'importeer hetzelfde bestand opnieuw: rijen die klaar zijn komen er ongewijzigd uit',
      );
  return withFlag(
    t(
      `Make room for it or name another file, then ${again.en}.`,
      `Maak er plaats voor of noem een ander bestand, en ${again.nl}.`,
    ),
    '--out',
  );
}

/** Why a file, such as `The result`, is not there after all; `next` tells how to get it. */
export function notWritten(what: Bilingual, target: string, cause: unknown, next: Bilingual): StopError {
  if (cause instanceof StopError) return new StopError(cause.exit, cause.texts.message, { next, cause });
  const isOfSystem = cause instanceof Error && 'errno' in cause;
  const stop = asStop(cause);
  const why = isOfSystem ? t(cause.message, cause.message) : stop.texts.message;
  const text = t(
    `${what.en} ${target} could not be written: ${why.en}`,
    `${what.nl} ${target} kon niet worden geschreven: ${why.nl}`,
  );
  // No room or other name helps where the program itself is at fault.
  return new StopError(EXIT.fault, text, { next: isOfSystem ? next : stop.texts.next, cause });
}

/** The sheets of the file with every row's outcome. A CSV holds one sheet; an earlier summary is replaced. */
async function fileSheets(work: ResultWork): Promise<ResultSheet[]> {
  const isKept = (entry: RecognisedSheet): boolean =>
    entry.kind === 'import' ||
    (!work.csv && !isPostedSheet(entry.sheet) && !(entry.kind === 'skip' && entry.summary));
  return await Promise.all(work.plan.recognised.filter(isKept).map((entry) => toResultSheet(work, entry)));
}

async function toResultSheet(work: ResultWork, entry: RecognisedSheet): Promise<ResultSheet> {
  const { plan, wishes, kept, csv } = work;
  const { name, hidden } = entry.sheet;
  if (entry.kind !== 'import') return { name, hidden, headerRow: null, added: null, rows: entry.sheet.rows };
  const { mapping, sheet } = entry;
  const { headerRow, headers, outputColumns } = mapping;
  const reading = plan.readings.get(name) ?? newReading();
  const own = outputHeaders(headers, outputColumns);
  const firstColumn = firstFreeColumn(mapping, kept ? reading : { ...reading, lastDrawn: 0 }) ?? 1;
  const outcomes = again(() => rowOutcomes(work, mapping));
  const corrected = await correctedCells(entry, plan, csv);
  const rows = again(() => resultRows(sheet, mapping, corrected));
  return {
    ...{ name, hidden, headerRow, outcomes, rows, corrected },
    added: { firstColumn, headers: own },
    oldColumns: oldHeaders(mapping, own),
    onlyProblems: wishes.onlyProblems === true,
  };
}

/** The columns of an earlier result with headers of their own, by which they are known again. */
function oldHeaders({ headers, outputColumns }: SheetMapping, own: readonly string[]): Map<number, string> {
  const others = headers.filter(({ column }) => !outputColumns.has(column));
  const taken = new Set([...own, ...others.map(({ header }) => normaliseHeader(header))]);
  return new Map(
    headers.flatMap(({ header, column }) => {
      const mark = outputColumns.has(column) ? outputMark(normaliseHeader(header)) : undefined;
      if (mark === undefined) return [];
      let number = 2;
      while (taken.has(`${mark}${number}`)) number++;
      taken.add(`${mark}${number}`);
      return [[column, `${mark}${number}`] as const];
    }),
  );
}

/** An iterable that begins anew each time. */
function again<T>(begin: () => AsyncIterable<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => begin()[Symbol.asyncIterator]() };
}

/** What the sheets of a result are made with. */
interface ResultWork {
  readonly context: Context;
  readonly plan: Plan;
  readonly tally: ProblemTally;
  readonly wishes: ResultWording;
  /** The result is the user's own workbook, drawings and all. */
  readonly kept: boolean;
  /** The result is a CSV. */
  readonly csv: boolean;
}

/** A sheet's rows with what became of them, in pages; each time they go by, they are tallied anew. */
async function* tallied(
  { context, plan, tally, wishes }: ResultWork,
  sheet: string,
): AsyncGenerator<RowResult[]> {
  tally.begin(sheet);
  const total = plan.sheets.find((one) => one.sheet === sheet)?.counts.read ?? null;
  let done = 0;
  for await (const results of pagesNow(context.ledger, plan.run, { sheet, busy: wishes.busy })) {
    for (const result of results) tally.add(result);
    done += results.length;
    context.onProgress?.({ stage: 'writing', done, total });
    yield results;
  }
}

/** The outcomes of one sheet's rows. */
const rowOutcomes = (work: ResultWork, mapping: SheetMapping): AsyncIterableIterator<NumberedOutcome> =>
  eachOf(outcomePages(work, mapping));

async function* outcomePages(work: ResultWork, mapping: SheetMapping): AsyncGenerator<NumberedOutcome[]> {
  const corrections = correctionsOf(work.plan, mapping.sheet);
  for await (const results of tallied(work, mapping.sheet))
    yield results.map((result) => {
      const { row } = result.planned;
      return { row, ...toOutcome(result, mapping, work.wishes, corrections.get(row)) };
    });
}

const NO_CELLS: ReadonlyMap<number, CorrectedCells> = new Map();

/** A sheet's rows as they stand in the file, with what was corrected and without the columns of an earlier result. */
async function* resultRows(
  sheet: Sheet,
  { headerRow, outputColumns }: SheetMapping,
  corrected: ReadonlyMap<number, CorrectedCells> = NO_CELLS,
): AsyncGenerator<Row> {
  for await (const row of sheet.rows) {
    const cells = corrected.get(row.number);
    const own = cells === undefined ? row : withCells(row, cells);
    if (outputColumns.size === 0 || row.number < headerRow) yield own;
    else yield { ...own, cells: own.cells.filter(({ column }) => !outputColumns.has(column)) };
  }
}
