import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { LAST_COLUMN } from '../files/limits.ts';

const QUOTE = '"';
const QUOTE_CODE = 34;
const LINE_END = 10;
const SPACE = 32;
const TAB = 9;
const NO_BREAK_SPACE = 160;

/** What cuts a CSV into records, and the bounds of one. */
interface CsvRecordShape {
  readonly delimiter: string;
  /** The longest record, in characters. */
  readonly longest: number;
  /** How many fields its records are expected to have; nothing is expected when empty. */
  readonly expected?: readonly number[];
  /** The line of the file on which the first record starts. */
  readonly line?: number;
  /** Fields keep their quotes. */
  readonly raw?: boolean;
  /** Records cut at once, where the first ones are enough. */
  readonly most?: number;
  /** The file, for the error on what can't be read on; without it, reading goes on as well as it can. */
  readonly file?: string;
}

/** What is wrong with a record's quotes, and how it was read all the same. */
export interface QuoteTrouble {
  /**
   * `literal`: its line stands by itself, with quotes as they stand; `lines`: a text in it looks like rows;
   * `broken`: it can't be cut into the expected number of fields.
   */
  readonly kind: 'literal' | 'lines' | 'broken';
  /** The first field that it is about, from 0. */
  readonly field: number;
  /** The beginning of its line. */
  readonly found: string;
}

type Read = QuotedRecord & { readonly kind?: QuoteTrouble['kind'] };

/** So many separators in a text, just where rows would have them, tell that the text is rows. */
const TELLING = 6;

/** Characters of a line that are kept to show it. */
const SHOWN = 200;

/**
 * Cuts chunks of text, with LF line ends, into records of fields (RFC 4180). A quote in a plain field is a
 * character (`12" pan`), and a record without stray quotes has any number of fields. One with a stray quote,
 * or over lines that make no record of the expected size, is read again as one line by itself: a stray quote
 * changes no row but its own. However the text is cut into chunks, the records are the same.
 */
export function csvRecords({
  delimiter,
  longest,
  expected,
  line: firstLine = 1,
  raw = false,
  most = Number.POSITIVE_INFINITY,
  file,
}: CsvRecordShape) {
  const sizes = expected ?? [];
  /** Characters looked at to find closing quotes, for tests: a few for each one of the text. */
  let looks = 0;
  /** The records of the last chunk with trouble of quotes. */
  const troubles = new Map<readonly string[], QuoteTrouble>();
  let text = '';
  /** The line of the file on which the current record starts. */
  let line = firstLine;
  /** Where in the text the current record starts. */
  let begin = 0;
  /** Characters that are waited for before the text is cut again. */
  let enough = 0;
  /** Where the next separator stands, looked for from a place before. */
  let separator = -1;
  /** Up to here a reading over lines has failed already: no text over lines opens before it. */
  let failedTo = 0;
  /** Fields of the last record that was read without a doubt. */
  let neighbour = 0;
  /** What fits no better may be the rest of the record before. */
  let contested = false;
  /** Fields of the last line without quotes that fitted no better. */
  let misfit = 0;

  /** Takes a chunk; returns the records that it completed. Throws StopError (EXIT.file) for what can't be read on. */
  function take(chunk: string): string[][] {
    const nul = chunk.indexOf('\0');
    const before = text.length;
    text = text === '' ? chunk : text + chunk;
    if (nul >= 0) refuse('nulCharacter', line + occurrences(text, '\n', 0, before + nul));
    return text.length < enough ? [] : cut(false);
  }

  /** The records that no line end follows, or whose quotes were still open. */
  function finish(): string[][] {
    // Ctrl-Z, with which old DOS programs end a file.
    if (text.endsWith('\x1a')) text = text.slice(0, -1);
    return cut(true);
  }

  function cut(last: boolean): string[][] {
    const records: string[][] = [];
    troubles.clear();
    separator = -1;
    const quoted = new QuotedFields(text, delimiter, raw);
    let quote = text.indexOf(QUOTE);
    while (begin < text.length && records.length < most) {
      const stop = placeOf(text, '\n', begin);
      if (stop - begin > longest) refuse('endlessRow', line);
      if (stop === text.length && !last) break;
      if (quote < 0 || quote > stop) {
        records.push(known(plainRecord(stop)));
        line++;
        begin = stop + 1;
      } else {
        const read = quotedRecord(quoted, stop, last);
        if (read === undefined) break;
        records.push(known(read.fields, read));
        line += 1 + (read.end === stop ? 0 : occurrences(text, '\n', stop, read.end));
        begin = read.end + 1;
        quote = text.indexOf(QUOTE, begin);
      }
    }
    looks += quoted.looks;
    text = text.slice(begin);
    // A record that goes on is read anew when twice as much of it is there, not with each chunk.
    enough = records.length > 0 ? 0 : Math.min(2 * text.length, longest + 1);
    failedTo -= begin;
    begin = 0;
    return records;
  }

  /** A record without quotes; of fields that hold something, a third quicker than `split`. */
  function plainRecord(stop: number): string[] {
    const fields: string[] = [];
    let from = begin;
    let next = separator;
    if (next < from) next = placeOf(text, delimiter, from);
    while (next < stop) {
      fields.push(text.slice(from, next));
      from = next + delimiter.length;
      next = placeOf(text, delimiter, from);
    }
    fields.push(text.slice(from, stop));
    separator = next;
    return fields;
  }

  /** A record with a quote on its first line; undefined when it may go on in the next chunk. */
  function quotedRecord(quoted: QuotedFields, stop: number, last: boolean): Read | undefined {
    const oneLine = byRules(quoted, stop, true);
    if (oneLine !== undefined) return oneLine;
    const open = quoted.brokenAt === stop;
    if (!open || quoted.openAt < failedTo) return byLine(quoted, stop);
    const horizon = begin + longest;
    const bounded = text.length >= horizon;
    const limit = bounded ? horizon : text.length;
    const record = byRules(quoted, limit, last && !bounded);
    if (record === undefined && quoted.brokenAt === limit && !last && !bounded) return undefined;
    const failedAt = record?.end ?? quoted.brokenAt;
    const found = record === undefined ? undefined : overLines(quoted, stop, record);
    if (found !== undefined) return found;
    failedTo = failedAt;
    contested = record !== undefined;
    return byLine(quoted, stop);
  }

  function byRules(quoted: QuotedFields, limit: number, ends: boolean): QuotedRecord | undefined {
    const record = quoted.byRules(begin, limit, ends);
    looks += (record?.end ?? quoted.brokenAt) - begin;
    return record;
  }

  /** A record over lines; undefined where its lines are rows by themselves. */
  function overLines(quoted: QuotedFields, stop: number, record: QuotedRecord): Read | undefined {
    if (sizes.length === 0) return record;
    const rows = text
      .slice(stop + 1, record.end)
      .split('\n')
      .map((line) => line.split(delimiter).length);
    const alone = byLine(quoted, stop).kind === 'literal';
    const isRow = (fields: number): boolean => fields > 1 && sizes.includes(fields);
    const over = record.fields.filter((text) => text.includes('\n'));
    // What closes it looks like what opens the next field.
    const odd = over.some((text) => text.endsWith(delimiter));
    if (!fits(record.fields)) return alone || odd || rows.some(isRow) ? undefined : record;
    const areRows = alone && rows.every(isRow);
    if (!areRows && !odd) return record;
    const separators = rows.reduce((sum, fields) => sum + fields - 1, 0);
    if (areRows && separators >= TELLING) return undefined;
    return { ...record, literal: record.fields.indexOf(over[0] as string), kind: 'lines' };
  }

  /** The current line by itself, with stray quotes as they stand. */
  function byLine(quoted: QuotedFields, stop: number): Read {
    const read = quoted.onLine(begin, stop);
    return { ...read, kind: fits(read.fields) ? 'literal' : 'broken' };
  }

  function fits({ length }: readonly string[]): boolean {
    return sizes.length === 0 || sizes.includes(length) || (length > 1 && length === neighbour);
  }

  /** Notes a record that was read, and whether it may be what a broken one left. */
  function known(fields: string[], read?: Read): string[] {
    const isWide = fields.length > LAST_COLUMN && fields.slice(LAST_COLUMN).some((field) => field !== '');
    // With quotes in it, and among rows of another size, it is trouble of this one line.
    const byQuotes = read !== undefined && sizes.length > 0;
    if (isWide && !byQuotes) refuse('wideRow', line);
    let kind = isWide && byQuotes ? 'broken' : read?.kind;
    if (contested && kind === undefined && !fields.every((field) => field === '')) {
      // Two lines of one size without quotes are another table.
      const another = read === undefined && fields.length > 1 && fields.length === misfit;
      if (another || (fits(fields) && !closesText(read))) contested = false;
      else kind = 'broken';
      misfit = read === undefined ? fields.length : 0;
    }
    if (kind === undefined) {
      if (!contested) neighbour = fields.length;
      return fields;
    }
    // A text over lines may have begun in the last field.
    const mayGoOn = kind === 'broken' || fields.at(-1)?.includes(QUOTE) === true;
    if (mayGoOn && expected !== undefined) contested = true;
    const found = text.slice(begin, begin + SHOWN).split('\n', 1)[0] ?? '';
    troubles.set(fields, { kind, field: Math.max(0, read?.literal ?? 0), found });
    return fields;
  }

  /** Whether a field without an opening quote ends in one: it may close a text that was begun before. */
  function closesText(read: Read | undefined): boolean {
    if (read === undefined) return false;
    const literal = new QuotedFields(text, delimiter, true);
    const { fields = [] } = literal.byRules(begin, read.end, true) ?? {};
    return fields.some((field) => field.trimEnd().endsWith(QUOTE) && !field.trimStart().startsWith(QUOTE));
  }

  function refuse(what: keyof typeof PROBLEMS, line: number): void {
    if (file === undefined) return;
    const [sentence, next] = PROBLEMS[what];
    const name = basename(file);
    const { en, nl } = sentence(line);
    throw new StopError(EXIT.file, t(`In ${name} ${en}.`, `In ${name} ${nl}.`), { next });
  }

  return {
    get looks() {
      return looks;
    },
    troubles,
    take,
    finish,
  };
}

/** What can be wrong on a line of a CSV: the rest of a sentence, and what to do. */
const PROBLEMS = {
  /** Files whose writing was cut off end in many. */
  nulCharacter: [
    (line) =>
      t(
        `line ${line} holds a NUL character, which no text does: the file is damaged or in another encoding`,
        `staat op regel ${line} een NUL-teken, wat in geen tekst hoort: het bestand is beschadigd of heeft een andere tekenset`,
      ),
    withFlag(
      t(
        'Take the character out there or save the file again; for UTF-16, choose that encoding.',
        'Haal het teken daar weg of sla het bestand opnieuw op; is het UTF-16, kies dan die tekenset.',
      ),
      '--encoding utf-16',
    ),
  ],
  endlessRow: [
    (line) =>
      t(
        `the row on line ${line} is longer than any real one`,
        `is de rij op regel ${line} langer dan een echte rij kan zijn`,
      ),
    t(
      'Check that the file is CSV, with one row to a line.',
      'Kijk of het bestand CSV is, met één rij per regel.',
    ),
  ],
  wideRow: [
    (line) =>
      t(
        `the row on line ${line} has more fields than a sheet has columns`,
        `heeft de rij op regel ${line} meer velden dan een werkblad kolommen heeft`,
      ),
    withFlag(t('Choose its separator.', 'Kies het scheidingsteken.'), '--delimiter'),
  ],
} as const satisfies Readonly<Record<string, readonly [(line: number) => Bilingual, Bilingual]>>;

/** Where a text next stands in another; the length of that for nowhere. */
function placeOf(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

function occurrences(text: string, wanted: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf(wanted, from); at >= 0 && at < to; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}

/** What is read of a record that holds quotes. */
interface QuotedRecord {
  readonly fields: string[];
  /** Where the line end stands that closes it. */
  readonly end: number;
  /** The first field whose quotes were taken as they stand, from 0; -1 for none. */
  readonly literal: number;
}

/** Looks at so many characters for each one of a line; a line of a million stray quotes costs no more. */
const LOOKS = 8;

/**
 * Reads the fields of records that hold quotes, in one text with LF line ends. A quote opens a field at its
 * start, also behind blanks, and closes one only before a separator or a line end.
 */
class QuotedFields {
  /** Where the last reading by the rules was given up. */
  brokenAt = 0;
  /** Where the last field between quotes opened. */
  openAt = 0;
  /** The characters that were looked at to find closing quotes. */
  looks = 0;
  /** The last field with quotes holds another. */
  private quoteInside = false;
  private readonly separators: NextPlace;
  private readonly lineEnds: NextPlace;
  private readonly text: string;
  private readonly delimiter: string;
  private readonly delimiterCode: number;
  /** Fields keep their quotes. */
  private readonly raw: boolean;

  constructor(text: string, delimiter: string, raw: boolean) {
    this.text = text;
    this.delimiter = delimiter;
    this.delimiterCode = delimiter.charCodeAt(0);
    this.raw = raw;
    this.separators = new NextPlace(text, delimiter);
    this.lineEnds = new NextPlace(text, '\n');
  }

  /**
   * A record by the rules (RFC 4180), over as many lines as its quotes hold together; undefined where there
   * is none up to the limit. `ends` says that the limit is the end of a line, or of the file.
   */
  byRules(begin: number, limit: number, ends: boolean): QuotedRecord | undefined {
    const { text } = this;
    const fields: string[] = [];
    for (let at = begin; ; ) {
      const open = this.opening(at, limit);
      const close = open < 0 ? -1 : this.closing(open, limit, ends);
      if (open >= 0 && close < 0) return undefined;
      const end = open < 0 ? this.fieldEnd(at, limit) : this.behindBlanks(close + 1, limit);
      fields.push(this.field(at, end, open, close));
      if (end === limit && !ends) return this.giveUp(limit);
      if (end === limit || text.charCodeAt(end) === LINE_END) return { fields, end, literal: -1 };
      at = end + this.delimiter.length;
    }
  }

  /** One line by itself: a quote that nothing on it closes is a character. */
  onLine(begin: number, end: number): QuotedRecord {
    const { text } = this;
    const fields: string[] = [];
    const mostLooks = this.looks + LOOKS * (end - begin);
    let literal = -1;
    for (let at = begin; ; ) {
      const open = this.opening(at, end);
      const close = open < 0 || this.looks > mostLooks ? -1 : this.closingOnLine(open, end);
      const stop = this.fieldEnd(close < 0 ? at : close + 1, end);
      const isLiteral = open >= 0 && (close < 0 || hasSingle(text.slice(open + 1, close)));
      if (isLiteral && literal < 0) literal = fields.length;
      fields.push(this.field(at, stop, close < 0 ? -1 : open, close));
      if (stop === end) return { fields, end, literal };
      at = stop + this.delimiter.length;
    }
  }

  private field(from: number, to: number, open: number, close: number): string {
    if (open < 0 || this.raw) return this.text.slice(from, to);
    const inside = this.text.slice(open + 1, close);
    return this.quoteInside ? inside.replaceAll('""', QUOTE) : inside;
  }

  /** The quote with which a field begins, behind blanks or not; -1 for none. */
  private opening(from: number, limit: number): number {
    const at = this.behindBlanks(from, limit);
    return at < limit && this.text.charCodeAt(at) === QUOTE_CODE ? at : -1;
  }

  /** The quote that closes a field by the rules; -1 where another one stands alone, or none is left. */
  private closing(open: number, limit: number, ends: boolean): number {
    const { text } = this;
    this.openAt = open;
    this.quoteInside = false;
    for (let quote = text.indexOf(QUOTE, open + 1); ; quote = text.indexOf(QUOTE, quote + 2)) {
      if (quote < 0 || quote >= limit) break;
      if (text.charCodeAt(quote + 1) === QUOTE_CODE && quote + 1 < limit) {
        this.quoteInside = true;
        continue;
      }
      const next = this.behindBlanks(quote + 1, limit);
      if (next === limit && !ends) break;
      if (this.isEnd(next, limit)) return quote;
      this.brokenAt = quote;
      return -1;
    }
    this.brokenAt = limit;
    return -1;
  }

  /**
   * The quote that closes a field on its own line. A quote that opens another field tells that none does, but
   * for two quotes before a separator: the second may close.
   */
  private closingOnLine(open: number, end: number): number {
    const { text } = this;
    this.quoteInside = true;
    let second = -1;
    let quote = text.indexOf(QUOTE, open + 1);
    for (; quote >= 0 && quote < end; quote = text.indexOf(QUOTE, quote + 1)) {
      if (this.isEnd(this.behindBlanks(quote + 1, end), end)) return this.looked(open, quote, quote);
      if (text[quote + 1] === QUOTE && quote + 1 < end) {
        quote++;
        if (second >= 0 || !this.isEnd(this.behindBlanks(quote + 1, end), end)) continue;
        second = quote;
      } else if (this.isStart(quote, open)) break;
    }
    return this.looked(open, quote < 0 ? end : Math.min(quote, end), second);
  }

  private looked(from: number, to: number, found: number): number {
    this.looks += to - from;
    return found;
  }

  /** Whether a quote stands at the start of a field. */
  private isStart(quote: number, open: number): boolean {
    let before = quote - 1;
    while (before > open && this.isBlank(before)) before--;
    return before > open && this.text.startsWith(this.delimiter, before + 1 - this.delimiter.length);
  }

  private behindBlanks(from: number, limit: number): number {
    let at = from;
    while (at < limit && this.isBlank(at)) at++;
    return at;
  }

  private isBlank(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return (code === SPACE || code === TAB || code === NO_BREAK_SPACE) && code !== this.delimiterCode;
  }

  private isEnd(at: number, limit: number): boolean {
    if (at === limit) return true;
    const code = this.text.charCodeAt(at);
    return code === LINE_END || (code === this.delimiterCode && this.text.startsWith(this.delimiter, at));
  }

  /** The next separator or line end. */
  private fieldEnd(from: number, limit: number): number {
    return Math.min(this.separators.from(from), this.lineEnds.from(from), limit);
  }

  private giveUp(at: number): undefined {
    this.brokenAt = at;
    return undefined;
  }
}

/** Where a text next stands in another; looked for anew only behind the place that was found last. */
class NextPlace {
  private readonly text: string;
  private readonly wanted: string;
  /** It stands nowhere between these two. */
  private begin = 0;
  private found = -1;

  constructor(text: string, wanted: string) {
    this.text = text;
    this.wanted = wanted;
  }

  /** The first place from one on, the length of the text for none. */
  from(place: number): number {
    const { text, wanted, begin } = this;
    if (place < begin) {
      // A line is read again: the rest of the text need not be.
      const before = text.slice(place, begin + wanted.length - 1).indexOf(wanted);
      if (before >= 0) this.found = place + before;
      this.begin = place;
    } else if (place > this.found) {
      const found = text.indexOf(wanted, place);
      this.found = found < 0 ? text.length : found;
      this.begin = place;
    }
    return this.found;
  }
}

/** Whether a quote stands alone in what is between quotes. */
function hasSingle(inside: string): boolean {
  return inside.includes(QUOTE) && inside.replaceAll('""', '').includes(QUOTE);
}
