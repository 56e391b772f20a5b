import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { LAST_COLUMN, LAST_ROW, MOST } from '../../files/limits.ts';
import { type CellRange, cellRange, newLayout, type SheetLayout } from '../../files/sheet.ts';
import { cellTwice, counter, DAMAGE, DamagedPart, rowTwice } from '../damage.ts';
import {
  attributeIsTrue,
  attributeValue,
  CDATA,
  CLOSE,
  NEED,
  nameCode,
  nameCodes,
  OPEN,
  TEXT,
  tokenText,
  unifyLineEnds,
  XmlScanner,
} from '../xml/xml-scanner.ts';
import {
  type CellContext,
  cellColumn,
  cellRow,
  circularCell,
  isPlaced,
  numberCell,
  numberFromBytes,
  numberFromText,
  otherCell,
  rowNumber,
  sharedCell,
  styleAt,
  styleIndex,
  takePlainCells,
  textCell,
  uncachedCell,
} from './cells.ts';
import { isCircular, mayBeCircular } from './circular-formula.ts';
import { type CellStyle, GENERAL, richText } from './workbook-part.ts';

const ROWS = nameCodes('sheetData', 'row', 'c', 'v', 'f', 'is', 't');
const LAYOUT = nameCodes('col', 'autoFilter', 'mergeCell');

/** Merges that are kept: far more than people make. */
const KEPT_MERGES = 100_000;

/** Where the scanner is. */
const OUTSIDE = 0;
const IN_DATA = 1;
const IN_ROW = 2;
const IN_CELL = 3;
const IN_VALUE = 4;
const IN_INLINE = 5;
const IN_OTHER = 6;
const IN_FORMULA = 7;

const SHARED = nameCode('si');

/** The `t` of a cell as a code; absent means `n`. */
const TYPE = nameCodes('n', 's', 'str', 'inlineStr');
const TYPES = new Map(['b', 'e', 'd'].map((type) => [nameCode(type), type]));

/** Reads the rows with cells of a sheet from the chunks of its part. Throws DamagedPart. */
export function sheetScanner(context: CellContext, tokenBytes: number, layout?: SheetLayout) {
  const scanner = new XmlScanner(tokenBytes);
  const inline = richText(tokenBytes);
  const longest = Math.min(tokenBytes, MOST.cellText);
  const countRow = counter(LAST_ROW, 'rows', 'rijen');
  const countColumns = counter(LAST_COLUMN, 'descriptions of columns', 'beschrijvingen van kolommen');
  const countMerge = counter(MOST.merges, 'merged ranges', 'samengevoegde bereiken');
  const merges: CellRange[] = [];
  let state = OUTSIDE;
  /** State and depth to return to from a skipped element. */
  let stateAfter = OUTSIDE;
  let depthAfter = 0;
  let rows: Row[] = [];
  const seen = new SeenRows();
  let row = 0;
  let rowHidden = false;
  let rowNumbered = false;
  let cells: Cell[] = [];
  let inOrder = true;
  let column = 0;
  let style: CellStyle = GENERAL;
  let type = TYPE.n;
  let formula = false;
  let formulaText = '';
  /** The number of the shared formula just opened; what is known of those before. */
  let shared: string | undefined;
  const circularShared = new Set<string>();
  let circular = false;
  /** The cell has a `<v>` or `<is>`. */
  let valued = false;
  /** A value that is a number in one piece; else NaN. */
  let number = Number.NaN;
  let text = '';
  if (layout !== undefined) {
    const formats = new Set(context.styles.flatMap(({ format }) => format ?? []));
    Object.assign(layout, newLayout(), { formats: [...formats] });
  }

  /** Takes a chunk; returns the rows that it completed. */
  function take(chunk: Buffer): Row[] {
    scanner.feed(chunk);
    rows = [];
    if (state === IN_ROW) takePlain();
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      if (token === OPEN) open();
      else if (token === CLOSE) close();
      else if (state === IN_VALUE) takeText(token, token === TEXT && text === '' && scanner.endsElement());
      else if (state === IN_INLINE) inline.take(scanner, token);
      else if (state === IN_FORMULA) takeFormula(token);
    }
    return rows;
  }

  /** To be called after the last chunk. */
  function finish(): void {
    scanner.finish();
    if (layout !== undefined) layout.merges = merges;
  }

  function open(): void {
    const { code, selfClosing, level } = scanner;
    switch (state) {
      case IN_ROW:
        if (code !== ROWS.c) passOver();
        else {
          beginCell();
          if (selfClosing) endCell();
          else state = IN_CELL;
        }
        break;
      case IN_CELL:
        openInCell(code, selfClosing);
        break;
      case IN_DATA:
        if (code !== ROWS.row) passOver();
        else {
          beginRow();
          if (selfClosing) endRow();
          else {
            state = IN_ROW;
            takePlain();
          }
        }
        break;
      case IN_INLINE:
        inline.take(scanner, OPEN);
        break;
      case IN_VALUE:
      case IN_FORMULA:
        passOver();
        break;
      case OUTSIDE:
        if (code === ROWS.sheetData && level === 2 && !selfClosing) state = IN_DATA;
        else if (layout !== undefined) noteLayout(layout, code, level);
    }
  }

  function noteLayout(of: SheetLayout, code: number, level: number): void {
    if (code === LAYOUT.autoFilter && level === 2) of.filtered = true;
    if (code === LAYOUT.mergeCell && level === 3) {
      countMerge();
      const range = cellRange(attributeValue(scanner, 'ref'));
      if (range !== undefined && merges.length < KEPT_MERGES) merges.push(range);
    }
    if (code === LAYOUT.col && level === 3) countColumns();
  }

  function takePlain(): void {
    if (rowNumbered) column = takePlainCells(scanner, context, cells, column);
  }

  function openInCell(code: number, selfClosing: boolean): void {
    if (code === ROWS.v) {
      valued = true;
      if (!selfClosing) state = IN_VALUE;
    } else if (code === ROWS.is) {
      valued = true;
      if (selfClosing) return;
      inline.begin(scanner);
      state = IN_INLINE;
    } else if (code === ROWS.f) openFormula(selfClosing);
    else passOver();
  }

  function openFormula(selfClosing: boolean): void {
    formula = true;
    const { bytes, position, limit } = scanner;
    const may = selfClosing ? circularShared.size > 0 : mayBeCircular(bytes, position, limit, column, row);
    if (!may) {
      passOver();
      return;
    }
    const isShared = scanner.attributes > 0 && scanner.attribute(SHARED) >= 0;
    shared = isShared ? attributeValue(scanner, 'si') : undefined;
    formulaText = '';
    if (!selfClosing) state = IN_FORMULA;
    else if (shared !== undefined && circularShared.has(shared)) noteCircular();
  }

  function takeFormula(token: number): void {
    if (formulaText.length < longest) formulaText += tokenText(scanner, token === CDATA);
  }

  /** A shared formula stands in its first cell alone; in the others it does the same. */
  function closeFormula(): void {
    state = IN_CELL;
    if (!isCircular(formulaText, column, row, context.sheet)) return;
    if (shared !== undefined) circularShared.add(shared);
    noteCircular();
  }

  function noteCircular(): void {
    circular = !context.iterates;
  }

  function close(): void {
    switch (state) {
      case IN_VALUE:
        state = IN_CELL;
        break;
      case IN_FORMULA:
        closeFormula();
        break;
      case IN_CELL:
        endCell();
        state = IN_ROW;
        takePlain();
        break;
      case IN_ROW:
        endRow();
        state = IN_DATA;
        break;
      case IN_DATA:
        state = OUTSIDE;
        break;
      case IN_INLINE:
        if (!inline.take(scanner, CLOSE)) break;
        type = TYPE.inlineStr;
        text = inline.finish();
        state = IN_CELL;
        break;
      case IN_OTHER:
        if (scanner.depth === depthAfter) state = stateAfter;
    }
  }

  /** Skips an element with all in it. */
  function passOver(): void {
    if (scanner.selfClosing) return;
    stateAfter = state;
    depthAfter = scanner.depth - 1;
    state = IN_OTHER;
  }

  function beginRow(): void {
    countRow();
    const number = rowNumber(scanner);
    rowNumbered = number > 0;
    row = number > 0 ? number : row + 1;
    if (row > LAST_ROW) throw new DamagedPart(DAMAGE.beyond);
    rowHidden = attributeIsTrue(scanner, 'hidden');
    cells.length = 0;
    column = 0;
    inOrder = true;
  }

  /** Throws DamagedPart for a row number that occurs twice: either may be meant. */
  function endRow(): void {
    if (cells.length === 0) return;
    if (!seen.add(row)) throw new DamagedPart(rowTwice(row));
    const own = inOrder ? cells.slice() : sortCells(cells, row);
    rows.push(rowHidden ? { number: row, cells: own, hidden: true } : { number: row, cells: own });
  }

  function beginCell(): void {
    formula = false;
    circular = false;
    valued = false;
    number = Number.NaN;
    text = '';
    style = styleAt(context.styles, styleIndex(scanner));
    type = typeOf(scanner);
    // The first cell numbers a row without a number.
    if (!rowNumbered && isPlaced(scanner)) {
      row = cellRow(scanner) || row;
      rowNumbered = true;
    }
    const next = cellColumn(scanner) || column + 1;
    if (next > LAST_COLUMN) throw new DamagedPart(DAMAGE.beyond);
    if (next <= column) inOrder = false;
    column = next;
  }

  /** Takes a piece of a value; a whole number is not decoded. */
  function takeText(token: number, whole: boolean): void {
    const { bytes, start, end } = scanner;
    if (whole && (type === TYPE.n || type === TYPE.s)) {
      number = numberFromBytes(bytes, start, end);
      if (!Number.isNaN(number)) return;
    }
    text += tokenText(scanner, token === CDATA);
    if (text.length > longest) throw new DamagedPart(DAMAGE.longText);
  }

  function endCell(): void {
    const cell = circular ? circularCell(column, style) : storedCell();
    if (cell === undefined) {
      if (formula && layout !== undefined) layout.lastTaken = Math.max(layout.lastTaken, column);
      return;
    }
    cells.push(cell);
    // A row that repeats columns must not fill the memory.
    if (cells.length > 2 * LAST_COLUMN) cells = sortCells(cells, row);
  }

  function storedCell(): Cell | undefined {
    if (valued) return makeCell();
    return formula ? uncachedCell(column, style) : undefined;
  }

  function makeCell(): Cell | undefined {
    if (type === TYPE.n || type === TYPE.s) {
      const value = Number.isNaN(number) ? numberFromText(text) : number;
      if (Number.isNaN(value)) return notNumber();
      return type === TYPE.s
        ? sharedCell(column, value, style, context.texts)
        : numberCell(column, value, style, context.date1904);
    }
    const other = TYPES.get(type);
    if (other !== undefined) return otherCell(column, other, text, style);
    const value = type === TYPE.str || type === TYPE.inlineStr ? Number.NaN : numberFromText(text);
    return Number.isNaN(value)
      ? textCell(column, unifyLineEnds(text), style)
      : numberCell(column, value, style, context.date1904);
  }

  /** A value that is not a number: some programs leave it empty behind a formula they did not calculate. */
  function notNumber(): Cell | undefined {
    if (formula && text.trim() === '') return uncachedCell(column, style);
    return textCell(column, unifyLineEnds(text), style);
  }

  return { take, finish };
}

/** The `t` of the cell just opened. */
function typeOf(scanner: XmlScanner): number {
  const at = scanner.attribute(ROWS.t);
  if (at < 0) return TYPE.n;
  const end = scanner.attributeEnd[at] as number;
  let code = 0;
  for (let i = scanner.attributeStart[at] as number; i < end; i++)
    code = (Math.imul(code, 31) + (scanner.bytes[i] as number)) | 0;
  return code;
}

/** Sorts cells by column. Throws DamagedPart for two values in one place: programs show different ones. */
function sortCells(cells: readonly Cell[], row: number): Cell[] {
  const places = new Map<number, Cell>();
  for (const cell of cells) {
    const same = places.get(cell.column);
    if (same !== undefined && (same.value !== cell.value || same.type !== cell.type)) {
      throw new DamagedPart(cellTwice(cellAddress(cell.column, row)));
    }
    places.set(cell.column, cell);
  }
  return [...places.values()].sort((one, other) => one.column - other.column);
}

/** A set of row numbers, as bits: a million take as much room as ten. */
class SeenRows {
  private readonly bits = new Uint8Array((LAST_ROW >> 3) + 1);

  /** Adds row `number` (from 1); false if it was there. */
  add(number: number): boolean {
    const [at, bit] = [number >> 3, 1 << (number & 7)];
    const bits = this.bits[at] as number;
    this.bits[at] = bits | bit;
    return (bits & bit) === 0;
  }
}
