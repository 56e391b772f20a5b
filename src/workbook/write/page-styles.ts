import { HEADER_COLOURS } from '../template-styles.ts';
import type { PageLook } from './written-page.ts';

/** How one look is drawn: parts of a style sheet, as XML. */
export interface LookStyle {
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
const line = (side: 'top' | 'bottom', ink: string): string => {
  const drawn = `<${side} style="thin"><color rgb="${ink}"/></${side}>`;
  return side === 'top'
    ? `<border><left/><right/>${drawn}<bottom/><diagonal/></border>`
    : `<border><left/><right/><top/>${drawn}<diagonal/></border>`;
};

const left = '<alignment horizontal="left" vertical="center"/>';
const right = '<alignment horizontal="right" vertical="center"/>';

/** How each look is drawn. */
export const LOOKS: Readonly<Record<PageLook, LookStyle>> = {
  title: { font: font(20, '<b/>', GREEN), fill: NO_FILL, border: NO_BORDER, alignment: left },
  subtitle: { font: font(11, '', GREY), fill: NO_FILL, border: NO_BORDER, alignment: left },
  heading: { font: font(13, '<b/>', BLUE), fill: NO_FILL, border: line('bottom', BLUE), alignment: left },
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
  label: { font: PLAIN, fill: NO_FILL, border: line('bottom', 'FFE3E7EB'), alignment: left },
  muted: { font: font(9, '', 'FF8A8F94'), fill: NO_FILL, border: NO_BORDER, alignment: left },
  figure: { font: PLAIN, fill: NO_FILL, border: line('bottom', 'FFE3E7EB'), alignment: right },
  strong: { font: BOLD, fill: NO_FILL, border: line('bottom', 'FFE3E7EB'), alignment: right },
  'total-label': { font: BOLD, fill: NO_FILL, border: line('top', GREEN), alignment: left },
  total: { font: BOLD, fill: NO_FILL, border: line('top', GREEN), alignment: right },
  sentence: {
    font: PLAIN,
    fill: NO_FILL,
    border: NO_BORDER,
    alignment: '<alignment horizontal="left" vertical="top" wrapText="1"/>',
  },
};
