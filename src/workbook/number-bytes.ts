const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/**
 * The number that ASCII bytes spell, exactly as JavaScript's Number reads them, NaN when they spell none. At most 15 digits and a dot,
 * the common case, need no text: both the digits and the power of ten are exact then, so their quotient is rounded once.
 */
export function numberFromBytes(bytes: Buffer, from: number, to: number): number {
  let i = from;
  const negative = bytes[i] === 45;
  if (negative) i++;
  let digits = 0;
  let dot = -1;
  const first = i;
  for (; i < to; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (digit === -2 && dot < 0) dot = i;
    else return numberFromText(bytes.toString('latin1', from, to));
  }
  const count = i - first - (dot < 0 ? 0 : 1);
  if (count === 0 || count > 15) return numberFromText(bytes.toString('latin1', from, to));
  const value = dot < 0 ? digits : digits / (POWERS[to - dot - 1] as number);
  return negative ? -value : value;
}

/** The number a text spells, NaN when it spells none; unlike Number, an empty text spells none, and neither do hex and Infinity. */
export function numberFromText(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}
