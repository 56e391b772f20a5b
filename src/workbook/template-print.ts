import type { PageSetup } from 'exceljs';
import { columnLetters } from '../schema/cell.ts';
import type { TemplateColumn } from './template-book.ts';

/** A4 on its side, one page wide, as many pages long as it takes. */
export const PRINTED = {
  paperSize: 9,
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  margins: { left: 0.4, right: 0.4, top: 0.7, bottom: 0.6, header: 0.3, footer: 0.3 },
} as const;

/** What fits between the margins at full size: 297 mm less 0.8 inch, in pixels of a 96th of an inch. */
const PAGE = (297 / 25.4 - PRINTED.margins.left - PRINTED.margins.right) * 96;
/** Below this part of full size nobody reads or fills in letters of 11 points. */
const SMALLEST = 0.6;
/** The size of a sheet that takes more pages than one side by side. */
const READABLE = 0.7;
/** Of each page at most so much repeats the first columns. */
const REPEATED = 1 / 3;

/** A width in characters as a spreadsheet program draws it in its usual letters. */
const pixels = (width: number): number => Math.ceil(width * 7 + 5);

/**
 * How a sheet to fill in is printed: one page wide where that can be read, else at a size that can, on pages side by side
 * that each repeat the header and the first columns.
 */
export function printSetup(columns: readonly Pick<TemplateColumn, 'width'>[]): Partial<PageSetup> {
  const whole = columns.reduce((sum, { width }) => sum + pixels(width), 0);
  if (whole * SMALLEST <= PAGE) return { ...PRINTED, printTitlesRow: '1:1' };
  return {
    ...PRINTED,
    fitToPage: false,
    scale: Math.round(READABLE * 100),
    pageOrder: 'overThenDown',
    printTitlesRow: '1:1',
    printTitlesColumn: `A:${columnLetters(repeatedColumns(columns))}`,
  };
}

/** How many of the first columns each page has room for beside others; one at least. */
function repeatedColumns(columns: readonly Pick<TemplateColumn, 'width'>[]): number {
  const room = (PAGE / READABLE) * REPEATED;
  let used = 0;
  const over = columns.findIndex(({ width }) => {
    used += pixels(width);
    return used > room;
  });
  return Math.max(1, over);
}
