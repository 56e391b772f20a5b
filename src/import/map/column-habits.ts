import type { Cell } from '../../core/cell.ts';
import type { DateOrders } from '../../core/codec.ts';
import { evidentOrder } from '../../core/codecs/datetime.ts';
import { evidentLocale } from '../../core/codecs/number.ts';
import { plainText } from '../../core/codecs/plain-text.ts';
import { differingUnits, unitsIn } from '../../core/codecs/shown-cell.ts';
import type { Locale } from '../../core/value.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import type { ColumnHabits } from './map-row.ts';
import { newReading, readRows } from './read-rows.ts';
import type { SheetMapping } from './sheet-mapping.ts';

type DateOrder = NonNullable<DateOrders['-']>;

/** Rows that tell how a column is written, unless some of its cells still read two ways by then. */
const SAMPLE_ROWS = 1000;

/** What the texts of a column tell that read in one way only: the ways seen, each with the first that shows it. */
interface Seen {
  readonly column: number;
  /** Texts with one mark are meant alike: dates by their separator; null for numbers. */
  readonly mark: keyof DateOrders | null;
  readonly ways: Map<DateOrder | Locale, string>;
}

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
  const seen = await lookThrough(sheet, mapping, signal);
  const orders = new Map<number, DateOrders>();
  const others = new Map<number, string>();
  for (const { column, mark, ways } of seen.values()) {
    const [[way, text] = [null, ''], ...more] = ways;
    if (way === null || more.length > 0) continue;
    if (mark !== null) orders.set(column, { ...orders.get(column), [mark]: way });
    else if (way !== locale) others.set(column, text);
  }
  return { orders, others, units: await unitsApart(sheet, mapping, locale, signal) };
}

async function lookThrough(
  sheet: Sheet,
  { readers, textual, headerRow }: SheetMapping,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  const types = readers.map((reader, column) => {
    const type = (reader?.field ?? reader?.finds)?.codec.type;
    // Only columns with text among the first rows: elsewhere text is rare, and looking for it takes time.
    return type === 'datetime' || (type === 'decimal' && textual.has(column)) ? type : undefined;
  });
  const note = ({ column, type, value }: Cell): void => {
    if (type !== 'text' || types[column] === undefined) return;
    const isDate = types[column] === 'datetime';
    const date = isDate ? evidentOrder(value) : undefined;
    const way = isDate ? date?.order : evidentLocale(plainText(value));
    if (way === undefined) return;
    const mark = date?.separator ?? null;
    const found = seen.get(`${column} ${mark}`) ?? { column, mark, ways: new Map() };
    seen.set(`${column} ${mark}`, found);
    if (way !== null && !found.ways.has(way)) found.ways.set(way, value.trim());
  };
  const columns = types.flatMap((type, column) => (type === undefined ? [] : [column]));
  if (columns.length === 0) return seen;
  let rows = 0;
  for await (const batch of sheet.only(new Set(columns))) {
    signal?.throwIfAborted();
    for (const { number, cells } of batch) {
      if (number <= headerRow) continue;
      // Whether something reads two ways, and nothing tells which.
      if (rows++ >= SAMPLE_ROWS && ![...seen.values()].some(({ ways }) => ways.size === 0)) return seen;
      for (const cell of cells) note(cell);
    }
  }
  return seen;
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
