import type { Cell, Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { isBlank, noValue } from './cell-sense.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** Zero as a text, which a formula makes of an empty cell. */
const ZERO = /^\s*0(?:[.,]0+)?\s*$/;

/** Whether a cell says nothing of its own: blank, an error, or what a formula makes of an empty cell. */
function saysNothing(cell: Cell): boolean {
  if (cell.type === 'number') return cell.value === 0;
  if (cell.type === 'boolean') return !cell.value;
  return isBlank(cell) || noValue(cell) !== undefined || (cell.type === 'text' && ZERO.test(cell.value));
}

/** Takes rows in their order, each with whether it is blank: all that it holds was filled down. */
type Give = (row: Row, isFilledDown: boolean) => void;

/**
 * Tells rows that hold nothing but what was filled down: without a key, a name and an amount, and with
 * nothing but what the rows on both sides hold too, or another such row beside them. Rows come out in their
 * order; one at most waits for the next.
 */
export class FilledDown {
  private readonly says: readonly (boolean | undefined)[];
  private readonly mapping: SheetMapping;
  private above: Row | undefined;
  private isAboveEmpty = false;
  private waiting: Row | undefined;

  constructor(mapping: SheetMapping) {
    const { resource, readers } = mapping;
    const label = 'label' in resource ? [resource.label] : [];
    const amounts = kindOf(resource).amounts?.(resource).columns ?? [];
    const names: ReadonlySet<string> = new Set([...resource.keys, ...label, ...amounts, '#key', '#action']);
    this.mapping = mapping;
    this.says = readers.map((reader) => reader !== undefined && names.has(reader.name));
  }

  /** Takes a row; gives those of which the rows on both sides are known. */
  take(row: Row, give: Give): void {
    if (row.number <= this.mapping.headerRow) {
      give(row, false);
      return;
    }
    if (this.waiting !== undefined) this.settle(row, give);
    const isEmpty = this.isEmpty(row) && !this.mapping.explanations.has(row.number);
    // Most rows of a column that was filled down are as the one above.
    const isRepeated = isEmpty && this.isAboveEmpty && this.holds(this.above, row);
    if (isEmpty && !isRepeated) {
      this.waiting = row;
      return;
    }
    give(row, isRepeated);
    this.above = row;
    this.isAboveEmpty = isEmpty;
  }

  /** Gives the last row, if it waits. */
  finish(give: Give): void {
    this.settle(undefined, give);
  }

  private settle(below: Row | undefined, give: Give): void {
    const { waiting, above } = this;
    if (waiting === undefined) return;
    const isAbove = this.holds(above, waiting);
    // Beside one record alone it may be a copy of that without its key.
    const isBelow = this.holds(below, waiting) && (isAbove || (below !== undefined && this.isEmpty(below)));
    give(waiting, below === undefined ? isAbove : isBelow);
    this.waiting = undefined;
    this.above = waiting;
    this.isAboveEmpty = true;
  }

  /** Whether a row holds something, and nothing that names a record or counts. */
  private isEmpty({ cells }: Row): boolean {
    let counts = false;
    for (const cell of cells) {
      if (this.says[cell.column] === true && !saysNothing(cell)) return false;
      counts ||= this.counts(cell);
    }
    return counts;
  }

  /** Whether a row has all of another's cells that count. */
  private holds(row: Row | undefined, other: Row): boolean {
    return (
      row !== undefined &&
      other.cells.every(
        (cell) =>
          !this.counts(cell) ||
          row.cells.some((one) => one.column === cell.column && cellText(one) === cellText(cell)),
      )
    );
  }

  private counts(cell: Cell): boolean {
    const { readers, headed } = this.mapping;
    return (readers[cell.column] !== undefined || headed[cell.column] !== true) && !isBlank(cell);
  }
}
