import { columnFromLetters, columnLetters } from '../../core/cell.ts';

/** A formula is computed from the rows of one column and no more, or refers to its own cell. */
export type FormulaKind = 'aggregate' | 'circular';

/** A function over cells of one column alone, or over a column of a table: `SUBTOTAL(109,B2:B9)`. */
const AGGREGATE =
  /^\s*(?:subtotal|aggregate|sum|average|counta?|min|max)\((?:\d+,){0,2}(?:\$?([a-z]{1,3})\$?(\d{1,7}):\$?\1\$?(\d{1,7})|[^\s()[\]@#,]*\[[^[\]@#]+\])\)\s*$/i;

/** Functions that take the place of a cell, or a part of a range, and not all values in it. */
const PLACES = /\b(?:rows?|columns?|offset|index|cell|areas|sheets?|isref|isformula|formulatext)\(/i;
/** Texts, and references to other sheets, workbooks and tables. */
const ELSEWHERE = /"[^"]*"|(?:'[^']*'|[\p{L}\d_.[\]]+)!(?:[\w$]+(?::[\w$]+)?)?|\[[^\]]*\]/gu;
/** Cells from one to another, or columns; of a cell alone the second is absent. */
const CELLS = /(?<![\w.])([a-z]{1,3})(\d{0,7})(?::([a-z]{1,3})(\d{0,7}))?(?![\w.(])/gi;

/** What a formula in a cell is; undefined for any other. Circles over names, tables and several cells are not seen. */
export function formulaKind(formula: string, column: number, row: number): FormulaKind | undefined {
  if (isAggregate(formula, row)) return 'aggregate';
  return namesCell(formula, column, row) ? 'circular' : undefined;
}

/** Whether a formula adds up, counts or averages rows of one column that its own row is none of. */
function isAggregate(formula: string, row: number): boolean {
  const found = AGGREGATE.exec(formula);
  if (found === null) return false;
  const [from, to] = [Number(found[2] ?? 0), Number(found[3] ?? 0)];
  return found[1] === undefined || (from !== to && (row < Math.min(from, to) || row > Math.max(from, to)));
}

function namesCell(formula: string, column: number, row: number): boolean {
  const own = `${columnLetters(column)}${row}`;
  const plain = formula.includes('$') ? formula.replaceAll('$', '') : formula;
  // Nearly every formula names other cells, one at a time.
  if (!plain.includes(':') && !plain.includes(own)) return false;
  if (PLACES.test(plain)) return false;
  for (const [cell, first = '', top = '', last, bottom = ''] of plain
    .replace(ELSEWHERE, '""')
    .matchAll(CELLS)) {
    if (last === undefined) {
      if (cell.toUpperCase() === own) return true;
    } else if (
      isBetween(column, columnFromLetters(first), columnFromLetters(last)) &&
      (top === '' ? bottom === '' : isBetween(row, Number(top), Number(bottom)))
    )
      return true;
  }
  return false;
}

const isBetween = (place: number, one: number, other: number): boolean =>
  place >= Math.min(one, other) && place <= Math.max(one, other);
