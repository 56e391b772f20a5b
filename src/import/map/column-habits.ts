import type { Cell } from '../../core/cell.ts';
import type { DateOrder, DateOrders } from '../../core/codec.ts';
import { evidentOrder } from '../../core/codecs/date-text.ts';
import { formatMeaning } from '../../core/codecs/decimal.ts';
import { evidentLocale } from '../../core/codecs/parse-number.ts';
import { plainText } from '../../core/codecs/plain-text.ts';
import { shownNumber } from '../../core/codecs/shown-cell.ts';
import type { Finding } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Locale } from '../../core/value.ts';
import { holdsNumber } from '../../schema/field.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import type { ColumnReader } from './column-reader.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** How all texts of a sheet's columns are meant, by column number, where some of them tell. */
export interface ColumnHabits {
  /** How dates are written. */
  readonly orders: ReadonlyMap<number, DateOrders>;
  /** Columns evidently written in another locale than the sheet's: a number that shows it. */
  readonly others: ReadonlyMap<number, string>;
  /** The units that number formats show behind the numbers of a column. */
  readonly units: ReadonlyMap<number, readonly ShownUnit[]>;
}

/** A unit that a number format shows, and the first number with it. */
export interface ShownUnit {
  readonly unit: string;
  readonly number: number;
}

/** Rows that tell how a column is written, unless some of its cells still read two ways by then. */
const SAMPLE_ROWS = 1000;

/**
 * Looks for text dates and numbers that read one way only, such as 12/31/2026, or 0.125 in a Dutch sheet: the
 * others of their column are written the same. A column that holds both ways gives no evidence. Goes through
 * the first rows, and on while something is open, to the end if need be: always where number formats of the
 * workbook show units, as one row tells whether they differ. Throws the signal's reason.
 */
export async function columnHabits(
  sheet: Sheet,
  { readers, textual, headerRow }: SheetMapping,
  locale: Locale,
  signal?: AbortSignal,
): Promise<ColumnHabits> {
  const columnsOf = (is: (reader: ColumnReader, column: number) => boolean): ReadonlySet<number> =>
    new Set(
      readers.flatMap((reader, column) => (reader !== undefined && is(reader, column) ? [column] : [])),
    );
  const dates = watch(
    columnsOf(({ field, finds }) => (field ?? finds)?.codec.type === 'datetime'),
    evidentDate,
  );
  const numbers = watch(
    // Only columns with text among the first rows: elsewhere text is rare, and looking for it takes time.
    columnsOf(({ field }, column) => field?.codec.type === 'decimal' && textual.has(column)),
    (text) => ({ kind: 'number', way: evidentLocale(plainText(text)) }),
  );
  const showsUnits = sheet.layout?.formats.some((format) => unitIn(format) !== undefined) === true;
  const units = watchUnits(columnsOf(({ field }) => showsUnits && field !== null && holdsNumber(field)));
  await lookThrough(sheet, headerRow, [dates, numbers, units], signal);
  const others = numbers.sole().filter(({ way }) => way !== locale);
  return {
    orders: ordersOf(dates),
    others: new Map(others.map(({ column, text }) => [column, text])),
    units: units.seen(),
  };
}

/** The unit that a number format shows behind a number that is sent as it stands. */
function unitIn(format: string): string | undefined {
  const meaning = formatMeaning(format);
  return meaning.kind === 'plain' ? meaning.unit : undefined;
}

/** Gathers the units that numbers of columns are shown in; `Kg.` is `kg`. */
function watchUnits(columns: ReadonlySet<number>) {
  const found = new Map<number, Map<string, ShownUnit>>();
  return {
    columns,
    note({ type, column, format, value }: Cell): void {
      const unit = type !== 'number' || format === undefined ? undefined : unitIn(format);
      if (unit === undefined) return;
      const units = found.get(column) ?? new Map<string, ShownUnit>();
      const name = unit.toLowerCase().replace(/\.$/, '');
      if (!units.has(name)) units.set(name, { unit, number: value as number });
      found.set(column, units);
    },
    isOpen: (): boolean => true,
    seen: () => new Map([...found].map(([column, units]) => [column, [...units.values()]])),
  };
}

/** The finding on a number in a column whose formats show several units: nobody can tell what is meant. */
export function differentUnits(
  cell: Cell,
  locale: Locale,
  units: readonly ShownUnit[] = [],
): Finding | undefined {
  if (cell.type !== 'number' || units.length < 2) return undefined;
  const hint = units
    .slice(0, MOST_UNITS)
    .map(({ unit }) => unit)
    .join(', ');
  return { code: 'units-differ', found: shownNumber(cell.value, cell.format, locale), hint };
}

/** Units of a column that are named. */
const MOST_UNITS = 4;

/** How texts that belong together write their dates, as far as that is evident. */
export function ordersIn(texts: readonly string[]): DateOrders {
  const dates = watch(new Set(), evidentDate);
  for (const value of texts) dates.note({ column: 1, type: 'text', value });
  return ordersOf(dates).get(1) ?? {};
}

/** What a text tells: the way it reads, null for two, undefined for none. Texts of a kind are meant alike. */
interface Evidence<Kind, Way> {
  readonly kind: Kind;
  readonly way: Way | null | undefined;
}

function evidentDate(text: string): Evidence<keyof DateOrders, DateOrder> | undefined {
  const date = evidentOrder(text);
  return date === undefined ? undefined : { kind: date.separator, way: date.order };
}

type Watch<Kind, Way> = ReturnType<typeof watch<Kind, Way>>;

/** Gathers the ways in which texts of columns read that read in one way only. */
function watch<Kind, Way>(
  columns: ReadonlySet<number>,
  evident: (text: string) => Evidence<Kind, Way> | undefined,
) {
  /** By column and kind, the ways seen, each with the first text that shows it. */
  const seen = new Map<number, Map<Kind, Map<Way, string>>>();
  return {
    columns,
    note(cell: Cell): void {
      if (cell.type !== 'text') return;
      const { column, value: text } = cell;
      const found = evident(text);
      if (found?.way === undefined) return;
      const kinds = seen.get(column) ?? new Map<Kind, Map<Way, string>>();
      const ways = kinds.get(found.kind) ?? new Map<Way, string>();
      seen.set(column, kinds.set(found.kind, ways));
      if (found.way !== null && !ways.has(found.way)) ways.set(found.way, text.trim());
    },
    /** Whether something reads two ways, and nothing tells which. */
    isOpen: (): boolean =>
      [...seen.values()].some((kinds) => [...kinds.values()].some(({ size }) => size === 0)),
    /** The kinds that read in one way everywhere. */
    sole: () =>
      [...seen].flatMap(([column, kinds]) =>
        [...kinds].flatMap(([kind, ways]) =>
          ways.size === 1 ? [...ways].map(([way, text]) => ({ column, kind, way, text })) : [],
        ),
      ),
  };
}

function ordersOf(dates: Watch<keyof DateOrders, DateOrder>): ColumnHabits['orders'] {
  const orders = new Map<number, DateOrders>();
  for (const { column, kind, way } of dates.sole())
    orders.set(column, { ...orders.get(column), [kind]: way });
  return orders;
}

async function lookThrough(
  sheet: Sheet,
  headerRow: number,
  watches: readonly Pick<Watch<never, never>, 'columns' | 'note' | 'isOpen'>[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const watched = watches.filter(({ columns }) => columns.size > 0);
  if (watched.length === 0) return;
  let rows = 0;
  for await (const batch of sheet.only(new Set(watched.flatMap(({ columns }) => [...columns])))) {
    signal?.throwIfAborted();
    for (const row of batch) {
      if (row.number <= headerRow) continue;
      if (rows++ >= SAMPLE_ROWS && !watched.some((one) => one.isOpen())) return;
      for (const cell of row.cells)
        for (const one of watched) if (one.columns.has(cell.column)) one.note(cell);
    }
  }
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
    t(
      `the column holds "${shows}" too: numbers are written as ${way === 'en' ? '1,234.50' : '1.234,50'} there`,
      `in de kolom staat ook "${shows}": daar staan getallen als ${way === 'en' ? '1,234.50' : '1.234,50'}`,
    ),
  );
  return { code: 'number-other-locale', found, hint };
}
