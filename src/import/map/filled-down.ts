import type { Cell, Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { isBlank, noValue } from './cell-sense.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** Zero as a text, which a formula makes of an empty cell. */
const ZERO = /^\s*0(?:[.,]0+)?\s*$/;

/** Whether a cell says nothing of its own: blank, zero, or a checkbox that is off. */
function saysNothing(cell: Cell): boolean {
  if (cell.type === 'number') return cell.value === 0;
  if (cell.type === 'boolean') return !cell.value;
  return isBlank(cell) || (cell.type === 'text' && (ZERO.test(cell.value) || OFF.test(cell.value)));
}

const OFF = /^\s*(?:onwaar|false)\s*$/i;

/**
 * Tells, row by row, which hold nothing but what was filled down: without a key, a name and an amount, and with nothing
 * but zeros, checkboxes that are off, and what stands above too. The first row of errors is one that can't be read.
 */
export function createFilledDown({ resource, readers, headed, headerRow }: SheetMapping) {
  const label = 'label' in resource ? [resource.label] : [];
  const amounts = kindOf(resource).amounts?.(resource).columns ?? [];
  const names: ReadonlySet<string> = new Set([...resource.keys, ...label, ...amounts, '#key', '#action']);
  const tells = readers.map((reader) => reader !== undefined && names.has(reader.name));
  const counts = ({ column }: Cell): boolean => readers[column] !== undefined || headed[column] !== true;
  let above: readonly Cell[] = [];
  return ({ number, cells }: Row): boolean => {
    if (number <= headerRow) return false;
    const isTold = (cell: Cell): boolean => tells[cell.column] === true && !saysNothing(cell);
    if (cells.some((cell) => isTold(cell) && noValue(cell) === undefined)) {
      above = cells;
      return false;
    }
    const counted = cells.filter((cell) => counts(cell) && !isBlank(cell));
    const own = counted.filter((cell) => !saysNothing(cell));
    const isOfAbove = (cell: Cell): boolean =>
      above.some((one) => one.column === cell.column && cellText(one) === cellText(cell));
    if (counted.length > 0 && own.every(isOfAbove)) return true;
    above = cells.some(isTold) ? cells : [];
    return false;
  };
}
