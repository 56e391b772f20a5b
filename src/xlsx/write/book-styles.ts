import type { Language } from '../../core/language.ts';
import { DAY_FORMAT, MOMENT_FORMAT } from '../../core/shown-moment.ts';
import { TEXT_FORMAT } from '../number-formats.ts';
import { type CellFormat, emptyStyles, fontXml, StyleSheet, solidFill } from '../style-sheet.ts';
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
  /** Of a column to fill in with long texts. */
  wrapped: { alignment: '<alignment horizontal="left" vertical="top" wrapText="1" indent="1"/>' },
} as const satisfies Readonly<Record<string, CellFormat>>;

/** The look of a cell. */
export type PageLook = keyof typeof LOOKS;

/** The styles of a workbook: one for each number format and look asked for. */
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

  /** The index of the style with a format, and perhaps a look. */
  cell(format: string, look: PageLook | null = null): number {
    const key = `${look} ${format}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const made = this.sheet.cellFormat({ format, ...(look === null ? indented(format) : LOOKS[look]) });
    this.known.set(key, made);
    return made;
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
