import type { Writable } from 'node:stream';
import { LAST_ROW } from '../../files/limits.ts';
import { columnRange, sheetName } from '../excel-text.ts';
import type { ZipRecord } from '../zip/read-zip.ts';
import { SpooledPart } from '../zip/spooled-part.ts';
import { ZipWriter, zipRecord } from '../zip/write-zip.ts';
import { bookParts, type ListedPart } from './book-parts.ts';
import { BookStyles } from './book-styles.ts';
import { PagePart } from './page-part.ts';
import { TablePart, TextsPart } from './sheet-part.ts';
import type {
  RowPlace,
  WrittenColumn,
  WrittenPage,
  WrittenRow,
  WrittenSheet,
  WrittenValue,
} from './written-book.ts';

/** Where the rows of one sheet go, in order. Throws what the disk says. */
interface SheetFeed<Row> {
  add(rows: readonly Row[]): Promise<void>;
}

/** The rows of a table. */
export interface TableFeed extends SheetFeed<WrittenRow> {
  /** The cells of a column, from 1, as formulas cite them once all rows are added: one range for each sheet that the table takes. */
  ranges(column: number): Promise<readonly string[]>;
  /** Where a row came to stand, by its place among all rows, from 1, once they are added. */
  placeOf(row: number): RowPlace;
}

/** A workbook that is being written; its sheets are filled side by side and stand in the order in which they were asked for. */
export interface BookFeed {
  /** A sheet people see. Its columns are as wide as the first rows that are added need. */
  sheet(sheet: WrittenSheet): TableFeed;
  /** A sheet to read and print, which can be written when all else is. */
  page(name: string): { write(page: WrittenPage): void };
  /** A sheet of texts that spreadsheet programs never show, for the program's own use; each sheet that it goes on to begins with `head` too. */
  hidden(name: string, head: readonly (readonly string[])[]): SheetFeed<readonly string[]>;
}

/** What bounds a workbook. */
export interface BookOptions {
  /** Rows that a sheet holds, the header among them; as many as Excel's when absent. */
  readonly rows?: number;
  readonly made: Date;
}

/**
 * Writes a workbook to a stream, which is left open, while `fill` adds rows to its sheets; `place` is where it is being written, so
 * that what has to wait can wait beside it. Memory holds a batch of rows and a chunk of each sheet.
 */
export async function writeBook(
  stream: Writable,
  place: string,
  options: BookOptions,
  fill: (book: BookFeed) => Promise<void>,
): Promise<void> {
  const writer = new BookWriter(place, options);
  try {
    await fill(writer);
    await writer.finish(new ZipWriter(stream));
  } finally {
    await writer.close();
  }
}

type Part = TablePart | TextsPart | PagePart;

/** A sheet that was begun, in the order of the workbook. */
interface Begun {
  readonly name: string;
  readonly part: Part;
}

class BookWriter implements BookFeed {
  private readonly place: string;
  private readonly most: number;
  private readonly record: Omit<ZipRecord, 'nameRaw'>;
  private readonly styles = new BookStyles();
  private readonly taken = new Set<string>();
  /** The sheets of each feed, one after the other. */
  private readonly feeds: Begun[][] = [];
  /** Begins what no row has come for. */
  private readonly unbegun: (() => Promise<void>)[] = [];
  private spools = 0;

  constructor(place: string, { rows = LAST_ROW, made }: BookOptions) {
    this.place = place;
    this.most = rows;
    this.record = zipRecord(made);
  }

  page(name: string): { write(page: WrittenPage): void } {
    const part = new PagePart(this.spool(), this.styles);
    this.feeds.push([{ name: sheetName(name, this.taken), part }]);
    return part;
  }

  sheet(sheet: WrittenSheet): TableFeed {
    const begun: { readonly name: string; readonly part: TablePart }[] = [];
    this.feeds.push(begun);
    const begin = (rows: readonly WrittenRow[]): TablePart => {
      const number = begun.length + 1;
      const table = number === 1 ? sheet.table : `${sheet.table}_${number}`;
      // The sheets that go on are as wide as the first.
      const columns = fitColumns(sheet.columns, rows);
      const part = new TablePart({ ...sheet, table, columns }, this.spool(), this.styles);
      begun.push({ name: sheetName(sheet.name, this.taken), part });
      return part;
    };
    let part: TablePart | undefined;
    const add = async (rows: readonly WrittenRow[]): Promise<void> => {
      part ??= begin(rows);
      for (let at = 0; at < rows.length; ) {
        if (part.count >= this.most - 1) part = begin(rows.slice(at));
        const some = rows.slice(at, at + this.most - 1 - part.count);
        await part.add(some);
        at += some.length;
      }
    };
    this.unbegun.push(() => add([]));
    const ranges = async (column: number): Promise<string[]> => {
      await add([]);
      return begun.map((one) => columnRange(one.name, column, one.part.count));
    };
    const room = this.most - 1;
    const placeOf = (row: number): RowPlace => ({
      sheet: begun[Math.floor((row - 1) / room)]?.name ?? sheet.name,
      row: ((row - 1) % room) + 2,
    });
    return { add, ranges, placeOf };
  }

  hidden(name: string, head: readonly (readonly string[])[]): SheetFeed<readonly string[]> {
    const begun: Begun[] = [];
    this.feeds.push(begun);
    const begin = async (): Promise<TextsPart> => {
      const part = new TextsPart(this.spool());
      begun.push({ name: sheetName(name, this.taken), part });
      await part.add(head);
      return part;
    };
    let part: TextsPart | undefined;
    this.unbegun.push(async () => {
      part ??= await begin();
    });
    return {
      add: async (rows) => {
        part ??= await begin();
        for (let at = 0; at < rows.length; ) {
          if (part.count >= this.most) part = await begin();
          const some = rows.slice(at, at + this.most - part.count);
          await part.add(some);
          at += some.length;
        }
      },
    };
  }

  async finish(zip: ZipWriter): Promise<void> {
    for (const begin of this.unbegun) await begin();
    const sheets = this.inOrder();
    const listed: ListedPart[] = [];
    for (const { name, part } of sheets) {
      const chart = part instanceof PagePart ? part.chart : null;
      listed.push({ name, hidden: part instanceof TextsPart, table: await part.finish(), chart });
    }
    const parts = [...bookParts(listed), ['xl/styles.xml', this.styles.part()] as const];
    for (const [at, [name, text]] of parts.entries()) {
      const bytes = Buffer.from(text);
      await zip.add({ ...this.record, nameRaw: Buffer.from(name) }, once(bytes), at, bytes.length);
    }
    for (const [at, { part }] of sheets.entries())
      await part.spool.copyTo(zip, `xl/worksheets/sheet${at + 1}.xml`, parts.length + at);
    await zip.finish();
  }

  /** What nobody sees comes last: a workbook opens on its first sheet. */
  private inOrder(): Begun[] {
    const all = this.feeds.flat();
    const isHidden = ({ part }: Begun): boolean => part instanceof TextsPart;
    return [...all.filter((one) => !isHidden(one)), ...all.filter(isHidden)];
  }

  async close(): Promise<void> {
    for (const { part } of this.feeds.flat()) await part.spool.remove();
  }

  private spool(): SpooledPart {
    this.spools++;
    return new SpooledPart(this.place, { ...this.record, nameRaw: Buffer.from(`part${this.spools}`) });
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Rows that tell how wide columns are. */
const SAMPLE = 200;
const WIDEST = 42;
/** Room for an indent and the filter's arrow beside a header, and beside a value. */
const ARROW = 5;
const AIR = 3;

/** Columns as wide as their headers and the first rows need, within reason. */
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
  return String(value)
    .split('\n')
    .reduce((most, line) => Math.max(most, line.length), 0);
}
