import { cellAddress } from '../../core/cell.ts';
import type { CellMark, NumberedOutcome } from '../../files/result-sheet.ts';
import { attributeIsTrue } from '../xml/xml-text.ts';
import type { OutcomeQueue } from './outcome-queue.ts';
import { type AwaitedCell, cellXml, headerCells, outcomeCells } from './own-cells.ts';
import type { OldColumns, OwnColumns } from './own-columns.ts';
import type { RewriteStyles } from './rewrite-styles.ts';
import { cellColumn, cellRow, formatOf, passCells, rowChanges, rowNumber } from './row-tags.ts';
import { ATTRIBUTE } from './sheet-codes.ts';
import type { XmlCopy } from './xml-copy.ts';

/** What is said of a cell, and where. */
export type MarkedCell = { readonly row: number; readonly text: string } & Pick<CellMark, 'column'>;

/** What the rows of a sheet are rewritten by. */
interface RowWork {
  readonly copy: XmlCopy;
  readonly own: OwnColumns;
  readonly oldColumns: OldColumns;
  readonly headerRow: number;
  readonly styles: RewriteStyles;
  readonly outcomes: OutcomeQueue;
  /** The style of a column's blank cells. */
  readonly columnStyle: (column: number) => number;
  readonly onMark: (mark: MarkedCell) => void;
}

const NONE: readonly CellMark[] = [];

/** Rewrites the rows of a sheet as they are copied: added cells in their places, tints on cells of which something is said. Throws DamagedPart. */
export class RowRewriter {
  /** The prefix of the sheet's tags, with its colon. */
  prefix = '';
  headerSeen = false;
  private readonly work: RowWork;
  private row = 0;
  private numbered = false;
  private settled = false;
  private column = 0;
  private beside = 0;
  private rowStyle = 0;
  private awaited: readonly AwaitedCell[] = [];
  private next = 0;
  private marks: readonly CellMark[] = NONE;
  private markAt = 0;

  constructor(work: RowWork) {
    this.work = work;
  }

  /** The scanner stands behind `<row>`. */
  open(): void {
    const { copy, headerRow } = this.work;
    const { scanner } = copy;
    const number = rowNumber(scanner);
    this.numbered = number > 0;
    this.settled = false;
    this.row = number > 0 ? number : this.row + 1;
    this.column = 0;
    this.beside = 0;
    this.awaited = [];
    this.marks = NONE;
    this.markAt = 0;
    this.next = 0;
    this.rowStyle = attributeIsTrue(scanner, ATTRIBUTE.customFormat) ? formatOf(scanner) : 0;
    if (this.numbered && !this.headerSeen && this.row > headerRow) this.missingHeader();
    if (!this.numbered && !scanner.selfClosing) return;
    const outcome = this.settle();
    if (scanner.selfClosing) this.closeBlank();
    else {
      if (outcome !== undefined || this.row === headerRow) copy.changeTag(rowChanges(scanner, outcome));
      if (this.row !== headerRow) this.passOver();
    }
  }

  /** The scanner stands behind `<c>`; answers whether the cell is to be left out. */
  openCell(): boolean {
    const { copy, own, headerRow, styles, oldColumns } = this.work;
    const { scanner } = copy;
    const column = this.place();
    const named = scanner.attribute(ATTRIBUTE.place) >= 0;
    if (!this.settled) this.settle();
    this.column = column;
    this.awaitedBefore(column);
    const style = formatOf(scanner);
    const ours = column >= own.first && column <= own.last;
    if (this.row >= headerRow && (ours || oldColumns.has(column))) {
      copy.drop();
      const awaited = this.awaited[this.next];
      if (ours && awaited?.column === column) {
        this.next++;
        copy.sink.text(awaited.xml);
      } else {
        const header = (this.row === headerRow ? oldColumns.get(column) : null) ?? null;
        if (header !== null || !named)
          copy.sink.text(cellXml(cellAddress(column, this.row), style, header, this.prefix));
      }
      return true;
    }
    if (this.row === headerRow && style > 0) this.beside = styles.plain(style);
    const mark = this.marks[this.markAt];
    if (mark?.column === column) {
      this.markAt++;
      copy.changeTag({ s: String(styles.tint(style, mark.tone)) });
    } else if (styles.tinted && styles.plain(style) !== style)
      copy.changeTag({ s: String(styles.plain(style)) });
    return false;
  }

  /** The scanner stands behind `</row>`. */
  close(): void {
    if (!this.settled) this.settle();
    this.work.copy.insertBefore(this.takeBefore(Number.POSITIVE_INFINITY));
  }

  /** The header row, where the sheet has none by the time that its rows end or go beyond it. */
  missingHeader(): void {
    const { copy, headerRow, own, styles } = this.work;
    this.headerSeen = true;
    const cells = headerCells(headerRow, 0, own, styles, this.prefix);
    copy.insertBefore(
      `<${this.prefix}row r="${headerRow}">${cells.map(({ xml }) => xml).join('')}</${this.prefix}row>`,
    );
  }

  /** Now that the row's number is sure: what it is to get. */
  private settle(): NumberedOutcome | undefined {
    const { own, styles, outcomes, headerRow, onMark } = this.work;
    this.settled = true;
    if (this.row === headerRow) this.headerSeen = true;
    const outcome = this.row === headerRow ? undefined : outcomes.of(this.row);
    if (outcome === undefined) return undefined;
    this.awaited = outcomeCells(this.row, outcome, own, styles, this.prefix);
    const { marks = NONE } = outcome;
    if (marks.length === 0) return outcome;
    this.marks = marks
      .filter(({ column }) => column < own.first || column > own.last)
      .sort((one, other) => one.column - other.column);
    for (const { column, text } of this.marks) if (text !== null) onMark({ row: this.row, column, text });
    return outcome;
  }

  /** Cells that stand left of `column`: marks on blank places, and the added ones. */
  private awaitedBefore(column: number): void {
    const text = this.takeBefore(column);
    if (text !== '') this.work.copy.insertBefore(text);
  }

  private takeBefore(column: number): string {
    const { own, headerRow, styles, columnStyle } = this.work;
    if (this.row === headerRow && column > own.first - 1 && this.awaited.length === 0)
      this.awaited = headerCells(this.row, this.beside, own, styles, this.prefix);
    let text = '';
    for (;;) {
      const mark = this.marks[this.markAt];
      const awaited = this.awaited[this.next];
      const at = Math.min(mark?.column ?? column, awaited?.column ?? column);
      if (at >= column) return text;
      if (mark?.column === at) {
        this.markAt++;
        const style = styles.tint(this.rowStyle > 0 ? this.rowStyle : columnStyle(at), mark.tone);
        text += cellXml(cellAddress(at, this.row), style, null, this.prefix);
      } else {
        this.next++;
        text += awaited?.xml ?? '';
      }
    }
  }

  /** A row without cells, `<row/>`. */
  private closeBlank(): void {
    const cells = this.takeBefore(Number.POSITIVE_INFINITY);
    if (cells === '') return;
    const { copy } = this.work;
    const tag = copy.scanner.bytes
      .toString('utf8', copy.before, copy.scanner.position)
      .replace(/\sspans=(?:"[^"]*"|'[^']*')/, '')
      .replace(/\s*\/>$/, '>');
    copy.replace(`${tag}${cells}</${this.prefix}row>`);
  }

  /** Leaves a row's cells unlooked at when all that it gets comes behind them: nearly always, and far quicker. */
  private passOver(): void {
    const { copy, own, styles, oldColumns } = this.work;
    if (this.marks.length > 0 || styles.tinted || this.prefix !== '' || oldColumns.size > 0) return;
    passCells(copy.scanner, own.first);
  }

  /** The column of the cell just opened; in a row without a number its first cell gives that too. */
  private place(): number {
    const { scanner } = this.work.copy;
    if (!this.numbered && scanner.attribute(ATTRIBUTE.place) >= 0) {
      this.row = cellRow(scanner) || this.row;
      this.numbered = true;
    }
    return cellColumn(scanner) || this.column + 1;
  }
}
