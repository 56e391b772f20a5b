import { MOST } from '../files/limits.ts';
import { DAMAGE, DamagedPart } from './damage.ts';
import { BUILT_IN_IDS, FIRST_OWN_FORMAT } from './numbers-and-dates.ts';
import { CLOSE, nameCode, OPEN } from './xml/xml-scanner.ts';
import { DECLARATION, escapeXml, XmlCopy } from './xml/xml-write.ts';

/** The lists of a styles part that may grow, in their order. */
const LISTS = ['numFmts', 'fonts', 'fills', 'borders', 'cellXfs'] as const;
type ListName = (typeof LISTS)[number];

const CODES = new Map(LISTS.map((name) => [nameCode(name), name]));

/** A styles part for a workbook without one. */
export const emptyStyles = (main: string): Buffer =>
  Buffer.from(
    [
      `${DECLARATION}<styleSheet xmlns="${main}">`,
      '<fonts><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
      '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
      '<borders><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
      '<cellXfs><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellXfs></styleSheet>',
    ].join(''),
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
  /** The lengths of the lists in the source; undefined for one that it lacks. */
  private readonly had = perList((): number | undefined => undefined);
  private readonly numbers = perList(() => new Map<string, number>());
  private readonly formats = new Map<string, number>();
  private readonly bytes: Buffer;
  private readonly prefix: string;

  /** Throws DamagedPart, also where a list is missing that every program writes. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.prefix = this.read();
    for (const name of LISTS) {
      if (this.had[name] !== undefined) this.had[name] = this.lists[name].length;
      if (name !== 'numFmts' && this.lists[name].length === 0) throw new DamagedPart(DAMAGE.oddXml);
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
    const { had, lists } = this;
    let list: ListName | undefined;
    for (const token of copy.tokens()) {
      const { code, level, selfClosing } = copy.scanner;
      if (token === OPEN && level === 1) {
        // The first of all lists.
        if (had.numFmts === undefined && lists.numFmts.length > 0)
          copy.insertBehind(this.wholeList('numFmts'));
      } else if (token === OPEN && level === 2) {
        list = CODES.get(code);
        if (list !== undefined && selfClosing) copy.replace(this.wholeList(list));
        else if (list !== undefined) copy.changeTag({ count: String(lists[list].length) });
      } else if (token === CLOSE && level === 2 && list !== undefined)
        copy.insertBefore(lists[list].slice(had[list]).join(''));
    }
    return Buffer.concat(copy.take(true));
  }

  private wholeList(name: ListName): string {
    const { prefix, lists } = this;
    return `<${prefix}${name} count="${lists[name].length}">${lists[name].join('')}</${prefix}${name}>`;
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
      if (level === 2) list = token === OPEN ? CODES.get(scanner.code) : undefined;
      if (level === 2 && list !== undefined) this.had[list] = 0;
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
