import type { PageCell, PageLook, PageRow } from '../../../workbook/write/written-page.ts';
import { Exact } from './exact.ts';
import { AMOUNT } from './finance-rows.ts';

/** A page as it grows, row by row. */
export class PageBuilder {
  readonly rows: PageRow[] = [];

  /** The number of the row that comes next. */
  get next(): number {
    return this.rows.length + 1;
  }

  add(...cells: PageRow): void {
    this.rows.push(cells);
  }

  /** Blank rows, up to the one of that number or as many as it says. */
  skip(count = 1): void {
    for (let done = 0; done < count; done++) this.rows.push([]);
  }
}

/** A text on a page. */
export const said = (value: string, look: PageLook = 'label', span?: number): PageCell =>
  span === undefined ? { value, look } : { value, look, span };

/** How a figure is worked out and shown. */
interface FigureOptions {
  readonly formula?: string | undefined;
  readonly format?: string;
  readonly look?: PageLook;
}

/** An amount of money or another number by its format, worked out by a formula where there is one. */
export function figure(
  amount: Exact | number,
  { formula, format = AMOUNT, look = 'figure' }: FigureOptions = {},
): PageCell {
  const value = amount instanceof Exact ? amount.number : amount;
  return { value, look, format, ...(formula === undefined ? {} : { formula }) };
}

/** How counts are shown. */
export const COUNT = '#,##0;-#,##0;"–"';

/** A decimal's figures between thousands, a sign, and a little air: what a number in bold takes beside its digits. */
const AIR = 2;
/** Beyond what anyone earns. */
const WIDEST = 40;
const SHOWN = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** How wide columns of figures are, in characters, for the longest amount in full; a column that is too narrow shows none. */
export function figureWidth(rows: readonly PageRow[], least: number): number {
  const lengths = rows.flat().map((cell) => (isAmount(cell) ? SHOWN.format(cell.value).length + AIR : 0));
  return lengths.reduce((most, length) => Math.max(most, Math.min(WIDEST, length)), least);
}

const isAmount = (cell: PageCell | null): cell is PageCell & { readonly value: number } =>
  cell !== null && cell.format === AMOUNT && typeof cell.value === 'number';
