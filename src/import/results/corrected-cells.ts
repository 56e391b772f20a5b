import { type Cell, cellAddress } from '../../core/cell.ts';
import { shorten } from '../../core/issue.ts';
import type { Language } from '../../core/language.ts';
import { t } from '../../core/language.ts';
import { visibleText } from '../../core/visible-text.ts';
import { guardFormula, unguardFormula } from '../../csv/csv-layout.ts';
import { csvCell } from '../../csv/read-csv.ts';
import type { CorrectedCells } from '../../files/result-sheet.ts';
import type { KeptCorrection } from '../correct/corrected-workbook.ts';
import { columnHabits } from '../map/column-habits.ts';
import { type MapOptions, valueIn } from '../map/map-row.ts';
import type { ImportSheet } from '../map/recognise.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';

/** The corrections of each row of a sheet, by the number that the row is known by. */
type RowCorrections = ReadonlyMap<number, readonly KeptCorrection[]>;

/** The corrections of a sheet by row. */
export function correctionsOf(
  { corrections = [] }: Pick<Plan, 'corrections'>,
  sheet: string,
): RowCorrections {
  const rows = new Map<number, KeptCorrection[]>();
  for (const one of corrections) {
    if (one.sheet !== sheet) continue;
    const known = rows.get(one.row) ?? [];
    rows.set(one.row, known);
    known.push(one);
  }
  return rows;
}

/**
 * A sheet's corrected cells as its result holds them, by row in the file: as they were typed, but in a workbook a
 * number as one, so that formulas take it.
 */
export async function correctedCells(
  { sheet, mapping }: ImportSheet,
  { corrections = [], locale }: Pick<Plan, 'corrections' | 'locale'>,
  csv: boolean,
): Promise<ReadonlyMap<number, CorrectedCells> | undefined> {
  const own = corrections.filter((one) => one.sheet === sheet.name);
  if (own.length === 0) return undefined;
  const options = { locale, strict: false, ...(await columnHabits(sheet, mapping, locale)) };
  const rows = new Map<number, Map<number, Cell | null>>();
  for (const { row, column, text } of own) {
    const cells = rows.get(row) ?? new Map<number, Cell | null>();
    rows.set(row, cells);
    const typed = csvCell(column, text);
    cells.set(column, typed === undefined ? null : heldCell(typed, mapping, options, csv));
  }
  return rows;
}

/** The cell that a result holds for one that was typed; it is read as that one was. */
function heldCell(typed: Cell, mapping: SheetMapping, options: MapOptions, csv: boolean): Cell {
  const value = valueIn(typed, mapping, options);
  if (csv) {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    return isPlain || !mapping.guarded ? typed : guarded(typed);
  }
  if (typeof value !== 'number') return typed;
  const cell: Cell = { column: typed.column, type: 'number', value };
  // What that would change stays text, as a sixteenth digit.
  return valueIn(cell, mapping, options) === value ? cell : typed;
}

/** A text that begins as a formula is one to the program that opens a CSV. */
const guarded = (cell: Cell): Cell =>
  cell.type === 'text' ? { ...cell, value: guardFormula(unguardFormula(cell.value)) } : cell;

/** Says which cells of a row were corrected, and what stood there: `D7 corrected, it was: 12,50`. */
export function correctedText(corrections: readonly KeptCorrection[], language: Language): string {
  const filled: string[] = [];
  const lines: string[] = [];
  for (const { column, row, was } of corrections) {
    const at = cellAddress(column, row);
    const shown = shorten(visibleText(was)).trim();
    if (shown === '') filled.push(at);
    else lines.push(t(`${at} corrected, it was: ${shown}`, `${at} verbeterd, er stond: ${shown}`)[language]);
  }
  const all = filled.join(', ');
  return [...lines, ...(all === '' ? [] : [t(`${all} filled in`, `${all} ingevuld`)[language]])].join('\n');
}
