import type { z } from 'zod';
import type { Cell } from './cell.ts';
import type { Finding } from './issue.ts';
import type { IssueCode } from './issue-catalogue.ts';
import type { Locale, Value } from './value.ts';

/** A decoded cell, or why it could not be decoded; a warning says that it was read in an unexpected way. */
export type DecodedCell<V> =
  | { readonly ok: true; readonly value: V; readonly warning?: Finding }
  | { readonly ok: false; readonly finding: Finding };

/** Which of day and month comes first in a numeric date. */
type DateOrder = 'day' | 'month';

/** The order of a column's numeric dates by their separator; absent where it is not evident. */
export type DateOrders = Readonly<Partial<Record<'-' | '/' | '.', DateOrder>>>;

/**
 * A two-way field type: a cell that holds `v` is decoded as `v` in every locale. `read` understands what the
 * service may answer for this type (interface 2.5: types of single fields vary between responses); `wire` is
 * the strict shape in a request.
 */
export interface Codec<V extends Value = Value> {
  readonly type: 'integer' | 'decimal' | 'text' | 'boolean' | 'datetime';
  /** `orders` is for dates alone. */
  decode(cell: Cell, locale: Locale, orders?: DateOrders): DecodedCell<V>;
  /** The service's value in this type; null for absent, null and empty text; what is not understood stays. */
  read(answer: unknown): Value;
  readonly wire: z.ZodType<V>;
}

/** The result of a cell that was read. */
export const decoded = <V>(value: V, warning?: Finding): DecodedCell<V> =>
  warning === undefined ? { ok: true, value } : { ok: true, value, warning };

/** A finding, with or without a hint. */
export const finding = (code: IssueCode, found: string, hint?: Finding['hint']): Finding =>
  hint === undefined ? { code, found } : { code, found, hint };

/** The result of a cell that could not be read. */
export const undecodable = (...about: Parameters<typeof finding>): DecodedCell<never> => ({
  ok: false,
  finding: finding(...about),
});

/** Remembers what a number format means, as a sheet has few formats. */
export function perFormat<M>(read: (format: string) => M): (format: string) => M {
  const known = new Map<string, M>();
  return (format) => {
    let meaning = known.get(format);
    if (meaning === undefined) {
      meaning = read(format);
      known.set(format, meaning);
    }
    return meaning;
  };
}

/** A cell's content as text, for messages. */
export function cellText(cell: Cell): string {
  return typeof cell.value === 'boolean' ? (cell.value ? 'WAAR' : 'ONWAAR') : String(cell.value);
}

/**
 * A codec's `read`, from how it reads a scalar. Absent, null and empty text are null; a list or an object,
 * which no field can be, stays as its JSON: shown to the user, equal to nothing.
 */
export const readScalar =
  (read: (scalar: string | number | boolean) => Value): Codec['read'] =>
  (answer) => {
    if (answer === null || answer === undefined || answer === '') return null;
    if (typeof answer === 'string' || typeof answer === 'number' || typeof answer === 'boolean')
      return read(answer);
    return JSON.stringify(answer);
  };

/** Leaves a flag as it came: as 1 or 0 it would pass for a price or a quantity. */
export const unlessFlag =
  (read: Codec['read']) =>
  (answer: unknown): Value =>
    typeof answer === 'boolean' ? answer : read(answer);
