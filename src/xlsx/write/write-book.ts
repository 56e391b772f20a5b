import type { Writable } from 'node:stream';
import type { Language } from '../../core/language.ts';
import { LAST_ROW } from '../../files/limits.ts';
import { columnRange, longestLine, sheetName } from '../excel-text.ts';
import { SpooledPart, ZipWriter, zipRecord } from '../zip/write-zip.ts';
import { bookParts, type SheetPart } from './book-parts.ts';
import { BookStyles } from './book-styles.ts';
import { pagePart } from './page-part.ts';
import { listNames, listsForm, rowsPart, tableForm, textsForm } from './rows-part.ts';
import type {
  WrittenColumn,
  WrittenList,
  WrittenPage,
  WrittenRow,
  WrittenSheet,
  WrittenValue,
} from './written-book.ts';

/** Takes the rows of a sheet, in order. Throws the error of the disk. */
interface SheetFeed<Row> {
  add(rows: readonly Row[]): Promise<void>;
}

/** Takes the rows of a table. */
export interface TableFeed extends SheetFeed<WrittenRow> {
  /** The cells of a column (from 1) in formulas, a range for each sheet; once all rows are added. */
  ranges(column: number): Promise<readonly string[]>;
  /** Where row `row` of the table (from 1) is; once all rows are added. */
  placeOf(row: number): { readonly sheet: string; readonly row: number };
}

/** A workbook being written; sheets are filled side by side, and stand in the order of these calls. */
export interface BookFeed {
  /** A visible sheet with a table; its first rows set the widths of the columns. */
  sheet(sheet: WrittenSheet): TableFeed;
  /** A sheet to read and print, which may be written last. */
  page(name: string): { write(page: WrittenPage): void };
  /** A hidden sheet of lists to choose from, asked for at the end; none where there are none. */
  lists(name: string, lists: () => readonly WrittenList[]): void;
  /**
   * A `veryHidden` sheet of texts for our own use; each sheet that it takes starts with `head`. `tail` gives
   * its last rows, once the others are there.
   */
  hidden(
    name: string,
    head: readonly (readonly string[])[],
    tail?: () => readonly (readonly string[])[],
  ): SheetFeed<readonly string[]>;
}

/** How to write a workbook. */
interface BookOptions {
  /** Rows on a sheet, header included; those of Excel if absent. */
  readonly rows?: number;
  readonly made: Date;
  /** In which days are shown; Dutch if absent. */
  readonly language?: Language | undefined;
}

/**
 * Writes a workbook to a stream, which stays open, while `fill` adds rows. Temporary files are made beside
 * `place`, where it is written. Memory holds a batch of rows and a chunk of each sheet.
 */
export async function writeBook(
  stream: Writable,
  place: string,
  options: BookOptions,
  fill: (book: BookFeed) => Promise<void>,
): Promise<void> {
  const writer = bookWriter(place, options);
  try {
    await fill(writer);
    await writer.finish(new ZipWriter(stream));
  } finally {
    await writer.close();
  }
}

type RowsPart<Row> = ReturnType<typeof rowsPart<Row>>;

/** A started sheet, in the order of the workbook. */
interface StartedSheet<Part> {
  readonly name: string;
  readonly part: Part;
}

function bookWriter(place: string, { rows: most = LAST_ROW, made, language = 'nl' }: BookOptions) {
  const styles = new BookStyles();
  const taken = new Set<string>();
  /** The sheets of each table, page or hidden sheet. */
  const feeds: StartedSheet<SheetPart>[][] = [];
  /** Starts sheets that got no rows. */
  const unstarted: (() => Promise<void>)[] = [];
  let listSheet: Parameters<BookFeed['lists']> | undefined;
  /** Adds the last rows of hidden sheets. */
  const tails: (() => Promise<void>)[] = [];

  function page(name: string): { write(page: WrittenPage): void } {
    const part = pagePart(spool(), styles);
    feeds.push([{ name: sheetName(name, taken), part }]);
    return part;
  }

  function sheet(sheet: WrittenSheet): TableFeed {
    const { started, add } = paged<WrittenRow>(sheet.name, (number, rows) => {
      const table = number === 1 ? sheet.table : `${sheet.table}_${number}`;
      return tableForm({ ...sheet, table, columns: fitColumns(sheet.columns, rows) }, styles, language);
    });
    const ranges = async (column: number): Promise<string[]> => {
      await add([]);
      return started.map(({ name, part }) => columnRange(name, column, part.last - 1));
    };
    const room = most - 1;
    const placeOf: TableFeed['placeOf'] = (row) => ({
      sheet: started[Math.floor((row - 1) / room)]?.name ?? sheet.name,
      row: ((row - 1) % room) + 2,
    });
    return { add, ranges, placeOf };
  }

  function lists(...told: Parameters<BookFeed['lists']>): void {
    listSheet = told;
  }

  /** Starts the sheet of lists; gives their defined names. */
  function startLists(): string[] {
    const [wanted, lists] = [listSheet?.[0], listSheet?.[1]() ?? []];
    if (wanted === undefined || lists.length === 0) return [];
    const name = sheetName(wanted, taken);
    feeds.push([{ name, part: rowsPart(spool(), listsForm(lists)) }]);
    return listNames(name, lists);
  }

  function hidden(...[name, head, tail]: Parameters<BookFeed['hidden']>): SheetFeed<readonly string[]> {
    const feed = paged<readonly string[]>(name, () => textsForm(head));
    if (tail !== undefined) tails.push(() => feed.add(tail()));
    return feed;
  }

  /** Rows that go on to further sheets when one is full; at least one sheet, numbered from 1. */
  function paged<Row>(
    name: string,
    form: (number: number, rows: readonly Row[]) => Parameters<typeof rowsPart<Row>>[1],
  ): SheetFeed<Row> & { readonly started: readonly StartedSheet<RowsPart<Row>>[] } {
    const started: StartedSheet<RowsPart<Row>>[] = [];
    feeds.push(started);
    const begin = (rows: readonly Row[]): RowsPart<Row> => {
      const part = rowsPart(spool(), form(started.length + 1, rows));
      started.push({ name: sheetName(name, taken), part });
      return part;
    };
    const add = async (rows: readonly Row[]): Promise<void> => {
      let part = started.at(-1)?.part ?? begin(rows);
      for (let at = 0; at < rows.length; ) {
        if (part.last >= most) part = begin(rows.slice(at));
        const some = rows.slice(at, at + most - part.last);
        await part.add(some);
        at += some.length;
      }
    };
    unstarted.push(() => add([]));
    return { started, add };
  }

  async function finish(zip: ZipWriter): Promise<void> {
    for (const begin of unstarted) await begin();
    // Hidden sheets come last, as a workbook opens on its first one.
    const visible = feeds.flat().filter(({ part }) => part.state === null);
    for (const { part } of visible) await part.finish();
    for (const add of tails) await add();
    const names = startLists();
    const hidden = feeds.flat().filter(({ part }) => part.state !== null);
    for (const { part } of hidden) await part.finish();
    const sheets = [...visible, ...hidden];
    const parts = [...bookParts(sheets, names), ['xl/styles.xml', styles.finish()] as const];
    for (const [name, text] of parts) await zip.add(zipRecord(made, name), [Buffer.from(text)]);
    for (const [at, { part }] of sheets.entries())
      await part.spool.copyTo(zip, `xl/worksheets/sheet${at + 1}.xml`);
    await zip.finish();
  }

  async function close(): Promise<void> {
    for (const { part } of feeds.flat()) await part.spool.remove();
  }

  function spool(): SpooledPart {
    return new SpooledPart(place, zipRecord(made, ''));
  }

  return { page, sheet, lists, hidden, finish, close };
}

/** Rows that set the widths. */
const SAMPLE = 200;
const WIDEST = 42;
/** Room for an indent and the arrow of the filter at a header, and around a value. */
const ARROW = 5;
const AIR = 3;

/** Columns as wide as their headers and first rows need, up to a limit. */
function fitColumns(
  columns: readonly WrittenColumn[],
  rows: readonly WrittenRow[],
): readonly WrittenColumn[] {
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column, at) => {
    const longest = sample.reduce((most, row) => Math.max(most, lengthOf(row[at] ?? null)), 0);
    const needed = Math.min(WIDEST, longest + AIR);
    return { ...column, width: Math.max(column.width, column.header.length + ARROW, needed) };
  });
}

function lengthOf(value: WrittenValue): number {
  if (value === null) return 0;
  if (typeof value === 'object') return value.date.length;
  return longestLine(String(value));
}
