import { columnFromLetters } from '../../core/cell.ts';
import type { NumberedOutcome } from '../../files/result-sheet.ts';
import { relationshipId } from '../read/workbook-part.ts';
import { CLOSE, NEED, OPEN } from '../xml/xml-scanner.ts';
import { attributeValue } from '../xml/xml-text.ts';
import { ColumnRewriter } from './column-rewriter.ts';
import { OutcomeQueue } from './outcome-queue.ts';
import { grown, type OldColumns, type OwnColumns, widened } from './own-columns.ts';
import type { RewriteStyles } from './rewrite-styles.ts';
import { rootPrefix } from './root-prefix.ts';
import { type MarkedCell, RowRewriter } from './row-rewriter.ts';
import { ATTRIBUTE, BEHIND_DRAWING, ELEMENT } from './sheet-codes.ts';
import { XmlCopy } from './xml-copy.ts';

/** What is added to one worksheet. */
interface SheetPlan {
  readonly own: OwnColumns;
  readonly headerRow: number;
  readonly oldColumns: OldColumns;
  readonly outcomes: AsyncIterable<NumberedOutcome>;
  /** The element that names the drawing of the sheet's notes, for a sheet that has none, should it get some. */
  readonly drawing: (prefix: string) => string;
}

/** Cells with a note on a sheet: Excel is slow with many. */
export const MOST_NOTES = 1000;

/** Rewrites one worksheet part while it streams by: nothing is changed but what a result adds. Throws DamagedPart. */
export class SheetRewriter {
  /** The first cells of which something is said. */
  readonly notes: MarkedCell[] = [];
  /** The sheet's filter, before and after, where it grew. */
  filter: readonly [from: string, to: string] | undefined;
  /** The relationship of the drawing that the sheet has already. */
  drawingId: string | undefined;
  /** The drawing of notes was added. */
  drawn = false;
  private readonly plan: SheetPlan;
  private readonly copy: XmlCopy;
  private readonly outcomes: OutcomeQueue;
  private readonly rows: RowRewriter;
  private readonly columns: ColumnRewriter;
  private prefix = '';
  /** The code of the root's child that is open, 0 for none. */
  private part = 0;
  private inRow = false;
  private leavingOut = false;
  private drawingDone = false;

  constructor(plan: SheetPlan, styles: RewriteStyles, tokenBytes: number) {
    this.plan = plan;
    this.copy = new XmlCopy(tokenBytes);
    this.outcomes = new OutcomeQueue(plan.outcomes);
    this.columns = new ColumnRewriter(this.copy, plan.own);
    this.rows = new RowRewriter({
      ...plan,
      copy: this.copy,
      styles,
      outcomes: this.outcomes,
      columnStyle: (column) => this.columns.styleOf(column),
      onMark: (mark) => {
        if (this.notes.length < MOST_NOTES) this.notes.push(mark);
      },
    });
  }

  /** The rewritten part from the chunks of the part as it was, both in UTF-8. */
  async *rewrite(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        this.copy.feed(chunk);
        for (let token = this.copy.next(); token !== NEED; token = this.copy.next()) {
          if (token === CLOSE) this.close();
          else if (token === OPEN) {
            if (this.outcomes.dry) await this.outcomes.fill();
            this.open();
          }
        }
        yield* this.copy.take();
      }
      this.copy.scanner.finish();
      yield* this.copy.take(true);
    } finally {
      await this.outcomes.close();
    }
  }

  private open(): void {
    const { depth, selfClosing, code } = this.copy.scanner;
    const level = selfClosing ? depth + 1 : depth;
    if (level === 4 && this.inRow) {
      if (code === ELEMENT.cell) this.openCell();
    } else if (level === 3) {
      if (this.part === ELEMENT.sheetData && code === ELEMENT.row) {
        this.inRow = !selfClosing;
        this.rows.open();
      } else if (this.part === ELEMENT.cols && code === ELEMENT.col) this.columns.openCol();
    } else if (level === 2) this.openPart(code, selfClosing);
    else if (level === 1) {
      this.prefix = rootPrefix(this.copy.scanner, this.copy.before);
      this.rows.prefix = this.prefix;
      this.columns.prefix = this.prefix;
    }
  }

  private close(): void {
    const level = this.copy.scanner.depth + 1;
    if (level === 4 && this.leavingOut) {
      this.copy.keep();
      this.leavingOut = false;
    } else if (level === 3 && this.inRow) {
      this.rows.close();
      this.inRow = false;
    } else if (level === 3 && this.part === ELEMENT.cols) this.columns.closeCol();
    else if (level === 2) {
      if (this.part === ELEMENT.cols) this.columns.closeCols();
      if (this.part === ELEMENT.sheetData && !this.rows.headerSeen) this.rows.missingHeader();
      this.part = 0;
    } else if (level === 1) this.addDrawing();
  }

  private openCell(): void {
    if (!this.rows.openCell()) return;
    if (this.copy.scanner.selfClosing) this.copy.keep();
    else this.leavingOut = true;
  }

  private openPart(code: number, selfClosing: boolean): void {
    const { copy, prefix } = this;
    if (!selfClosing) this.part = code;
    if (code === ELEMENT.dimension)
      this.change(ATTRIBUTE.ref, (range) => widened(range, this.plan.own, columnFromLetters));
    else if (code === ELEMENT.autoFilter) this.growFilter();
    else if (code === ELEMENT.legacyDrawing) {
      this.drawingDone = true;
      this.drawingId = relationshipId(copy.scanner);
    } else if (BEHIND_DRAWING.has(code)) this.addDrawing();
    else if (code === ELEMENT.sheetData) {
      this.columns.openData();
      if (!selfClosing) return;
      copy.replace(`<${prefix}sheetData>`);
      this.rows.missingHeader();
      copy.sink.text(`</${prefix}sheetData>`);
    }
  }

  private change(attribute: number, to: (value: string) => string | undefined): string | undefined {
    const value = attributeValue(this.copy.scanner, attribute);
    const changed = value === undefined ? undefined : to(value);
    if (changed !== undefined) this.copy.changeTag({ ref: changed });
    return changed;
  }

  private growFilter(): void {
    const before = attributeValue(this.copy.scanner, ATTRIBUTE.ref);
    const after = this.change(ATTRIBUTE.ref, (range) => grown(range, this.plan.own));
    if (before !== undefined && after !== undefined) this.filter = [before, after];
  }

  private addDrawing(): void {
    if (this.drawingDone || this.notes.length === 0) return;
    this.drawingDone = true;
    this.drawn = true;
    this.copy.insertBefore(this.plan.drawing(this.prefix));
  }
}
