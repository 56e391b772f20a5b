import { cellAddress } from '../../core/cell.ts';
import type { CellMark, NumberedOutcome } from '../../files/result-sheet.ts';
import { columnFromBytes, numberFromBytes, rowFromBytes } from '../read/cells.ts';
import type { StatusFilter } from '../status-filter.ts';
import type { TagChanges, XmlCopy } from '../xml/xml-copy.ts';
import type { XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeValue } from '../xml/xml-text.ts';
import {
  type AddedColumns,
  cellXml,
  type EmptiedColumns,
  headerCells,
  outcomeCells,
  outcomeHeight,
  type PlacedCell,
} from './added-columns.ts';
import { ATTRIBUTE } from './sheet-codes.ts';
import type { RewriteStyles } from './styles-part.ts';

const CLOSING_ROW = '</row>';

/** The number of the `<row>` just opened, 0 for none. */
export function rowNumber(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => rowFromBytes(bytes, start, end));
}

/** The column of the `<c>` just opened, 0 for none. */
export function cellColumn(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => columnFromBytes(bytes, start, end));
}

/** The row of the `<c>` just opened, 0 for none. */
function cellRow(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => {
    let digits = start;
    while (digits < end && (bytes[digits] as number) > 57) digits++;
    return rowFromBytes(bytes, digits, end);
  });
}

function fromPlace(scanner: XmlScanner, read: (bytes: Buffer, start: number, end: number) => number): number {
  const index = scanner.attribute(ATTRIBUTE.place);
  if (index < 0) return 0;
  return read(scanner.bytes, scanner.attributeStart[index] as number, scanner.attributeEnd[index] as number);
}

/** The style of the row or cell just opened, 0 for none. */
export function formatOf(scanner: XmlScanner): number {
  const index = scanner.attribute(ATTRIBUTE.format);
  if (index < 0) return 0;
  const start = scanner.attributeStart[index] as number;
  return numberFromBytes(scanner.bytes, start, scanner.attributeEnd[index] as number) || 0;
}

/** Changes in the tag of a row that gets cells: its height, and the columns that it claims to span. */
function rowChanges(scanner: XmlScanner, outcome: NumberedOutcome | undefined): TagChanges {
  const height = outcome === undefined ? undefined : outcomeHeight(outcome);
  if (height === undefined || attributeIsTrue(scanner, ATTRIBUTE.customHeight)) return { spans: null };
  const before = Number(attributeValue(scanner, ATTRIBUTE.height) ?? 0);
  return before >= height ? { spans: null } : { spans: null, ht: String(height) };
}

/** How far to look for the end of a row, in bytes. */
const NEAR = 1 << 16;

/** Skips to the end of a row that is of no interest, if that is near. */
export function skipRow(scanner: XmlScanner): void {
  const { bytes, position, limit } = scanner;
  const near = bytes.subarray(position, Math.min(limit, position + NEAR));
  const end = near.indexOf(CLOSING_ROW, 0, 'latin1');
  if (end >= 0 && !near.subarray(0, end).includes('<!', 0, 'latin1')) scanner.position = position + end;
}

/** Skips to the end of a row whose cells are all left of a column, if that is quickly seen. */
function skipCells(scanner: XmlScanner, column: number): void {
  const { bytes, position, limit } = scanner;
  const end = bytes.indexOf(CLOSING_ROW, position, 'latin1');
  if (end < 0 || end + CLOSING_ROW.length > limit) return;
  const row = bytes.subarray(position, end);
  const last = row.lastIndexOf('<c r="', undefined, 'latin1');
  if (last < 0 || row.includes('<!', 0, 'latin1') || row.indexOf('<c ', last + 1, 'latin1') >= 0) return;
  const stop = row.indexOf('"', last + 6, 'latin1');
  if (columnFromBytes(row, last + 6, stop) < column) scanner.position = end;
}

const BATCH = 200;

/** The outcomes of a sheet in row order, some in advance, so that a row need not wait for its own. */
export class OutcomeQueue {
  private readonly source: AsyncIterator<NumberedOutcome>;
  private waiting: NumberedOutcome[] = [];
  private at = 0;
  private ended = false;

  constructor(outcomes: AsyncIterable<NumberedOutcome>) {
    this.source = outcomes[Symbol.asyncIterator]();
  }

  /** Whether `fill` must be awaited before the next row. */
  get dry(): boolean {
    return this.at >= this.waiting.length && !this.ended;
  }

  async fill(): Promise<void> {
    this.waiting = [];
    this.at = 0;
    while (this.waiting.length < BATCH) {
      const { value, done } = await this.source.next();
      if (done) {
        this.ended = true;
        return;
      }
      this.waiting.push(value);
    }
  }

  /** Takes the outcome of a row; undefined if the next one is for another row. */
  of(row: number): NumberedOutcome | undefined {
    const next = this.waiting[this.at];
    if (next?.row !== row) return undefined;
    this.at++;
    return next;
  }

  async close(): Promise<void> {
    await this.source.return?.();
  }
}

/** A remark on a cell. */
export type MarkedCell = { readonly row: number; readonly text: string } & Pick<CellMark, 'column'>;

/** What rows are rewritten with. */
interface RowContext {
  readonly copy: XmlCopy;
  readonly own: AddedColumns;
  readonly oldColumns: EmptiedColumns;
  readonly headerRow: number;
  readonly styles: RewriteStyles;
  readonly outcomes: OutcomeQueue;
  readonly columnStyle: (column: number) => number;
  readonly onMark: (mark: MarkedCell) => void;
  readonly visibility: RowVisibility;
}

/** Which rows a result shows. */
export interface RowVisibility {
  /** The filter of the sheet, and the last row in it; null for none. */
  readonly filter: { readonly by: StatusFilter; readonly bottom: number } | null;
  /** Whether only the filter of an earlier result, which goes, hides a row. */
  readonly isFiltered: (row: number) => boolean;
  /** The rows that are shown even if they were hidden; null for none. */
  readonly wanted: Pick<StatusFilter, 'shows'> | null;
  /** Reports a row that was hidden, and that is shown. */
  readonly onShown: (row: number) => void;
}

const NONE: readonly CellMark[] = [];
const NOTHING: TagChanges = {};

/**
 * Rewrites rows while they are copied: added cells, and tints on cells with a remark. Called with the scanner
 * behind `<row>`, `<c>` and `</row>`. Throws DamagedPart.
 */
export class RowRewriter {
  /** The prefix of tags, with its colon. */
  prefix = '';
  headerSeen = false;
  private readonly work: RowContext;
  private row = 0;
  private numbered = false;
  private settled = false;
  private column = 0;
  private beside = 0;
  private rowStyle = 0;
  private isHidden = false;
  /** The row is hidden in the file, and not by the filter of an earlier result. */
  private wasHidden = false;
  /** The tag of the row waits for its number, which the first cell gives. */
  private held = false;
  private awaited: readonly PlacedCell[] = [];
  private next = 0;
  private marks: readonly CellMark[] = NONE;
  private markAt = 0;

  constructor(work: RowContext) {
    this.work = work;
  }

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
    const isHidden = attributeIsTrue(scanner, ATTRIBUTE.hidden);
    this.isHidden = isHidden;
    const { filter, wanted } = this.work.visibility;
    if (!this.numbered && !scanner.selfClosing) {
      this.held = isHidden ? wanted !== null : filter !== null;
      if (this.held && scanner.attribute(ATTRIBUTE.hidden) >= 0) copy.changeTag({ hidden: null });
      if (this.held) copy.holdTag();
      return;
    }
    const outcome = this.settle();
    if (scanner.selfClosing) this.closeBlank();
    else {
      const hidden = this.staysHidden(outcome) || this.hides(outcome);
      const changes =
        outcome !== undefined || this.row === headerRow ? rowChanges(scanner, outcome) : NOTHING;
      if (hidden !== isHidden) copy.changeTag({ ...changes, hidden: hidden ? '1' : null });
      else if (changes !== NOTHING) copy.changeTag(changes);
      if (this.row !== headerRow) this.skipOver();
    }
  }

  private staysHidden(outcome: NumberedOutcome | undefined): boolean {
    return this.wasHidden && !(outcome !== undefined && this.work.visibility.wanted?.shows(outcome) === true);
  }

  private hides(outcome: NumberedOutcome | undefined): boolean {
    const { filter } = this.work.visibility;
    return filter !== null && outcome !== undefined && this.row <= filter.bottom && filter.by.hides(outcome);
  }

  /** Ends the held tag, in front of the current token. */
  private releaseTag(outcome: NumberedOutcome | undefined): void {
    if (!this.held) return;
    this.held = false;
    if (this.staysHidden(outcome) || this.hides(outcome)) this.work.copy.sink.text(' hidden="1"');
    this.work.copy.endTag();
  }

  /** Whether the cell is to be left out. */
  openCell(): boolean {
    const { copy, own, headerRow, styles, oldColumns } = this.work;
    const { scanner } = copy;
    const column = this.place();
    const named = scanner.attribute(ATTRIBUTE.place) >= 0;
    if (!this.settled) this.releaseTag(this.settle());
    this.column = column;
    const before = this.takeBefore(column);
    if (before !== '') copy.insertBefore(before);
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

  close(): void {
    if (!this.settled) this.releaseTag(this.settle());
    this.work.copy.insertBefore(this.takeBefore(Number.POSITIVE_INFINITY));
  }

  /** Adds the header row, for a sheet that has none. */
  missingHeader(): void {
    const { copy, headerRow, own, styles } = this.work;
    this.headerSeen = true;
    const cells = headerCells(headerRow, 0, own, styles, this.prefix);
    copy.insertBefore(
      `<${this.prefix}row r="${headerRow}">${cells.map(({ xml }) => xml).join('')}</${this.prefix}row>`,
    );
  }

  /** Looks up what the row gets, once its number is known. */
  private settle(): NumberedOutcome | undefined {
    const { own, styles, outcomes, headerRow, onMark, visibility } = this.work;
    this.settled = true;
    this.wasHidden = this.isHidden && !visibility.isFiltered(this.row);
    if (this.row === headerRow) this.headerSeen = true;
    const outcome = this.row === headerRow ? undefined : outcomes.of(this.row);
    if (outcome === undefined) return undefined;
    const stays = this.staysHidden(outcome);
    if (this.wasHidden && !stays) visibility.onShown(this.row);
    const kept = stays && visibility.filter !== null;
    this.awaited = outcomeCells(this.row, outcome, own, styles, this.prefix, kept);
    const { marks = NONE } = outcome;
    if (marks.length === 0) return outcome;
    this.marks = marks
      .filter(({ column }) => column < own.first || column > own.last)
      .sort((one, other) => one.column - other.column);
    for (const { column, text } of this.marks) if (text !== null) onMark({ row: this.row, column, text });
    return outcome;
  }

  /** The cells left of `column`: remarks on blank places, and the added ones. */
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

  /** Fills a row without cells, `<row/>`. */
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

  /** Skips the cells of a row that only gets some behind them: nearly every row, and far quicker. */
  private skipOver(): void {
    const { copy, own, styles, oldColumns } = this.work;
    if (this.marks.length > 0 || styles.tinted || this.prefix !== '' || oldColumns.size > 0) return;
    skipCells(copy.scanner, own.first);
  }

  /** The column of the cell just opened; the first cell also numbers a row without a number. */
  private place(): number {
    const { scanner } = this.work.copy;
    if (!this.numbered && scanner.attribute(ATTRIBUTE.place) >= 0) {
      this.row = cellRow(scanner) || this.row;
      this.numbered = true;
    }
    return cellColumn(scanner) || this.column + 1;
  }
}
