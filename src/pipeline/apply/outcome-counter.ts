import { type Counts, countedAs, noCounts } from '../../schema/counts.ts';
import type { PlannedRow, Status } from '../../schema/plan.ts';
import type { SheetCounts } from '../plan/plan-report.ts';

/** Counts outcomes by sheet; rows that never got one are `notSent`. */
export interface OutcomeCounter {
  add(planned: PlannedRow, status: Status): void;
  sheets(): SheetCounts[];
}

export function createOutcomeCounter(planned: readonly SheetCounts[]): OutcomeCounter {
  const bySheet = new Map<string, Counts>(planned.map(({ sheet }) => [sheet, noCounts()]));
  return {
    add(row, status) {
      const counts = bySheet.get(row.sheet);
      if (counts !== undefined) counts[countedAs(status)]++;
    },
    sheets: () =>
      planned.map(({ sheet, resource, counts: { read } }) => {
        const ended = bySheet.get(sheet) ?? noCounts();
        const { read: _, notSent, ...others } = ended;
        const done = Object.values(others).reduce((sum, count) => sum + count, 0);
        return { sheet, resource, counts: { ...ended, read, notSent: Math.max(notSent, read - done) } };
      }),
  };
}
