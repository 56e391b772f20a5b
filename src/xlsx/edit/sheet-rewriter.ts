import { isWanted, outcomeQueue, type ResultSheet } from '../../files/result-sheet.ts';
import type { CellRange } from '../../files/sheet.ts';
import type { BookStyles } from '../write/book-styles.ts';
import { CLOSE, NEED, nameCodes, OPEN, TEXT } from '../xml/xml-scanner.ts';
import { XmlCopy } from '../xml/xml-write.ts';
import { columnRewriter, growRef, resultColumns } from './added-columns.ts';
import { sharedFormulas } from './formulas.ts';
import { rowRewriter } from './row-rewriter.ts';

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

/** What adds outcomes to a sheet, changing nothing else; undefined if nothing is added to it. */
export async function sheetRewriter(sheet: ResultSheet, styles: BookStyles, tokenBytes: number) {
  const { added, headerRow, corrected = new Map(), oldColumns } = sheet;
  if (added === null || headerRow === null || sheet.outcomes === undefined) return undefined;
  const own = resultColumns(added, headerRow, oldColumns);
  const copy = new XmlCopy(tokenBytes);
  const outcomes = outcomeQueue(sheet.outcomes);
  const columns = columnRewriter(copy, own);
  const formulas = sharedFormulas(copy);
  const hides = await hidesRows(sheet);
  const rows = rowRewriter({ copy, own, styles, corrected, hides, outcomes, columns, formulas });
  /** The range of the filter of the sheet, if it grew. */
  let filter: CellRange | undefined;
  /** The code of the open child of the root, 0 for none. */
  let part = 0;
  let inRow = false;

  /** The rewritten chunks from those of the part, both in UTF-8. Throws DamagedPart. */
  async function* rewrite(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        copy.feed(chunk);
        for (let token = copy.next(); token !== NEED; token = copy.next()) {
          if (token === CLOSE) close();
          else if (token === OPEN) {
            if (outcomes.dry) await outcomes.fill();
            open();
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

  function open(): void {
    const { level, selfClosing, code } = copy.scanner;
    if (level === 5 && inRow) {
      if (code === CHILD.f) rows.openFormula();
    } else if (level === 4 && inRow) {
      if (code === CHILD.c) rows.openCell();
    } else if (level === 3) {
      if (part === PART.sheetData && code === CHILD.row) {
        inRow = !selfClosing;
        rows.open();
      } else if (part === PART.cols && code === CHILD.col) columns.openCol();
    } else if (level === 2) {
      if (!selfClosing) part = code;
      // The used range grows; programs find it by themselves.
      if (code === PART.dimension) copy.drop();
      else if (code === PART.autoFilter) filter = growRef(copy, own);
      else if (code === PART.sheetData) columns.openData();
    }
  }

  function close(): void {
    const { level } = copy.scanner;
    if (level === 5) formulas.end();
    else if (level === 4 && inRow) rows.closeCell();
    else if (level === 3 && inRow) {
      rows.close();
      inRow = false;
    } else if (level === 3 && part === PART.cols) columns.closeCol();
    else if (level === 2) {
      if (part === PART.cols) columns.closeCols();
      part = 0;
    }
  }

  return {
    ...{ own, rewrite },
    get filter() {
      return filter;
    },
  };
}
