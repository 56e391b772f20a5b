import { cellAddress } from '../../core/cell.ts';
import type { CellMark, NumberedOutcome } from '../../files/result-sheet.ts';
import { columnFromBytes, numberFromBytes, rowFromBytes } from '../read/cells.ts';
import type { StatusFilter } from '../status-filter.ts';
import type { TagChanges, XmlCopy } from '../xml/xml-copy.ts';
import type { XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeValue } from '../xml/xml-text.ts';
import {
  type AwaitedCell,
  cellXml,
  headerCells,
  type OldColumns,
  type OwnColumns,
  outcomeCells,
  outcomeHeight,
} from './added-columns.ts';
import { ATTRIBUTE } from './sheet-codes.ts';
import type { RewriteStyles } from './styles-part.ts';

const CLOSING_ROW = '</row>';

/** The number in a `<row>` that has just been opened, 0 when it has none. */
export function rowNumber(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => rowFromBytes(bytes, start, end));
}

/** The column in a `<c>` that has just been opened, 0 when it has none. */
export function cellColumn(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => columnFromBytes(bytes, start, end));
}

/** The row in a `<c>`, likewise. */
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

/** The format that a row or cell names, 0 when it names none. */
export function formatOf(scanner: XmlScanner): number {
  const index = scanner.attribute(ATTRIBUTE.format);
  if (index < 0) return 0;
  const start = scanner.attributeStart[index] as number;
  return numberFromBytes(scanner.bytes, start, scanner.attributeEnd[index] as number) || 0;
}

/**
 * What changes in the tag of a row that gets cells: its height where they need more, and the columns that it
 * claims to hold.
 */
function rowChanges(scanner: XmlScanner, outcome: NumberedOutcome | undefined): TagChanges {
  const height = outcome === undefined ? undefined : outcomeHeight(outcome);
  if (height === undefined || attributeIsTrue(scanner, ATTRIBUTE.customHeight)) return { spans: null };
  const before = Number(attributeValue(scanner, ATTRIBUTE.height) ?? 0);
  return before >= height ? { spans: null } : { spans: null, ht: String(height) };
}

/** Bytes in which the end of a row is looked for. */
const NEAR = 1 << 16;

/** Moves the scanner to the end of a row of which nothing is of concern, where that is near. */
export function passRow(scanner: XmlScanner): void {
  const { bytes, position, limit } = scanner;
  const near = bytes.subarray(position, Math.min(limit, position + NEAR));
  const end = near.indexOf(CLOSING_ROW, 0, 'latin1');
  if (end >= 0 && !near.subarray(0, end).includes('<!', 0, 'latin1')) scanner.position = position + end;
}

/**
 * Moves the scanner to the end of a row whose cells all stand left of a column, where that can be told at
 * once.
 */
function passCells(scanner: XmlScanner, column: number): void {
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

/**
 * A sheet's outcomes in the order of its rows, a few of them at hand, so that a row can ask for its own
 * without waiting.
 */
export class OutcomeQueue {
  private readonly source: AsyncIterator<NumberedOutcome>;
  private waiting: NumberedOutcome[] = [];
  private at = 0;
  private ended = false;

  constructor(outcomes: AsyncIterable<NumberedOutcome>) {
    this.source = outcomes[Symbol.asyncIterator]();
  }

  /** Whether `fill` must be awaited before the next row can ask. */
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

  /** The outcome of a row, which is asked for once; none when the next one is another row's. */
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
  readonly visibility: RowVisibility;
}

/** Which rows are seen in a result. */
export interface RowVisibility {
  /** The filter that the sheet gets, and the last row that it reaches; null for none. */
  readonly filter: { readonly by: StatusFilter; readonly bottom: number } | null;
  /** Whether a row is hidden by a filter of an earlier result alone, which goes. */
  readonly isFiltered: (row: number) => boolean;
  /** A row that the filter would show, and that stays hidden as it was. */
  readonly onUnseen: (row: number) => void;
}

const NONE: readonly CellMark[] = [];
const NOTHING: TagChanges = {};

/**
 * Rewrites the rows of a sheet as they are copied: added cells in their places, tints on cells of which
 * something is said. Throws DamagedPart.
 */
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
  /** The row is hidden in the file, and not by the filter of an earlier result. */
  private wasHidden = false;
  /** The row's tag waits for its number, which the first cell gives. */
  private held = false;
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
    const isHidden = attributeIsTrue(scanner, ATTRIBUTE.hidden);
    this.wasHidden = isHidden && !this.work.visibility.isFiltered(this.row);
    if (!this.numbered && !scanner.selfClosing) {
      this.held = !isHidden && this.work.visibility.filter !== null;
      if (this.held && scanner.attribute(ATTRIBUTE.hidden) >= 0) copy.changeTag({ hidden: null });
      if (this.held) copy.holdTag();
      return;
    }
    const outcome = this.settle();
    if (scanner.selfClosing) this.closeBlank();
    else {
      const hidden = this.wasHidden || this.hides(outcome);
      const changes =
        outcome !== undefined || this.row === headerRow ? rowChanges(scanner, outcome) : NOTHING;
      if (hidden !== isHidden) copy.changeTag({ ...changes, hidden: hidden ? '1' : null });
      else if (changes !== NOTHING) copy.changeTag(changes);
      if (this.row !== headerRow) this.passOver();
    }
  }

  /** Whether the filter hides a row with this outcome. */
  private hides(outcome: NumberedOutcome | undefined): boolean {
    const { filter } = this.work.visibility;
    return filter !== null && outcome !== undefined && this.row <= filter.bottom && filter.by.hides(outcome);
  }

  /** Lets go of the tag of a row without a number, in front of the current token. */
  private releaseTag(outcome: NumberedOutcome | undefined): void {
    if (!this.held) return;
    this.held = false;
    if (this.hides(outcome)) this.work.copy.sink.text(' hidden="1"');
    this.work.copy.endTag();
  }

  /** The scanner stands behind `<c>`; answers whether the cell is to be left out. */
  openCell(): boolean {
    const { copy, own, headerRow, styles, oldColumns } = this.work;
    const { scanner } = copy;
    const column = this.place();
    const named = scanner.attribute(ATTRIBUTE.place) >= 0;
    if (!this.settled) this.releaseTag(this.settle());
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
    if (!this.settled) this.releaseTag(this.settle());
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
    const { own, styles, outcomes, headerRow, onMark, visibility } = this.work;
    this.settled = true;
    if (this.row === headerRow) this.headerSeen = true;
    const outcome = this.row === headerRow ? undefined : outcomes.of(this.row);
    if (outcome === undefined) return undefined;
    const { filter } = visibility;
    const kept = this.wasHidden && filter !== null;
    if (kept && typeof outcome.cells[0] === 'string' && !filter.by.hides(outcome))
      visibility.onUnseen(this.row);
    this.awaited = outcomeCells(this.row, outcome, own, styles, this.prefix, kept);
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

  /**
   * Leaves a row's cells unlooked at when all that it gets comes behind them: nearly always, and far quicker.
   */
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
