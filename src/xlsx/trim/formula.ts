import { columnFromLetters, columnLetters } from '../../core/cell.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';

/** A piece of a formula. */
type FormulaPiece =
  | { readonly kind: 'other'; readonly text: string }
  /** A function's name, with its prefixes. */
  | { readonly kind: 'call'; readonly text: string }
  /** A defined name, or a table's with what is asked of it in brackets. */
  | { readonly kind: 'name'; readonly text: string; readonly name: string; readonly brackets: string }
  | FormulaArea;

/** Cells that a formula names. */
export interface FormulaArea {
  readonly kind: 'area';
  readonly text: string;
  /** The sheet as it is written, with its `!`; empty when none is named. */
  readonly prefix: string;
  /** The sheet that it names; undefined for the formula's own, null for those of another workbook or several of this one. */
  readonly sheet: string | null | undefined;
  /** Its ends: one for a single cell. A whole column has no rows, a whole row no column. */
  readonly ends: readonly FormulaEnd[];
}

/** One corner of an area. */
export interface FormulaEnd {
  /** As it is written, with its `$`; empty when a row is named alone. */
  readonly column: string;
  /** 0 when a column is named alone. */
  readonly row: number;
  /** The row has a `$`. */
  readonly fixed: boolean;
}

const WORD = '[\\p{L}_\\\\][\\p{L}\\p{N}_.\\\\?]*';
const CELL = '\\$?[A-Za-z]{1,3}\\$?[1-9]\\d{0,6}';
const ENDS = '(?![\\p{L}\\p{N}_.(!\\[])';
const PIECE = new RegExp(
  [
    '(?<text>"(?:[^"]|"")*"|#(?:REF!|N/A|NULL!|DIV/0!|VALUE!|NAME\\?|NUM!|[A-Z_]+!?))',
    `(?<sheet>'(?:[^']|'')+'!|(?:\\[\\d+\\])?${WORD}(?::${WORD})?!)`,
    `(?<area>${CELL}:${CELL}${ENDS}|${CELL}${ENDS}|\\$?[A-Za-z]{1,3}:\\$?[A-Za-z]{1,3}${ENDS}|\\$?[1-9]\\d{0,6}:\\$?[1-9]\\d{0,6}${ENDS})`,
    '(?<number>\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?)',
    `(?<word>${WORD})`,
    '(?<other>[\\s\\S])',
  ].join('|'),
  'uy',
);

/** A formula, without its `=`, in pieces; put side by side again they are the formula. */
export function formulaPieces(formula: string): FormulaPiece[] {
  const pieces: FormulaPiece[] = [];
  let prefix = '';
  for (let at = 0; at < formula.length; ) {
    PIECE.lastIndex = at;
    const { sheet, area, word } = PIECE.exec(formula)?.groups ?? {};
    const end = PIECE.lastIndex > at ? PIECE.lastIndex : at + 1;
    const text = formula.slice(at, end);
    at = end;
    if (sheet !== undefined) {
      if (prefix !== '') pieces.push({ kind: 'other', text: prefix });
      prefix = text;
      continue;
    }
    if (area !== undefined) pieces.push(areaOf(prefix, text));
    else if (word !== undefined && prefix === '' && formula[at] === '(') pieces.push({ kind: 'call', text });
    else if (word !== undefined) {
      const brackets = bracketsAt(formula, at);
      at += brackets.length;
      pieces.push({ kind: 'name', text: prefix + text + brackets, name: text, brackets });
    } else {
      const brackets = text === '[' ? bracketsAt(formula, at - 1).slice(1) : '';
      at += brackets.length;
      pieces.push({ kind: 'other', text: prefix + text + brackets });
    }
    prefix = '';
  }
  if (prefix !== '') pieces.push({ kind: 'other', text: prefix });
  return pieces;
}

/** What stands in brackets from a place on, up to the one that closes the first; `'` before a bracket makes it a character of a name. */
function bracketsAt(formula: string, from: number): string {
  if (formula[from] !== '[') return '';
  let depth = 0;
  for (let at = from; at < formula.length; at++) {
    const character = formula[at];
    if (character === "'") at++;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return formula.slice(from, at + 1);
  }
  return formula.slice(from);
}

function areaOf(prefix: string, text: string): FormulaArea {
  const ends = text.split(':').map((end): FormulaEnd => {
    const [, column = '', dollar = '', row = ''] = /^(\$?[A-Za-z]*)(\$?)(\d*)$/.exec(end) ?? [];
    // Of `$5` alone the dollar is the row's.
    return column === '$'
      ? { column: '', row: Number(row), fixed: true }
      : { column, row: Number(row), fixed: dollar === '$' };
  });
  return { kind: 'area', text: prefix + text, prefix, sheet: sheetIn(prefix), ends };
}

function sheetIn(prefix: string): string | null | undefined {
  if (prefix === '') return undefined;
  const name = prefix.startsWith("'") ? prefix.slice(1, -2).replaceAll("''", "'") : prefix.slice(0, -1);
  return /[[\]:]/.test(name) ? null : name;
}

/** An area as a formula writes it. */
export function areaText(prefix: string, ends: readonly FormulaEnd[]): string {
  const texts = ends.map(
    ({ column, row, fixed }) => `${column}${row === 0 ? '' : `${fixed ? '$' : ''}${row}`}`,
  );
  return prefix + texts.join(':');
}

/** A formula as it reads in another cell, so many rows down and columns to the right: what has no `$` goes along, round the sheet's edges as in spreadsheet programs. */
export function shiftFormula(formula: string, rows: number, columns: number): string {
  return formulaPieces(formula)
    .map((piece) => {
      if (piece.kind !== 'area') return piece.text;
      const ends = piece.ends.map(({ column, row, fixed }) => ({
        column:
          column === '' || column.startsWith('$')
            ? column
            : columnLetters(round(columnFromLetters(column) + columns, LAST_COLUMN)),
        row: row === 0 || fixed ? row : round(row + rows, LAST_ROW),
        fixed,
      }));
      return areaText(piece.prefix, ends);
    })
    .join('');
}

const round = (number: number, most: number): number => ((((number - 1) % most) + most) % most) + 1;
