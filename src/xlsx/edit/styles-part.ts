import { outputMark } from '../../core/header.ts';
import type { MarkTone, Tone } from '../../files/result-sheet.ts';
import { BUILT_IN_IDS, FIRST_OWN_FORMAT } from '../number-formats.ts';
import { rootPrefix, XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import { NO_PAPER as NO_PAPER_COLOUR, TONES } from './tone-colours.ts';

/** The lists of a styles part in which something may be added, in the order in which they stand. */
const LISTS = ['numFmts', 'fonts', 'fills', 'cellXfs'] as const;
type ListName = (typeof LISTS)[number];

/**
 * What stands in a styles part before those lists and between them, so that a missing one finds its place.
 */
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

/**
 * A styles part as lists of XML texts, to which some are added; what is there keeps its text and its number.
 */
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

  /**
   * The number of an entry with this text, which is added when there is none yet. Tags that lack the part's
   * prefix are given it.
   */
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

/** Stands where the paper under a tint is kept, when there was none. */
const NO_PAPER = `rgb="${NO_PAPER_COLOUR}"`;
const TINTS = [TONES.warn, TONES.bad, TONES.change].map(([paper]) => paper);
const TINTED = new RegExp(`<(?:\\w+:)?fgColor rgb="(?:${TINTS.join('|')})"`);
/** Excel refuses a workbook with more formats than this. */
const MOST_FORMATS = 64_000;

/**
 * The ink of a status in a row that was hidden before: one bit apart from the usual, so that the row is known
 * when the result comes back.
 */
const marked = (ink: string): string =>
  ((Number.parseInt(ink, 16) ^ 2) >>> 0).toString(16).toUpperCase().padStart(8, '0');
const MARKED = new RegExp(
  `<(?:\\w+:)?color rgb="(?:${Object.values(TONES)
    .map(([, ink]) => marked(ink))
    .join('|')})"`,
);

/** Added columns whose texts are sentences. */
const WRAPPED: ReadonlySet<string> = new Set(['#message', '#changes']);

/** Hands out the formats of a result as numbers of a styles part, to which they are added. */
export class RewriteStyles {
  /** Whether some cell may still be tinted by an earlier result. */
  readonly tinted: boolean;
  private readonly part: StylePart;
  private readonly known = new Map<string, number>();
  private readonly marked = new Map<number, boolean>();
  private readonly sourceFormats: number;

  constructor(part: StylePart) {
    this.part = part;
    this.sourceFormats = part.size('cellXfs');
    this.tinted = Array.from({ length: part.size('fills') }, (_, at) => part.text('fills', at)).some((fill) =>
      TINTED.test(fill),
    );
  }

  /** The user's own format with other paper under it. */
  tint(style: number, tone: MarkTone): number {
    return this.once(`${tone} ${style}`, () => {
      const plain = this.plain(style);
      if (this.part.size('cellXfs') >= MOST_FORMATS) return plain;
      const xf = this.part.text('cellXfs', plain);
      const fill = this.part.add('fills', solid(TONES[tone][0], paperBelow(this.fillOf(xf))));
      return this.part.add('cellXfs', withAttributes(xf, { fillId: String(fill), applyFill: '1' }));
    });
  }

  /** The user's own format without the paper that an earlier result put under it. */
  plain(style: number): number {
    if (!this.tinted || style >= this.sourceFormats) return style;
    return this.once(`plain ${style}`, () => {
      const xf = this.part.text('cellXfs', style);
      const fill = this.fillOf(xf);
      if (!TINTED.test(fill)) return style;
      const below = /<(?:\w+:)?bgColor ([^>]*?)\/>/.exec(fill)?.[1]?.trim() ?? NO_PAPER;
      const restored =
        below === NO_PAPER || /indexed="6[45]"/.test(below)
          ? 0
          : this.part.add('fills', solidXml(below, 'indexed="64"'));
      return this.part.add('cellXfs', withAttributes(xf, { fillId: String(restored) }));
    });
  }

  /**
   * The format of an added cell, by its header's place and name: the status is coloured, in a row that was
   * hidden before in an ink of its own; sentences are wrapped.
   */
  added(index: number, header: string, tone: Tone, wasHidden = false): number {
    if (index === 0) return this.once(`status ${tone} ${wasHidden}`, () => this.status(tone, wasHidden));
    const wrap = WRAPPED.has(outputMark(header) ?? header);
    return this.once(wrap ? 'wrapped' : 'text', () => this.part.add('cellXfs', xf(0, 0, wrap ? WRAP : '')));
  }

  /**
   * The format of a cell that is shown by a number format code, in a part that knows no others of its own.
   */
  shown(format: string): number {
    return this.once(`shown ${format}`, () => {
      const own = (): number => {
        const id = FIRST_OWN_FORMAT + this.part.size('numFmts');
        this.part.add('numFmts', `<numFmt numFmtId="${id}" formatCode="${escapeXml(format)}"/>`);
        return id;
      };
      const id = BUILT_IN_IDS[format] ?? own();
      const plain = xf(0, 0, '').replace('numFmtId="0"', `numFmtId="${id}" applyNumberFormat="1"`);
      return id === 0 ? 0 : this.part.add('cellXfs', plain);
    });
  }

  /** The format of an added header, where no header of the user's own is beside it. */
  header(): number {
    return this.once('header', () => this.part.add('cellXfs', xf(this.font({ bold: true }), 0, '')));
  }

  /** A format of the summary. */
  look(look: {
    readonly bold?: boolean;
    readonly size?: number;
    readonly tone?: Tone;
    readonly wrap?: boolean;
    readonly link?: boolean;
  }): number {
    return this.once(`look ${JSON.stringify(look)}`, () => {
      const fill = look.tone === undefined ? 0 : this.part.add('fills', solid(TONES[look.tone][0], NO_PAPER));
      const font = this.font({ ...look, ...(look.link ? { ink: 'FF0563C1' } : {}) });
      return this.part.add('cellXfs', xf(font, fill, look.wrap ? LOOK_WRAP : LOOK));
    });
  }

  /** Whether a format is that of a status in a row that an earlier result found hidden. */
  isMarked(style: number): boolean {
    if (style === 0 || style >= this.sourceFormats) return false;
    const found = this.marked.get(style);
    if (found !== undefined) return found;
    const font = Number(/\sfontId=["'](\d+)/.exec(this.part.text('cellXfs', style))?.[1] ?? 0);
    const isMarked = MARKED.test(this.part.text('fonts', font));
    this.marked.set(style, isMarked);
    return isMarked;
  }

  private status(tone: Tone, wasHidden: boolean): number {
    const [paper, usual] = TONES[tone];
    const ink = wasHidden ? marked(usual) : usual;
    const fill = this.part.add('fills', solid(paper, NO_PAPER));
    return this.part.add('cellXfs', xf(this.font({ ink }), fill, ''));
  }

  /** The workbook's own first font, changed. */
  private font({ ink, bold, size }: { ink?: string; bold?: boolean; size?: number }): number {
    let font = this.part
      .text('fonts', 0)
      .replace(/\/>$/, (end, _at: number, all: string) =>
        all.indexOf('<', 1) < 0 ? `></${/^<([^\s/>]+)/.exec(all)?.[1] ?? 'font'}>` : end,
      );
    const prefix = /^<(\w+:)?/.exec(font)?.[1] ?? '';
    const put = (xml: string) => {
      font = font.replace(/<\/[^>]+>$/, (end) => `${xml}${end}`);
    };
    if (ink !== undefined) {
      font = font.replace(/<(?:\w+:)?color\b[^>]*\/>/, '');
      put(`<${prefix}color rgb="${ink}"/>`);
    }
    if (size !== undefined) {
      font = font.replace(/<(?:\w+:)?sz\b[^>]*\/>/, '');
      put(`<${prefix}sz val="${size}"/>`);
    }
    if (bold && !/<(?:\w+:)?b\s*\/>/.test(font))
      font = font.replace(/^<[^>]*>/, (start) => `${start}<${prefix}b/>`);
    return this.part.add('fonts', font);
  }

  private fillOf(format: string): string {
    return this.part.text('fills', Number(/\sfillId=["'](\d+)/.exec(format)?.[1] ?? 0));
  }

  private once(key: string, make: () => number): number {
    let made = this.known.get(key);
    if (made === undefined) {
      made = make();
      this.known.set(key, made);
    }
    return made;
  }
}

/** In the summary words and numbers stand at the left and the top. */
const LOOK = '<alignment horizontal="left" vertical="top"/>';
const LOOK_WRAP = '<alignment horizontal="left" vertical="top" wrapText="1"/>';
const WRAP = '<alignment wrapText="1"/>';

function xf(font: number, fill: number, alignment: string): string {
  const start = `<xf numFmtId="0" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyFont="1"${fill > 0 ? ' applyFill="1"' : ''}`;
  return alignment === '' ? `${start}/>` : `${start} applyAlignment="1">${alignment}</xf>`;
}

function solid(paper: string, below: string): string {
  return solidXml(`rgb="${paper}"`, below);
}

function solidXml(front: string, back: string): string {
  return `<fill><patternFill patternType="solid"><fgColor ${front}/><bgColor ${back}/></patternFill></fill>`;
}

/** The colour of a solid fill, in a place where nothing shows it. */
function paperBelow(fill: string): string {
  if (!/patternType="solid"/.test(fill)) return NO_PAPER;
  return /<(?:\w+:)?fgColor ([^>]*?)\/>/.exec(fill)?.[1]?.trim() ?? NO_PAPER;
}

/** An element's text with other values for attributes of its first tag. */
function withAttributes(xml: string, attributes: Readonly<Record<string, string>>): string {
  const tag = /^<[^>]*>/.exec(xml)?.[0] ?? '';
  let changed = tag;
  for (const [name, value] of Object.entries(attributes)) {
    const found = new RegExp(`(\\s${name}=)(?:"[^"]*"|'[^']*')`);
    changed = found.test(changed)
      ? changed.replace(found, `$1"${value}"`)
      : changed.replace(/\s*\/?>$/, (end) => ` ${name}="${value}"${end.trim()}`);
  }
  return changed + xml.slice(tag.length);
}
