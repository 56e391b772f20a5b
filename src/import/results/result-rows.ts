import { eachOf } from '../../core/batches.ts';
import type { Row } from '../../core/cell.ts';
import type { RowResult } from '../../core/plan.ts';
import {
  type CorrectedCells,
  type NumberedOutcome,
  type ResultRow,
  withCells,
} from '../../files/result-sheet.ts';
import type { Context } from '../../run/context.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { pagesNow } from '../apply/rows-now.ts';
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
    if (next === undefined || row.number <= mapping.headerRow || next.row !== row.number) {
      yield { row: own };
      continue;
    }
    yield { row: own, outcome: next };
    next = (await results.next()).value;
  }
}

/** A row without the columns of an earlier result. */
function withoutOldResult(row: Row, { outputColumns }: SheetMapping): Row {
  if (outputColumns.size === 0) return row;
  return { ...row, cells: row.cells.filter((cell) => !outputColumns.has(cell.column)) };
}
