import { eachRow } from '../../ledger/each-row.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Counts, countedAs, noCounts } from '../../schema/counts.ts';
import { type RowResult, type Status, settledStatus } from '../../schema/plan.ts';
import type { SheetCounts } from '../plan/plan-report.ts';

/**
 * What became of a run's rows, by sheet, as the ledger has it: a row that is to be sent and has no outcome is not sent.
 * `read` is what the plan read, so that rows which went missing show.
 */
export async function countOutcomes(
  ledger: Ledger,
  run: string,
  planned: readonly SheetCounts[],
): Promise<SheetCounts[]> {
  const sheets = planned.map(({ sheet, resource, counts: { read } }) => ({
    sheet,
    resource,
    counts: { ...noCounts(), read },
  }));
  const bySheet = new Map(sheets.map(({ sheet, counts }) => [sheet, counts]));
  for await (const row of eachRow(ledger, run)) {
    const counts = bySheet.get(row.planned.sheet);
    if (counts !== undefined) counts[countedAs(statusNow(row))]++;
  }
  return sheets;
}

/** What became of a run's rows by now, all sheets together. */
export async function countNow(ledger: Ledger, run: string): Promise<Counts> {
  const counts = noCounts();
  for await (const row of eachRow(ledger, run)) {
    counts.read++;
    counts[countedAs(statusNow(row))]++;
  }
  return counts;
}

const statusNow = ({ planned, outcome }: RowResult): Status =>
  outcome?.status ?? settledStatus(planned.action) ?? 'not sent';
