import { type Cell, cellAddress } from '../../core/cell.ts';
import type { CellMark, CorrectedCells, NumberedOutcome, OutcomeQueue } from '../../files/result-sheet.ts';
import { cellColumn, cellRow, isPlaced, rowNumber, styleIndex } from '../read/cells.ts';
import { isHidden } from '../shown-rows.ts';
import { cellXml } from '../worksheet-xml.ts';
import { attributeIsTrue, attributeValue, type XmlScanner } from '../xml/xml-scanner.ts';
import type { TagChanges, XmlCopy } from '../xml/xml-write.ts';
import {
  type ColumnRewriter,
  headerCells,
  isOurs,
  isOwn,
  outcomeCells,
  outcomeHeight,
  type PlacedCell,
  type ResultColumns,
} from './added-columns.ts';
import type { Formulas } from './formulas.ts';
import { skipCells, skipToCell } from './skip-rows.ts';
import type { RewriteStyles } from './styles-part.ts';

/** Changes in the tag of a row that gets cells: its height, and the columns that it claims to span. */
function rowChanges(scanner: XmlScanner, outcome: NumberedOutcome | undefined): TagChanges {
  const height = outcome === undefined ? undefined : outcomeHeight(outcome);
  if (height === undefined || attributeIsTrue(scanner, 'customHeight')) return { spans: null };
  const before = Number(attributeValue(scanner, 'ht') ?? 0);
  return before >= height ? { spans: null } : { spans: null, ht: String(height) };
}

/** What rows are rewritten with. */
interface RowContext {
  readonly copy: XmlCopy;
  readonly own: ResultColumns;
  readonly styles: RewriteStyles;
  readonly outcomes: OutcomeQueue;
  readonly columns: ColumnRewriter;
  /** Rows that need nothing are hidden. */
  readonly hides: boolean;
  readonly corrected: ReadonlyMap<number, CorrectedCells>;
  readonly formulas: Formulas;
}

const NOTHING: TagChanges = {};

/** The corrected cells of a row in their order; what stands in our own columns is ours. */
function renewedCells({ corrected, own }: RowContext, row: number): [number, Cell | null][] {
  const cells = corrected.get(row);
  if (cells === undefined) return [];
  return [...cells]
    .filter(([column]) => row < own.headerRow || !isOurs(own, column))
    .sort(([one], [other]) => one - other);
}

/**
 * Rewrites rows while they are copied: added cells, and tints on cells with a remark. Called with the scanner
 * behind `<row>`, `<c>` and `</row>`. Throws DamagedPart.
 */
export class RowRewriter {
  private readonly work: RowContext;
  private row = 0;
  private numbered = false;
  private settled = false;
  private column = 0;
  private beside = 0;
  private rowStyle = 0;
  /** The row is hidden in the file. */
  private wasHidden = false;
  /** The added cells, once they are known, and the remarks that are still to come. */
  private awaited: PlacedCell[] | undefined;
  private marks: CellMark[] = [];
  /** Cells in place of those of the file that are still to come, in the order of their columns. */
  private renewed: (readonly [column: number, cell: Cell | null])[] = [];
  /** The cells up to this one were skipped, to its remark. */
  private skipping = false;

  constructor(work: RowContext) {
    this.work = work;
  }

  open(): void {
    const { copy, own, hides } = this.work;
    const { scanner } = copy;
    const { headerRow } = own;
    const number = rowNumber(scanner);
    this.numbered = number > 0;
    this.settled = false;
    this.row = number > 0 ? number : this.row + 1;
    this.column = 0;
    this.beside = 0;
    this.awaited = undefined;
    this.marks = [];
    this.renewed = [];
    this.skipping = false;
    this.rowStyle = attributeIsTrue(scanner, 'customFormat') ? styleIndex(scanner) || 0 : 0;
    // A row that only its cells number is left hidden or not.
    this.wasHidden = this.numbered && attributeIsTrue(scanner, 'hidden');
    if (!this.numbered && !scanner.selfClosing) return;
    const outcome = this.settle();
    if (scanner.selfClosing) this.closeBlank();
    else {
      const hidden = isHidden(this.wasHidden, outcome, hides);
      const changes =
        outcome !== undefined || this.row === headerRow || this.renewed.length > 0
          ? rowChanges(scanner, outcome)
          : NOTHING;
      if (hidden !== this.wasHidden) copy.changeTag({ ...changes, hidden: hidden ? '1' : null });
      else if (changes !== NOTHING) copy.changeTag(changes);
      if (this.row !== headerRow) this.skipOver();
    }
  }

  openCell(): void {
    const { copy, own, styles } = this.work;
    const { scanner } = copy;
    const column = this.place();
    const named = isPlaced(scanner);
    if (!this.settled) this.settle();
    this.column = column;
    const before = this.takeBefore(column);
    if (before !== '') copy.insertBefore(before);
    const style = styleIndex(scanner) || 0;
    const isHeader = this.row === own.headerRow;
    if (this.row >= own.headerRow && isOurs(own, column)) {
      copy.drop();
      const awaited = this.awaited?.[0];
      if (isOwn(own, column) && awaited?.column === column) {
        this.awaited?.shift();
        copy.sink.text(awaited.xml);
      } else {
        const header = (isHeader ? own.emptied.get(column) : undefined) ?? null;
        if (header !== null || !named)
          copy.sink.text(cellXml(cellAddress(column, this.row), style, header, copy.prefix));
      }
      return;
    }
    if (isHeader && style > 0) this.beside = styles.plain(style);
    const renewed = this.renewed[0];
    if (renewed?.[0] === column) {
      this.renewed.shift();
      copy.drop();
      copy.sink.text(this.renewedXml(renewed, styles.plain(style)));
      return;
    }
    const [mark] = this.marks;
    if (mark?.column === column) {
      this.marks.shift();
      copy.changeTag({ s: String(styles.tint(style, mark.tone)) });
      if (scanner.selfClosing) this.closeCell();
    } else if (styles.tinted && styles.plain(style) !== style)
      copy.changeTag({ s: String(styles.plain(style)) });
  }

  /** A cell in place of the file's, tinted where it has a remark. */
  private renewedXml([column, cell]: readonly [number, Cell | null], style: number): string {
    const { copy, styles } = this.work;
    const [mark] = this.marks;
    const isMarked = mark?.column === column;
    if (isMarked) this.marks.shift();
    const own = cell?.type === 'number' ? styles.asNumber(style) : style;
    const shown = isMarked ? styles.tint(own, mark.tone) : own;
    return cellXml(cellAddress(column, this.row), shown, cell?.value ?? null, copy.prefix);
  }

  /** A formula in the cell that was opened last. */
  openFormula(): void {
    this.work.formulas.begin(this.row, this.column);
  }

  close(): void {
    if (!this.settled) this.settle();
    this.work.copy.insertBefore(this.takeBefore(Number.POSITIVE_INFINITY));
  }

  /** Looks up what the row gets, once its number is known. */
  private settle(): NumberedOutcome | undefined {
    const { copy, own, styles, outcomes } = this.work;
    this.settled = true;
    const isHeader = this.row === own.headerRow;
    const outcome = isHeader ? undefined : outcomes.of(this.row);
    this.renewed = renewedCells(this.work, this.row);
    if (outcome === undefined) return undefined;
    this.awaited = outcomeCells(this.row, outcome, own, styles, copy.prefix);
    if (outcome.marks === undefined) return outcome;
    this.marks = outcome.marks
      .filter(({ column }) => !isOwn(own, column))
      .sort((one, other) => one.column - other.column);
    return outcome;
  }

  /** The cells left of `column`: remarks on blank places, and the added ones. */
  private takeBefore(column: number): string {
    const { copy, own, styles, columns } = this.work;
    if (this.row === own.headerRow && column >= own.first)
      this.awaited ??= headerCells(this.row, this.beside, own, styles, copy.prefix);
    let text = '';
    for (;;) {
      const [mark] = this.marks;
      const awaited = this.awaited?.[0];
      const [renewed] = this.renewed;
      const at = Math.min(mark?.column ?? column, awaited?.column ?? column, renewed?.[0] ?? column);
      if (at >= column) return text;
      if (renewed?.[0] === at) {
        this.renewed.shift();
        const style = this.rowStyle > 0 ? this.rowStyle : columns.styleOf(at);
        if (renewed[1] !== null || mark?.column === at) text += this.renewedXml(renewed, style);
        continue;
      }
      if (mark?.column === at) {
        this.marks.shift();
        const style = styles.tint(this.rowStyle > 0 ? this.rowStyle : columns.styleOf(at), mark.tone);
        text += cellXml(cellAddress(at, this.row), style, null, copy.prefix);
      } else {
        this.awaited?.shift();
        text += awaited?.xml ?? '';
      }
    }
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
    const isAsItWas = !formulas.waiting && !styles.tinted && this.renewed.length === 0;
    if (!isAsItWas || copy.prefix !== '' || own.emptied.size > 0) return;
    const [mark] = this.marks;
    if (mark === undefined) skipCells(copy.scanner, own.first);
    else if (mark.column < own.first)
      this.skipping = skipToCell(copy.scanner, cellAddress(mark.column, this.row));
  }

  /** Skips on behind a cell with a remark. */
  closeCell(): void {
    if (!this.skipping) return;
    this.skipping = false;
    this.skipOver();
  }

  /** The column of the cell just opened; the first cell also numbers a row without a number. */
  private place(): number {
    const { scanner } = this.work.copy;
    if (!this.numbered && isPlaced(scanner)) {
      this.row = cellRow(scanner) || this.row;
      this.numbered = true;
    }
    return cellColumn(scanner) || this.column + 1;
  }
}
