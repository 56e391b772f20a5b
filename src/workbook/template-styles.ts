import type { Borders, Fill, Font, Style } from 'exceljs';
import type { ColumnRole } from './template-book.ts';

/** Paper and ink of a header, by what its column is. */
export const HEADER_COLOURS: Readonly<Record<ColumnRole, readonly [paper: string, ink: string]>> = {
  required: ['FF1F6F54', 'FFFFFFFF'],
  key: ['FF24507A', 'FFFFFFFF'],
  mark: ['FF595959', 'FFFFFFFF'],
  optional: ['FFDCE6F1', 'FF1F2937'],
};

const FONT: Partial<Font> = { name: 'Calibri', size: 11, family: 2 };
const fill = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });
const line = (argb: string): Partial<Borders> => ({ bottom: { style: 'thin', color: { argb } } });

/** A header, by what its column is. */
export function headerStyle(role: ColumnRole): Partial<Style> {
  const [paper, ink] = HEADER_COLOURS[role];
  return {
    font: { ...FONT, bold: true, color: { argb: ink } },
    fill: fill(paper),
    border: { ...line('FF7F7F7F'), right: { style: 'thin', color: { argb: 'FFFFFFFF' } } },
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
    border: line('FF24507A'),
    alignment: { vertical: 'bottom' },
  },
  term: { font: { ...FONT, bold: true }, alignment: { vertical: 'middle', wrapText: true } },
  text: { font: FONT, alignment: { vertical: 'middle', wrapText: true, indent: 1 } },
  cell: { font: FONT, border: line('FFD0D7DE'), alignment: { vertical: 'top', wrapText: true } },
  name: {
    font: { ...FONT, bold: true },
    border: line('FFD0D7DE'),
    alignment: { vertical: 'top', wrapText: true },
  },
} as const satisfies Readonly<Record<string, Partial<Style>>>;
