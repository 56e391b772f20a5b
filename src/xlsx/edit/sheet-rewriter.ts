import type { NumberedOutcome } from '../../files/result-sheet.ts';
import { relationshipId } from '../read/workbook-part.ts';
import { ShownAgain } from '../status-filter.ts';
import { rootPrefix, XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, NEED, OPEN } from '../xml/xml-scanner.ts';
import { attributeValue } from '../xml/xml-text.ts';
import {
  type AddedColumns,
  ColumnRewriter,
  type EmptiedColumns,
  growDimension,
  growRange,
} from './added-columns.ts';
import { type CellRange, cellRange, type FilterChange, FilterEdit, filterXml } from './auto-filter.ts';
import { type MarkedCell, OutcomeQueue, RowRewriter, type RowVisibility } from './row-rewriter.ts';
import { ATTRIBUTE, BEFORE_FILTER, BEHIND_DRAWING, ELEMENT } from './sheet-codes.ts';
import type { RewriteStyles } from './styles-part.ts';

/** What to add to a worksheet. */
interface SheetPlan {
  readonly own: AddedColumns;
  readonly headerRow: number;
  readonly oldColumns: EmptiedColumns;
  readonly outcomes: AsyncIterable<NumberedOutcome>;
  /** The element for a drawing of notes, for a sheet without one. */
  readonly drawing: (prefix: string) => string;
  readonly visibility: Omit<RowVisibility, 'onShown'>;
  /** How the filter changes; null if it only grows over the added columns, `isNew` if there is none. */
  readonly filter: (FilterChange & { readonly isNew: boolean }) | null;
  /** What the sheet says of its filter hiding rows; undefined to leave that. */
  readonly filterMode: boolean | undefined;
}

/** The most notes on a sheet, as Excel is slow with many. */
export const MOST_NOTES = 1000;

/** Rewrites a worksheet part as a stream, changing only what a result adds. Throws DamagedPart. */
export class SheetRewriter {
  readonly notes: MarkedCell[] = [];
  /** The filter of the sheet, if it changed. */
  filter: CellRange | undefined;
  /** Rows that were hidden, and are shown as they need work. */
  readonly shownAgain = new ShownAgain();
  /** The relationship of a drawing that was there. */
  drawingId: string | undefined;
  /** A drawing of notes was added. */
  drawn = false;
  private readonly plan: SheetPlan;
  private readonly copy: XmlCopy;
  private readonly outcomes: OutcomeQueue;
  private readonly rows: RowRewriter;
  private readonly columns: ColumnRewriter;
  private prefix = '';
  /** The code of the open child of the root, 0 for none. */
  private part = 0;
  private inRow = false;
  private leavingOut = false;
  private drawingDone = false;
  private filterEdit: FilterEdit | undefined;
  private filterDone = false;
  private propertiesDone = false;
  private rowsDone = false;

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
      visibility: {
        ...plan.visibility,
        onShown: (row) => this.shownAgain.add(row),
      },
    });
  }

  /** The rewritten chunks from those of the part, both in UTF-8. */
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
      if (code !== ELEMENT.cell || !this.rows.openCell()) return;
      if (selfClosing) this.copy.keep();
      else this.leavingOut = true;
    } else if (level === 3) {
      if (this.part === ELEMENT.sheetData && code === ELEMENT.row) {
        this.inRow = !selfClosing;
        this.rows.open();
      } else if (this.part === ELEMENT.cols && code === ELEMENT.col) this.columns.openCol();
      else this.filterEdit?.openChild();
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
    else if (level === 3) this.filterEdit?.closeChild();
    else if (level === 2) {
      this.filterEdit?.close();
      this.filterEdit = undefined;
      if (this.part === ELEMENT.cols) this.columns.closeCols();
      if (this.part === ELEMENT.sheetData && !this.rows.headerSeen) this.rows.missingHeader();
      this.part = 0;
    } else if (level === 1) {
      this.addFilter();
      this.addDrawing();
    }
  }

  private openPart(code: number, selfClosing: boolean): void {
    const { copy, prefix } = this;
    if (!selfClosing) this.part = code;
    this.setProperties(code);
    if (this.rowsDone && !BEFORE_FILTER.has(code)) this.addFilter();
    if (code === ELEMENT.dimension) this.changeRef((range) => growDimension(range, this.plan.own));
    else if (code === ELEMENT.autoFilter) this.openFilter(selfClosing);
    else if (code === ELEMENT.legacyDrawing) {
      this.drawingDone = true;
      this.drawingId = relationshipId(copy.scanner);
    } else if (BEHIND_DRAWING.has(code)) this.addDrawing();
    else if (code === ELEMENT.sheetData) {
      this.rowsDone = true;
      this.columns.openData();
      if (!selfClosing) return;
      copy.replace(`<${prefix}sheetData>`);
      this.rows.missingHeader();
      copy.sink.text(`</${prefix}sheetData>`);
    }
  }

  private changeRef(to: (range: string) => string | undefined): string | undefined {
    const range = attributeValue(this.copy.scanner, ATTRIBUTE.ref);
    const changed = range === undefined ? undefined : to(range);
    if (changed !== undefined) this.copy.changeTag({ ref: changed });
    return changed;
  }

  /** Whether the filter of the sheet hides rows by their status. */
  get hides(): boolean {
    return this.plan.filter?.condition != null;
  }

  private openFilter(selfClosing: boolean): void {
    const { copy, prefix } = this;
    const { filter, own } = this.plan;
    this.filterDone = true;
    if (filter === null) {
      this.filter = cellRange(this.changeRef((range) => growRange(range, own)));
      return;
    }
    this.filter = filter.range;
    const edit = new FilterEdit(copy, filter, prefix);
    edit.open();
    if (!selfClosing) this.filterEdit = edit;
  }

  /** Puts a new filter in its place. */
  private addFilter(): void {
    const { filter } = this.plan;
    if (this.filterDone || filter?.isNew !== true) return;
    this.filterDone = true;
    this.filter = filter.range;
    this.copy.insertBefore(filterXml(filter, this.prefix));
  }

  /** The properties are the first child of a worksheet, if any. */
  private setProperties(code: number): void {
    if (this.propertiesDone) return;
    this.propertiesDone = true;
    const { filterMode } = this.plan;
    if (filterMode === undefined) return;
    if (code === ELEMENT.sheetPr) this.copy.changeTag({ filterMode: filterMode ? '1' : null });
    else if (filterMode) this.copy.insertBefore(`<${this.prefix}sheetPr filterMode="1"/>`);
  }

  private addDrawing(): void {
    if (this.drawingDone || this.notes.length === 0) return;
    this.drawingDone = true;
    this.drawn = true;
    this.copy.insertBefore(this.plan.drawing(this.prefix));
  }
}
