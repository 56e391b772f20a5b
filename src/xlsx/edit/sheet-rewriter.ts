import { isWanted, OutcomeQueue, type ResultSheet } from '../../files/result-sheet.ts';
import type { CellRange } from '../../files/sheet.ts';
import type { BookStyles } from '../write/book-styles.ts';
import { CLOSE, NEED, nameCodes, OPEN, TEXT } from '../xml/xml-scanner.ts';
import { XmlCopy } from '../xml/xml-write.ts';
import { ColumnRewriter, growRef, type ResultColumns, resultColumns } from './added-columns.ts';
import { Formulas } from './formulas.ts';
import { RowRewriter } from './row-rewriter.ts';

/** What adds outcomes to a sheet; undefined if nothing is added to it. */
export async function sheetRewriter(
  sheet: ResultSheet,
  styles: BookStyles,
  tokenBytes: number,
): Promise<SheetRewriter | undefined> {
  const { added, headerRow, outcomes, corrected = new Map(), oldColumns } = sheet;
  if (added === null || headerRow === null || outcomes === undefined) return undefined;
  const own = resultColumns(added, headerRow, oldColumns);
  const copy = new XmlCopy(tokenBytes);
  const work = {
    ...{ copy, own, styles, corrected },
    hides: await hidesRows(sheet),
    outcomes: new OutcomeQueue(outcomes),
    columns: new ColumnRewriter(copy, own),
    formulas: new Formulas(copy),
  };
  return new SheetRewriter(work);
}

/**
 * Whether the rows of a sheet that need nothing are hidden. Not where all would be: a sheet without visible rows would
 * look as if it had lost them.
 */
async function hidesRows({ onlyProblems, outcomes }: ResultSheet): Promise<boolean> {
  if (onlyProblems !== true || outcomes === undefined) return false;
  for await (const outcome of outcomes) if (isWanted(outcome)) return true;
  return false;
}

const PART = nameCodes('dimension', 'cols', 'sheetData', 'autoFilter');
const CHILD = nameCodes('col', 'row', 'c', 'f');

/** Rewrites a worksheet part as a stream, changing only what a result adds. Throws DamagedPart. */
export class SheetRewriter {
  readonly own: ResultColumns;
  /** The range of the filter of the sheet, if it grew. */
  filter: CellRange | undefined;
  private readonly work: ConstructorParameters<typeof RowRewriter>[0];
  private readonly rows: RowRewriter;
  /** The code of the open child of the root, 0 for none. */
  private part = 0;
  private inRow = false;

  constructor(work: ConstructorParameters<typeof RowRewriter>[0]) {
    this.work = work;
    this.own = work.own;
    this.rows = new RowRewriter(work);
  }

  /** The rewritten chunks from those of the part, both in UTF-8. */
  async *rewrite(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { copy, outcomes, formulas } = this.work;
    try {
      for await (const chunk of chunks) {
        copy.feed(chunk);
        for (let token = copy.next(); token !== NEED; token = copy.next()) {
          if (token === CLOSE) this.close();
          else if (token === OPEN) {
            if (outcomes.dry) await outcomes.fill();
            this.open();
          } else if (token === TEXT) formulas.text();
        }
        yield* copy.take();
      }
      copy.scanner.finish();
      yield* copy.take(true);
    } finally {
      await outcomes.close();
    }
  }

  private open(): void {
    const { copy, columns } = this.work;
    const { level, selfClosing, code } = copy.scanner;
    if (level === 5 && this.inRow) {
      if (code === CHILD.f) this.rows.openFormula();
    } else if (level === 4 && this.inRow) {
      if (code === CHILD.c) this.rows.openCell();
    } else if (level === 3) {
      if (this.part === PART.sheetData && code === CHILD.row) {
        this.inRow = !selfClosing;
        this.rows.open();
      } else if (this.part === PART.cols && code === CHILD.col) columns.openCol();
    } else if (level === 2) {
      if (!selfClosing) this.part = code;
      // The used range grows; programs find it by themselves.
      if (code === PART.dimension) copy.drop();
      else if (code === PART.autoFilter) this.filter = growRef(copy, this.own);
      else if (code === PART.sheetData) columns.openData();
    }
  }

  private close(): void {
    const { copy, columns, formulas } = this.work;
    const { level } = copy.scanner;
    if (level === 5) formulas.end();
    else if (level === 4 && this.inRow) this.rows.closeCell();
    else if (level === 3 && this.inRow) {
      this.rows.close();
      this.inRow = false;
    } else if (level === 3 && this.part === PART.cols) columns.closeCol();
    else if (level === 2) {
      if (this.part === PART.cols) columns.closeCols();
      this.part = 0;
    }
  }
}
