import { type Cell, cellAddress, UNCACHED } from '../../schema/cell.ts';
import { excelFormat } from '../result-cells.ts';
import { addedCells, ownCells } from '../result-layout.ts';
import type { CellMark, ResultRow, ResultSheet } from '../result-sheet.ts';
import { cellXml, outcomeCells, outcomeHeight } from '../rewrite/own-cells.ts';
import type { RewriteStyles } from '../rewrite/rewrite-styles.ts';
import { textToSerial } from '../serial-date.ts';

/** The format of texts: no program then makes a number or date of one. */
export const TEXT_FORMAT = '@';

/** The errors Excel knows in a file; any other would make it offer to repair the file. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'];

/** A cell of a row, and its place. */
interface Placed {
  readonly column: number;
  readonly xml: string;
}

/** One row of a result that is written anew, at a number: the user's own cells, then the added ones; what is said of a cell is its colour. */
export function resultRowXml(
  number: number,
  result: ResultRow,
  sheet: ResultSheet,
  styles: RewriteStyles,
): string {
  const isHeader = result.row.number === sheet.headerRow;
  const marks = isHeader ? [] : (result.outcome?.marks ?? []);
  const marked = new Map(marks.map((mark) => [mark.column, mark]));
  const cells: Placed[] = ownCells(result, sheet).map((cell) => {
    const { column } = cell;
    const style = isHeader
      ? styles.header()
      : tinted(styles.shown(formatOf(cell)), marked.get(column), styles);
    marked.delete(column);
    return { column, xml: valueXml(cellAddress(column, number), style, cell) };
  });
  const added = addedXml(number, result, sheet, styles);
  for (const { column } of added) marked.delete(column);
  // A cell that holds nothing can be what is wrong.
  const blank = [...marked.values()].map(({ column, tone }) => {
    const style = styles.tint(styles.shown(TEXT_FORMAT), tone);
    return { column, xml: cellXml(cellAddress(column, number), style, null, '') };
  });
  const all = [...cells, ...blank, ...added].sort((one, other) => one.column - other.column);
  const height = isHeader || result.outcome === undefined ? undefined : outcomeHeight(result.outcome);
  const room = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  const hidden = result.row.hidden ? ' hidden="1"' : '';
  return `<row r="${number}"${hidden}${room}>${all.map(({ xml }) => xml).join('')}</row>`;
}

function addedXml(number: number, result: ResultRow, sheet: ResultSheet, styles: RewriteStyles): Placed[] {
  const { added, headerRow } = sheet;
  if (added === null) return [];
  const { firstColumn: first, headers } = added;
  if (result.row.number === headerRow)
    return addedCells(result, sheet).map((header, at) => {
      const address = cellAddress(first + at, number);
      return { column: first + at, xml: cellXml(address, styles.header(), header, '') };
    });
  if (result.outcome === undefined) return [];
  const own = { first, last: first + headers.length - 1, headers };
  return outcomeCells(number, result.outcome, own, styles, '');
}

const tinted = (style: number, mark: CellMark | undefined, styles: RewriteStyles): number =>
  mark === undefined ? style : styles.tint(style, mark.tone);

function formatOf(cell: Cell): string {
  return excelFormat(cell) ?? (cell.type === 'text' ? TEXT_FORMAT : 'General');
}

/** A cell's value as a file holds it. Dates are serials, as anything else would bring a time zone into it. */
function valueXml(address: string, style: number, cell: Cell): string {
  const { type, value } = cell;
  if (type === 'text' || type === 'number') return cellXml(address, style, value, '');
  if (type === 'date') return cellXml(address, style, textToSerial(value) ?? value, '');
  const start = `<c r="${address}" s="${style}"`;
  if (type === 'boolean') return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  // A formula whose result is not stored, and whose text is not known. Left empty, its row would look complete and be sent without it the
  // next time; this one has no stored result again, and shows `#N/A` where it is worked out.
  if (value === UNCACHED) return `${start}><f>NA()</f></c>`;
  return `${start} t="e"><v>${ERRORS.includes(value) ? value : '#N/A'}</v></c>`;
}
