import type { Borders, Fill, Font, Style } from 'exceljs';
import type { Language } from '../../core/language.ts';
import { DAY_FORMAT, MOMENT_FORMAT } from '../../core/shown-moment.ts';
import { BUILT_IN_IDS, FIRST_OWN_FORMAT } from '../number-formats.ts';
import { MAIN_NAMESPACE } from '../ooxml-names.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';

/** The role of a column to fill in, which colours its header. */
export type ColumnRole = 'required' | 'key' | 'mark' | 'optional';

/** Background and text colour of a header by the role of its column. */
const HEADER_COLOURS: Readonly<Record<ColumnRole | WrittenRole, readonly [paper: string, ink: string]>> = {
  required: ['FF1F6F54', 'FFFFFFFF'],
  key: ['FF24507A', 'FFFFFFFF'],
  mark: ['FF595959', 'FFFFFFFF'],
  optional: ['FFDCE6F1', 'FF1F2937'],
  shown: ['FFEDEDED', 'FF595959'],
};

const FONT: Partial<Font> = { name: 'Calibri', size: 11, family: 2 };
const fill = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });
const bottomLine = (argb: string): Partial<Borders> => ({ bottom: { style: 'thin', color: { argb } } });

/** The style of a header by the role of its column. */
export function headerStyle(role: ColumnRole): Partial<Style> {
  const [paper, ink] = HEADER_COLOURS[role];
  return {
    font: { ...FONT, bold: true, color: { argb: ink } },
    fill: fill(paper),
    border: { ...bottomLine('FF7F7F7F'), right: { style: 'thin', color: { argb: 'FFFFFFFF' } } },
    alignment: { vertical: 'middle', horizontal: 'left', indent: 1 },
  };
}

/** The style of the cells of a column to fill in. */
export function columnStyle(format: string, wraps: boolean): Partial<Style> {
  // Numbers and dates are right-aligned by default.
  const left = format === '@' || format === 'General';
  const alignment = {
    vertical: 'top',
    ...(left ? ({ horizontal: 'left', indent: 1 } as const) : {}),
    ...(wraps ? { wrapText: true } : {}),
  } as const;
  return format === 'General' ? { alignment } : { numFmt: format, alignment };
}

/** The styles of the guide sheet. */
export const GUIDE_STYLES = {
  title: {
    font: { ...FONT, size: 20, bold: true, color: { argb: 'FF1F6F54' } },
    alignment: { vertical: 'middle' },
  },
  lead: { font: { ...FONT, size: 12 }, alignment: { vertical: 'top', wrapText: true } },
  heading: {
    font: { ...FONT, size: 14, bold: true, color: { argb: 'FF24507A' } },
    border: bottomLine('FF24507A'),
    alignment: { vertical: 'bottom' },
  },
  term: { font: { ...FONT, bold: true }, alignment: { vertical: 'middle', wrapText: true } },
  text: { font: FONT, alignment: { vertical: 'middle', wrapText: true, indent: 1 } },
  cell: { font: FONT, border: bottomLine('FFD0D7DE'), alignment: { vertical: 'top', wrapText: true } },
  name: {
    font: { ...FONT, bold: true },
    border: bottomLine('FFD0D7DE'),
    alignment: { vertical: 'top', wrapText: true },
  },
} as const satisfies Readonly<Record<string, Partial<Style>>>;

const [GREEN] = HEADER_COLOURS.required;
const [BLUE] = HEADER_COLOURS.key;
const GREY = 'FF595959';

const font = (size: number, marks = '', ink?: string): string =>
  `<font>${marks}<sz val="${size}"/>${ink === undefined ? '' : `<color rgb="${ink}"/>`}<name val="Calibri"/><family val="2"/></font>`;
const PLAIN = font(11);
const BOLD = font(11, '<b/>');
const HEAD = font(11, '<b/>', 'FFFFFFFF');

const NO_FILL = '<fill><patternFill patternType="none"/></fill>';
const GRAY_FILL = '<fill><patternFill patternType="gray125"/></fill>';
const solid = (paper: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${paper}"/><bgColor indexed="64"/></patternFill></fill>`;

const borders = (right: string, top: string, bottom: string): string =>
  `<border><left/>${right || '<right/>'}${top || '<top/>'}${bottom || '<bottom/>'}<diagonal/></border>`;
const thin = (side: 'right' | 'top' | 'bottom', ink: string): string =>
  `<${side} style="thin"><color rgb="${ink}"/></${side}>`;
const NO_BORDER = borders('', '', '');
const HEADER_BORDER = borders(thin('right', 'FFFFFFFF'), '', thin('bottom', 'FF7F7F7F'));
const RULED = borders('', '', thin('bottom', 'FFE3E7EB'));
const TOTAL = borders('', thin('top', GREEN), '');

const left = '<alignment horizontal="left" vertical="center"/>';
const right = '<alignment horizontal="right" vertical="center"/>';

/** A look as parts of a style sheet, in XML. */
const look = (font: string, { fill = NO_FILL, border = NO_BORDER, alignment = left } = {}) => ({
  ...{ font, fill, border, alignment },
});

const PAGE_LOOKS = {
  title: look(font(20, '<b/>', GREEN)),
  subtitle: look(font(11, '', GREY)),
  heading: look(font(13, '<b/>', BLUE), { border: borders('', '', thin('bottom', BLUE)) }),
  head: look(HEAD, { fill: solid(GREEN) }),
  'figure-head': look(HEAD, {
    fill: solid(GREEN),
    alignment: '<alignment horizontal="right" vertical="center" wrapText="1"/>',
  }),
  label: look(PLAIN, { border: RULED }),
  muted: look(font(9, '', 'FF8A8F94')),
  figure: look(PLAIN, { border: RULED, alignment: right }),
  strong: look(BOLD, { border: RULED, alignment: right }),
  'total-label': look(BOLD, { border: TOTAL }),
  total: look(BOLD, { border: TOTAL, alignment: right }),
  sentence: look(PLAIN, { alignment: '<alignment horizontal="left" vertical="top" wrapText="1"/>' }),
} as const;

/** The look of a cell on a page. */
export type PageLook = keyof typeof PAGE_LOOKS;
const LOOK_NAMES = Object.keys(PAGE_LOOKS) as PageLook[];

const ROLES = ['required', 'key', 'optional', 'shown'] as const;
/** What a column is to an import; `shown` is one that it skips. */
export type WrittenRole = (typeof ROLES)[number];

/** The format of texts: programs then make no number or date of one. */
export const TEXT_FORMAT = '@';

/** The styles of a workbook: one for each role of header, number format and look asked for. */
export class BookStyles {
  /** The formats of a day and of a moment. */
  readonly day: string;
  readonly moment: string;
  /** `look` is null for the cells of a table. */
  private readonly cells: { readonly format: string; readonly look: PageLook | null }[] = [];

  constructor(language: Language = 'nl') {
    this.day = DAY_FORMAT[language];
    this.moment = MOMENT_FORMAT[language];
  }

  /** The index of the style with a format, and on a page a look. */
  cell(format: string, look: PageLook | null = null): number {
    const at = this.cells.findIndex((one) => one.format === format && one.look === look);
    return 1 + ROLES.length + (at < 0 ? this.cells.push({ format, look }) - 1 : at);
  }

  header(role: WrittenRole): number {
    return 1 + ROLES.indexOf(role);
  }

  part(): string {
    const asked = new Set(this.cells.map(({ format }) => format));
    const own = [...asked].filter((format) => BUILT_IN_IDS[format] === undefined);
    const numberOf = (format: string): number =>
      BUILT_IN_IDS[format] ?? FIRST_OWN_FORMAT + own.indexOf(format);
    const formats = own.map(
      (code) => `<numFmt numFmtId="${numberOf(code)}" formatCode="${escapeXml(code)}"/>`,
    );
    const fonts = ROLES.map((role) => font(11, '<b/>', HEADER_COLOURS[role][1]));
    const fills = ROLES.map((role) => solid(HEADER_COLOURS[role][0]));
    const headers = ROLES.map(
      (_, at) =>
        `<xf numFmtId="49" fontId="${at + 1}" fillId="${at + 2}" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment horizontal="left" vertical="center" indent="1"/></xf>`,
    );
    const cells = this.cells.map(({ format, look }) =>
      look === null
        ? `<xf numFmtId="${numberOf(format)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${alignment(format)}`
        : pageCell(numberOf(format), look),
    );
    // Without pages their looks are left out.
    const looks = this.cells.some(({ look }) => look !== null) ? Object.values(PAGE_LOOKS) : [];
    return [
      `${DECLARATION}<styleSheet xmlns="${MAIN_NAMESPACE}">`,
      own.length === 0 ? '' : list('numFmts', formats),
      list('fonts', [PLAIN, ...fonts, ...looks.map(({ font }) => font)]),
      list('fills', [NO_FILL, GRAY_FILL, ...fills, ...looks.map(({ fill }) => fill)]),
      list('borders', [NO_BORDER, HEADER_BORDER, ...looks.map(({ border }) => border)]),
      list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
      list('cellXfs', [
        '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
        ...headers,
        ...cells,
      ]),
      list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
      '</styleSheet>',
    ].join('');
  }
}

/** What stands before the looks in the lists. */
const BEFORE = { fonts: 1 + ROLES.length, fills: 2 + ROLES.length, borders: 2 } as const;

function pageCell(numFmtId: number, look: PageLook): string {
  const at = LOOK_NAMES.indexOf(look);
  const parts = `fontId="${BEFORE.fonts + at}" fillId="${BEFORE.fills + at}" borderId="${BEFORE.borders + at}"`;
  return `<xf numFmtId="${numFmtId}" ${parts} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${PAGE_LOOKS[look].alignment}</xf>`;
}

/** Numbers and dates are right-aligned by default; others are indented. */
const alignment = (format: string): string =>
  format === 'General' || format === TEXT_FORMAT
    ? ' applyAlignment="1"><alignment horizontal="left" indent="1"/></xf>'
    : '/>';

const list = (name: string, items: readonly string[]): string =>
  `<${name} count="${items.length}">${items.join('')}</${name}>`;
