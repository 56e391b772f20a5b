import type { Cell } from '../../schema/cell.ts';
import { type Codec, type Decoded, undecodable } from '../../schema/codec.ts';
import type { Locale, Value } from '../../schema/value.ts';
import type { ColumnOrders } from './date-order.ts';
import { type OtherNumbers, otherNumber } from './number-habit.ts';

/** How texts are read: by the locale, and by what their columns show. */
export interface Reading {
  readonly locale: Locale;
  /** How the sheet's columns write dates in text, where that is evident. */
  readonly orders?: ColumnOrders;
  /** Which columns evidently write numbers as another locale does. */
  readonly others?: OtherNumbers;
}

/** Reads a cell as a field's type, with what is known of its column. */
export function decodeCell<V extends Value>(
  codec: Codec<V>,
  cell: Cell,
  { locale, orders, others }: Reading,
): Decoded<V> {
  // Only text leaves open how it is meant.
  if (cell.type !== 'text') return codec.decode(cell, locale);
  const decoded = codec.decode(cell, locale, orders?.get(cell.column));
  if (!decoded.ok || decoded.warning === undefined) return decoded;
  const other = otherNumber(decoded.warning, locale, others?.get(cell.column));
  return other === undefined ? decoded : undecodable(other);
}
