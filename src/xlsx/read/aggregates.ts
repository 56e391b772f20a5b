/** A function over cells of one column alone, or over a column of a table: `SUBTOTAL(109,B2:B9)`. */
const AGGREGATE =
  /^\s*(?:subtotal|aggregate|sum|average|counta?|min|max)\((?:\d+,){0,2}(?:\$?([a-z]{1,3})\$?(\d{1,7}):\$?\1\$?(\d{1,7})|[^\s()[\]@#,]*\[[^[\]@#]+\])\)\s*$/i;

/** The longest that such a formula is. */
export const LONGEST_AGGREGATE = 400;

/** The first letters of these functions, in either case, as bytes. */
const FIRST: ReadonlySet<number> = new Set([...Buffer.from('sacmSACM ')]);

/** A quick look: whether a formula that begins with a byte may be one. */
export const mayAggregate = (byte: number | undefined): boolean => byte !== undefined && FIRST.has(byte);

/** Whether a formula adds up, counts or averages rows of one column that its own row is none of. */
export function isAggregate(formula: string, row: number): boolean {
  const found = AGGREGATE.exec(formula);
  if (found === null) return false;
  const [from, to] = [Number(found[2] ?? 0), Number(found[3] ?? 0)];
  return found[1] === undefined || (from !== to && (row < Math.min(from, to) || row > Math.max(from, to)));
}
