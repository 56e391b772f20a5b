import { formatMeaning } from '../../core/codecs/decimal.ts';
import type { Tone } from '../../core/counts.ts';
import type { CellMark } from '../../files/result-sheet.ts';
import { builtInFormat, numberKind } from '../number-formats.ts';
import { fontXml, StyleSheet, solidFill } from '../style-sheet.ts';
import { decodeEscapes, decodeReferences } from '../xml/xml-scanner.ts';

/** The background of each tone, one bit off the menu of Excel to tell ours from the user's. */
const TONES: Readonly<Record<Tone | CellMark['tone'], string>> = {
  good: 'FFC6EFCF',
  plain: 'FFF2F2F3',
  warn: 'FFFFEB9D',
  bad: 'FFFFC7CF',
  change: 'FFDDEBF6',
};

/** Kept as the background under a tint when there was none; nothing shows it behind a solid fill. */
const NO_PAPER = 'rgb="FFCA7E01"';
const TINTS = [TONES.warn, TONES.bad, TONES.change].join('|');
const TINTED = new RegExp(`<(?:\\w+:)?fgColor rgb="(?:${TINTS})"`);
/** The most formats that Excel takes. */
const MOST_FORMATS = 64_000;

/** The formats of a result, added to a styles part as they are needed; each method returns an index. */
export class RewriteStyles {
  /** Whether the workbook has tints of an earlier result. */
  readonly tinted: boolean;
  private readonly part: StyleSheet;
  private readonly known = new Map<string, number>();
  private readonly sourceFormats: number;

  /** Takes the styles part of a workbook. Throws DamagedPart. */
  constructor(bytes: Buffer) {
    this.part = new StyleSheet(bytes);
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
      const fill = this.part.add('fills', solidFill(rgb(TONES[tone]), paperBelow(this.fillOf(xf))));
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
      const restored = isNone ? 0 : this.part.add('fills', solidFill(below));
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
    if (index > 0) return this.once(wrap ? 'wrapped' : 'text', () => this.part.cellFormat(wrap ? WRAP : {}));
    return this.once(`status ${tone}`, () =>
      this.part.cellFormat({ fill: solidFill(rgb(TONES[tone]), NO_PAPER) }),
    );
  }

  /** The format of a cell with a number format code, in a part with no others. */
  shown(format: string): number {
    return this.once(`shown ${format}`, () => (format === 'General' ? 0 : this.part.cellFormat({ format })));
  }

  /** The format of an added header without one of the user beside it. */
  header(): number {
    return this.once('header', () => this.part.cellFormat({ font: fontXml(11, BOLD) }));
  }

  look(look: {
    readonly bold?: boolean;
    readonly size?: number;
    readonly tone?: Tone;
    readonly wrap?: boolean;
    readonly link?: boolean;
  }): number {
    return this.once(`look ${JSON.stringify(look)}`, () => {
      const { tone, size = 11, bold, link } = look;
      const fill = tone === undefined ? {} : { fill: solidFill(rgb(TONES[tone]), NO_PAPER) };
      const font = fontXml(size, bold ? BOLD : '', link ? 'FF0563C1' : undefined);
      return this.part.cellFormat({ ...fill, font, alignment: look.wrap ? LOOK_WRAP : LOOK });
    });
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
const WRAP = { alignment: '<alignment wrapText="1"/>' };

const BOLD = '<b/>';
const rgb = (colour: string): string => `rgb="${colour}"`;

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
