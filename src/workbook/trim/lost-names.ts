import { moveFormula } from './move-formula.ts';
import type { RowMap } from './row-map.ts';

/** A name that a workbook defines, and what it stands for. */
export interface DefinedName {
  readonly name: string;
  readonly formula: string;
}

/** The names and tables, in lower case, that lack cells they had: those of `tables`, names for such cells, and names that count on those. */
export function lostNames(
  names: readonly DefinedName[],
  rows: ReadonlyMap<string, RowMap>,
  tables: readonly string[],
): Set<string> {
  const lost = new Set(tables.map((table) => table.toLowerCase()));
  for (let before = -1; before < lost.size; ) {
    before = lost.size;
    for (const { name, formula } of names) {
      const moved = moveFormula(formula, { sheet: '', relative: 'name' }, { rows, lost });
      if (moved.lost || (moved.placed && moved.touched)) lost.add(name.toLowerCase());
    }
  }
  return lost;
}
