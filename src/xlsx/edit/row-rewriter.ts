import { cellAddress } from '../../core/cell.ts';
import {
  type CorrectedCells,
  isWanted,
  type NumberedOutcome,
  type outcomeQueue,
} from '../../files/result-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { cellColumn, cellRow, columnFromBytes, isPlaced, rowNumber, styleIndex } from '../read/cells.ts';
import { cellXml } from '../worksheet-xml.ts';
import type { BookStyles } from '../write/book-styles.ts';
import { attributeIsTrue, attributeValue, type XmlScanner } from '../xml/xml-scanner.ts';
import type { XmlCopy } from '../xml/xml-write.ts';
import {
  type columnRewriter,
  headerCells,
  isOurs,
  outcomeCells,
  outcomeHeight,
  type ResultColumns,
} from './added-columns.ts';
import type { sharedFormulas } from './formulas.ts';

/** What rows are rewritten with. */
interface RowContext {
  readonly copy: XmlCopy;
  readonly own: ResultColumns;
  readonly styles: BookStyles;
  readonly outcomes: ReturnType<typeof outcomeQueue>;
  readonly columns: ReturnType<typeof columnRewriter>;
  /** Rows that need nothing are hidden. */
  readonly hides: boolean;
  readonly corrected: ReadonlyMap<number, CorrectedCells>;
  readonly formulas: ReturnType<typeof sharedFormulas>;
}

type CellEdit = ReturnType<typeof outcomeCells>[number];

const byColumn = (one: CellEdit, other: CellEdit): number => one.column - other.column;

/**
 * Rewrites rows while they are copied: added cells, and tints on cells with a remark. Called with the scanner
 * behind `<row>`, `<c>` and `</row>`. Throws DamagedPart.
 */
export function rowRewriter({
  copy,
  own,
  styles,
  outcomes,
  columns,
  hides,
  corrected,
  formulas,
}: RowContext) {
  const { scanner } = copy;
  let row = 0;
  let numbered = false;
  let column = 0;
  let beside = 0;
  let rowStyle = 0;
  /** What becomes of cells, in the order of their columns; those from `at` on are still to come. */
  let edits: CellEdit[] = [];
  let at = 0;
  /** Cells of the row hold something else than in the file. */
  let isCorrected = false;
  /** The headers are still to be added. */
  let headless = false;
  /** The cells up to this one were skipped, to its remark. */
  let skipping = false;

  function open(): void {
    const number = rowNumber(scanner);
    numbered = number > 0;
    row = numbered ? number : row + 1;
    column = 0;
    beside = 0;
    skipping = false;
    rowStyle = attributeIsTrue(scanner, 'customFormat') ? styleIndex(scanner) || 0 : 0;
    headless = row === own.headerRow;
    const outcome = headless ? undefined : outcomes.of(row);
    settle(outcome);
    if (scanner.selfClosing) {
      closeBlank();
      return;
    }
    const wasHidden = attributeIsTrue(scanner, 'hidden');
    const hidden = isHidden(wasHidden, outcome, hides);
    if (outcome !== undefined || headless || isCorrected || hidden !== wasHidden) {
      const changes: Record<string, string | null> = { spans: null };
      const height = outcome === undefined ? undefined : neededHeight(scanner, outcome);
      if (height !== undefined) changes.ht = String(height);
      if (hidden !== wasHidden) changes.hidden = hidden ? '1' : null;
      copy.changeTag(changes);
    }
    if (numbered && !headless) skipOver();
  }

  function openCell(): void {
    // Its row would only be known by its cells.
    if (!numbered && isPlaced(scanner) && cellRow(scanner) !== row) throw new DamagedPart(DAMAGE.oddXml);
    column = cellColumn(scanner) || column + 1;
    const before = takeBefore(column);
    if (before !== '') copy.insertBefore(before);
    const style = styleIndex(scanner) || 0;
    const isHeader = row === own.headerRow;
    const edit = edits[at]?.column === column ? edits[at++] : undefined;
    if (row >= own.headerRow && isOurs(own, column)) {
      copy.drop();
      const header = (isHeader ? own.emptied.get(column) : undefined) ?? null;
      if (edit?.xml !== undefined) copy.sink.text(edit.xml);
      else if (header !== null || !isPlaced(scanner))
        copy.sink.text(cellXml(cellAddress(column, row), style, header, copy.prefix));
      return;
    }
    if (isHeader && style > 0) beside = styles.plain(style);
    if (edit?.cell !== undefined) {
      copy.drop();
      copy.sink.text(editXml(edit, styles.plain(style)));
      return;
    }
    const shown = edit?.tone === undefined ? styles.plain(style) : styles.tint(style, edit.tone);
    if (shown !== style) copy.changeTag({ s: String(shown) });
    if (edit !== undefined && scanner.selfClosing) closeCell();
  }

  /** A formula in the cell that was opened last. */
  function openFormula(): void {
    formulas.begin(row, column);
  }

  function close(): void {
    copy.insertBefore(takeBefore(Number.POSITIVE_INFINITY));
  }

  /** Finds what becomes of the cells of the row. What stands in our own columns is ours. */
  function settle(outcome: NumberedOutcome | undefined): void {
    const cells = corrected.get(row);
    isCorrected = cells !== undefined;
    at = 0;
    edits = outcome === undefined ? [] : outcomeCells(row, outcome, own, styles, copy.prefix);
    const marks = outcome?.marks ?? [];
    if (marks.length === 0 && cells === undefined) return;
    const changed = new Map<number, CellEdit>();
    for (const [column, cell] of cells ?? []) changed.set(column, { column, cell });
    for (const { column, tone } of marks) changed.set(column, { ...changed.get(column), column, tone });
    for (const edit of changed.values())
      if (row < own.headerRow || !isOurs(own, edit.column)) edits.push(edit);
    edits.sort(byColumn);
  }

  /** The cells left of `column`: changes of blank places, and the added ones. */
  function takeBefore(column: number): string {
    if (headless && column >= own.first) {
      headless = false;
      edits.push(...headerCells(row, beside, own, styles, copy.prefix));
      edits.sort(byColumn);
    }
    let text = '';
    for (;;) {
      const edit = edits[at];
      if (edit === undefined || edit.column >= column) return text;
      at++;
      const style = rowStyle > 0 ? rowStyle : columns.styleOf(edit.column);
      if (edit.cell !== null || edit.tone !== undefined) text += editXml(edit, style);
    }
  }

  /** A cell in place of the file's, tinted where it has a remark. */
  function editXml({ column, xml, cell = null, tone }: CellEdit, style: number): string {
    if (xml !== undefined) return xml;
    const own = cell?.type === 'number' ? styles.asNumber(style) : style;
    const shown = tone === undefined ? own : styles.tint(own, tone);
    return cellXml(cellAddress(column, row), shown, cell?.value ?? null, copy.prefix);
  }

  /** Fills a row without cells, `<row/>`. */
  function closeBlank(): void {
    const cells = takeBefore(Number.POSITIVE_INFINITY);
    if (cells === '') return;
    const tag = copy.text.replace(/\sspans=(?:"[^"]*"|'[^']*')/, '').replace(/\s*\/>$/, '>');
    copy.replace(`${tag}${cells}</${copy.prefix}row>`);
  }

  /** Skips cells that stay as they are, up to the next one with a remark: far quicker in nearly every row. */
  function skipOver(): void {
    const isAsItWas = !formulas.waiting && !styles.tinted && !isCorrected;
    if (!isAsItWas || copy.prefix !== '' || own.emptied.size > 0) return;
    const next = edits[at];
    if (next?.tone === undefined) skipCells(scanner, own.first);
    else if (next.column < own.first) skipping = skipToCell(scanner, cellAddress(next.column, row));
  }

  /** Skips on behind a cell with a remark. */
  function closeCell(): void {
    if (!skipping) return;
    skipping = false;
    skipOver();
  }

  return { open, openCell, openFormula, close, closeCell };
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
