/** A formula is computed from the rows of one column and no more, or refers to its own cell. */
export type FormulaKind = 'aggregate' | 'circular';

/**
 * A function over cells of one column alone, or over a column of a table: `SUBTOTAL(109,B2:B9)`, also rounded or with
 * something in the place of an error. A group may be one row.
 */
const AGGREGATE = new RegExp(
  [
    /^\s*\+?(?:(?:round(?:up|down)?|int|trunc|abs|iferror|_xlfn\.ifna)\()*/,
    /(?:_xlfn\.)?(?:(subtotal|aggregate)|sum|average|counta?|min|max|median|product|mode(?:\.sngl)?|(?:stdev|var)p?(?:\.[sp])?)\(/,
    /(?:\d+,){0,2}(?:\$?([a-z]{1,3})\$?(\d{1,7}):\$?\2\$?(\d{1,7})|[^\s()[\]@#,]*\[[^[\]@#]+\])\)/,
    /(?:(?:,[^()]*)?\))*\s*$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'i',
);

/** Functions that take the place of a cell, or a part of a range, and not all values in it. */
const PLACES = /\b(?:rows?|columns?|offset|index|cell|areas|sheets?|isref|isformula|formulatext)\(/i;
/**
 * Texts, references to other sheets, workbooks and tables, and functions and names such as LOG10 and C5A. What looks back
 * keeps a long text from being tried from each of its letters.
 */
const ELSEWHERE =
  /"[^"]*"|(?:(?<!')'[^']*'|(?<![\p{L}\d_.[\]])[\p{L}\d_.[\]]+)!(?:[\w$]+(?::[\w$]+)?)?|\[[^[\]]*\]|(?<![\p{L}\d_.])[\p{L}_][\p{L}\d_.]*\(|(?<![A-Z])[A-Z]+\d+[\p{L}_.][\p{L}\d_.]*/gu;

/** The name of a sheet before its `!`, in quotes and without. */
const PREFIX = /(?:(?<!')'((?:[^']|'')*)'|(?<![\p{L}\d_.[\]])([\p{L}\d_.[\]]+))!/gu;

/**
 * What a formula in a cell of a sheet is; undefined for any other. Circles over names, tables and several cells are
 * not seen.
 */
export function formulaKind(
  formula: string,
  column: number,
  row: number,
  sheet = '',
): FormulaKind | undefined {
  const own = withoutPrefix(formula, sheet);
  if (isAggregate(own, row)) return 'aggregate';
  if (PLACES.test(own)) return undefined;
  const references = Buffer.from(own.replace(ELSEWHERE, '('), 'latin1');
  return look(references, 0, references.length, column, row) === OWN_CELL ? 'circular' : undefined;
}

/** A formula without the name of its own sheet before references, which adds nothing. */
function withoutPrefix(formula: string, sheet: string): string {
  if (!formula.includes('!')) return formula;
  return formula.replace(PREFIX, (prefix, quoted?: string, plain?: string) => {
    const name = quoted?.replaceAll("''", "'") ?? plain;
    return name?.toLowerCase() === sheet.toLowerCase() ? '' : prefix;
  });
}

/** Whether a formula adds up, counts or averages rows of one column that its own row is none of. */
function isAggregate(formula: string, row: number): boolean {
  const found = AGGREGATE.exec(formula);
  if (found === null) return false;
  const [, group, column, first, last] = found;
  if (column === undefined) return true;
  const [from, to] = [Number(first), Number(last)];
  return (from !== to || group !== undefined) && !isBetween(row, from, to);
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
      // A range of rows names no column, one of columns no row.
      const isRow = digits === 0 ? beforeRow === 0 : isBetween(row, beforeRow, digits);
      const isColumn = letters === 0 ? before === 0 : isBetween(column, before, letters);
      if (isRow && isColumn) return OWN_CELL;
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
