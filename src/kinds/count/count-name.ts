import type { ProductName } from '../posting/product.ts';
import type { Counted, CountRow } from './counted.ts';

/** What makes a count that count and no other: product, by one of its names, moment and amount, and the user's own `#key`. */
export function countName(row: CountRow, { amount, micros }: Counted, { field, value }: ProductName): string {
  const moment = String(row.values[row.mapping.resource.moment] ?? '').slice(0, 19);
  const own = row.reference === null ? [] : [row.reference];
  return ['count', field, value, moment, amount.counted, micros, ...own].join(':');
}
