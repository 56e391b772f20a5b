import { cellAddress } from '../../core/cell.ts';
import {
  type CorrectedCells,
  isWanted,
  type NumberedOutcome,
  type OutcomeQueue,
} from '../../files/result-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { cellColumn, cellRow, columnFromBytes, isPlaced, rowNumber, styleIndex } from '../read/cells.ts';
import { cellXml } from '../worksheet-xml.ts';
import type { BookStyles } from '../write/book-styles.ts';
import { attributeIsTrue, attributeValue, type XmlScanner } from '../xml/xml-scanner.ts';
import type { XmlCopy } from '../xml/xml-write.ts';
import {
  type ColumnRewriter,
  headerCells,
  isOurs,
  outcomeCells,
  outcomeHeight,
  type ResultColumns,
} from './added-columns.ts';
import type { Formulas } from './formulas.ts';

/** What rows are rewritten with. */
interface RowContext {
  readonly copy: XmlCopy;
  readonly own: ResultColumns;
  readonly styles: BookStyles;
  readonly outcomes: OutcomeQueue;
  readonly columns: ColumnRewriter;
  /** Rows that need nothing are hidden. */
  readonly hides: boolean;
  readonly corrected: ReadonlyMap<number, CorrectedCells>;
  readonly formulas: Formulas;
}

type CellEdit = ReturnType<typeof outcomeCells>[number];

const byColumn = (one: CellEdit, other: CellEdit): number => one.column - other.column;

/**
 * Rewrites rows while they are copied: added cells, and tints on cells with a remark. Called with the scanner
 * behind `<row>`, `<c>` and `</row>`. Throws DamagedPart.
 */
export class RowRewriter {
  private readonly work: RowContext;
  private row = 0;
  private numbered = false;
  private column = 0;
  private beside = 0;
  private rowStyle = 0;
  /** What becomes of cells, in the order of their columns; those from `at` on are still to come. */
  private edits: CellEdit[] = [];
  private at = 0;
  /** Cells of the row hold something else than in the file. */
  private isCorrected = false;
  /** The headers are still to be added. */
  private headless = false;
  /** The cells up to this one were skipped, to its remark. */
  private skipping = false;

  constructor(work: RowContext) {
    this.work = work;
  }

  open(): void {
    const { copy, own, hides, outcomes } = this.work;
    const { scanner } = copy;
    const number = rowNumber(scanner);
    this.numbered = number > 0;
    this.row = this.numbered ? number : this.row + 1;
    this.column = 0;
    this.beside = 0;
    this.skipping = false;
    this.rowStyle = attributeIsTrue(scanner, 'customFormat') ? styleIndex(scanner) || 0 : 0;
    this.headless = this.row === own.headerRow;
    const outcome = this.headless ? undefined : outcomes.of(this.row);
    this.settle(outcome);
    if (scanner.selfClosing) {
      this.closeBlank();
      return;
    }
    const wasHidden = attributeIsTrue(scanner, 'hidden');
    const hidden = isHidden(wasHidden, outcome, hides);
    if (outcome !== undefined || this.headless || this.isCorrected || hidden !== wasHidden) {
      const changes: Record<string, string | null> = { spans: null };
      const height = outcome === undefined ? undefined : neededHeight(scanner, outcome);
      if (height !== undefined) changes.ht = String(height);
      if (hidden !== wasHidden) changes.hidden = hidden ? '1' : null;
      copy.changeTag(changes);
    }
    if (this.numbered && !this.headless) this.skipOver();
  }

  openCell(): void {
    const { copy, own, styles } = this.work;
    const { scanner } = copy;
    // Its row would only be known by its cells.
    if (!this.numbered && isPlaced(scanner) && cellRow(scanner) !== this.row)
      throw new DamagedPart(DAMAGE.oddXml);
    const column = cellColumn(scanner) || this.column + 1;
    this.column = column;
    const before = this.takeBefore(column);
    if (before !== '') copy.insertBefore(before);
    const style = styleIndex(scanner) || 0;
    const isHeader = this.row === own.headerRow;
    const edit = this.edits[this.at]?.column === column ? this.edits[this.at++] : undefined;
    if (this.row >= own.headerRow && isOurs(own, column)) {
      copy.drop();
      const header = (isHeader ? own.emptied.get(column) : undefined) ?? null;
      if (edit?.xml !== undefined) copy.sink.text(edit.xml);
      else if (header !== null || !isPlaced(scanner))
        copy.sink.text(cellXml(cellAddress(column, this.row), style, header, copy.prefix));
      return;
    }
    if (isHeader && style > 0) this.beside = styles.plain(style);
    if (edit?.cell !== undefined) {
      copy.drop();
      copy.sink.text(this.editXml(edit, styles.plain(style)));
      return;
    }
    const shown = edit?.tone === undefined ? styles.plain(style) : styles.tint(style, edit.tone);
    if (shown !== style) copy.changeTag({ s: String(shown) });
    if (edit !== undefined && scanner.selfClosing) this.closeCell();
  }

  /** A formula in the cell that was opened last. */
  openFormula(): void {
    this.work.formulas.begin(this.row, this.column);
  }

  close(): void {
    this.work.copy.insertBefore(this.takeBefore(Number.POSITIVE_INFINITY));
  }

  /** Finds what becomes of the cells of the row. What stands in our own columns is ours. */
  private settle(outcome: NumberedOutcome | undefined): void {
    const { copy, own, styles, corrected } = this.work;
    const cells = corrected.get(this.row);
    this.isCorrected = cells !== undefined;
    this.at = 0;
    this.edits = outcome === undefined ? [] : outcomeCells(this.row, outcome, own, styles, copy.prefix);
    const marks = outcome?.marks ?? [];
    if (marks.length === 0 && cells === undefined) return;
    const changed = new Map<number, CellEdit>();
    for (const [column, cell] of cells ?? []) changed.set(column, { column, cell });
    for (const { column, tone } of marks) changed.set(column, { ...changed.get(column), column, tone });
    for (const edit of changed.values())
      if (this.row < own.headerRow || !isOurs(own, edit.column)) this.edits.push(edit);
    this.edits.sort(byColumn);
  }

  /** The cells left of `column`: changes of blank places, and the added ones. */
  private takeBefore(column: number): string {
    const { copy, own, styles, columns } = this.work;
    if (this.headless && column >= own.first) {
      this.headless = false;
      this.edits.push(...headerCells(this.row, this.beside, own, styles, copy.prefix));
      this.edits.sort(byColumn);
    }
    let text = '';
    for (;;) {
      const edit = this.edits[this.at];
      if (edit === undefined || edit.column >= column) return text;
      this.at++;
      const style = this.rowStyle > 0 ? this.rowStyle : columns.styleOf(edit.column);
      if (edit.cell !== null || edit.tone !== undefined) text += this.editXml(edit, style);
    }
  }

  /** A cell in place of the file's, tinted where it has a remark. */
  private editXml({ column, xml, cell = null, tone }: CellEdit, style: number): string {
    if (xml !== undefined) return xml;
    const { copy, styles } = this.work;
    const own = cell?.type === 'number' ? styles.asNumber(style) : style;
    const shown = tone === undefined ? own : styles.tint(own, tone);
    return cellXml(cellAddress(column, this.row), shown, cell?.value ?? null, copy.prefix);
  }

  /** Fills a row without cells, `<row/>`. */
  private closeBlank(): void {
    const cells = this.takeBefore(Number.POSITIVE_INFINITY);
    if (cells === '') return;
    const { copy } = this.work;
    const tag = copy.text.replace(/\sspans=(?:"[^"]*"|'[^']*')/, '').replace(/\s*\/>$/, '>');
    copy.replace(`${tag}${cells}</${copy.prefix}row>`);
  }

  /** Skips cells that stay as they are, up to the next one with a remark: far quicker in nearly every row. */
  private skipOver(): void {
    const { copy, own, styles, formulas } = this.work;
    const isAsItWas = !formulas.waiting && !styles.tinted && !this.isCorrected;
    if (!isAsItWas || copy.prefix !== '' || own.emptied.size > 0) return;
    const next = this.edits[this.at];
    if (next?.tone === undefined) skipCells(copy.scanner, own.first);
    else if (next.column < own.first)
      this.skipping = skipToCell(copy.scanner, cellAddress(next.column, this.row));
  }

  /** Skips on behind a cell with a remark. */
  closeCell(): void {
    if (!this.skipping) return;
    this.skipping = false;
    this.skipOver();
  }
}

/** The height that the row just opened lacks for its outcome; undefined where it has room, or the user set its height. */
function neededHeight(scanner: XmlScanner, outcome: NumberedOutcome): number | undefined {
  const height = outcomeHeight(outcome);
  if (height === undefined || attributeIsTrue(scanner, 'customHeight')) return undefined;
  return Number(attributeValue(scanner, 'ht') ?? 0) >= height ? undefined : height;
}

/** Whether a row that was hidden or not is so in the result: never one that needs work. */
function isHidden(before: boolean, outcome: NumberedOutcome | undefined, hides: boolean): boolean {
  if (outcome === undefined) return before;
  if (isWanted(outcome)) return false;
  // A total has no status.
  return before || (hides && (outcome.cells[0] ?? '') !== '');
}

const CLOSING_ROW = '</row>';
const CELL = Buffer.from('<c ');
const PLACED = Buffer.from('<c r="');
const QUOTE = 0x22;

/** How far to look for the end of a row, in bytes. */
const NEAR = 1 << 16;

/** The place of the next `</row>`, -1 where there is none up to `limit`. */
function endOfRow(bytes: Buffer, from: number, limit: number): number {
  const end = bytes.subarray(from, limit).indexOf(CLOSING_ROW, 0, 'latin1');
  return end < 0 ? -1 : from + end;
}

/** Skips to the end of a row whose cells are all left of a column, if that is quickly seen. */
function skipCells(scanner: XmlScanner, column: number): void {
  const { bytes, position, limit } = scanner;
  const end = endOfRow(bytes, position, limit);
  if (end < 0 || scanner.declares(position, end)) return;
  let last = end - CELL.length;
  while (last >= position && !beginsWith(bytes, last, CELL)) last--;
  if (last < position || !beginsWith(bytes, last, PLACED)) return;
  const start = last + PLACED.length;
  if (columnFromBytes(bytes, start, bytes.indexOf(QUOTE, start)) < column) scanner.position = end;
}

/** Skips to a cell of the row that the scanner is in. Returns false where that is not quickly found. */
function skipToCell(scanner: XmlScanner, address: string): boolean {
  const { bytes, position, limit } = scanner;
  const end = endOfRow(bytes, position, Math.min(limit, position + NEAR));
  const row = bytes.subarray(position, end < 0 ? Math.min(limit, position + NEAR) : end);
  const at = row.indexOf(`<c r="${address}"`, 0, 'latin1');
  if (at < 0 || scanner.declares(position, position + at)) return false;
  scanner.position = position + at;
  return true;
}

function beginsWith(bytes: Buffer, at: number, mark: Buffer): boolean {
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}
