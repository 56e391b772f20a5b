import type { Cell } from '../../core/cell.ts';
import type { CorrectedCells } from '../../files/result-sheet.ts';
import { textToSerial } from '../serial-date.ts';
import type { CellValue } from '../worksheet-xml.ts';
import { isOurs, type ResultColumns } from './added-columns.ts';
import type { HeldKind } from './styles-part.ts';

/** The cells of a sheet that hold something else than in the file, as its rows go by from the top. */
export class CorrectedRows {
  readonly date1904: boolean;
  /** How many rows may be added before any other. */
  readonly count: number;
  private readonly rows: ReadonlyMap<number, CorrectedCells>;
  /** The numbers of those that did not go by yet. */
  private readonly waiting: number[];

  constructor(rows: ReadonlyMap<number, CorrectedCells> = new Map(), date1904 = false) {
    this.rows = rows;
    this.date1904 = date1904;
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

const SHIFT_1904 = 1462;

/** What a cell is written as, and the kind of number format that it needs; null for any. */
export function heldIn(
  cell: Cell | null,
  date1904: boolean,
): { readonly value: CellValue | null; readonly kind: HeldKind | null } {
  if (cell === null) return { value: null, kind: null };
  const { type, value } = cell;
  if (type === 'number') return { value, kind: 'number' };
  if (type !== 'date') return { value, kind: null };
  const hasDay = value.includes('-');
  const serial = textToSerial(value);
  const counted = serial === undefined ? -1 : serial - (hasDay && date1904 ? SHIFT_1904 : 0);
  // Before its calendar begins a workbook has no dates.
  if (counted < 0) return { value, kind: null };
  return { value: counted, kind: !hasDay ? 'time' : value.includes(' ') ? 'datetime' : 'date' };
}
