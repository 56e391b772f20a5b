import { columnLetters } from '../../core/cell.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { OUTPUT_MARKS } from '../../core/header.ts';
import { t } from '../../core/language.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { type ColumnRange, firstGap } from '../../files/sheet.ts';
import { newReading, type SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';
import { isCsv } from './result-place.ts';

/**
 * Checks, before anything is sent, that every imported sheet has room for its outcomes: columns at its right,
 * and in a workbook a place for each row. Throws StopError with EXIT.file.
 */
export function checkRoom(target: string, plan: Pick<Plan, 'recognised' | 'readings'>): void {
  for (const entry of plan.recognised) {
    if (entry.kind !== 'import') continue;
    const { name } = entry.sheet;
    const reading = plan.readings.get(name);
    if (firstFreeColumn(entry.mapping, reading ?? newReading()) === undefined) throw noColumns(name, reading);
    if (!isCsv(target) && (reading?.lastRow ?? 0) > LAST_ROW) throw tooManyRows(name);
  }
}

function noColumns(sheet: string, reading: SheetReading | undefined): StopError {
  const last = columnLetters(reading?.lastColumn ?? LAST_COLUMN);
  const message = t(
    `Sheet ${sheet} has no room for the outcomes: something stands in column ${last}, at the end of the sheet.`,
    `Werkblad ${sheet} heeft geen ruimte voor de uitkomsten: er staat iets in kolom ${last}, aan het eind van het blad.`,
  );
  const next = t(
    `Delete the last columns, up to ${last}, or move them next to the others.`,
    `Verwijder de laatste kolommen, tot en met ${last}, of zet ze naast de andere.`,
  );
  return new StopError(EXIT.file, message, { next });
}

function tooManyRows(sheet: string): StopError {
  return new StopError(
    EXIT.file,
    t(
      `Sheet ${sheet} has more rows than a workbook can hold, so that its result can't be one.`,
      `Werkblad ${sheet} heeft meer rijen dan in een werkmap passen, dus het resultaat kan er geen zijn.`,
    ),
    { next: t('Let --out end in .csv.', 'Laat --out eindigen op .csv.') },
  );
}

const COUNT = OUTPUT_MARKS.length;
const fits = (first: number): boolean => first + COUNT - 1 <= LAST_COLUMN;

/** A plan that was saved by an earlier version knows the last column alone. */
type Seen = Pick<SheetReading, 'lastColumn'> & Partial<Pick<SheetReading, 'used' | 'drawn'>>;

/**
 * The first of a result's own columns: where those of an earlier result stand side by side, else right of the
 * last used column and of every drawing. Where a stray cell or drawing leaves no room there, in the first gap
 * right of the sheet's own columns. Columns of an earlier result with nothing right of them count as free.
 * Undefined where nothing is free.
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
