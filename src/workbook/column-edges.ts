import type { ColumnRange } from './column-ranges.ts';
import { LAST_COLUMN } from './limits.ts';

/** How wide a sheet's columns are, in characters as the file says it: a standard width, undefined where it names none, and those that differ. */
export interface ColumnWidths {
  standard: number | undefined;
  readonly ranges: (readonly [range: ColumnRange, width: number])[];
}

/** A file may name far more ranges than a sheet has columns; whoever does so has no drawings to spare. */
const MOST_RANGES = 1024;

/** English metric units of a pixel, and pixels of a character in the fonts that workbooks begin with. */
const PIXEL = 9525;
const CHARACTER = 7;
/** Of a column that nothing is said of: 64 pixels. */
const STANDARD = 64 / CHARACTER;

/** Notes the width of columns; undefined for the standard one. */
export function addWidth({ ranges }: ColumnWidths, range: ColumnRange, width: number | undefined): void {
  if (width !== undefined && ranges.length < MOST_RANGES) ranges.push([range, width]);
}

/**
 * The column, from 1, in which a drawing ends that is so many English metric units (914,400 to the inch) wide and begins at an offset in a
 * column. The width of a character depends on the font: it is as near as the file alone can tell.
 */
export function columnAt({ standard, ranges }: ColumnWidths, start: number, units: number): number {
  const widths = new Float64Array(LAST_COLUMN + 1).fill(standard ?? STANDARD);
  for (const [[from, to], width] of ranges) widths.fill(width, from, to + 1);
  let left = units;
  for (let column = start; column < LAST_COLUMN; column++) {
    left -= Math.round((widths[column] as number) * CHARACTER) * PIXEL;
    if (left <= 0) return column;
  }
  return LAST_COLUMN;
}
