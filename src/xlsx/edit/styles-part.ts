import { formatMeaning } from '../../core/codecs/decimal.ts';
import type { Tone } from '../../core/outcome-tones.ts';
import { MOST } from '../../files/limits.ts';
import type { CellMark } from '../../files/result-sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { BUILT_IN_IDS, builtInFormat, FIRST_OWN_FORMAT, numberKind } from '../number-formats.ts';
import { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, nameCode, OPEN } from '../xml/xml-scanner.ts';
import { attributeValue, decodeEscapes, decodeReferences } from '../xml/xml-text.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';

/** The lists of a styles part that may grow, in their order. */
const LISTS = ['numFmts', 'fonts', 'fills', 'cellXfs'] as const;
type ListName = (typeof LISTS)[number];

/** The order of parts around these lists, to place a missing one. */
const ORDER = ['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs'].map(nameCode);
const CODES = new Map(LISTS.map((name) => [nameCode(name), name]));

/** What a new list starts with. */
const FIRST: Readonly<Record<ListName, readonly string[]>> = {
  numFmts: [],
  fonts: ['<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>'],
  fills: [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ],
  cellXfs: ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
};

/** A styles part for a workbook without one. */
export const emptyStyles = (main: string): Buffer =>
  Buffer.from(
    `${DECLARATION}<styleSheet xmlns="${main}"><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs></styleSheet>`,
  );

const perList = <T>(make: () => T): Record<ListName, T> => ({
  ...{ numFmts: make(), fonts: make(), fills: make(), cellXfs: make() },
});

/** A styles part as lists of XML texts that can grow; old entries keep text and index. */
class StylePart {
  readonly lists = perList<string[]>(() => []);
  /** The lengths of the lists in the source. */
  private readonly had = perList(() => 0);
  private readonly numbers = perList(() => new Map<string, number>());
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

  /** The text of an entry, the first if there is none at that index. */
  text(list: ListName, index: number): string {
    return this.lists[list][index] ?? this.lists[list][0] ?? '';
  }

  /** The index of an entry, which is added if new; its tags get the prefix of the part. */
  add(list: ListName, text: string): number {
    const own = this.prefixed(text);
    const known = this.numbers[list].get(own);
    if (known !== undefined) return known;
    const index = this.lists[list].push(own) - 1;
    this.numbers[list].set(own, index);
    return index;
  }

  finish(): Buffer {
    const copy = XmlCopy.of(this.bytes);
    const missing = new Set(LISTS.filter((name) => this.had[name] === 0 && this.lists[name].length > 0));
    for (const token of copy.tokens()) {
      const { code, level } = copy.scanner;
      if (token === OPEN && level === 2) this.open(copy, code, missing);
      else if (token === CLOSE && level === 2) this.close(copy);
      else if (token === CLOSE && level === 1)
        for (const name of missing) copy.insertBefore(this.wholeList(name));
    }
    return Buffer.concat(copy.take(true));
  }

  private listBeingClosed: ListName | undefined;

  private open(copy: XmlCopy, code: number, missing: Set<ListName>): void {
    const own = CODES.get(code);
    const rank = ORDER.indexOf(code);
    for (const name of missing) {
      if (name === own || (rank >= 0 && ORDER.indexOf(nameCode(name)) > rank)) continue;
      copy.insertBefore(this.wholeList(name));
      missing.delete(name);
    }
    if (own === undefined) return;
    const { selfClosing } = copy.scanner;
    // An empty list is replaced.
    if (missing.delete(own) || selfClosing)
      copy.replace(selfClosing ? this.wholeList(own) : this.openList(own));
    else if (attributeValue(copy.scanner, 'count') !== undefined)
      copy.changeTag({ count: String(this.lists[own].length) });
    if (!selfClosing) this.listBeingClosed = own;
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
    return `<${this.prefix}${name} count="${this.lists[name].length}">`;
  }

  private prefixed(text: string): string {
    return text.startsWith(`<${this.prefix}`) ? text : text.replace(/<(\/?)/g, `<$1${this.prefix}`);
  }

  /** Reads the lists; returns the prefix of the tags. */
  private read(): string {
    const copy = XmlCopy.of(this.bytes);
    const { scanner } = copy;
    let list: ListName | undefined;
    let start = 0;
    for (const token of copy.tokens()) {
      const { level, selfClosing, position } = scanner;
      if (token !== OPEN && token !== CLOSE) continue;
      if (level === 2) list = token === OPEN && !selfClosing ? CODES.get(scanner.code) : undefined;
      if (level !== 3 || list === undefined) continue;
      if (token === OPEN) start = copy.before;
      const text =
        token === CLOSE || selfClosing ? scanner.bytes.toString('utf8', start, position) : undefined;
      if (text !== undefined) {
        this.lists[list].push(fromItsTag(text));
        if (this.lists[list].length > MOST.cellFormats) throw new DamagedPart(DAMAGE.longText);
      }
    }
    scanner.finish();
    return copy.prefix;
  }
}

/** An entry without the blanks, comments and instructions in front of it. */
function fromItsTag(text: string): string {
  for (let left = text.trimStart(); ; ) {
    const end = left.startsWith('<!--') ? '-->' : left.startsWith('<?') ? '?>' : undefined;
    if (end === undefined) return left;
    left = left.slice(left.indexOf(end) + end.length).trimStart();
  }
}

/** Background and text colour of each tone, one bit off the menu of Excel to tell ours from the user's. */
const TONES: Readonly<Record<Tone | CellMark['tone'], readonly [paper: string, ink: string]>> = {
  good: ['FFC6EFCF', 'FF006101'],
  plain: ['FFF2F2F3', 'FF404041'],
  warn: ['FFFFEB9D', 'FF7F6001'],
  bad: ['FFFFC7CF', 'FF9C0007'],
  change: ['FFDDEBF6', 'FF1F4E79'],
};

/** Kept as the background under a tint when there was none; nothing shows it behind a solid fill. */
const NO_PAPER = 'rgb="FFCA7E01"';
const TINTS = [TONES.warn, TONES.bad, TONES.change].map(([paper]) => paper);
const TINTED = new RegExp(`<(?:\\w+:)?fgColor rgb="(?:${TINTS.join('|')})"`);
/** The most formats that Excel takes. */
const MOST_FORMATS = 64_000;

/** The formats of a result, added to a styles part as they are needed; each method returns an index. */
export class RewriteStyles {
  /** Whether the workbook has tints of an earlier result. */
  readonly tinted: boolean;
  private readonly part: StylePart;
  private readonly known = new Map<string, number>();
  private readonly sourceFormats: number;

  /** Takes the styles part of a workbook. Throws DamagedPart. */
  constructor(bytes: Buffer) {
    this.part = new StylePart(bytes);
    this.sourceFormats = this.part.lists.cellXfs.length;
    this.tinted = this.part.lists.fills.some((fill) => TINTED.test(fill));
  }

  /** The styles part with all formats that were asked for. */
  finish(): Buffer {
    return this.part.finish();
  }

  /** A format of the user with another background. */
  tint(style: number, tone: CellMark['tone']): number {
    return this.once(`${tone} ${style}`, () => {
      const plain = this.plain(style);
      if (this.part.lists.cellXfs.length >= MOST_FORMATS) return plain;
      const xf = this.part.text('cellXfs', plain);
      const fill = this.part.add('fills', solid(rgb(TONES[tone][0]), paperBelow(this.fillOf(xf))));
      return this.part.add('cellXfs', withAttributes(xf, { fillId: String(fill), applyFill: '1' }));
    });
  }

  /** A format of the user without the background of an earlier result. */
  plain(style: number): number {
    if (!this.tinted || style >= this.sourceFormats) return style;
    return this.once(`plain ${style}`, () => {
      const xf = this.part.text('cellXfs', style);
      const fill = this.fillOf(xf);
      if (!TINTED.test(fill)) return style;
      const below = /<(?:\w+:)?bgColor ([^>]*?)\/>/.exec(fill)?.[1]?.trim() ?? NO_PAPER;
      const isNone = below === NO_PAPER || /indexed="6[45]"/.test(below);
      const restored = isNone ? 0 : this.part.add('fills', solid(below, 'indexed="64"'));
      return this.part.add('cellXfs', withAttributes(xf, { fillId: String(restored) }));
    });
  }

  /** A format of the user that shows a number as one: with a plain number format where its own does not. */
  asNumber(style: number): number {
    return this.once(`number ${style}`, () => {
      const xf = this.part.text('cellXfs', style);
      const code = this.codeOf(xf);
      const fits =
        numberKind(code) === 'number' && !code.includes('@') && formatMeaning(code).kind === 'plain';
      if (fits || this.part.lists.cellXfs.length >= MOST_FORMATS) return style;
      return this.part.add('cellXfs', withAttributes(xf, { numFmtId: '0', applyNumberFormat: '1' }));
    });
  }

  /** The code of the number format that a cell format has. */
  private codeOf(format: string): string {
    const id = /\snumFmtId=["'](\d+)/.exec(format)?.[1] ?? '0';
    const own = this.part.lists.numFmts.find((one) => new RegExp(`\\snumFmtId=["']${id}["']`).test(one));
    const code = own === undefined ? undefined : /\sformatCode=(?:"([^"]*)"|'([^']*)')/.exec(own);
    if (code == null) return builtInFormat(Number(id)) ?? '';
    return decodeEscapes(decodeReferences(code[1] ?? code[2] ?? ''));
  }

  /** The format of an added cell, by its index: the status is coloured, and sentences wrap. */
  added(index: number, wrap: boolean, tone: Tone): number {
    if (index === 0)
      return this.once(`status ${tone}`, () => {
        const [paper, ink] = TONES[tone];
        const font = this.font({ ink });
        return this.part.add('cellXfs', xf(font, this.part.add('fills', solid(rgb(paper), NO_PAPER)), ''));
      });
    return this.once(wrap ? 'wrapped' : 'text', () => this.part.add('cellXfs', xf(0, 0, wrap ? WRAP : '')));
  }

  /** The format of a cell with a number format code, in a part with no others. */
  shown(format: string): number {
    return this.once(`shown ${format}`, () => {
      const id = BUILT_IN_IDS[format] ?? FIRST_OWN_FORMAT + this.part.lists.numFmts.length;
      if (BUILT_IN_IDS[format] === undefined)
        this.part.add('numFmts', `<numFmt numFmtId="${id}" formatCode="${escapeXml(format)}"/>`);
      const plain = xf(0, 0, '').replace('numFmtId="0"', `numFmtId="${id}" applyNumberFormat="1"`);
      return id === 0 ? 0 : this.part.add('cellXfs', plain);
    });
  }

  /** The format of an added header without one of the user beside it. */
  header(): number {
    return this.once('header', () => this.part.add('cellXfs', xf(this.font({ bold: true }), 0, '')));
  }

  look(look: {
    readonly bold?: boolean;
    readonly size?: number;
    readonly tone?: Tone;
    readonly wrap?: boolean;
    readonly link?: boolean;
  }): number {
    return this.once(`look ${JSON.stringify(look)}`, () => {
      const fill =
        look.tone === undefined ? 0 : this.part.add('fills', solid(rgb(TONES[look.tone][0]), NO_PAPER));
      const font = this.font({ ...look, ...(look.link ? { ink: 'FF0563C1' } : {}) });
      return this.part.add('cellXfs', xf(font, fill, look.wrap ? LOOK_WRAP : LOOK));
    });
  }

  /** The first font of the workbook, changed. */
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

/** Words and numbers of the summary are aligned alike. */
const LOOK = '<alignment horizontal="left" vertical="top"/>';
const LOOK_WRAP = '<alignment horizontal="left" vertical="top" wrapText="1"/>';
const WRAP = '<alignment wrapText="1"/>';

function xf(font: number, fill: number, alignment: string): string {
  const start = `<xf numFmtId="0" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyFont="1"${fill > 0 ? ' applyFill="1"' : ''}`;
  return alignment === '' ? `${start}/>` : `${start} applyAlignment="1">${alignment}</xf>`;
}

const rgb = (colour: string): string => `rgb="${colour}"`;

const solid = (front: string, back: string): string =>
  `<fill><patternFill patternType="solid"><fgColor ${front}/><bgColor ${back}/></patternFill></fill>`;

/** The colour of a solid fill, for where nothing shows it. */
function paperBelow(fill: string): string {
  if (!/patternType="solid"/.test(fill)) return NO_PAPER;
  return /<(?:\w+:)?fgColor ([^>]*?)\/>/.exec(fill)?.[1]?.trim() ?? NO_PAPER;
}

/** Sets attributes of the first tag of an element. */
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
