import type { Cell } from '../../schema/cell.ts';
import type { DateOrders } from '../../schema/codec.ts';
import type { Field } from '../../schema/field.ts';
import type { Locale } from '../../schema/value.ts';

const LOCALES: readonly Locale[] = ['nl', 'en'];
const MONTH_FIRST: DateOrders = { '-': 'month', '/': 'month', '.': 'month' };
const ORDERS = [undefined, MONTH_FIRST] as const;

/** Whether a cell holds what its field takes in whatever locale and order: then it is a value, not words about one. */
export function isReadable(cell: Cell, { codec }: Field): boolean {
  return LOCALES.some((locale) => ORDERS.some((orders) => codec.decode(cell, locale, orders).ok));
}
