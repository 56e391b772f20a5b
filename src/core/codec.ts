import type { z } from 'zod';
import type { Cell } from './cell.ts';
import type { Finding } from './issue.ts';
import type { Locale, Value } from './value.ts';

/** What a cell was read as, or why it was not; a warning says that it was read in an unexpected way. */
export type DecodedCell<V> =
  | { readonly ok: true; readonly value: V; readonly warning?: Finding }
  | { readonly ok: false; readonly finding: Finding };

/** Which of day and month stands first in a date of digits. */
export type DateOrder = 'day' | 'month';

/** How the dates of a column are written, by the mark between their numbers; absent where that is not evident. */
export type DateOrders = Readonly<Partial<Record<'-' | '/' | '.', DateOrder>>>;

/**
 * A two-way field type. `decode(encode(v))` is `v` in every locale; `read` understands what the service may
 * answer for this type (interface 2.5: types of single fields vary between responses); `wire` is the strict
 * shape in a request.
 */
export interface Codec<V extends Value = Value> {
  readonly type: 'integer' | 'decimal' | 'text' | 'boolean' | 'datetime';
  /** `orders` matters to dates alone. */
  decode(cell: Cell, locale: Locale, orders?: DateOrders): DecodedCell<V>;
  encode(value: V): string | number | boolean;
  /** The service's value in this type; null for absent, null and empty text; what cannot be understood stays as it is. */
  read(answer: unknown): Value;
  readonly wire: z.ZodType<V>;
}

/** A cell that was read. */
export const decoded = <V>(value: V, warning?: Finding): DecodedCell<V> =>
  warning === undefined ? { ok: true, value } : { ok: true, value, warning };

/** A cell that was not. */
export const undecodable = (finding: Finding): DecodedCell<never> => ({ ok: false, finding });

/** A cell's content as text, the way a message shows it. */
export function cellText(cell: Cell): string {
  return typeof cell.value === 'boolean' ? (cell.value ? 'WAAR' : 'ONWAAR') : String(cell.value);
}

/** An answer's scalar, or undefined for what no field can be (objects, lists). */
export function scalar(answer: unknown): Value | undefined {
  if (answer === null || answer === undefined || answer === '') return null;
  if (typeof answer === 'string' || typeof answer === 'number' || typeof answer === 'boolean') return answer;
  return undefined;
}

/** What is kept of an answer that a type does not understand: shown to the user, equal to nothing. */
export function unreadable(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** Leaves a flag as it came: as a number it would be 1 or 0, which a price or a quantity was not meant as. */
export const unlessFlag =
  (read: Codec['read']) =>
  (answer: unknown): Value =>
    typeof answer === 'boolean' ? answer : read(answer);
