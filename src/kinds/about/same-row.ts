import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { Decision } from '../row-decision.ts';

/** Remembers what rows of a run do, so that what two rows ask for is done once. */
export interface SameRows {
  /** Null for the first row that does this; for any other that it is skipped, and for which row. */
  seen(what: string, row: MappedRow): Decision | null;
}

/** One serves all sheets of a resource in a run. */
export function createSameRows(): SameRows {
  const first = new Map<string, MappedRow>();
  return {
    seen(what, row) {
      const earlier = first.get(what);
      if (earlier !== undefined) return { action: 'skip', message: sameText(earlier) };
      first.set(what, row);
      return null;
    },
  };
}

const sameText = ({ row, mapping: { sheet } }: MappedRow): Bilingual =>
  t(`the same as row ${row} of ${sheet}`, `hetzelfde als rij ${row} van ${sheet}`);
