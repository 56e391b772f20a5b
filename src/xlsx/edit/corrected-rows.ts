import type { Cell } from '../../core/cell.ts';
import type { CorrectedCells } from '../../files/result-sheet.ts';
import { isOurs, type ResultColumns } from './added-columns.ts';

/** The cells of a sheet that hold something else than in the file, as its rows go by from the top. */
export class CorrectedRows {
  /** How many rows may be added before any other. */
  readonly count: number;
  private readonly rows: ReadonlyMap<number, CorrectedCells>;
  /** The numbers of those that did not go by yet. */
  private readonly waiting: number[];

  constructor(rows: ReadonlyMap<number, CorrectedCells> = new Map()) {
    this.rows = rows;
    this.count = rows.size;
    this.waiting = [...rows.keys()].sort((one, other) => one - other);
  }

  /** The rows before row `end` that did not go by: the file lacks them. */
  *absentBefore(end: number): Generator<number> {
    for (let row = this.waiting[0]; row !== undefined && row < end; row = this.waiting[0]) {
      this.waiting.shift();
      yield row;
    }
  }

  /** What a row holds in place of its cells, by column and in their order; it goes by. */
  of(row: number, own: ResultColumns): [number, Cell | null][] {
    const corrected = this.rows.get(row);
    if (corrected === undefined) return [];
    const at = this.waiting.indexOf(row);
    if (at >= 0) this.waiting.splice(at, 1);
    return [...corrected]
      .filter(([column]) => row < own.headerRow || !isOurs(own, column))
      .sort(([one], [other]) => one - other);
  }
}
