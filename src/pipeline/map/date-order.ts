import type { Cell } from '../../schema/cell.ts';
import type { DateOrder, DateOrders } from '../../schema/codec.ts';
import { evidentOrder } from '../../schema/codecs/date-text.ts';
import type { ColumnWatch } from './column-watch.ts';
import type { SheetMapping } from './sheet-mapping.ts';

/** How the dates that stand as text in a sheet's columns are written, by column number. */
export type ColumnOrders = ReadonlyMap<number, DateOrders>;

/** What was seen of one column: for each mark, which orders its dates can't do without; none for dates that read two ways. */
type Evidence = Partial<Record<keyof DateOrders, Set<DateOrder>>>;

/**
 * Watches for dates in text that read one way only, such as 12/31/2026: the other dates of their column are written the
 * same. A column that holds both ways gives no evidence.
 */
export function watchDates(mapping: SheetMapping): ColumnWatch & { orders(): ColumnOrders } {
  const seen = new Map<number, Evidence>();
  return {
    columns: dateColumns(mapping),
    note: (cell) => note(cell, seen),
    isOpen: () => isOpen(seen),
    orders: () => decide(seen),
  };
}

/** How texts that belong together write their dates, as far as they tell. */
export function ordersIn(texts: readonly string[]): DateOrders {
  const seen = new Map<number, Evidence>();
  for (const value of texts) note({ column: 1, type: 'text', value }, seen);
  return decide(seen).get(1) ?? {};
}

/** Whether a column has dates that read two ways and none that tells which. */
function isOpen(seen: ReadonlyMap<number, Evidence>): boolean {
  for (const evidence of seen.values())
    for (const orders of Object.values(evidence)) if (orders.size === 0) return true;
  return false;
}

function dateColumns({ readers }: SheetMapping): ReadonlySet<number> {
  const columns = readers.flatMap((reader, column) => {
    const field = reader?.field ?? reader?.finds;
    return field?.codec.type === 'datetime' ? [column] : [];
  });
  return new Set(columns);
}

function note(cell: Cell, seen: Map<number, Evidence>): void {
  const date = cell.type === 'text' ? evidentOrder(cell.value) : undefined;
  if (date === undefined) return;
  const evidence = seen.get(cell.column) ?? {};
  seen.set(cell.column, evidence);
  const orders = evidence[date.separator] ?? new Set<DateOrder>();
  evidence[date.separator] = orders;
  if (date.order !== null) orders.add(date.order);
}

function decide(seen: ReadonlyMap<number, Evidence>): ColumnOrders {
  return new Map(
    [...seen].map(([column, evidence]): [number, DateOrders] => [column, Object.fromEntries(sole(evidence))]),
  );
}

const sole = (evidence: Evidence): [string, DateOrder][] =>
  Object.entries(evidence).flatMap(([separator, orders]): [string, DateOrder][] => {
    const [order, other] = orders;
    return order !== undefined && other === undefined ? [[separator, order]] : [];
  });
