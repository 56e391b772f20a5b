import { columnLetters } from '../core/cell.ts';
import { type Bilingual, t } from '../core/language.ts';
import { sheetReference } from '../xlsx/excel-text.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import { amountOf, Decimal } from './decimal.ts';
import { groupIn } from './name-book.ts';
import type { RecordSheet } from './remembered-export.ts';

/** What a cell is counted as: an amount of the record, one that is worked out of such, a flag, or an id by which is added up. */
export type CountedAs = 'amount' | 'product' | 'flag' | 'id';

/**
 * Why there is something to say of a cell: it has no amount, or none that can be counted, is neither yes nor no, an id that is no number,
 * or empty in place of a text that is longer than cells are.
 */
export type Oddity = 'no-amount' | 'amount' | 'flag' | 'id' | 'too-long';

/** What is odd about a value that is counted; null where nothing is. */
export function oddityOf(value: unknown, counted: CountedAs): Oddity | null {
  const nothing = value === null || value === undefined || value === '';
  switch (counted) {
    case 'amount':
    case 'product':
      if (nothing) return counted === 'amount' ? 'no-amount' : null;
      return value instanceof Decimal || amountOf(value) !== null ? null : 'amount';
    case 'flag':
      return nothing || typeof value === 'boolean' ? null : 'flag';
    case 'id':
      return nothing || value === 0 || groupIn(value) !== null ? null : 'id';
  }
}

/** A cell of a sheet: its column from 0, its row from 1 below the header, and what the record says there. */
interface OddCell {
  readonly sheet: RecordSheet;
  readonly at: number;
  readonly row: number;
  readonly value: unknown;
}

/** Cells of one column that are odd for the same reason. */
export interface OddColumn extends Pick<OddCell, 'sheet' | 'at'> {
  readonly why: Oddity;
  count: number;
  readonly first: OddCell[];
}

/** So many are named. */
const NAMED = 5;
/** So much is shown of what a cell holds. */
const SHOWN = 40;

/** Counts the cells of which there is something to say, and keeps the first of each column. */
export class OddCells {
  private readonly columns = new Map<string, OddColumn>();

  add(why: Oddity, cell: OddCell): void {
    const { sheet, at } = cell;
    const key = `${why} ${sheet} ${at}`;
    const known = this.columns.get(key) ?? { why, sheet, at, count: 0, first: [] };
    this.columns.set(key, known);
    known.count++;
    if (known.first.length < NAMED) known.first.push(cell);
  }

  /** The columns that have some for one of these reasons, in the order in which they came. */
  of(sheet: RecordSheet, ...why: readonly Oddity[]): OddColumn[] {
    return [...this.columns.values()].filter((one) => one.sheet === sheet && why.includes(one.why));
  }
}

/** The first cells of some columns as people find them, `Arrangements!I5 “12,50”`, those that say something before empty ones. */
export function cellsText(
  columns: readonly OddColumn[],
  feeds: Readonly<Record<RecordSheet, TableFeed>>,
): Bilingual {
  const count = columns.reduce((sum, one) => sum + one.count, 0);
  const all = columns
    .toSorted((one, two) => Number(one.why === 'no-amount') - Number(two.why === 'no-amount'))
    .flatMap(({ first }) => first.toSorted((one, two) => one.row - two.row));
  const named = all.slice(0, NAMED).map(({ sheet, at, row, value }) => {
    const place = feeds[sheet].placeOf(row);
    const name = /^\w+$/.test(place.sheet) ? place.sheet : sheetReference(place.sheet);
    const said = valueText(value);
    const address = `${name}!${columnLetters(at + 1)}${place.row}`;
    return t(`${address} ${said.en}`, `${address} ${said.nl}`);
  });
  const more = count > named.length ? ', …' : '';
  return {
    en: named.map(({ en }) => en).join(', ') + more,
    nl: named.map(({ nl }) => nl).join(', ') + more,
  };
}

/** A value of a record in text, as it came. */
export const rawText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const EMPTY: Bilingual = t('(empty)', '(leeg)');

function valueText(value: unknown): Bilingual {
  if (value === null || value === undefined || value === '') return EMPTY;
  const text = rawText(value);
  const shown = `“${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}”`;
  return { en: shown, nl: shown };
}
