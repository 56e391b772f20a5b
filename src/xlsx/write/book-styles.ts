import type { Borders, Fill, Font, Style } from 'exceljs';
import { BUILT_IN_IDS, FIRST_OWN_FORMAT } from '../number-formats.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import type { ColumnRole } from './template-book.ts';
import type { PageLook, WrittenRole } from './written-book.ts';

/** Paper and ink of a header, by what its column is. */
const HEADER_COLOURS: Readonly<Record<ColumnRole, readonly [paper: string, ink: string]>> = {
  required: ['FF1F6F54', 'FFFFFFFF'],
  key: ['FF24507A', 'FFFFFFFF'],
  mark: ['FF595959', 'FFFFFFFF'],
  optional: ['FFDCE6F1', 'FF1F2937'],
};

const FONT: Partial<Font> = { name: 'Calibri', size: 11, family: 2 };
const fill = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });
const bottomLine = (argb: string): Partial<Borders> => ({ bottom: { style: 'thin', color: { argb } } });

/** A header, by what its column is. */
export function headerStyle(role: ColumnRole): Partial<Style> {
  const [paper, ink] = HEADER_COLOURS[role];
  return {
    font: { ...FONT, bold: true, color: { argb: ink } },
    fill: fill(paper),
    border: { ...bottomLine('FF7F7F7F'), right: { style: 'thin', color: { argb: 'FFFFFFFF' } } },
    alignment: { vertical: 'middle', horizontal: 'left', indent: 1 },
  };
}

/** The cells of a column that is filled in. */
export function columnStyle(format: string, wraps: boolean): Partial<Style> {
  // Numbers and dates stand at the right, by themselves.
  const left = format === '@' || format === 'General';
  const alignment = {
    vertical: 'top',
    ...(left ? ({ horizontal: 'left', indent: 1 } as const) : {}),
    ...(wraps ? { wrapText: true } : {}),
  } as const;
  return format === 'General' ? { alignment } : { numFmt: format, alignment };
}

/** The texts of the guide. */
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

/** How one look is drawn: parts of a style sheet, as XML. */
interface LookStyle {
  readonly font: string;
  readonly fill: string;
  readonly border: string;
  readonly alignment: string;
}

const [GREEN] = HEADER_COLOURS.required;
const [BLUE] = HEADER_COLOURS.key;
const GREY = 'FF595959';

const font = (size: number, marks = '', ink?: string): string =>
  `<font>${marks}<sz val="${size}"/>${ink === undefined ? '' : `<color rgb="${ink}"/>`}<name val="Calibri"/><family val="2"/></font>`;
const PLAIN = font(11);
const BOLD = font(11, '<b/>');

const NO_FILL = '<fill><patternFill patternType="none"/></fill>';
const solid = (paper: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${paper}"/><bgColor indexed="64"/></patternFill></fill>`;

const NO_BORDER = '<border><left/><right/><top/><bottom/><diagonal/></border>';
const ruledBorder = (side: 'top' | 'bottom', ink: string): string => {
  const drawn = `<${side} style="thin"><color rgb="${ink}"/></${side}>`;
  return side === 'top'
    ? `<border><left/><right/>${drawn}<bottom/><diagonal/></border>`
    : `<border><left/><right/><top/>${drawn}<diagonal/></border>`;
};

const left = '<alignment horizontal="left" vertical="center"/>';
const right = '<alignment horizontal="right" vertical="center"/>';

/** How each look is drawn. */
const PAGE_LOOKS: Readonly<Record<PageLook, LookStyle>> = {
  title: { font: font(20, '<b/>', GREEN), fill: NO_FILL, border: NO_BORDER, alignment: left },
  subtitle: { font: font(11, '', GREY), fill: NO_FILL, border: NO_BORDER, alignment: left },
  heading: {
    font: font(13, '<b/>', BLUE),
    fill: NO_FILL,
    border: ruledBorder('bottom', BLUE),
    alignment: left,
  },
  head: {
    font: font(11, '<b/>', 'FFFFFFFF'),
    fill: solid(GREEN),
    border: NO_BORDER,
    alignment: left,
  },
  'figure-head': {
    font: font(11, '<b/>', 'FFFFFFFF'),
    fill: solid(GREEN),
    border: NO_BORDER,
    alignment: '<alignment horizontal="right" vertical="center" wrapText="1"/>',
  },
  label: { font: PLAIN, fill: NO_FILL, border: ruledBorder('bottom', 'FFE3E7EB'), alignment: left },
  muted: { font: font(9, '', 'FF8A8F94'), fill: NO_FILL, border: NO_BORDER, alignment: left },
  figure: { font: PLAIN, fill: NO_FILL, border: ruledBorder('bottom', 'FFE3E7EB'), alignment: right },
  strong: { font: BOLD, fill: NO_FILL, border: ruledBorder('bottom', 'FFE3E7EB'), alignment: right },
  'total-label': { font: BOLD, fill: NO_FILL, border: ruledBorder('top', GREEN), alignment: left },
  total: { font: BOLD, fill: NO_FILL, border: ruledBorder('top', GREEN), alignment: right },
  sentence: {
    font: PLAIN,
    fill: NO_FILL,
    border: NO_BORDER,
    alignment: '<alignment horizontal="left" vertical="top" wrapText="1"/>',
  },
};

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const COLOURS: Readonly<Record<WrittenRole, readonly [paper: string, ink: string]>> = {
  required: HEADER_COLOURS.required,
  key: HEADER_COLOURS.key,
  optional: HEADER_COLOURS.optional,
  shown: ['FFEDEDED', 'FF595959'],
};
const ROLES = Object.keys(COLOURS) as WrittenRole[];

/** A day, a moment, a text: for cells that are not what their column mostly holds. */
export const DAY_FORMAT = 'dd-mm-yyyy';
/** See `DAY_FORMAT`. */
export const MOMENT_FORMAT = 'dd-mm-yyyy hh:mm:ss';
/** See `DAY_FORMAT`. */
export const TEXT_FORMAT = '@';

const LOOK_NAMES = Object.keys(PAGE_LOOKS) as PageLook[];

/** One style of cells; `look` is null for those of a table. */
interface CellStyle {
  readonly format: string;
  readonly look: PageLook | null;
}

/** The styles of a workbook: one for each kind of header, and one for each number format and look that is asked for. */
export class BookStyles {
  private readonly cells: CellStyle[] = [];

  /** The number of the style that shows a cell by a format, and on a page by a look. */
  cell(format: string, look: PageLook | null = null): number {
    const at = this.cells.findIndex((one) => one.format === format && one.look === look);
    return 1 + ROLES.length + (at < 0 ? this.cells.push({ format, look }) - 1 : at);
  }

  header(role: WrittenRole): number {
    return 1 + ROLES.indexOf(role);
  }

  /** The styles part. */
  part(): string {
    const asked = new Set(this.cells.map(({ format }) => format));
    const own = [...asked].filter((format) => BUILT_IN_IDS[format] === undefined);
    const numberOf = (format: string): number =>
      BUILT_IN_IDS[format] ?? FIRST_OWN_FORMAT + own.indexOf(format);
    const formats = own.map(
      (code) => `<numFmt numFmtId="${numberOf(code)}" formatCode="${escapeXml(code)}"/>`,
    );
    const plain = '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>';
    const fonts = ROLES.map(
      (role) =>
        `<font><b/><sz val="11"/><color rgb="${COLOURS[role][1]}"/><name val="Calibri"/><family val="2"/></font>`,
    );
    const fills = ROLES.map(
      (role) =>
        `<fill><patternFill patternType="solid"><fgColor rgb="${COLOURS[role][0]}"/><bgColor indexed="64"/></patternFill></fill>`,
    );
    const empty = ['none', 'gray125'].map((type) => `<fill><patternFill patternType="${type}"/></fill>`);
    const headers = ROLES.map(
      (_, at) =>
        `<xf numFmtId="49" fontId="${at + 1}" fillId="${at + 2}" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment horizontal="left" vertical="center" indent="1"/></xf>`,
    );
    const cells = this.cells.map(({ format, look }) =>
      look === null
        ? `<xf numFmtId="${numberOf(format)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${alignment(format)}`
        : pageCell(numberOf(format), look),
    );
    // Of a workbook without pages nothing of theirs is in it.
    const looks = this.cells.some(({ look }) => look !== null) ? Object.values(PAGE_LOOKS) : [];
    return [
      `${DECLARATION}<styleSheet xmlns="${MAIN}">`,
      own.length === 0 ? '' : list('numFmts', formats),
      list('fonts', [plain, ...fonts, ...looks.map(({ font }) => font)]),
      list('fills', [...empty, ...fills, ...looks.map(({ fill }) => fill)]),
      list('borders', [BORDERS.none, BORDERS.header, ...looks.map(({ border }) => border)]),
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

/** What is before the looks in the lists of fonts, fills and borders. */
const BEFORE = { fonts: 1 + ROLES.length, fills: 2 + ROLES.length, borders: 2 } as const;

function pageCell(numFmtId: number, look: PageLook): string {
  const at = LOOK_NAMES.indexOf(look);
  const parts = `fontId="${BEFORE.fonts + at}" fillId="${BEFORE.fills + at}" borderId="${BEFORE.borders + at}"`;
  return `<xf numFmtId="${numFmtId}" ${parts} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${PAGE_LOOKS[look].alignment}</xf>`;
}

/** Numbers and dates stand at the right, by themselves; all else a little off the column before it. */
const alignment = (format: string): string =>
  format === 'General' || format === TEXT_FORMAT
    ? ' applyAlignment="1"><alignment horizontal="left" indent="1"/></xf>'
    : '/>';

const BORDERS = {
  none: '<border><left/><right/><top/><bottom/><diagonal/></border>',
  header:
    '<border><left/><right style="thin"><color rgb="FFFFFFFF"/></right><top/><bottom style="thin"><color rgb="FF7F7F7F"/></bottom><diagonal/></border>',
} as const;

const list = (name: string, items: readonly string[]): string =>
  `<${name} count="${items.length}">${items.join('')}</${name}>`;
