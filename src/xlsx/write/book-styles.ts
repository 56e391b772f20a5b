import type { Borders, Fill, Font, Style } from 'exceljs';
import type { Language } from '../../core/language.ts';
import { DAY_FORMAT, MOMENT_FORMAT } from '../../core/shown-moment.ts';
import { TEXT_FORMAT } from '../number-formats.ts';
import { MAIN_NAMESPACE } from '../ooxml-names.ts';
import { emptyStyles, fontXml, StyleSheet, solidFill } from '../style-sheet.ts';

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

/** The looks of a page as parts of a style sheet, in XML. */
const PAGE_LOOKS = {
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
  strong: { font: BOLD, border: RULED, alignment: right },
  'total-label': { font: BOLD, border: TOTAL, alignment },
  total: { font: BOLD, border: TOTAL, alignment: right },
  sentence: { alignment: '<alignment horizontal="left" vertical="top" wrapText="1"/>' },
} as const;

/** The look of a cell on a page. */
export type PageLook = keyof typeof PAGE_LOOKS;

/** What a column is to an import; `shown` is one that it skips. */
export type WrittenRole = 'required' | 'key' | 'optional' | 'shown';

/** The styles of a workbook: one for each role of header, number format and look asked for. */
export class BookStyles {
  /** The formats of a day and of a moment. */
  readonly day: string;
  readonly moment: string;
  private readonly sheet = new StyleSheet(emptyStyles(MAIN_NAMESPACE));
  private readonly known = new Map<string, number>();

  constructor(language: Language = 'nl') {
    this.day = DAY_FORMAT[language];
    this.moment = MOMENT_FORMAT[language];
  }

  /** The index of the style with a format, and on a page a look. */
  cell(format: string, look: PageLook | null = null): number {
    const key = `${look} ${format}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const made = this.sheet.cellFormat({ format, ...(look === null ? indented(format) : PAGE_LOOKS[look]) });
    this.known.set(key, made);
    return made;
  }

  header(role: WrittenRole): number {
    const [paper, ink] = HEADER_COLOURS[role];
    return this.sheet.cellFormat({
      ...{ format: TEXT_FORMAT, font: fontXml(11, '<b/>', ink), fill: solid(paper), border: HEADER_BORDER },
      alignment: '<alignment horizontal="left" vertical="center" indent="1"/>',
    });
  }

  part(): Buffer {
    return this.sheet.finish();
  }
}

/** Numbers and dates are right-aligned by default; others are indented. */
const indented = (format: string) =>
  format === 'General' || format === TEXT_FORMAT
    ? { alignment: '<alignment horizontal="left" indent="1"/>' }
    : {};
