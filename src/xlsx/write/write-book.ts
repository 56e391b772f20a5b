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

/** Takes the rows of a sheet, in order. Throws the error of the disk. */
interface SheetFeed<Row> {
  add(rows: readonly Row[]): Promise<void>;
}

/** Takes the rows of a table. */
export interface TableFeed extends SheetFeed<WrittenRow> {
  /** The cells of a column (from 1) in formulas, a range for each sheet; once all rows are added. */
  ranges(column: number): Promise<readonly string[]>;
  /** Where row `row` of the table (from 1) is; once all rows are added. */
  placeOf(row: number): RowPlace;
}

/** A workbook being written; sheets are filled side by side, and stand in the order of these calls. */
export interface BookFeed {
  /** A visible sheet with a table; its first rows set the widths of the columns. */
  sheet(sheet: WrittenSheet): TableFeed;
  /** A sheet to read and print, which may be written last. */
  page(name: string): { write(page: WrittenPage): void };
  /** A `veryHidden` sheet of texts for our own use; each sheet that it takes starts with `head`. */
  hidden(name: string, head: readonly (readonly string[])[]): SheetFeed<readonly string[]>;
}

/** How to write a workbook. */
export interface BookOptions {
  /** Rows on a sheet, header included; those of Excel if absent. */
  readonly rows?: number;
  readonly made: Date;
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
  const writer = new BookWriter(place, options);
  try {
    await fill(writer);
    await writer.finish(new ZipWriter(stream));
  } finally {
    await writer.close();
  }
}

type Part = TablePart | TextsPart | PagePart;

/** A started sheet, in the order of the workbook. */
interface StartedSheet {
  readonly name: string;
  readonly part: Part;
}

class BookWriter implements BookFeed {
  private readonly place: string;
  private readonly most: number;
  private readonly record: Omit<ZipRecord, 'nameRaw'>;
  private readonly styles = new BookStyles();
  private readonly taken = new Set<string>();
  /** The sheets of each table, page or hidden sheet. */
  private readonly feeds: StartedSheet[][] = [];
  /** Starts sheets that got no rows. */
  private readonly unstarted: (() => Promise<void>)[] = [];
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
    const started: { readonly name: string; readonly part: TablePart }[] = [];
    this.feeds.push(started);
    const begin = (rows: readonly WrittenRow[]): TablePart => {
      const number = started.length + 1;
      const table = number === 1 ? sheet.table : `${sheet.table}_${number}`;
      // Further sheets are as wide as the first.
      const columns = fitColumns(sheet.columns, rows);
      const part = new TablePart({ ...sheet, table, columns }, this.spool(), this.styles);
      started.push({ name: sheetName(sheet.name, this.taken), part });
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
    this.unstarted.push(() => add([]));
    const ranges = async (column: number): Promise<string[]> => {
      await add([]);
      return started.map((one) => columnRange(one.name, column, one.part.count));
    };
    const room = this.most - 1;
    const placeOf = (row: number): RowPlace => ({
      sheet: started[Math.floor((row - 1) / room)]?.name ?? sheet.name,
      row: ((row - 1) % room) + 2,
    });
    return { add, ranges, placeOf };
  }

  hidden(name: string, head: readonly (readonly string[])[]): SheetFeed<readonly string[]> {
    const started: StartedSheet[] = [];
    this.feeds.push(started);
    const begin = async (): Promise<TextsPart> => {
      const part = new TextsPart(this.spool());
      started.push({ name: sheetName(name, this.taken), part });
      await part.add(head);
      return part;
    };
    let part: TextsPart | undefined;
    this.unstarted.push(async () => {
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
    for (const begin of this.unstarted) await begin();
    const sheets = this.inOrder();
    const listed: ListedPart[] = [];
    for (const { name, part } of sheets) {
      const chart = part instanceof PagePart ? part.chart : null;
      listed.push({ name, hidden: part instanceof TextsPart, table: await part.finish(), chart });
    }
    const parts = [...bookParts(listed), ['xl/styles.xml', this.styles.part()] as const];
    for (const [at, [name, text]] of parts.entries()) {
      const bytes = Buffer.from(text);
      await zip.add({ ...this.record, nameRaw: Buffer.from(name) }, [bytes], at, bytes.length);
    }
    for (const [at, { part }] of sheets.entries())
      await part.spool.copyTo(zip, `xl/worksheets/sheet${at + 1}.xml`, parts.length + at);
    await zip.finish();
  }

  /** Hidden sheets come last, as a workbook opens on its first one. */
  private inOrder(): StartedSheet[] {
    const all = this.feeds.flat();
    const isHidden = ({ part }: StartedSheet): boolean => part instanceof TextsPart;
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
  return Math.max(
    ...String(value)
      .split('\n')
      .map(({ length }) => length),
  );
}
