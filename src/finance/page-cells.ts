import { BigNumber } from 'bignumber.js';
import type { Bilingual, Language } from '../core/language.ts';
import type { FinanceSheet } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { PageCell, WrittenPage } from '../xlsx/write/written-book.ts';

type PageRow = WrittenPage['rows'][number];

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
export const textCell = (value: string, look: PageCell['look'] = 'label', span = 1): PageCell => ({
  value,
  look,
  span,
});

/** Cells of a table's head. */
export const headCells = (
  words: readonly Bilingual[],
  language: Language,
  look: 'head' | 'figure-head' = 'figure-head',
): PageCell[] => words.map((word) => textCell(word[language], look));

/** Money on pages, with a dash for zero. */
const AMOUNT = '#,##0.00;[Red]-#,##0.00;"–"';
/** The number format of counts. */
export const COUNT = '#,##0;-#,##0;"–"';

/** A number, by default an amount of money, with the formula that it is the result of, if any. */
export function figureCell(
  amount: BigNumber | number | null,
  of: Partial<Omit<PageCell, 'value'>> = {},
): PageCell {
  const value = BigNumber.isBigNumber(amount) ? amount.toNumber() : amount;
  return { value, look: 'figure', format: AMOUNT, ...of };
}

/** Room beside the digits of a number in bold: a sign and padding. */
const PADDING = 2;
const WIDEST = 40;
const SHOWN = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The width of columns of figures, in characters: Excel shows no number in a column that is too narrow. */
export function figureWidth(rows: readonly PageRow[], least: number): number {
  const lengths = rows.flat().map((cell) => {
    const isAmount = cell?.format === AMOUNT && typeof cell.value === 'number';
    return isAmount ? SHOWN.format(cell.value).length + PADDING : 0;
  });
  return lengths.reduce((most, length) => Math.max(most, Math.min(WIDEST, length)), least);
}

/** A column, and the cell or constant that its cells must equal. */
type Criterion = readonly [column: string, equals: string];

/** Formulas over the columns of a filled sheet, with a range for each sheet that its rows took. */
export async function citedSheet({ columns }: FinanceSheet, feed: TableFeed) {
  /** By member, `worked` or `told` name. */
  const ranges = new Map<string, readonly string[]>();
  for (const [at, { member, names, worked, told }] of columns.entries()) {
    const key = worked ?? told ?? (names === undefined ? member : undefined);
    if (key !== undefined) ranges.set(key, await feed.ranges(at + 1));
  }
  const rangesOf = (column: string): readonly string[] => {
    const found = ranges.get(column);
    if (found === undefined) throw new TypeError(`there is no column ${column}`);
    return found;
  };
  return {
    /** A column's sum, by default, or how many of its cells are not empty (COUNTA), or a number (COUNT). */
    total: (column: string, by: 'SUM' | 'COUNTA' | 'COUNT' = 'SUM'): string =>
      `${by}(${rangesOf(column).join(',')})`,
    /** The sum of a column over the rows that meet the criterion. */
    sumIf(column: string, [own, equals]: Criterion): string {
      const met = rangesOf(own);
      return rangesOf(column)
        .map((range, part) => `SUMIFS(${range},${met[part]},${equals})`)
        .join('+');
    },
    /** The number of rows that meet the criterion. */
    countIf: ([own, equals]: Criterion): string =>
      rangesOf(own)
        .map((range) => `COUNTIFS(${range},${equals})`)
        .join('+'),
  };
}
