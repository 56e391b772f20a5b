import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { rootPrefix } from './root-prefix.ts';
import { XmlCopy } from './xml-copy.ts';
import { DECLARATION } from './xml-write.ts';

/** The lists of a styles part in which something may be added, in the order in which they stand. */
const LISTS = ['numFmts', 'fonts', 'fills', 'cellXfs'] as const;
type ListName = (typeof LISTS)[number];

/** What stands in a styles part before those lists and between them, so that a missing one finds its place. */
const ORDER = ['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs'].map(nameCode);
const CODES = new Map(LISTS.map((name) => [nameCode(name), name]));
const COUNT = nameCode('count');

/** What a list must begin with; one that needs nothing is only there when something is in it. */
const FIRST: Readonly<Record<ListName, readonly string[]>> = {
  numFmts: [],
  fonts: ['<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>'],
  fills: [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ],
  cellXfs: ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
};

/** A styles part for a workbook that has none. */
export const NO_STYLES = (main: string): Buffer =>
  Buffer.from(
    `${DECLARATION}<styleSheet xmlns="${main}"><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs></styleSheet>`,
  );

/** A styles part as lists of XML texts, to which some are added; what is there keeps its text and its number. */
export class StylePart {
  private readonly lists: Readonly<Record<ListName, string[]>> = {
    numFmts: [],
    fonts: [],
    fills: [],
    cellXfs: [],
  };
  private readonly had: Record<ListName, number> = {
    numFmts: 0,
    fonts: 0,
    fills: 0,
    cellXfs: 0,
  };
  private readonly numbers: Readonly<Record<ListName, Map<string, number>>> = {
    numFmts: new Map(),
    fonts: new Map(),
    fills: new Map(),
    cellXfs: new Map(),
  };
  private readonly bytes: Buffer;
  private readonly prefix: string;

  /** Throws DamagedPart. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.prefix = this.read();
    for (const name of LISTS) {
      this.had[name] = this.lists[name].length;
      if (this.had[name] === 0) for (const text of FIRST[name]) this.lists[name].push(this.prefixed(text));
      for (const [at, text] of this.lists[name].entries())
        if (!this.numbers[name].has(text)) this.numbers[name].set(text, at);
    }
  }

  /** The text of an entry, of the first where there is none of that number. */
  text(list: ListName, index: number): string {
    return this.lists[list][index] ?? this.lists[list][0] ?? '';
  }

  size(list: ListName): number {
    return this.lists[list].length;
  }

  /** The number of an entry with this text, which is added when there is none yet. Tags that lack the part's prefix are given it. */
  add(list: ListName, text: string): number {
    const own = this.prefixed(text);
    const known = this.numbers[list].get(own);
    if (known !== undefined) return known;
    const index = this.lists[list].push(own) - 1;
    this.numbers[list].set(own, index);
    return index;
  }

  /** The part with what was added. */
  finish(): Buffer {
    const copy = new XmlCopy(this.bytes.length + 1);
    const missing = new Set(LISTS.filter((name) => this.had[name] === 0 && this.size(name) > 0));
    copy.feed(this.bytes);
    for (let token = copy.next(); token !== NEED; token = copy.next()) {
      const { code, selfClosing, depth } = copy.scanner;
      if (token === OPEN && (selfClosing ? depth + 1 : depth) === 2) this.open(copy, code, missing);
      else if (token === CLOSE && depth === 1) this.close(copy);
      else if (token === CLOSE && depth === 0)
        for (const name of missing) copy.insertBefore(this.wholeList(name));
    }
    return Buffer.concat(copy.take(true));
  }

  private listBeingClosed: ListName | undefined;

  private open(copy: XmlCopy, code: number, missing: Set<ListName>): void {
    const own = CODES.get(code);
    const rank = ORDER.indexOf(code);
    for (const name of missing) {
      if (name === own) continue;
      if (rank >= 0 && ORDER.indexOf(nameCode(name)) > rank) continue;
      copy.insertBefore(this.wholeList(name));
      missing.delete(name);
    }
    if (own === undefined) return;
    if (missing.delete(own) || copy.scanner.selfClosing) {
      // An empty list: what it must hold is written, and its own tags, if it has any, go with it.
      copy.replace(copy.scanner.selfClosing ? this.wholeList(own) : this.openList(own));
      if (!copy.scanner.selfClosing) this.listBeingClosed = own;
      return;
    }
    if (copy.scanner.attribute(COUNT) >= 0) copy.changeTag({ count: String(this.size(own)) });
    this.listBeingClosed = own;
  }

  private close(copy: XmlCopy): void {
    const own = this.listBeingClosed;
    this.listBeingClosed = undefined;
    if (own !== undefined) copy.insertBefore(this.lists[own].slice(this.had[own]).join(''));
  }

  private wholeList(name: ListName): string {
    return `${this.openList(name)}${this.lists[name].join('')}</${this.prefix}${name}>`;
  }

  private openList(name: ListName): string {
    return `<${this.prefix}${name} count="${this.size(name)}">`;
  }

  private prefixed(text: string): string {
    const bare = text.startsWith(`<${this.prefix}`) && this.prefix !== '';
    return bare || this.prefix === '' ? text : text.replace(/<(\/?)/g, `<$1${this.prefix}`);
  }

  private bytesBetween(scanner: XmlScanner, start: number): string {
    return scanner.bytes.toString('utf8', start, scanner.position).replace(/^(?:\s|<!--[\s\S]*?-->)+/, '');
  }

  /** Gathers the lists and answers the prefix of the tags. */
  private read(): string {
    const scanner = new XmlScanner(this.bytes.length + 1);
    let list: ListName | undefined;
    let start = 0;
    let prefix = '';
    scanner.feed(this.bytes);
    for (let at = 0, token = scanner.next(); token !== NEED; at = scanner.position, token = scanner.next()) {
      const level = scanner.depth + (token === CLOSE || scanner.selfClosing ? 1 : 0);
      if (token !== OPEN && token !== CLOSE) continue;
      if (token === OPEN && level === 1) prefix = rootPrefix(scanner, at);
      if (level === 2) list = token === OPEN && !scanner.selfClosing ? CODES.get(scanner.code) : undefined;
      if (level !== 3 || list === undefined) continue;
      if (token === OPEN) start = at;
      if (token === CLOSE || scanner.selfClosing) this.lists[list].push(this.bytesBetween(scanner, start));
    }
    scanner.finish();
    return prefix;
  }
}
