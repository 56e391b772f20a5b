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

/** Whether a formula refers to its own cell. Circles over names, tables and several cells are not seen. */
export function isCircular(formula: string, column: number, row: number, sheet = ''): boolean {
  const own = withoutPrefix(formula, sheet);
  if (PLACES.test(own)) return false;
  const references = Buffer.from(own.replace(ELSEWHERE, '('), 'latin1');
  return namesCell(references, 0, references.length, column, row) === true;
}

/** A formula without the name of its own sheet before references, which adds nothing. */
function withoutPrefix(formula: string, sheet: string): string {
  if (!formula.includes('!')) return formula;
  return formula.replace(PREFIX, (prefix, quoted?: string, plain?: string) => {
    const name = quoted?.replaceAll("''", "'") ?? plain;
    return name?.toLowerCase() === sheet.toLowerCase() ? '' : prefix;
  });
}

const [DOLLAR, COLON, LT] = [36, 58, 60] as const;

/**
 * A quick look at the formula that begins at a place, as most of a million are not circular: whether it may be. True
 * where its end is not among the bytes.
 */
export const mayBeCircular = (
  bytes: Buffer,
  start: number,
  limit: number,
  column: number,
  row: number,
): boolean => namesCell(bytes, start, limit, column, row) !== false;

/** Whether references up to a `<` name a cell, alone or in a range; null for no `<` by `end`. */
function namesCell(bytes: Buffer, start: number, end: number, column: number, row: number): boolean | null {
  let [before, beforeRow, beforeEnd] = [0, 0, -1];
  for (let at = start; at < end; ) {
    const from = at;
    let byte = bytes[at] as number;
    if (byte === LT) return false;
    let [letters, digits] = [0, 0];
    if (byte === DOLLAR) byte = bytes[++at] as number;
    for (; byte >= 65 && byte <= 90; byte = bytes[++at] as number) letters = letters * 26 + byte - 64;
    if (byte === DOLLAR) byte = bytes[++at] as number;
    for (; byte >= 48 && byte <= 57; byte = bytes[++at] as number) digits = digits * 10 + byte - 48;
    if (at === from) {
      at++;
      continue;
    }
    if (digits === row && letters === column) return true;
    if (beforeEnd === from - 1 && bytes[beforeEnd] === COLON) {
      // A range of rows names no column, one of columns no row.
      const isRow = digits === 0 ? beforeRow === 0 : isBetween(row, beforeRow, digits);
      const isColumn = letters === 0 ? before === 0 : isBetween(column, before, letters);
      if (isRow && isColumn) return true;
    }
    before = letters;
    beforeRow = digits;
    beforeEnd = at;
  }
  return null;
}

const isBetween = (place: number, one: number, other: number): boolean =>
  one <= other ? place >= one && place <= other : place >= other && place <= one;
