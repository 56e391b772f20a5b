import { cellAddress, columnFromLetters, columnLetters } from '../../core/cell.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { cellRange } from '../../files/sheet.ts';
import { attributeValue, decodeReferences } from '../xml/xml-scanner.ts';
import { escapeText, type XmlCopy } from '../xml/xml-write.ts';

/** A formula that other cells share, whose own cell holds something else now. */
interface Orphaned {
  readonly row: number;
  readonly column: number;
  /** The cells that may share it. */
  readonly range: string;
  text: string;
}

/**
 * The formulas of a sheet while its cells are copied. Cells that are filled down share the formula of the
 * first: where that one is replaced, the next takes it over. Called with the scanner behind `<f>`, its text
 * and its end.
 */
export function sharedFormulas(copy: XmlCopy) {
  const orphaned = new Map<string, Orphaned>();
  let open: Orphaned | undefined;

  /** A formula in a cell, which may be left out. */
  function begin(row: number, column: number): void {
    const { scanner } = copy;
    open = undefined;
    if ((!copy.isDropping && orphaned.size === 0) || attributeValue(scanner, 't') !== 'shared') return;
    const name = attributeValue(scanner, 'si') ?? '';
    const range = attributeValue(scanner, 'ref');
    if (copy.isDropping && range !== undefined && !scanner.selfClosing) {
      open = { row, column, range, text: '' };
      orphaned.set(name, open);
    } else if (!copy.isDropping && range === undefined) adopt(name, row, column);
  }

  /** The text of the formula that was begun. */
  function text(): void {
    const { scanner } = copy;
    if (open !== undefined)
      open.text += decodeReferences(scanner.bytes.toString('utf8', scanner.start, scanner.end));
  }

  function end(): void {
    open = undefined;
  }

  function adopt(name: string, row: number, column: number): void {
    const orphan = orphaned.get(name);
    if (orphan === undefined) return;
    orphaned.delete(name);
    const own = cellAddress(column, row);
    const range = cellRange(orphan.range);
    const last = range === undefined ? own : cellAddress(range.right, range.bottom);
    // Of the rows below all columns share it.
    const first = range === undefined || range.bottom === row ? own : cellAddress(range.left, row);
    const ref = first === last ? own : `${first}:${last}`;
    const text = escapeText(movedFormula(orphan.text, row - orphan.row, column - orphan.column));
    if (copy.scanner.selfClosing)
      copy.replace(`<${copy.prefix}f t="shared" ref="${ref}" si="${name}">${text}</${copy.prefix}f>`);
    else {
      copy.changeTag({ ref });
      copy.insertBehind(text);
    }
  }

  return {
    begin,
    text,
    end,
    /** Whether a cell further on may have to take a formula over. */
    get waiting(): boolean {
      return orphaned.size > 0;
    },
  };
}

/** Texts, quoted names, tables, cells, whole columns and whole rows in a formula. */
const PARTS =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|\[(?:[^[\]]|\[[^\]]*\])*\]|(?<![\p{L}\p{N}_.$\\])(?:(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})|(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})|(\$?)(\d{1,7}):(\$?)(\d{1,7}))(?![\p{L}\p{N}_.(!\\])/gu;

/** A formula as it reads so many rows and columns further: what has no `$` moves along. */
export function movedFormula(formula: string, rows: number, columns: number): string {
  const row = (fixed: string, number: string): string => {
    const to = fixed === '$' ? Number(number) : Number(number) + rows;
    return to >= 1 && to <= LAST_ROW ? `${fixed}${to}` : '';
  };
  const column = (fixed: string, letters: string): string => {
    const to = columnFromLetters(letters) + (fixed === '$' ? 0 : columns);
    return to >= 1 && to <= LAST_COLUMN ? `${fixed}${columnLetters(to)}` : '';
  };
  const both = (one: string, other: string, between = ''): string =>
    one === '' || other === '' ? '#REF!' : `${one}${between}${other}`;
  return formula.replace(PARTS, (whole: string, ...found: (string | undefined)[]) => {
    const [cell, letters = '', fixed = '', number = ''] = found;
    if (cell !== undefined) return both(column(cell, letters), row(fixed, number));
    const [left, from = '', right = '', to = ''] = found.slice(4);
    if (left !== undefined) return both(column(left, from), column(right, to), ':');
    const [top, first = '', bottom = '', last = ''] = found.slice(8);
    return top === undefined ? whole : both(row(top, first), row(bottom, last), ':');
  });
}
