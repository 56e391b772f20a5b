const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/**
 * The number that ASCII bytes spell, exactly as JavaScript's Number reads them, NaN when they spell none.
 */
export function numberFromBytes(bytes: Buffer, from: number, to: number): number {
  const first = bytes[from] === 45 ? from + 1 : from;
  let mantissa = 0;
  let dot = -1;
  for (let i = first; i < to; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (digit === -2 && dot < 0) dot = i;
    else return numberFromText(bytes.toString('latin1', from, to));
  }
  const digits = to - first - (dot < 0 ? 0 : 1);
  return digits === 0 ? Number.NaN : decimal(bytes, from, to, mantissa, dot);
}

/**
 * The number of bytes that are digits, perhaps with a minus before and a dot at `dot` (-1: none) among them; `mantissa` is what the digits
 * make without the dot. Up to 15 digits, the common case, both it and the power of ten are exact, so their quotient is rounded once, as it
 * should be; more are left to Number.
 */
export function decimal(bytes: Buffer, from: number, to: number, mantissa: number, dot: number): number {
  const negative = bytes[from] === 45;
  if (to - from > 15 + (negative ? 1 : 0) + (dot < 0 ? 0 : 1))
    return Number(bytes.toString('latin1', from, to));
  const value = dot < 0 ? mantissa : mantissa / (POWERS[to - dot - 1] as number);
  return negative ? -value : value;
}

/** The number a text spells, NaN when it spells none; unlike Number, an empty text spells none, and neither do hex and Infinity. */
export function numberFromText(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}
