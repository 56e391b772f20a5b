import { eachRow } from '../../ledger/each-row.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { countedAs, noCounts } from '../../schema/counts.ts';
import { settledStatus } from '../../schema/plan.ts';
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
  for await (const { planned: row, outcome } of eachRow(ledger, run)) {
    const counts = bySheet.get(row.sheet);
    if (counts !== undefined) counts[countedAs(outcome?.status ?? settledStatus(row.action) ?? 'not sent')]++;
  }
  return sheets;
}
