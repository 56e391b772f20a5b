import { basename } from 'node:path';
import { cellAddress, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { textCodec } from '../../core/codecs/text.ts';
import { type StopError, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { Locale } from '../../core/value.ts';
import { csvCell } from '../../csv/read-csv.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { makeSheet, type Sheet, type SheetLayout } from '../../files/sheet.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';

/** What the user puts in the place of a cell of the file. Plain data. */
export interface CellCorrection {
  /** The sheet by its name in the file. */
  readonly sheet: string;
  /** The row's number as results and messages show it. */
  readonly row: number;
  /** From 1. */
  readonly column: number;
  /** What was typed, read as a cell of a CSV in the import's locale; empty for an empty cell. */
  readonly text: string;
}

/** A correction as its run keeps it. */
export interface KeptCorrection extends CellCorrection {
  /** What the cell showed before; empty for an empty one. */
  readonly was: string;
}

/** A workbook whose rows hold the corrections. */
interface CorrectedWorkbook {
  readonly workbook: Workbook;
  /** The corrections that rows met so far, in the order in which they were given. */
  kept(): readonly KeptCorrection[];
}

/** The texts of a row's corrected cells, by column. */
type CorrectedRow = ReadonlyMap<number, CellCorrection>;

/**
 * The workbook with these cells in place of its own: whoever reads it sees no difference. Of two corrections of
 * a cell the last counts. Throws StopError with EXIT.usage for a sheet that it lacks or a place that no sheet
 * has, and when it is read for a row that holds nothing.
 */
export function correctedWorkbook(
  workbook: Workbook,
  corrections: readonly CellCorrection[],
  locale: Locale,
): CorrectedWorkbook {
  if (corrections.length === 0) return { workbook, kept: () => [] };
  const bySheet = new Map<string, Map<number, Map<number, CellCorrection>>>();
  for (const correction of corrections) {
    if (!isPlace(workbook, correction)) throw noCell(workbook, correction);
    const { sheet, row, column } = correction;
    const rows = bySheet.get(sheet) ?? new Map<number, Map<number, CellCorrection>>();
    bySheet.set(sheet, rows);
    rows.set(row, (rows.get(row) ?? new Map<number, CellCorrection>()).set(column, correction));
  }
  const met = new Map<CellCorrection, KeptCorrection>();
  const meet = (correction: CellCorrection, row: Row): void => {
    const cell = row.cells.find(({ column }) => column === correction.column);
    const shown = cell && textCodec.decode(cell, locale);
    const was = cell === undefined ? '' : shown?.ok === true ? shown.value : cellText(cell);
    met.set(correction, { ...correction, was });
  };
  const sheets = workbook.sheets.map((sheet) => {
    const rows = bySheet.get(sheet.name);
    return rows === undefined ? sheet : correctedSheet(workbook, sheet, rows, meet);
  });
  return {
    workbook: { ...workbook, sheets, [Symbol.iterator]: () => sheets.values() },
    kept: () => corrections.flatMap((one) => met.get(one) ?? []),
  };
}

const isOneOf = (number: number, last: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= last;

const isPlace = ({ sheets }: Workbook, { sheet, row, column }: CellCorrection): boolean =>
  sheets.some(({ name }) => name === sheet) && isOneOf(row, LAST_ROW) && isOneOf(column, LAST_COLUMN);

function noCell({ file }: Workbook, { sheet, row, column }: CellCorrection): StopError {
  const at = isOneOf(column, LAST_COLUMN) ? cellAddress(column, row) : `${row}:${column}`;
  const name = basename(file);
  return usageStop(
    t(
      `${name} has no cell ${at} on a sheet ${sheet} to correct.`,
      `${name} heeft geen cel ${at} op een werkblad ${sheet} om te verbeteren.`,
    ),
    t(
      'Name the sheet as it stands in the file, and a row that holds something.',
      'Noem het werkblad zoals het in het bestand staat, en een rij waarin iets staat.',
    ),
  );
}

function correctedSheet(
  workbook: Workbook,
  { name, hidden, layout, batches }: Sheet,
  corrections: ReadonlyMap<number, CorrectedRow>,
  meet: (correction: CellCorrection, row: Row) => void,
): Sheet {
  async function* read(): AsyncGenerator<Row[]> {
    const left = new Set(corrections.keys());
    for await (const batch of batches)
      yield batch.map((row) => {
        const own = corrections.get(row.number);
        left.delete(row.number);
        return own === undefined ? row : withCorrections(row, own, meet);
      });
    const [lost] = [...left].flatMap((number) => [...(corrections.get(number)?.values() ?? [])]);
    if (lost !== undefined) throw noCell(workbook, lost);
  }
  return makeSheet(name, hidden, read, layout as SheetLayout | undefined);
}

function withCorrections(
  row: Row,
  corrections: CorrectedRow,
  meet: (correction: CellCorrection, row: Row) => void,
): Row {
  const cells = row.cells.filter(({ column }) => !corrections.has(column));
  for (const [column, correction] of corrections) {
    meet(correction, row);
    const cell = csvCell(column, correction.text);
    if (cell !== undefined) cells.push(cell);
  }
  const { finding, ...rest } = row;
  const corrected = { ...rest, cells: cells.sort((one, other) => one.column - other.column) };
  // Quotes that move the fields of a row are no matter of one cell.
  const isGone =
    finding === undefined || (finding.code !== 'quotes-broken' && corrections.has(finding.column));
  return isGone ? corrected : { ...corrected, finding };
}
