import type { Bilingual } from '../../schema/value.ts';
import type { Unplaced } from '../kinds/kind.ts';
import type { NoRecord } from '../map/no-record.ts';
import type { PassedOver } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';

/** Rows that are no records, in the plan as rows to skip: every row that was read has a place in it, in file order. */
export interface PassedOverRows {
  add(rows: readonly PassedOver[]): void;
  /** Planned rows, with those that stand before or between them in the file. */
  among(planned: readonly Unplaced[]): readonly Unplaced[];
  rest(): Unplaced[];
}

/** Keeps a sheet's rows that are no records until the planner, which may keep rows back, has come to them. */
export function createPassedOver({ sheet, resource }: SheetMapping): PassedOverRows {
  let waiting: PassedOver[] = [];
  const placed = ({ row, why }: PassedOver): Unplaced => ({
    sheet,
    row,
    resource: resource.name,
    action: 'skip',
    ...{ key: null, id: null, external: null, lmt: null },
    ...{ changes: [], steps: [], needs: [], issues: [] },
    message: WHY[why],
  });
  return {
    add: (rows) => void waiting.push(...rows),
    among(planned) {
      if (waiting.length === 0) return planned;
      let next = 0;
      const merged = planned.flatMap((row) => {
        const from = next;
        while (next < waiting.length && (waiting[next] as PassedOver).row < row.row) next++;
        return [...waiting.slice(from, next).map(placed), row];
      });
      waiting = waiting.slice(next);
      return merged;
    },
    rest: () => waiting.splice(0).map(placed),
  };
}

const WHY: Readonly<Record<NoRecord, Bilingual>> = {
  explanation: {
    en: 'explains the columns; no record (create or update in #action makes it one)',
    nl: 'legt de kolommen uit; geen record (create of update onder #action maakt het er een)',
  },
  header: { en: 'the headers once more; no record', nl: 'nog eens de koppen; geen record' },
  total: { en: 'a total; no record', nl: 'een totaal; geen record' },
  sums: { en: 'the sums of the rows above it; no record', nl: 'de sommen van de rijen erboven; geen record' },
  remark: { en: 'a text on its own; no record', nl: 'een losse tekst; geen record' },
};
