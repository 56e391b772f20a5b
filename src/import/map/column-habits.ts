import type { Cell } from '../../core/cell.ts';
import type { DateOrder, DateOrders } from '../../core/codec.ts';
import { evidentOrder } from '../../core/codecs/date-text.ts';
import { evidentLocale } from '../../core/codecs/parse-number.ts';
import { plainText } from '../../core/codecs/plain-text.ts';
import type { Finding } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Locale } from '../../core/value.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** Rows that tell how a column is written, unless some of its cells still read two ways by then. */
const SAMPLE_ROWS = 1000;

/** Looks through columns for evidence of how all of their texts are meant. */
interface ColumnWatch {
  readonly columns: ReadonlySet<number>;
  /** Takes a text cell of one of the columns. */
  note(cell: Cell): void;
  /** Whether something reads two ways, and nothing tells which. */
  isOpen(): boolean;
}

/**
 * Goes through the first rows below a sheet's header, and on while something is open, to the end if need be.
 * Throws the signal's reason.
 */
export async function watchColumns(
  sheet: Sheet,
  headerRow: number,
  watches: readonly ColumnWatch[],
  signal?: AbortSignal,
): Promise<void> {
  const watched = watches.filter(({ columns }) => columns.size > 0);
  if (watched.length === 0) return;
  let rows = 0;
  for await (const batch of sheet.batches) {
    signal?.throwIfAborted();
    for (const row of batch) {
      if (row.number <= headerRow) continue;
      if (rows++ >= SAMPLE_ROWS && !watched.some((watch) => watch.isOpen())) return;
      for (const cell of row.cells) {
        if (cell.type !== 'text') continue;
        for (const watch of watched) if (watch.columns.has(cell.column)) watch.note(cell);
      }
    }
  }
}

/** How the dates that stand as text in a sheet's columns are written, by column number. */
export type ColumnOrders = ReadonlyMap<number, DateOrders>;

/** The evidence of one column: by separator the orders that dates read in one way only show. */
type OrdersSeen = Partial<Record<keyof DateOrders, Set<DateOrder>>>;

/**
 * Watches for text dates that read one way only, such as 12/31/2026: the column's other dates are written the
 * same. A column that holds both ways gives no evidence.
 */
export function watchDates(mapping: SheetMapping): ColumnWatch & { orders(): ColumnOrders } {
  const seen = new Map<number, OrdersSeen>();
  return {
    columns: dateColumns(mapping),
    note: (cell) => noteOrder(cell, seen),
    isOpen: () => [...seen.values()].some((found) => Object.values(found).some(({ size }) => size === 0)),
    orders: () => decide(seen),
  };
}

/** How texts that belong together write their dates, as far as that is evident. */
export function ordersIn(texts: readonly string[]): DateOrders {
  const seen = new Map<number, OrdersSeen>();
  for (const value of texts) noteOrder({ column: 1, type: 'text', value }, seen);
  return decide(seen).get(1) ?? {};
}

function dateColumns({ readers }: SheetMapping): ReadonlySet<number> {
  const columns = readers.flatMap((reader, column) => {
    const field = reader?.field ?? reader?.finds;
    return field?.codec.type === 'datetime' ? [column] : [];
  });
  return new Set(columns);
}

function noteOrder(cell: Cell, seen: Map<number, OrdersSeen>): void {
  const date = cell.type === 'text' ? evidentOrder(cell.value) : undefined;
  if (date === undefined) return;
  const evidence = seen.get(cell.column) ?? {};
  seen.set(cell.column, evidence);
  const orders = evidence[date.separator] ?? new Set<DateOrder>();
  evidence[date.separator] = orders;
  if (date.order !== null) orders.add(date.order);
}

function decide(seen: ReadonlyMap<number, OrdersSeen>): ColumnOrders {
  return new Map(
    [...seen].map(([column, evidence]): [number, DateOrders] => [column, Object.fromEntries(sole(evidence))]),
  );
}

const sole = (evidence: OrdersSeen): [string, DateOrder][] =>
  Object.entries(evidence).flatMap(([separator, orders]): [string, DateOrder][] => {
    const [order, other] = orders;
    return order !== undefined && other === undefined ? [[separator, order]] : [];
  });

/** Columns evidently written in another locale than the sheet's: a number that shows it, by column number. */
export type OtherNumbers = ReadonlyMap<number, string>;

/** The evidence of one column. */
interface NumbersSeen {
  /** A number that only the sheet's locale reads. */
  own: boolean;
  /** The first number that only the other locale reads. */
  other: string | null;
  /** Numbers that both read, each its own way. */
  open: boolean;
}

/**
 * Watches for text numbers that only another locale reads, such as 0.125 in a Dutch sheet: beside them
 * `1.125` is no thousand. A column that holds both ways gives no evidence.
 */
export function watchNumbers(
  mapping: SheetMapping,
  locale: Locale,
): ColumnWatch & { others(): OtherNumbers } {
  const seen = new Map<number, NumbersSeen>();
  return {
    columns: decimalColumns(mapping),
    note: (cell) => noteNumber(cell, locale, seen),
    isOpen: () => [...seen.values()].some(({ own, other, open }) => open && !own && other === null),
    others: () =>
      new Map(
        [...seen].flatMap(([column, { own, other }]) => (own || other === null ? [] : [[column, other]])),
      ),
  };
}

/** Only columns with text among the first rows: elsewhere text is rare, and looking for it takes time. */
function decimalColumns({ readers, textual }: SheetMapping): ReadonlySet<number> {
  const columns = readers.flatMap((reader, column) =>
    reader?.field?.codec.type === 'decimal' && textual.has(column) ? [column] : [],
  );
  return new Set(columns);
}

function noteNumber(cell: Cell, locale: Locale, seen: Map<number, NumbersSeen>): void {
  if (cell.type !== 'text') return;
  const evident = evidentLocale(plainText(cell.value));
  if (evident === undefined) return;
  const evidence = seen.get(cell.column) ?? { own: false, other: null, open: false };
  seen.set(cell.column, evidence);
  if (evident === null) evidence.open = true;
  else if (evident === locale) evidence.own = true;
  else evidence.other ??= cell.value.trim();
}

/** The finding on a number that reads two ways in a column evidently written the other way, as `shows` is. */
export function otherNumber(
  { code, found }: Finding,
  locale: Locale,
  shows: string | undefined,
): Finding | undefined {
  if (code !== 'number-grouping' || shows === undefined) return undefined;
  const way = locale === 'nl' ? 'en' : 'nl';
  const hint = t(
    `the column holds "${shows}" too: --locale ${way} reads both as they are meant there`,
    `in de kolom staat ook "${shows}": --locale ${way} leest beide zoals ze daar bedoeld zijn`,
  );
  return { code: 'number-other-locale', found, hint };
}
