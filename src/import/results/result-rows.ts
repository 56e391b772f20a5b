import { eachOf } from '../../core/batches.ts';
import type { Row } from '../../core/cell.ts';
import type { RowResult } from '../../core/plan.ts';
import { type CorrectedCells, type NumberedOutcome, withCells } from '../../files/result-sheet.ts';
import type { Context } from '../../run/context.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { pagesNow } from '../apply/outcomes.ts';
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

/** A sheet's rows as they stand in the file, with what was corrected and without the columns of an earlier result. */
export async function* resultRows(
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
