import { BUILT_IN, FIRST_OWN } from '../number-format-ids.ts';
import { DECLARATION, escapeXml } from '../rewrite/xml-write.ts';
import { HEADER_COLOURS } from '../template-styles.ts';
import { LOOKS } from './page-styles.ts';
import type { PageLook } from './written-page.ts';
import type { WrittenRole } from './written-sheet.ts';

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

const LOOK_NAMES = Object.keys(LOOKS) as PageLook[];

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
    const own = [...asked].filter((format) => BUILT_IN[format] === undefined);
    const numberOf = (format: string): number => BUILT_IN[format] ?? FIRST_OWN + own.indexOf(format);
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
    const looks = this.cells.some(({ look }) => look !== null) ? Object.values(LOOKS) : [];
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
  return `<xf numFmtId="${numFmtId}" ${parts} xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${LOOKS[look].alignment}</xf>`;
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
