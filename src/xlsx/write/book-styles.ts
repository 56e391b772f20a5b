import { formatMeaning } from '../../core/codecs/decimal.ts';
import type { Tone } from '../../core/counts.ts';
import type { CellMark } from '../../files/result-sheet.ts';
import { builtInFormat, numberKind, TEXT_FORMAT } from '../numbers-and-dates.ts';
import { type CellFormat, emptyStyles, fontXml, StyleSheet, solidFill } from '../style-sheet.ts';
import { decodeEscapes, decodeReferences } from '../xml/xml-scanner.ts';
import { MAIN_NAMESPACE } from '../xml/xml-write.ts';

/** Background and text colour of a header by the role of its column. */
const HEADER_COLOURS = {
  required: ['FF1F6F54', 'FFFFFFFF'],
  key: ['FF24507A', 'FFFFFFFF'],
  mark: ['FF595959', 'FFFFFFFF'],
  optional: ['FFDCE6F1', 'FF1F2937'],
  shown: ['FFEDEDED', 'FF595959'],
} as const satisfies Readonly<Record<string, readonly [paper: string, ink: string]>>;

/** What a column is to an import, which colours its header; `shown` is one that it skips. */
export type ColumnRole = keyof typeof HEADER_COLOURS;

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

const [GREEN] = HEADER_COLOURS.required;
const [BLUE] = HEADER_COLOURS.key;
const GREY = 'FF595959';

const BOLD = fontXml(11, '<b/>');
const HEAD = fontXml(11, '<b/>', 'FFFFFFFF');

const solid = (paper: string): string => solidFill(`rgb="${paper}"`);

const borders = (right: string, top: string, bottom: string): string =>
  `<border><left/>${right || '<right/>'}${top || '<top/>'}${bottom || '<bottom/>'}<diagonal/></border>`;
const thin = (side: 'right' | 'top' | 'bottom', ink: string): string =>
  `<${side} style="thin"><color rgb="${ink}"/></${side}>`;
const HEADER_BORDER = borders(thin('right', 'FFFFFFFF'), '', thin('bottom', 'FF7F7F7F'));
const RULED = borders('', '', thin('bottom', 'FFE3E7EB'));
const TOTAL = borders('', thin('top', GREEN), '');

const alignment = '<alignment horizontal="left" vertical="center"/>';
const right = '<alignment horizontal="right" vertical="center"/>';

/** The looks of headers by the role of their columns. */
const HEADER_LOOKS = Object.fromEntries(
  Object.entries(HEADER_COLOURS).map(([role, [paper, ink]]) => [
    role,
    {
      ...{ font: fontXml(11, '<b/>', ink), fill: solid(paper), border: HEADER_BORDER },
      alignment: '<alignment horizontal="left" vertical="center" indent="1"/>',
    },
  ]),
) as Readonly<Record<ColumnRole, CellFormat>>;

/** Looks as parts of a style sheet, in XML. */
const LOOKS = {
  ...HEADER_LOOKS,
  title: { font: fontXml(20, '<b/>', GREEN), alignment },
  subtitle: { font: fontXml(11, '', GREY), alignment },
  heading: { font: fontXml(13, '<b/>', BLUE), border: borders('', '', thin('bottom', BLUE)), alignment },
  head: { font: HEAD, fill: solid(GREEN), alignment },
  'figure-head': {
    ...{ font: HEAD, fill: solid(GREEN) },
    alignment: '<alignment horizontal="right" vertical="center" wrapText="1"/>',
  },
  label: { border: RULED, alignment },
  muted: { font: fontXml(9, '', 'FF8A8F94'), alignment },
  figure: { border: RULED, alignment: right },
  'total-label': { font: BOLD, border: TOTAL, alignment },
  total: { font: BOLD, border: TOTAL, alignment: right },
  sentence: { alignment: '<alignment horizontal="left" vertical="top" wrapText="1"/>' },
  term: { font: BOLD, alignment: '<alignment horizontal="left" vertical="top" wrapText="1"/>' },
  message: { alignment: '<alignment wrapText="1"/>' },
  /** Words and numbers of the summary are aligned alike. */
  left: { alignment: '<alignment horizontal="left" vertical="top"/>' },
  link: { font: fontXml(11, '', 'FF0563C1'), alignment },
  good: { fill: solid(TONES.good) },
  plain: { fill: solid(TONES.plain) },
  warn: { fill: solid(TONES.warn) },
  bad: { fill: solid(TONES.bad) },
  bare: {},
  /** Of a column to fill in with long texts. */
  wrapped: { alignment: '<alignment horizontal="left" vertical="top" wrapText="1" indent="1"/>' },
} as const satisfies Readonly<Record<string, CellFormat>>;

/** The look of a cell. */
export type PageLook = keyof typeof LOOKS;

/** The formats of a workbook, in its styles part, added as they are needed; each method returns an index. */
export class BookStyles {
  /** Whether the workbook has tints of an earlier result. */
  readonly tinted: boolean;
  private readonly part: StyleSheet;
  private readonly looks: Partial<Record<PageLook | 'none', Map<string, number>>> = {};
  /** What became of formats of the user. */
  private readonly known = new Map<string, number>();
  private readonly sourceFormats: number;

  /** Takes the styles part of a workbook. Throws DamagedPart. */
  constructor(bytes: Buffer = emptyStyles(MAIN_NAMESPACE)) {
    this.part = new StyleSheet(bytes);
    this.sourceFormats = this.part.lists.cellXfs.length;
    this.tinted = this.part.lists.fills.some((fill) => TINTED.test(fill));
  }

  /** The styles part with all formats that were asked for. */
  finish(): Buffer {
    return this.part.finish();
  }

  /** A cell with a number format, and perhaps a look. */
  cell(format: string, look: PageLook | null = null): number {
    const known = this.looks[look ?? 'none'] ?? new Map<string, number>();
    this.looks[look ?? 'none'] = known;
    let made = known.get(format);
    if (made === undefined) {
      made = this.part.cellFormat({ format, ...(look === null ? indented(format) : LOOKS[look]) });
      known.set(format, made);
    }
    return made;
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

/** Numbers and dates are right-aligned by default; others are indented. */
const indented = (format: string) =>
  format === 'General' || format === TEXT_FORMAT
    ? { alignment: '<alignment horizontal="left" indent="1"/>' }
    : {};

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
