import type { NumberedOutcome } from '../../files/result-sheet.ts';

import { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, NEED, nameCode, nameCodes, OPEN, TEXT } from '../xml/xml-scanner.ts';
import { attributeValue } from '../xml/xml-text.ts';
import { ColumnRewriter, growDimension, growRange, type ResultColumns } from './added-columns.ts';
import {
  type CellRange,
  cellRange,
  editFilter,
  type FilterChange,
  type FilterEdit,
  filterXml,
} from './auto-filter.ts';
import type { CorrectedRows } from './corrected-rows.ts';
import { Formulas } from './formulas.ts';
import { OutcomeQueue, RowRewriter, type RowVisibility } from './row-rewriter.ts';
import type { RewriteStyles } from './styles-part.ts';

const PART = nameCodes('sheetPr', 'dimension', 'cols', 'sheetData', 'autoFilter');
const CHILD = nameCodes('col', 'row', 'c', 'f');
/** Elements that may stand between rows and filter. */
const BEFORE_FILTER: ReadonlySet<number> = new Set(
  ['sheetData', 'sheetCalcPr', 'sheetProtection', 'protectedRanges', 'scenarios', 'autoFilter'].map(nameCode),
);

/** How the filter of a sheet changes. */
export interface SheetFilter {
  /** Null if it only grows over the added columns, `isNew` if there is none. */
  readonly filter: (FilterChange & { readonly isNew: boolean }) | null;
  /** What the sheet says of its filter hiding rows; undefined to leave that. */
  readonly filterMode: boolean | undefined;
}

/** What to add to a worksheet. */
interface SheetPlan extends SheetFilter {
  readonly own: ResultColumns;
  readonly outcomes: AsyncIterable<NumberedOutcome>;
  readonly visibility: RowVisibility;
  readonly corrected: CorrectedRows;
}

/** Rewrites a worksheet part as a stream, changing only what a result adds. Throws DamagedPart. */
export class SheetRewriter {
  readonly rows: RowRewriter;
  readonly formulas: Formulas;
  /** The filter of the sheet, if it changed. */
  filter: CellRange | undefined;
  private readonly plan: SheetPlan;
  private readonly copy: XmlCopy;
  private readonly outcomes: OutcomeQueue;
  private readonly columns: ColumnRewriter;
  /** The code of the open child of the root, 0 for none. */
  private part = 0;
  private inRow = false;
  private filterEdit: FilterEdit | undefined;
  private filterDone = false;
  private propertiesDone = false;
  private rowsDone = false;

  constructor(plan: SheetPlan, styles: RewriteStyles, tokenBytes: number) {
    this.plan = plan;
    this.copy = new XmlCopy(tokenBytes);
    this.outcomes = new OutcomeQueue(plan.outcomes, plan.corrected.count);
    this.columns = new ColumnRewriter(this.copy, plan.own);
    this.formulas = new Formulas(this.copy);
    const { copy, outcomes, columns, formulas } = this;
    this.rows = new RowRewriter({ ...plan, copy, styles, outcomes, columns, formulas });
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
          } else if (token === TEXT) this.formulas.text();
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
    const { level, selfClosing, code } = this.copy.scanner;
    if (level === 5 && this.inRow) {
      if (code === CHILD.f) this.rows.openFormula();
    } else if (level === 4 && this.inRow) {
      if (code === CHILD.c) this.rows.openCell();
    } else if (level === 3) {
      if (this.part === PART.sheetData && code === CHILD.row) {
        this.inRow = !selfClosing;
        this.rows.open();
      } else if (this.part === PART.cols && code === CHILD.col) this.columns.openCol();
      else this.filterEdit?.openChild();
    } else if (level === 2) this.openPart(code, selfClosing);
  }

  private close(): void {
    const { level } = this.copy.scanner;
    if (level === 5) this.formulas.end();
    else if (level === 4 && this.inRow) this.rows.closeCell();
    else if (level === 3 && this.inRow) {
      this.rows.close();
      this.inRow = false;
    } else if (level === 3 && this.part === PART.cols) this.columns.closeCol();
    else if (level === 2) {
      this.filterEdit?.close();
      this.filterEdit = undefined;
      if (this.part === PART.cols) this.columns.closeCols();
      if (this.part === PART.sheetData) this.endRows();
      this.part = 0;
    } else if (level === 1) this.addFilter();
  }

  private openPart(code: number, selfClosing: boolean): void {
    const { copy } = this;
    if (!selfClosing) this.part = code;
    this.setProperties(code);
    if (this.rowsDone && !BEFORE_FILTER.has(code)) this.addFilter();
    if (code === PART.dimension) this.changeRef((range) => growDimension(range, this.plan.own));
    else if (code === PART.autoFilter) this.openFilter();
    else if (code === PART.sheetData) {
      this.rowsDone = true;
      this.columns.openData();
      if (!selfClosing) return;
      copy.replace(`<${copy.prefix}sheetData>`);
      this.endRows();
      copy.sink.text(`</${copy.prefix}sheetData>`);
    }
  }

  /** Adds the rows that the file lacks behind its last one. */
  private endRows(): void {
    if (!this.rows.headerSeen) this.rows.missingHeader();
    this.rows.addRows(Number.POSITIVE_INFINITY);
  }

  private changeRef(to: (range: string) => string | undefined): string | undefined {
    const range = attributeValue(this.copy.scanner, 'ref');
    const changed = range === undefined ? undefined : to(range);
    if (changed !== undefined) this.copy.changeTag({ ref: changed });
    return changed;
  }

  private openFilter(): void {
    const { filter, own } = this.plan;
    this.filterDone = true;
    if (filter === null) {
      this.filter = cellRange(this.changeRef((range) => growRange(range, own)));
      return;
    }
    this.filter = filter.range;
    this.filterEdit = editFilter(this.copy, filter);
  }

  /** Puts a new filter in its place. */
  private addFilter(): void {
    const { filter } = this.plan;
    if (this.filterDone || filter?.isNew !== true) return;
    this.filterDone = true;
    this.filter = filter.range;
    this.copy.insertBefore(filterXml(filter, this.copy.prefix));
  }

  /** The properties are the first child of a worksheet, if any. */
  private setProperties(code: number): void {
    if (this.propertiesDone) return;
    this.propertiesDone = true;
    const { filterMode } = this.plan;
    if (filterMode === undefined) return;
    if (code === PART.sheetPr) this.copy.changeTag({ filterMode: filterMode ? '1' : null });
    else if (filterMode) this.copy.insertBefore(`<${this.copy.prefix}sheetPr filterMode="1"/>`);
  }
}
