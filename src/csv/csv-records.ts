import { LAST_COLUMN } from '../files/limits.ts';
import { csvProblem } from './csv-problems.ts';

const QUOTE = '"';

/** What cuts a CSV into records, and the bounds of one. */
interface CsvRecordShape {
  readonly file: string;
  readonly delimiter: string;
  /** The longest record, in characters. */
  readonly longest: number;
  /** The line of the file on which the first record starts. */
  readonly line: number;
}

/**
 * Cuts chunks of text, with LF line ends, into records of fields (RFC 4180). What the RFC forbids is read as
 * spreadsheet programs do: a quote in a plain field is a character (`12" pan`), and a record has any number
 * of fields. Text behind a closing quote belongs to the field up to the separator or line end, so that a
 * stray quote can't swallow rows. Throws StopError with the line.
 */
export class CsvRecords {
  private readonly shape: CsvRecordShape;
  private text = '';
  /** The line of the file on which the current record starts. */
  private line: number;
  /** Where in the text the current record starts. */
  private begin = 0;
  /** The next separator and line end, at or behind the place last asked about. */
  private nextDelimiter = -1;
  private nextLine = -1;
  /** The quote that the text left over does not close, -1 for none. */
  private opened = -1;
  /** Start of the current field, then its end. */
  private position = 0;
  /** Quotes from a place to the end of its line, as last counted. */
  private counted = { from: 0, end: -1, quotes: 0 };

  constructor(shape: CsvRecordShape) {
    this.shape = shape;
    this.line = shape.line;
  }

  /** Takes a chunk; returns the records that it completed. */
  take(chunk: string): string[][] {
    const nul = chunk.indexOf('\0');
    const before = this.text.length;
    this.text = this.text === '' ? chunk : this.text + chunk;
    if (nul >= 0) throw this.problem('nulCharacter', this.lineAt(before + nul));
    const records = this.cut(false);
    if (this.text.length > this.shape.longest)
      throw this.opened < 0
        ? this.problem('endlessRow', this.line)
        : this.problem('unclosedQuote', this.lineAt(this.opened));
    return records;
  }

  /** The last record, if no line end follows it. */
  finish(): string[][] {
    // Ctrl-Z, with which old DOS programs end a file.
    if (this.text.endsWith('\x1a')) this.text = this.text.slice(0, -1);
    return this.cut(true);
  }

  private cut(last: boolean): string[][] {
    const { text } = this;
    const { delimiter } = this.shape;
    const records: string[][] = [];
    this.begin = 0;
    let quote = text.indexOf(QUOTE);
    this.nextDelimiter = this.nextLine = this.opened = this.counted.end = -1;
    while (this.begin < text.length) {
      const stop = this.lineEnd(this.begin);
      if (stop === text.length && !last) break;
      if (quote < 0 || quote > stop) {
        records.push(this.checked(text.slice(this.begin, stop).split(delimiter)));
        this.begin = stop + 1;
        this.line++;
      } else {
        const fields = this.quotedRecord(this.begin, last);
        if (fields === undefined) break;
        records.push(this.checked(fields));
        const end = this.lineEnd(this.position);
        this.line += occurrences(text, '\n', this.begin, end) + 1;
        this.begin = end + 1;
        quote = text.indexOf(QUOTE, this.begin);
      }
      this.opened = -1;
    }
    this.opened -= this.begin;
    this.text = text.slice(this.begin);
    this.begin = 0;
    return records;
  }

  /** The fields of a record with a quote, undefined when it continues in the next chunk. */
  private quotedRecord(from: number, last: boolean): string[] | undefined {
    const { text } = this;
    const fields: string[] = [];
    for (this.position = from; ; this.position++) {
      const start = this.position;
      const isQuoted = text[start] === QUOTE;
      if (!isQuoted) this.position = this.fieldEnd(start);
      const field = isQuoted ? this.quotedField(last) : text.slice(start, this.position);
      if (field === undefined || (this.position === text.length && !last)) return undefined;
      fields.push(field);
      if (this.position === this.lineEnd(this.position)) return fields;
    }
  }

  private quotedField(last: boolean): string | undefined {
    const { text, position: opened } = this;
    let close = opened;
    for (;;) {
      close = text.indexOf(QUOTE, close + 1);
      if (close < 0) {
        this.opened = opened;
        if (last) throw this.problem('unclosedQuote', this.lineAt(opened));
        return undefined;
      }
      if (text[close + 1] !== QUOTE) break;
      close++;
    }
    this.position = this.fieldEnd(close + 1);
    if (this.position === text.length && !last) return undefined;
    const inside = single(text.slice(opened + 1, close));
    const after = text.slice(close + 1, this.position).trimEnd();
    return after === '' ? inside : this.withStray(opened, inside, after);
  }

  /** A field with text behind its quote: `"12" pan"`, or `"Soep" van de dag`. */
  private withStray(opened: number, inside: string, after: string): string {
    const swallowed = inside.includes('\n');
    if (!swallowed && after.endsWith(QUOTE)) return `${inside}${QUOTE}${single(after.slice(0, -1))}`;
    if (!swallowed && this.quotesFrom(opened) % 2 === 0) return inside + after;
    throw this.problem('unclosedQuote', this.lineAt(opened));
  }

  /** Counts what stands between two stray quotes once, as a line may hold many. */
  private quotesFrom(from: number): number {
    const end = this.lineEnd(this.position);
    const { counted, text } = this;
    const quotes =
      counted.end === end
        ? counted.quotes - occurrences(text, QUOTE, counted.from, from)
        : occurrences(text, QUOTE, from, end);
    this.counted = { from, end, quotes };
    return quotes;
  }

  private fieldEnd(from: number): number {
    if (this.nextDelimiter < from)
      this.nextDelimiter = orEnd(this.text.indexOf(this.shape.delimiter, from), this.text);
    return Math.min(this.nextDelimiter, this.lineEnd(from));
  }

  private lineEnd(from: number): number {
    if (this.nextLine < from) this.nextLine = orEnd(this.text.indexOf('\n', from), this.text);
    return this.nextLine;
  }

  private checked(fields: string[]): string[] {
    if (fields.length > LAST_COLUMN && fields.slice(LAST_COLUMN).some((field) => field !== ''))
      throw this.problem('wideRow', this.line);
    return fields;
  }

  private problem(what: Parameters<typeof csvProblem>[0], line: number): Error {
    return csvProblem(what, this.shape.file, line);
  }

  private lineAt(place: number): number {
    return this.line + occurrences(this.text, '\n', this.begin, place);
  }
}

function single(text: string): string {
  return text.includes(QUOTE) ? text.replaceAll('""', QUOTE) : text;
}

function orEnd(found: number, text: string): number {
  return found < 0 ? text.length : found;
}

function occurrences(text: string, wanted: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf(wanted, from); at >= 0 && at < to; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}
