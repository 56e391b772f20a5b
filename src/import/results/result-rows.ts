import { eachOf } from '../../core/batches.ts';
import type { Row } from '../../core/cell.ts';
import { ROW_MARK } from '../../core/header.ts';
import type { RowResult } from '../../core/plan.ts';
import {
  type CorrectedCells,
  isWanted,
  type NumberedOutcome,
  type ResultRow,
  withCells,
} from '../../files/result-sheet.ts';
import type { Context } from '../../run/context.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { pagesNow } from '../apply/rows-now.ts';
import { rowNumber } from '../map/map-row.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';
import { correctionsOf } from './corrected-cells.ts';
import type { ProblemTally } from './problem-tally.ts';
import { type ResultWording, toOutcome } from './row-outcome.ts';

/** What the sheets of a result are made with. */
export interface ResultWork {
  readonly context: Context;
  readonly plan: Plan;
  readonly tally: ProblemTally;
  readonly wishes: ResultWording;
  /** The result is the user's own workbook, drawings and all. */
  readonly kept: boolean;
  /** The result is a CSV, in which no row can be hidden. */
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
export const rowOutcomes = (
  work: ResultWork,
  mapping: SheetMapping,
): AsyncIterableIterator<NumberedOutcome> => eachOf(outcomePages(work, mapping));

async function* outcomePages(work: ResultWork, mapping: SheetMapping): AsyncGenerator<NumberedOutcome[]> {
  const corrections = correctionsOf(work.plan, mapping.sheet);
  for await (const results of tallied(work, mapping.sheet))
    yield results.map((result) => {
      const { row } = result.planned;
      return { row, ...toOutcome(result, mapping, work.wishes, corrections.get(row)) };
    });
}

const NO_CELLS: ReadonlyMap<number, CorrectedCells> = new Map();

/** A sheet's rows as they stand in the file, merged with their outcomes: both streams are in row order. */
export async function* resultRows(
  sheet: Sheet,
  mapping: SheetMapping,
  outcomes: AsyncIterable<NumberedOutcome>,
  corrected: ReadonlyMap<number, CorrectedCells> = NO_CELLS,
): AsyncGenerator<ResultRow> {
  const results = outcomes[Symbol.asyncIterator]();
  let next = (await results.next()).value as NumberedOutcome | undefined;
  for await (const row of sheet.rows) {
    const cells = corrected.get(row.number);
    const own = withoutOldResult(cells === undefined ? row : withCells(row, cells), mapping);
    if (next === undefined || row.number <= mapping.headerRow || next.row !== rowNumber(row, mapping)) {
      yield { row: own };
      continue;
    }
    yield { row: own, outcome: next };
    next = (await results.next()).value;
  }
}

/** The header, what stands above it, and the rows that need work, moved up below it. */
export async function* problemRows(
  rows: AsyncIterable<ResultRow>,
  headerRow: number,
): AsyncGenerator<ResultRow> {
  let number = headerRow;
  for await (const result of rows) {
    if (result.row.number <= headerRow) yield result;
    else if (result.outcome !== undefined && isWanted(result.outcome))
      yield { ...result, row: { number: ++number, cells: result.row.cells } };
  }
}

/** A sheet's rows behind a first column with their numbers, by which they are known wherever they stand. */
export async function* numberedRows(
  rows: AsyncIterable<ResultRow>,
  headerRow: number,
): AsyncGenerator<ResultRow> {
  for await (const { row, ...rest } of rows) {
    const { number } = row;
    const cells = row.cells.map((cell) => ({ ...cell, column: cell.column + 1 }));
    if (number === headerRow) cells.unshift({ column: 1, type: 'text', value: ROW_MARK });
    if (number > headerRow) cells.unshift({ column: 1, type: 'number', value: number });
    yield { ...rest, row: { ...row, cells } };
  }
}

/** A row without the columns of an earlier result. */
function withoutOldResult(row: Row, { outputColumns }: SheetMapping): Row {
  if (outputColumns.size === 0) return row;
  return { ...row, cells: row.cells.filter((cell) => !outputColumns.has(cell.column)) };
}
