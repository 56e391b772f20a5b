import { type Moves, moveFormula, type NameSense } from './move-formula.ts';
import type { RowMap } from './row-map.ts';

/** A name that a workbook defines, and what it stands for. */
export interface DefinedName {
  readonly name: string;
  readonly formula: string;
}

/** A table of a sheet of which rows are left out, and whether it keeps all of its own. */
export interface MovedTable {
  readonly name: string;
  readonly whole: boolean;
}

/**
 * What becomes of cells, and of the names that stand for them: lost are those that lack cells they had, as tables do that are not whole, names for such cells,
 * names that look for cells among those that moved, and names that count on those.
 */
export function movesOf(
  names: readonly DefinedName[],
  rows: ReadonlyMap<string, RowMap>,
  tables: readonly MovedTable[],
): Moves {
  const senses = new Map<string, NameSense>();
  const lost = new Set<string>();
  for (const { name, whole } of tables) {
    senses.set(name.toLowerCase(), { touched: true, placed: false });
    if (!whole) lost.add(name.toLowerCase());
  }
  const moves = { rows, lost, names: senses };
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { name, formula } of names) isNew = learn(name.toLowerCase(), formula) || isNew;
  }
  return moves;

  /** Answers whether anything was not known of the name. */
  function learn(name: string, formula: string): boolean {
    const moved = moveFormula(formula, { sheet: '', relative: 'name' }, moves);
    const known = senses.get(name) ?? { touched: false, placed: false };
    const touched = known.touched || moved.touched;
    const placed = known.placed || moved.placed;
    const isLost = lost.has(name) || moved.lost || (placed && touched);
    const isNew = touched !== known.touched || placed !== known.placed || isLost !== lost.has(name);
    if (touched || placed) senses.set(name, { touched, placed });
    if (isLost) lost.add(name);
    return isNew;
  }
}
