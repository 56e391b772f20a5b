import type { Language } from '../core/language.ts';
import type { PageCell, PageLook, PageRow } from '../xlsx/write/written-book.ts';
import { Decimal } from './decimal.ts';
import type { GroupKey, SumsByKey } from './figures.ts';
import type { FinanceReport, GroupName } from './finance-report.ts';
import { AMOUNT, monthSerial, NONE } from './finance-rows.ts';
import { NO_NUMBER } from './formulas.ts';
import { type Stretch, stretchFormat, type Timeline } from './timeline.ts';

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
export const textCell = (value: string, look: PageLook = 'label', span?: number): PageCell =>
  span === undefined ? { value, look } : { value, look, span };

/** How a figure is worked out and shown. */
interface FigureOptions {
  readonly formula?: string | undefined;
  readonly format?: string;
  readonly look?: PageLook;
}

/** An amount of money or another number by its format, worked out by a formula where there is one. */
export function figureCell(
  amount: Decimal | number,
  { formula, format = AMOUNT, look = 'figure' }: FigureOptions = {},
): PageCell {
  const value = amount instanceof Decimal ? amount.number : amount;
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

/** Where a table came to stand, for a chart of it. */
export interface PlacedTable {
  readonly firstRow: number;
  readonly labelColumn: number;
  readonly amountColumn: number;
  readonly labelFormat: string;
  /** Without what has no name of its own at the end of months. */
  readonly labels: readonly (string | number)[];
  readonly amounts: readonly number[];
}

/** The sum of the cells above; of none it is 0. */
export const columnSum = (letters: string, first: number, last: number): string =>
  last < first ? '0' : `SUM(${letters}${first}:${letters}${last})`;

/** A part of a whole, as a number from 0 to 1. */
export const shareOf = (part: Decimal, whole: Decimal): number =>
  whole.isZero ? 0 : part.number / whole.number;

/** The sum of what each comes to. */
export const sumOver = <T>(all: readonly T[], amount: (one: T) => Decimal): Decimal =>
  all.reduce((sum: Decimal, one) => sum.plus(amount(one)), Decimal.ZERO);

/** The largest first; what has no key last. */
export const keysByAmount = (tally: SumsByKey<GroupKey>): GroupKey[] =>
  tally.keys().sort((one, two) => {
    if (one === null || two === null) return one === null ? 1 : -1;
    return tally.of(two).amount.compare(tally.of(one).amount) || one - two;
  });

/** The key by which a formula adds up, and the name that people read. */
export function nameCells(report: FinanceReport, name: GroupName, key: GroupKey): PageCell[] {
  const none = NONE[report.language];
  const id: PageCell =
    key === null ? { value: none, look: 'muted' } : { value: key, look: 'muted', format: '0' };
  return [id, textCell(report.nameOf(name, key))];
}

/**
 * By what the rows of a key are found: by the number in column A of a row. What has none, or one that is no number, is there as a text,
 * whatever it says.
 */
export const criterionOf = (key: GroupKey, row: number): string => (key === null ? NO_NUMBER : `$A${row}`);

/** A month or a year, as its first day. */
export function stretchCell(
  { begin }: Stretch,
  unit: Timeline['unit'],
  { language, look }: { readonly language: Language; readonly look: 'label' | 'figure-head' },
): PageCell {
  if (begin === null) return { value: NONE[language], look };
  return { value: monthSerial(begin), look, format: stretchFormat(unit, language) };
}
