import { MOST } from '../files/limits.ts';
import { DAMAGE, DamagedPart } from './damage.ts';
import { BUILT_IN_IDS, FIRST_OWN_FORMAT } from './number-formats.ts';
import { attributeValue, CLOSE, nameCode, OPEN } from './xml/xml-scanner.ts';
import { DECLARATION, escapeXml, XmlCopy } from './xml/xml-write.ts';

/** The lists of a styles part that may grow, in their order. */
const LISTS = ['numFmts', 'fonts', 'fills', 'borders', 'cellXfs'] as const;
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
  borders: ['<border/>'],
  cellXfs: ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
};

/** A styles part for a workbook without one. */
export const emptyStyles = (main: string): Buffer =>
  Buffer.from(
    `${DECLARATION}<styleSheet xmlns="${main}"><cellStyleXfs count="1"><xf/></cellStyleXfs></styleSheet>`,
  );

/** What a cell format is made of, in XML; what is absent is as in a cell without one. */
export interface CellFormat {
  /** The code of its number format. */
  readonly format?: string | undefined;
  readonly font?: string;
  readonly fill?: string;
  readonly border?: string;
  readonly alignment?: string;
}

const perList = <T>(make: () => T): Record<ListName, T> => ({
  ...{ numFmts: make(), fonts: make(), fills: make(), borders: make(), cellXfs: make() },
});

/** A styles part as lists of XML texts that can grow; old entries keep text and index. */
export class StyleSheet {
  readonly lists = perList<string[]>(() => []);
  /** The lengths of the lists in the source. */
  private readonly had = perList(() => 0);
  private readonly numbers = perList(() => new Map<string, number>());
  private readonly formats = new Map<string, number>();
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

  /** The index of a cell format, which is added if new. */
  cellFormat({ format = 'General', font, fill, border, alignment }: CellFormat): number {
    const at = (list: 'fonts' | 'fills' | 'borders', xml: string | undefined): number =>
      xml === undefined ? 0 : this.add(list, xml);
    const ids = `numFmtId="${this.numberFormat(format)}" fontId="${at('fonts', font)}" fillId="${at('fills', fill)}" borderId="${at('borders', border)}"`;
    const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"';
    const start = `<xf ${ids} xfId="0" ${applied}`;
    return this.add(
      'cellXfs',
      alignment === undefined ? `${start}/>` : `${start} applyAlignment="1">${alignment}</xf>`,
    );
  }

  /** The id of a number format, in a part with no others than those of here. */
  private numberFormat(code: string): number {
    const known = BUILT_IN_IDS[code] ?? this.formats.get(code);
    if (known !== undefined) return known;
    const id = FIRST_OWN_FORMAT + this.lists.numFmts.length;
    this.formats.set(code, id);
    this.add('numFmts', `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`);
    return id;
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

/** A font by its size in points, with marks such as `<b/>`. */
export const fontXml = (size: number, marks = '', ink?: string): string =>
  `<font>${marks}<sz val="${size}"/>${ink === undefined ? '' : `<color rgb="${ink}"/>`}<name val="Calibri"/><family val="2"/></font>`;

/** A fill of one colour; `back` is behind it, where nothing shows it. */
export const solidFill = (front: string, back = 'indexed="64"'): string =>
  `<fill><patternFill patternType="solid"><fgColor ${front}/><bgColor ${back}/></patternFill></fill>`;
