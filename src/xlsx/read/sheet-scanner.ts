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
export class SheetScanner {
  private readonly scanner: XmlScanner;
  private readonly context: CellContext;
  private readonly layout: SheetLayout | undefined;
  private readonly inline: ReturnType<typeof richText>;
  private readonly longest: number;
  private readonly counts = {
    rows: counter(LAST_ROW, 'rows', 'rijen'),
    columns: counter(LAST_COLUMN, 'descriptions of columns', 'beschrijvingen van kolommen'),
    merges: counter(MOST.merges, 'merged ranges', 'samengevoegde bereiken'),
  };
  private readonly merges: CellRange[] = [];
  private state = OUTSIDE;
  /** State and depth to return to from a skipped element. */
  private stateAfter = OUTSIDE;
  private depthAfter = 0;
  private rows: Row[] = [];
  private readonly seen = new SeenRows();
  private row = 0;
  private rowHidden = false;
  private rowNumbered = false;
  private cells: Cell[] = [];
  private inOrder = true;
  private column = 0;
  private style: CellStyle = GENERAL;
  private type = TYPE.n;
  private formula = false;
  private formulaText = '';
  /** The number of the shared formula just opened; what is known of those before. */
  private shared: string | undefined;
  private readonly circularShared = new Set<string>();
  private circular = false;
  /** The cell has a `<v>` or `<is>`. */
  private valued = false;
  /** A value that is a number in one piece; else NaN. */
  private number = Number.NaN;
  private text = '';

  /** `layout` is emptied and filled. */
  constructor(context: CellContext, tokenBytes: number, layout?: SheetLayout) {
    this.context = context;
    this.layout = layout;
    if (layout !== undefined) {
      const formats = new Set(context.styles.flatMap(({ format }) => format ?? []));
      Object.assign(layout, newLayout(), { formats: [...formats] });
    }
    this.scanner = new XmlScanner(tokenBytes);
    this.inline = richText(tokenBytes);
    this.longest = Math.min(tokenBytes, MOST.cellText);
  }

  /** Takes a chunk; returns the rows that it completed. */
  take(chunk: Buffer): Row[] {
    const scanner = this.scanner;
    scanner.feed(chunk);
    this.rows = [];
    if (this.state === IN_ROW) this.takePlainCells();
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      if (token === OPEN) this.open();
      else if (token === CLOSE) this.close();
      else if (this.state === IN_VALUE)
        this.takeText(token, token === TEXT && this.text === '' && scanner.endsElement());
      else if (this.state === IN_INLINE) this.inline.take(scanner, token);
      else if (this.state === IN_FORMULA) this.takeFormula(token);
    }
    return this.rows;
  }

  /** To be called after the last chunk. */
  finish(): void {
    this.scanner.finish();
    if (this.layout !== undefined) this.layout.merges = this.merges;
  }

  private open(): void {
    const { code, selfClosing, level } = this.scanner;
    switch (this.state) {
      case IN_ROW:
        if (code !== ROWS.c) this.passOver();
        else {
          this.beginCell();
          if (selfClosing) this.endCell();
          else this.state = IN_CELL;
        }
        break;
      case IN_CELL:
        this.openInCell(code, selfClosing);
        break;
      case IN_DATA:
        if (code !== ROWS.row) this.passOver();
        else {
          this.beginRow();
          if (selfClosing) this.endRow();
          else {
            this.state = IN_ROW;
            this.takePlainCells();
          }
        }
        break;
      case IN_INLINE:
        this.inline.take(this.scanner, OPEN);
        break;
      case IN_VALUE:
      case IN_FORMULA:
        this.passOver();
        break;
      case OUTSIDE:
        if (code === ROWS.sheetData && level === 2 && !selfClosing) this.state = IN_DATA;
        else if (this.layout !== undefined) this.noteLayout(this.layout, code, level);
    }
  }

  private noteLayout(layout: SheetLayout, code: number, level: number): void {
    if (code === LAYOUT.autoFilter && level === 2) layout.filtered = true;
    if (code === LAYOUT.mergeCell && level === 3) {
      this.counts.merges();
      const range = cellRange(attributeValue(this.scanner, 'ref'));
      if (range !== undefined && this.merges.length < KEPT_MERGES) this.merges.push(range);
    }
    if (code === LAYOUT.col && level === 3) this.counts.columns();
  }

  private takePlainCells(): void {
    if (this.rowNumbered) this.column = takePlainCells(this.scanner, this.context, this.cells, this.column);
  }

  private openInCell(code: number, selfClosing: boolean): void {
    if (code === ROWS.v) {
      this.valued = true;
      if (!selfClosing) this.state = IN_VALUE;
    } else if (code === ROWS.is) {
      this.valued = true;
      if (selfClosing) return;
      this.inline.begin(this.scanner);
      this.state = IN_INLINE;
    } else if (code === ROWS.f) this.openFormula(selfClosing);
    else this.passOver();
  }

  private openFormula(selfClosing: boolean): void {
    this.formula = true;
    const { scanner, column, row } = this;
    const { bytes, position, limit } = scanner;
    const may = selfClosing
      ? this.circularShared.size > 0
      : mayBeCircular(bytes, position, limit, column, row);
    if (!may) {
      this.passOver();
      return;
    }
    const isShared = scanner.attributes > 0 && scanner.attribute(SHARED) >= 0;
    this.shared = isShared ? attributeValue(scanner, 'si') : undefined;
    this.formulaText = '';
    if (!selfClosing) this.state = IN_FORMULA;
    else if (this.shared !== undefined && this.circularShared.has(this.shared)) this.noteCircular();
  }

  private takeFormula(token: number): void {
    if (this.formulaText.length < this.longest) this.formulaText += tokenText(this.scanner, token === CDATA);
  }

  /** A shared formula stands in its first cell alone; in the others it does the same. */
  private closeFormula(): void {
    this.state = IN_CELL;
    if (!isCircular(this.formulaText, this.column, this.row, this.context.sheet)) return;
    if (this.shared !== undefined) this.circularShared.add(this.shared);
    this.noteCircular();
  }

  private noteCircular(): void {
    this.circular = !this.context.iterates;
  }

  private close(): void {
    switch (this.state) {
      case IN_VALUE:
        this.state = IN_CELL;
        break;
      case IN_FORMULA:
        this.closeFormula();
        break;
      case IN_CELL:
        this.endCell();
        this.state = IN_ROW;
        this.takePlainCells();
        break;
      case IN_ROW:
        this.endRow();
        this.state = IN_DATA;
        break;
      case IN_DATA:
        this.state = OUTSIDE;
        break;
      case IN_INLINE:
        if (!this.inline.take(this.scanner, CLOSE)) break;
        this.type = TYPE.inlineStr;
        this.text = this.inline.finish();
        this.state = IN_CELL;
        break;
      case IN_OTHER:
        if (this.scanner.depth === this.depthAfter) this.state = this.stateAfter;
    }
  }

  /** Skips an element with all in it. */
  private passOver(): void {
    if (this.scanner.selfClosing) return;
    this.stateAfter = this.state;
    this.depthAfter = this.scanner.depth - 1;
    this.state = IN_OTHER;
  }

  private beginRow(): void {
    this.counts.rows();
    const scanner = this.scanner;
    const number = rowNumber(scanner);
    this.rowNumbered = number > 0;
    this.row = number > 0 ? number : this.row + 1;
    if (this.row > LAST_ROW) throw new DamagedPart(DAMAGE.beyond);
    this.rowHidden = attributeIsTrue(scanner, 'hidden');
    this.cells.length = 0;
    this.column = 0;
    this.inOrder = true;
  }

  /** Throws DamagedPart for a row number that occurs twice: either may be meant. */
  private endRow(): void {
    if (this.cells.length === 0) return;
    if (!this.seen.add(this.row)) throw new DamagedPart(rowTwice(this.row));
    const cells = this.inOrder ? this.cells.slice() : sortCells(this.cells, this.row);
    this.rows.push(this.rowHidden ? { number: this.row, cells, hidden: true } : { number: this.row, cells });
  }

  private beginCell(): void {
    const scanner = this.scanner;
    this.formula = false;
    this.circular = false;
    this.valued = false;
    this.number = Number.NaN;
    this.text = '';
    this.style = styleAt(this.context.styles, styleIndex(scanner));
    this.type = typeOf(scanner);
    // The first cell numbers a row without a number.
    if (!this.rowNumbered && isPlaced(scanner)) {
      this.row = cellRow(scanner) || this.row;
      this.rowNumbered = true;
    }
    const column = cellColumn(scanner) || this.column + 1;
    if (column > LAST_COLUMN) throw new DamagedPart(DAMAGE.beyond);
    if (column <= this.column) this.inOrder = false;
    this.column = column;
  }

  /** Takes a piece of a value; a whole number is not decoded. */
  private takeText(token: number, whole: boolean): void {
    const { bytes, start, end } = this.scanner;
    if (whole && (this.type === TYPE.n || this.type === TYPE.s)) {
      this.number = numberFromBytes(bytes, start, end);
      if (!Number.isNaN(this.number)) return;
    }
    this.text += tokenText(this.scanner, token === CDATA);
    if (this.text.length > this.longest) throw new DamagedPart(DAMAGE.longText);
  }

  private endCell(): void {
    const cell = this.circular ? circularCell(this.column, this.style) : this.storedCell();
    if (cell === undefined) {
      if (this.formula && this.layout !== undefined)
        this.layout.lastTaken = Math.max(this.layout.lastTaken, this.column);
      return;
    }
    this.cells.push(cell);
    // A row that repeats columns must not fill the memory.
    if (this.cells.length > 2 * LAST_COLUMN) this.cells = sortCells(this.cells, this.row);
  }

  private storedCell(): Cell | undefined {
    if (this.valued) return this.makeCell();
    return this.formula ? uncachedCell(this.column, this.style) : undefined;
  }

  private makeCell(): Cell | undefined {
    const { column, style, type, context } = this;
    if (type === TYPE.n || type === TYPE.s) {
      const number = Number.isNaN(this.number) ? numberFromText(this.text) : this.number;
      if (Number.isNaN(number)) return this.notNumber();
      return type === TYPE.s
        ? sharedCell(column, number, style, context.texts)
        : numberCell(column, number, style, context.date1904);
    }
    const other = TYPES.get(type);
    if (other !== undefined) return otherCell(column, other, this.text, style);
    const number = type === TYPE.str || type === TYPE.inlineStr ? Number.NaN : numberFromText(this.text);
    return Number.isNaN(number)
      ? textCell(column, unifyLineEnds(this.text), style)
      : numberCell(column, number, style, context.date1904);
  }

  /** A value that is not a number: some programs leave it empty behind a formula they did not calculate. */
  private notNumber(): Cell | undefined {
    if (this.formula && this.text.trim() === '') return uncachedCell(this.column, this.style);
    return textCell(this.column, unifyLineEnds(this.text), this.style);
  }
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
