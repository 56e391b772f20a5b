import { BigNumber } from 'bignumber.js';
import { significant } from './codecs/parse-number.ts';

/** With an exponent of four digits at most: in full, more would not fit into memory. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;

/** More digits are no amount, and calculating with them takes minutes. */
const LONGEST = 400;

/**
 * A number of an answer, also as text, to calculate and compare with exactly; null for anything else. Of a
 * JSON number 15 digits count, as in spreadsheets: a service that works in floats writes 30.3 as
 * 30.299999999999997.
 */
export function decimalOf(value: unknown): BigNumber | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = typeof value === 'number' ? String(significant(value)) : value.trim();
  return text.length <= LONGEST && NUMBER.test(text) ? new BigNumber(text) : null;
}

/**
 * Whether two numbers are the same decimal number. Whole numbers are exact, ids among them; of fractions 15
 * digits count.
 */
export function sameNumber(one: number, other: number): boolean {
  if (one === other) return true;
  if (Number.isInteger(one) && Number.isInteger(other)) return false;
  return significant(one) === significant(other);
}

/** Zero, as the sum of nothing. */
export const ZERO = new BigNumber(0);
