/** A formula is computed from the rows of one column and no more, or refers to its own cell. */
export type FormulaKind = 'aggregate' | 'circular';

/** A function over cells of one column alone, or over a column of a table: `SUBTOTAL(109,B2:B9)`. */
const AGGREGATE =
  /^\s*(?:subtotal|aggregate|sum|average|counta?|min|max)\((?:\d+,){0,2}(?:\$?([a-z]{1,3})\$?(\d{1,7}):\$?\1\$?(\d{1,7})|[^\s()[\]@#,]*\[[^[\]@#]+\])\)\s*$/i;

/** Functions that take the place of a cell, or a part of a range, and not all values in it. */
const PLACES = /\b(?:rows?|columns?|offset|index|cell|areas|sheets?|isref|isformula|formulatext)\(/i;
/** Texts, references to other sheets, workbooks and tables, and functions and names such as LOG10 and C5A. */
const ELSEWHERE =
  /"[^"]*"|(?:'[^']*'|[\p{L}\d_.[\]]+)!(?:[\w$]+(?::[\w$]+)?)?|\[[^\]]*\]|[\p{L}_][\p{L}\d_.]*\(|[A-Z]+\d+[\p{L}_.][\p{L}\d_.]*/gu;

/** What a formula in a cell is; undefined for any other. Circles over names, tables and several cells are not seen. */
export function formulaKind(formula: string, column: number, row: number): FormulaKind | undefined {
  if (isAggregate(formula, row)) return 'aggregate';
  if (PLACES.test(formula)) return undefined;
  const references = Buffer.from(formula.replace(ELSEWHERE, '('), 'latin1');
  return look(references, 0, references.length, column, row) === OWN_CELL ? 'circular' : undefined;
}

/** Whether a formula adds up, counts or averages rows of one column that its own row is none of. */
function isAggregate(formula: string, row: number): boolean {
  const found = AGGREGATE.exec(formula);
  if (found === null) return false;
  const [from, to] = [Number(found[2] ?? 0), Number(found[3] ?? 0)];
  return found[1] === undefined || (from !== to && (row < Math.min(from, to) || row > Math.max(from, to)));
}

const [DOLLAR, COLON, LT, BRACKET] = [36, 58, 60, 91] as const;

/** What references name: the cell itself, alone or in a range; else cells of one column or a table; else others. */
const [OTHERS, ONE_COLUMN, OWN_CELL] = [0, 1, 2] as const;

/**
 * A quick look at the formula that begins at a place, as most of a million are of no kind: whether it may be of
 * one. True where its end is not among the bytes.
 */
export const mayBeKind = (
  bytes: Buffer,
  start: number,
  limit: number,
  column: number,
  row: number,
): boolean => look(bytes, start, limit, column, row) !== OTHERS;

/** Looks at bytes up to a `<`; what has none by `end` may be anything but a name of the cell. */
function look(bytes: Buffer, start: number, end: number, column: number, row: number): 0 | 1 | 2 {
  let found: 0 | 1 = OTHERS;
  let [before, beforeRow, beforeEnd] = [0, 0, -1];
  for (let at = start; at < end; ) {
    const from = at;
    let byte = bytes[at] as number;
    if (byte === LT) return found;
    let [letters, digits] = [0, 0];
    if (byte === DOLLAR) byte = bytes[++at] as number;
    for (; byte >= 65 && byte <= 90; byte = bytes[++at] as number) letters = letters * 26 + byte - 64;
    if (byte === DOLLAR) byte = bytes[++at] as number;
    for (; byte >= 48 && byte <= 57; byte = bytes[++at] as number) digits = digits * 10 + byte - 48;
    if (at === from) {
      if (byte === BRACKET) found = ONE_COLUMN;
      at++;
      continue;
    }
    if (digits === row && letters === column) return OWN_CELL;
    if (beforeEnd === from - 1 && bytes[beforeEnd] === COLON) {
      const isRow = digits === 0 ? beforeRow === 0 : isBetween(row, beforeRow, digits);
      if (isRow && isBetween(column, before, letters)) return OWN_CELL;
      if (before === letters) found = ONE_COLUMN;
    }
    before = letters;
    beforeRow = digits;
    beforeEnd = at;
  }
  return ONE_COLUMN;
}

const isBetween = (place: number, one: number, other: number): boolean =>
  one <= other ? place >= one && place <= other : place >= other && place <= one;
