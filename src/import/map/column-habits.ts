import type { Cell } from '../../core/cell.ts';
import type { DateOrder, DateOrders } from '../../core/codec.ts';
import { evidentOrder } from '../../core/codecs/datetime.ts';
import { evidentLocale } from '../../core/codecs/number.ts';
import { plainText } from '../../core/codecs/plain-text.ts';
import { differingUnits, unitsIn } from '../../core/codecs/shown-cell.ts';
import type { Locale } from '../../core/value.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import type { ColumnReader } from './column-reader.ts';
import type { ColumnHabits } from './map-row.ts';
import { newReading, readRows } from './read-rows.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** Rows that tell how a column is written, unless some of its cells still read two ways by then. */
const SAMPLE_ROWS = 1000;

/**
 * Looks for text dates and numbers that read one way only, such as 12/31/2026, or 0.125 in a Dutch sheet: the
 * others of their column are written the same. A column that holds both ways gives no evidence. Goes through
 * the first rows, and on while something is open, to the end if need be. Throws the signal's reason.
 */
export async function columnHabits(
  sheet: Sheet,
  mapping: SheetMapping,
  locale: Locale,
  signal?: AbortSignal,
): Promise<ColumnHabits> {
  const { readers, textual, headerRow } = mapping;
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
  await lookThrough(sheet, headerRow, [dates, numbers], signal);
  const others = numbers.sole().filter(({ way }) => way !== locale);
  return {
    orders: ordersOf(dates),
    others: new Map(others.map(({ column, text }) => [column, text])),
    units: await unitsApart(sheet, mapping, locale, signal),
  };
}

/**
 * The units of one quantity that differ in a column. Looks at every row where number formats of the workbook
 * do so, as one tells; only at those that are records.
 */
async function unitsApart(
  sheet: Sheet,
  mapping: SheetMapping,
  locale: Locale,
  signal: AbortSignal | undefined,
): Promise<ColumnHabits['units']> {
  if (differingUnits((sheet.layout?.formats ?? []).flatMap(unitsIn)).length === 0) return new Map();
  const reading = newReading();
  for await (const _ of readRows(sheet, mapping, { locale, strict: false }, reading))
    signal?.throwIfAborted();
  const { units = [] } = reading;
  const of = (column: number) => differingUnits(units.filter((unit) => unit.column === column));
  return new Map([...new Set(units.map(({ column }) => column))].map((column) => [column, of(column)]));
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
