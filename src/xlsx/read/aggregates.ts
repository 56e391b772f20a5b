const NAMES: ReadonlySet<string> = new Set(
  ['subtotal', 'aggregate', 'sum', 'average', 'count', 'counta', 'min', 'max'].map((name) => `${name}(`),
);
/** The numbers that SUBTOTAL and AGGREGATE begin with. */
const OPTIONS = /^(?:\d+,){0,2}/;
/** Cells of one column alone, or a column of a table. */
const RANGE = /^(?:\$?([a-z]{1,3})\$?(\d{1,7}):\$?\1\$?(\d{1,7})|[^\s()[\]@#,]*\[[^[\]@#]+\])\)$/i;

const BRACKET = 41;
const COLON = 58;
const LT = 60;
const A = 97;
const C = 99;
const M = 109;
const S = 115;

/**
 * A quick look at the formula that begins at a place: whether it may be one. It begins with such a letter,
 * ends with a bracket, and its range names one column. True where its end is not among the bytes.
 */
export function mayAggregate(bytes: Buffer, start: number, limit: number): boolean {
  if (start >= limit) return true;
  // Subtotal, sum, aggregate, average, count, min, max; of blanks before them no program makes any.
  const first = (bytes[start] as number) | 32;
  if (first !== S && first !== A && first !== C && first !== M) return false;
  let end = start;
  let colon = 0;
  for (; end < limit && bytes[end] !== LT; end++) if (bytes[end] === COLON) colon = end;
  if (end >= limit) return true;
  if (bytes[end - 1] !== BRACKET) return false;
  if (colon === 0) return true;
  // `SUM(B2:D2)` adds up along the row: its columns differ.
  return lastLetter(bytes, colon - 1, -1) === lastLetter(bytes, colon + 1, 1);
}

/** The last letter of the column on one side of a colon, in lower case. */
function lastLetter(bytes: Buffer, from: number, step: -1 | 1): number {
  let at = from;
  // Before the colon digits follow it; behind it a dollar sign or other letters may come first.
  if (step < 0) while (at > 0 && !isLetter(bytes[at])) at--;
  else {
    if (!isLetter(bytes[at])) at++;
    while (isLetter(bytes[at + 1])) at++;
  }
  return (bytes[at] as number) | 32;
}

const isLetter = (byte: number | undefined): boolean => ((byte ?? 0) | 32) >= 97 && ((byte ?? 0) | 32) <= 122;

/** Whether a formula adds up, counts or averages rows of one column that its own row is none of. */
export function isAggregate(text: string, row: number): boolean {
  const formula = text.trim();
  const open = formula.indexOf('(') + 1;
  if (!NAMES.has(formula.slice(0, open).toLowerCase())) return false;
  const found = RANGE.exec(formula.slice(open).replace(OPTIONS, ''));
  if (found === null) return false;
  const [from, to] = [Number(found[2] ?? 0), Number(found[3] ?? 0)];
  return found[1] === undefined || (from !== to && (row < Math.min(from, to) || row > Math.max(from, to)));
}
