import { basename } from 'node:path';
import { cellAddress, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { textCodec } from '../../core/codecs/text.ts';
import { usageStop } from '../../core/errors.ts';
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
export interface CorrectedWorkbook {
  readonly workbook: Workbook;
  /** The corrections that rows met so far, in the order in which they were given. */
  kept(): readonly KeptCorrection[];
}

/** The texts of a row's corrected cells, by column. */
type CorrectedRow = ReadonlyMap<number, CellCorrection>;

/**
 * The workbook with these cells in place of its own, also in rows that hold none: whoever reads it sees no
 * difference. Of two corrections of a cell the last counts. Throws StopError with EXIT.usage for a sheet that
 * it lacks, or a place that no sheet has.
 */
export function correctedWorkbook(
  workbook: Workbook,
  corrections: readonly CellCorrection[],
  locale: Locale,
): CorrectedWorkbook {
  if (corrections.length === 0) return { workbook, kept: () => [] };
  const bySheet = new Map<string, Map<number, Map<number, CellCorrection>>>();
  for (const correction of corrections) {
    checkPlace(workbook, correction);
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
    return rows === undefined ? sheet : correctedSheet(sheet, rows, meet);
  });
  return {
    workbook: { ...workbook, sheets, [Symbol.iterator]: () => sheets.values() },
    kept: () => corrections.flatMap((one) => met.get(one) ?? []),
  };
}

function checkPlace({ file, sheets }: Workbook, { sheet, row, column }: CellCorrection): void {
  const isPlace = (number: number, last: number): boolean =>
    Number.isInteger(number) && number >= 1 && number <= last;
  if (sheets.some(({ name }) => name === sheet) && isPlace(row, LAST_ROW) && isPlace(column, LAST_COLUMN))
    return;
  const at = isPlace(column, LAST_COLUMN) ? cellAddress(column, row) : `${row}:${column}`;
  const name = basename(file);
  throw usageStop(
    t(
      `${name} has no cell ${at} on a sheet ${sheet} to correct.`,
      `${name} heeft geen cel ${at} op een werkblad ${sheet} om te verbeteren.`,
    ),
    t(
      'Name the sheet as it stands in the file, and rows and columns from 1.',
      'Noem het werkblad zoals het in het bestand staat, en rijen en kolommen vanaf 1.',
    ),
  );
}

function correctedSheet(
  sheet: Sheet,
  rows: ReadonlyMap<number, CorrectedRow>,
  meet: (correction: CellCorrection, row: Row) => void,
): Sheet {
  const { name, hidden, layout } = sheet;
  // Without its CRC: it is no longer what was written.
  const read = () => correctedBatches(sheet, rows, meet);
  return makeSheet(name, hidden, read, layout as SheetLayout | undefined);
}

async function* correctedBatches(
  { batches }: Sheet,
  corrections: ReadonlyMap<number, CorrectedRow>,
  meet: (correction: CellCorrection, row: Row) => void,
): AsyncGenerator<Row[]> {
  const waiting = [...corrections.keys()].sort((one, other) => one - other);
  /** Rows without a cell of their own, before row `end`. */
  function* absentBefore(end: number): Generator<Row> {
    while ((waiting[0] ?? end) < end) {
      const number = waiting.shift() as number;
      const row = withCorrections({ number, cells: [] }, corrections.get(number) as CorrectedRow, meet);
      if (row.cells.length > 0) yield row;
    }
  }
  for await (const batch of batches) {
    const rows: Row[] = [];
    for (const row of batch) {
      for (const absent of absentBefore(row.number)) rows.push(absent);
      const own = corrections.get(row.number);
      const at = own === undefined ? -1 : waiting.indexOf(row.number);
      if (at >= 0) waiting.splice(at, 1);
      rows.push(own === undefined || at < 0 ? row : withCorrections(row, own, meet));
    }
    yield rows;
  }
  const last = [...absentBefore(Number.POSITIVE_INFINITY)];
  if (last.length > 0) yield last;
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
