import { type Cell, cellAddress } from '../../core/cell.ts';
import { shorten } from '../../core/issue.ts';
import type { Language } from '../../core/language.ts';
import { t } from '../../core/language.ts';
import type { Value } from '../../core/value.ts';
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
export type RowCorrections = ReadonlyMap<number, readonly KeptCorrection[]>;

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
 * A sheet's corrected cells as its result holds them, by row in the file: numbers, dates and flags of a
 * workbook as such, where the field is of that type and reads them and the column does not write them as
 * text; else, and in a CSV, as they were typed.
 */
export async function correctedCells(
  { sheet, mapping }: ImportSheet,
  { corrections = [], locale }: Pick<Plan, 'corrections' | 'locale'>,
  csv: boolean,
): Promise<ReadonlyMap<number, CorrectedCells> | undefined> {
  const own = corrections.filter((one) => one.sheet === sheet.name);
  if (own.length === 0) return undefined;
  const options = { locale, strict: false, ...(await columnHabits(sheet, mapping, locale)) };
  const written = csv ? NOTHING_WRITTEN : await writtenIn({ sheet, mapping }, own, options);
  const rows = new Map<number, Map<number, Cell | null>>();
  for (const { place, column, text } of own) {
    const row = rows.get(place) ?? new Map<number, Cell | null>();
    rows.set(place, row);
    const typed = csvCell(column, text);
    row.set(
      column,
      typed === undefined
        ? null
        : heldCell(typed, mapping, options, csv ? null : (written.get(column) ?? new Set())),
    );
  }
  return rows;
}

/** How the values of a column are written: `text`, or the type of their cells. */
type Written = ReadonlySet<Cell['type']>;

const NOTHING_WRITTEN: ReadonlyMap<number, Written> = new Map();

/** Rows that tell how a column is written. */
const SAMPLE_ROWS = 1000;

/** How the values that are read in corrected columns are written, where they were not corrected. */
async function writtenIn(
  { sheet, mapping }: Pick<ImportSheet, 'sheet' | 'mapping'>,
  corrections: readonly KeptCorrection[],
  options: MapOptions,
): Promise<ReadonlyMap<number, Written>> {
  const columns = new Set(corrections.map(({ column }) => column));
  const corrected = new Set(corrections.map(({ place, column }) => cellAddress(column, place)));
  const written = new Map<number, Set<Cell['type']>>();
  let rows = 0;
  for await (const batch of sheet.batches)
    for (const { number, cells } of batch) {
      if (number <= mapping.headerRow) continue;
      if (rows++ >= SAMPLE_ROWS) return written;
      for (const cell of cells) {
        const { column } = cell;
        if (!columns.has(column) || corrected.has(cellAddress(column, number))) continue;
        if (valueIn(cell, mapping, options) === undefined) continue;
        written.set(column, (written.get(column) ?? new Set()).add(cell.type));
      }
    }
  return written;
}

/**
 * The cell that a result holds for one that was typed: it is read as that one was, and written as the others
 * of its column are; null for a CSV.
 */
function heldCell(typed: Cell, mapping: SheetMapping, options: MapOptions, written: Written | null): Cell {
  const value = valueIn(typed, mapping, options);
  const { column } = typed;
  if (written === null) {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    return isPlain || !mapping.guarded ? typed : guarded(typed);
  }
  const isMoment = mapping.readers[column]?.field?.codec.type === 'datetime';
  const cell = isMoment ? momentCell(column, value) : plainCell(column, value);
  if (cell === null || isText(cell.type, written)) return typed;
  // What the type of the cell would change stays text, as a sixteenth digit.
  return valueIn(cell, mapping, options) === value ? cell : typed;
}

/** Whether a column writes values of a type as text; a flag is one where nothing says otherwise. */
const isText = (type: Cell['type'], written: Written): boolean =>
  !written.has(type) && (written.has('text') || type === 'boolean');

/** A text that begins as a formula is one to the program that opens a CSV. */
const guarded = (cell: Cell): Cell =>
  cell.type === 'text' ? { ...cell, value: guardFormula(unguardFormula(cell.value)) } : cell;

function plainCell(column: number, value: Value | undefined): Cell | null {
  if (typeof value === 'number') return { column, type: 'number', value };
  return typeof value === 'boolean' ? { column, type: 'boolean', value } : null;
}

const MIDNIGHT = ' 00:00:00';
/** A day with a time, or a time alone. */
const MOMENT = /^(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d(\.\d{3})?$/;

function momentCell(column: number, value: Value | undefined): Cell | null {
  if (typeof value !== 'string' || !MOMENT.test(value)) return null;
  const isDay = value.endsWith(MIDNIGHT);
  return { column, type: 'date', value: isDay ? value.slice(0, -MIDNIGHT.length) : value };
}

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
