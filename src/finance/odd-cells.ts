import { BigNumber } from 'bignumber.js';
import { columnLetters } from '../core/cell.ts';
import { type Bilingual, same, t } from '../core/language.ts';
import { sheetReference } from '../xlsx/excel-text.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { RecordSheet } from './export-snapshot.ts';
import { amountOf } from './figures.ts';
import { groupIn } from './name-lookup.ts';

/** What a cell counts as: an amount of the record, a calculated amount, a flag, or an id to group by. */
export type CountedAs = 'amount' | 'product' | 'flag' | 'id';

/**
 * What is wrong with a cell: it has no amount, an amount that can't be counted, a flag that is neither yes
 * nor no, an id that is no number, or a text too long for a cell, which was left empty.
 */
export type Oddity = 'no-amount' | 'amount' | 'flag' | 'id' | 'too-long';

/** What is wrong with a value that counts; null where nothing is. */
export function oddityOf(value: unknown, counted: CountedAs): Oddity | null {
  const nothing = value === null || value === undefined || value === '';
  switch (counted) {
    case 'amount':
    case 'product':
      if (nothing) return counted === 'amount' ? 'no-amount' : null;
      return value instanceof BigNumber || amountOf(value) !== null ? null : 'amount';
    case 'flag':
      return nothing || typeof value === 'boolean' ? null : 'flag';
    case 'id':
      return nothing || value === 0 || groupIn(value) !== null ? null : 'id';
  }
}

/** A cell: its column from 0, its row from 1 below the header, and the record's value. */
interface OddCell {
  readonly sheet: RecordSheet;
  readonly at: number;
  readonly row: number;
  readonly value: unknown;
}

/** The cells of one column with the same fault. */
export interface OddColumn extends Pick<OddCell, 'sheet' | 'at'> {
  readonly why: Oddity;
  count: number;
  readonly first: OddCell[];
}

/** Cells named in a note, at most. */
const NAMED = 5;
/** Characters shown of a value, at most. */
const SHOWN = 40;

/** Counts cells with a fault, and keeps the first of each column. */
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

  /** The columns of a sheet with one of these faults, in the order in which they came. */
  of(sheet: RecordSheet, ...why: readonly Oddity[]): OddColumn[] {
    return [...this.columns.values()].filter((one) => one.sheet === sheet && why.includes(one.why));
  }
}

/** The first cells of some columns, `Arrangements!I5 “12,50”`; empty ones last. */
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
  const list = (texts: readonly string[]) => texts.join(', ') + (count > named.length ? ', …' : '');
  return t(list(named.map(({ en }) => en)), list(named.map(({ nl }) => nl)));
}

/** A value of a record as text. */
export const rawText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const EMPTY: Bilingual = t('(empty)', '(leeg)');

function valueText(value: unknown): Bilingual {
  if (value === null || value === undefined || value === '') return EMPTY;
  const text = rawText(value);
  const shown = `“${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}”`;
  return same(shown);
}
