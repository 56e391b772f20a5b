const QUOTE = '"';
const QUOTE_CODE = 34;
const LINE_END = 10;
const SPACE = 32;
const TAB = 9;
const NO_BREAK_SPACE = 160;

/** What is read of a record that holds quotes. */
export interface QuotedRecord {
  readonly fields: string[];
  /** Where the line end stands that closes it. */
  readonly end: number;
  /** The first field whose quotes were taken as they stand, from 0; -1 for none. */
  readonly literal: number;
}

/** How a line is read by itself: `plain` takes any quote before a separator for a closing one. */
export type LineSense = 'careful' | 'plain';

/** Looks at so many characters for each one of a line; a line of a million stray quotes costs no more. */
const LOOKS = 8;

/**
 * Reads the fields of records that hold quotes, in one text with LF line ends. A quote opens a field at its
 * start, also behind blanks, and closes one only before a separator or a line end.
 */
export class QuotedFields {
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
  onLine(begin: number, end: number, sense: LineSense): QuotedRecord {
    const { text } = this;
    const fields: string[] = [];
    const mostLooks = this.looks + LOOKS * (end - begin);
    let literal = -1;
    for (let at = begin; ; ) {
      const open = this.opening(at, end);
      const close = open < 0 || this.looks > mostLooks ? -1 : this.closingOnLine(open, end, sense);
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
  private closingOnLine(open: number, end: number, sense: LineSense): number {
    const { text } = this;
    this.quoteInside = true;
    let second = -1;
    let quote = text.indexOf(QUOTE, open + 1);
    for (; quote >= 0 && quote < end; quote = text.indexOf(QUOTE, quote + 1)) {
      if (this.isEnd(this.behindBlanks(quote + 1, end), end)) return this.looked(open, quote, quote);
      if (text[quote + 1] === QUOTE && quote + 1 < end) {
        quote++;
        if (second >= 0 || !this.isEnd(this.behindBlanks(quote + 1, end), end)) continue;
        if (sense === 'plain') return this.looked(open, quote, quote);
        second = quote;
      } else if (sense === 'careful' && this.isStart(quote, open)) break;
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
