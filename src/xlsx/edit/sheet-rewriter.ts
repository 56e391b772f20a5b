import { type CorrectedCells, type NumberedOutcome, OutcomeQueue } from '../../files/result-sheet.ts';
import type { CellRange } from '../../files/sheet.ts';
import { CLOSE, NEED, nameCodes, OPEN, TEXT } from '../xml/xml-scanner.ts';
import { XmlCopy } from '../xml/xml-write.ts';
import { ColumnRewriter, growRef, type ResultColumns } from './added-columns.ts';
import { Formulas } from './formulas.ts';
import { RowRewriter } from './row-rewriter.ts';
import type { RewriteStyles } from './styles-part.ts';

const PART = nameCodes('dimension', 'cols', 'sheetData', 'autoFilter');
const CHILD = nameCodes('col', 'row', 'c', 'f');
/** What to add to a worksheet. */
interface SheetPlan {
  readonly own: ResultColumns;
  readonly outcomes: AsyncIterable<NumberedOutcome>;
  /** Rows that need nothing are hidden. */
  readonly hides: boolean;
  readonly corrected: ReadonlyMap<number, CorrectedCells>;
}

/** Rewrites a worksheet part as a stream, changing only what a result adds. Throws DamagedPart. */
export class SheetRewriter {
  readonly rows: RowRewriter;
  readonly formulas: Formulas;
  /** The range of the filter of the sheet, if it grew. */
  filter: CellRange | undefined;
  private readonly plan: SheetPlan;
  private readonly copy: XmlCopy;
  private readonly outcomes: OutcomeQueue;
  private readonly columns: ColumnRewriter;
  /** The code of the open child of the root, 0 for none. */
  private part = 0;
  private inRow = false;

  constructor(plan: SheetPlan, styles: RewriteStyles, tokenBytes: number) {
    this.plan = plan;
    this.copy = new XmlCopy(tokenBytes);
    this.outcomes = new OutcomeQueue(plan.outcomes);
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
      if (this.part === PART.cols) this.columns.closeCols();
      this.part = 0;
    }
  }

  private openPart(code: number, selfClosing: boolean): void {
    const { copy } = this;
    if (!selfClosing) this.part = code;
    const { own } = this.plan;
    // The used range grows; programs find it by themselves.
    if (code === PART.dimension) copy.drop();
    else if (code === PART.autoFilter) this.filter = growRef(copy, own);
    else if (code === PART.sheetData) this.columns.openData();
  }
}
