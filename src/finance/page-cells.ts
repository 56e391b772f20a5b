import { BigNumber } from 'bignumber.js';
import type { Bilingual, Language } from '../core/language.ts';
import type { PageCell, WrittenPage } from '../xlsx/write/written-book.ts';
import type { GroupKey, GroupName, SumsByKey } from './figures.ts';
import { AMOUNT, MONTHS, monthSerial, NONE } from './finance-rows.ts';
import type { FinanceWork } from './finance-work.ts';
import { NO_NUMBER } from './formulas.ts';
import type { Month } from './timeline.ts';

type PageRow = WrittenPage['rows'][number];
type PageLook = PageCell['look'];

/** Collects the rows of a page. */
export class PageBuilder {
  readonly rows: PageRow[] = [];

  /** The number of the next row, from 1. */
  get next(): number {
    return this.rows.length + 1;
  }

  add(...cells: PageRow): void {
    this.rows.push(cells);
  }

  /** Adds blank rows. */
  skip(count = 1): void {
    for (let done = 0; done < count; done++) this.rows.push([]);
  }
}

/** A text on a page. */
export const textCell = (value: string, look: PageLook = 'label', span?: number): PageCell =>
  span === undefined ? { value, look } : { value, look, span };

/** Cells of a table's head. */
export const headCells = (
  words: readonly Bilingual[],
  language: Language,
  look: 'head' | 'figure-head' = 'figure-head',
): PageCell[] => words.map((word) => textCell(word[language], look));

/** A number, by default an amount of money, with the formula that it is the result of, if any. */
export function figureCell(
  amount: BigNumber | number | null,
  of: Partial<Omit<PageCell, 'value'>> = {},
): PageCell {
  const value = BigNumber.isBigNumber(amount) ? amount.toNumber() : amount;
  return { value, look: 'figure', format: AMOUNT, ...of };
}

/** The number format of counts. */
export const COUNT = '#,##0;-#,##0;"–"';

/** Room beside the digits of a number in bold: a sign and padding. */
const PADDING = 2;
const WIDEST = 40;
const SHOWN = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The width of columns of figures, in characters: Excel shows no number in a column that is too narrow. */
export function figureWidth(rows: readonly PageRow[], least: number): number {
  const lengths = rows.flat().map((cell) => (isAmount(cell) ? SHOWN.format(cell.value).length + PADDING : 0));
  return lengths.reduce((most, length) => Math.max(most, Math.min(WIDEST, length)), least);
}

const isAmount = (cell: PageCell | null): cell is PageCell & { readonly value: number } =>
  cell !== null && cell.format === AMOUNT && typeof cell.value === 'number';

/** The formula of a column's total; `0` for no rows. */
export const columnSum = (letters: string, first: number, last: number): string =>
  last < first ? '0' : `SUM(${letters}${first}:${letters}${last})`;

/** A part of a whole, as a number from 0 to 1. */
export const shareOf = (part: BigNumber, whole: BigNumber): number =>
  whole.isZero() ? 0 : part.toNumber() / whole.toNumber();

/** The keys by amount, the largest first; null last. */
export const keysByAmount = (sums: SumsByKey<GroupKey>): GroupKey[] =>
  sums.keys().sort((one, two) => {
    if (one === null || two === null) return one === null ? 1 : -1;
    return sums.of(two).amount.comparedTo(sums.of(one).amount) || one - two;
  });

/** A key, which formulas refer to, and its name. */
export function nameCells(
  { figures, language }: FinanceWork,
  name: GroupName,
  key: GroupKey,
): [PageCell, PageCell] {
  const id: PageCell =
    key === null ? textCell(NONE[language], 'muted') : { value: key, look: 'muted', format: '0' };
  return [id, textCell(figures[name].names.get(key) ?? '')];
}

/** The criterion of a key's rows: the number in column A. Rows without a usable id have a text there. */
export const criterionOf = (key: GroupKey, row: number): string => (key === null ? NO_NUMBER : `$A${row}`);

/** A month's first day. */
export const monthCell = (month: Month, language: Language, look: PageLook = 'label'): PageCell =>
  month === null
    ? textCell(NONE[language], look)
    : { value: monthSerial(month), look, format: MONTHS[language] };
