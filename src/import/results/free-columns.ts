import { OUTPUT_MARKS } from '../../core/header.ts';
import { LAST_COLUMN } from '../../files/limits.ts';
import { type ColumnRange, firstGap } from '../../files/sheet.ts';
import type { SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';

const COUNT = OUTPUT_MARKS.length;
const fits = (first: number): boolean => first + COUNT - 1 <= LAST_COLUMN;

/** A plan that was saved by an earlier version knows the last column alone. */
type Seen = Pick<SheetReading, 'lastColumn'> & Partial<Pick<SheetReading, 'used' | 'drawn'>>;

/**
 * Where a result's own columns begin: where those of an earlier result stand side by side, else right of the last used one and of every
 * drawing, which would be covered and stretched by them. Where a stray cell or drawing leaves no room there, in the first gap right
 * of the sheet's own columns. Columns of an earlier result don't count when nothing stands right of them. Undefined where nothing is free.
 */
export function firstFreeColumn(
  { outputColumns, readers }: Pick<SheetMapping, 'outputColumns' | 'readers'>,
  { lastColumn, used, drawn = [] }: Seen,
): number | undefined {
  const inPlace = [...outputColumns].find((first) =>
    OUTPUT_MARKS.every((_, at) => outputColumns.has(first + at)),
  );
  if (inPlace !== undefined) return inPlace;
  let right = lastColumn + 1;
  while (outputColumns.has(right - 1)) right--;
  const clear = Math.max(right, ...drawn.map(([, to]) => to + 1));
  if (fits(clear)) return clear;
  const gap = (more: readonly ColumnRange[]): number | undefined =>
    used === undefined ? undefined : firstGap([...used, ...more], readers.length, COUNT);
  return gap(drawn) ?? (fits(right) ? right : gap([]));
}
