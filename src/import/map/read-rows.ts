import type { Row } from '../../core/cell.ts';
import { type Unit, unitsIn } from '../../core/codecs/shown-cell.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { holdsNumber } from '../../schema/field.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { createFilledDown } from './filled-down.ts';
import { fillEmpty, type MapOptions, mapRow } from './map-row.ts';
import { brokenRow, createRowJudge, createTableWatch, type NoRecord, strayRow } from './not-records.ts';
import { bareCell, type SheetMapping } from './sheet-mapping.ts';

/** What was seen of a sheet while its rows were read. Plain data. */
export interface SheetReading {
  /** The last one in use. */
  lastColumn: number;
  lastRow: number;
  /** The last one under a chart, picture or shape; absent in a plan of an earlier version. */
  lastDrawn?: number;
  /** Hidden rows that were read. */
  hidden: number;
  /** Rows that are no records, by reason: how many, and the first few. */
  readonly passedOver: Partial<Record<NoRecord, { count: number; readonly rows: number[] }>>;
  /** Empty cells that `--set` filled, by field; absent in a plan of an earlier version. */
  readonly filled?: Record<string, number>;
  /** The units that number formats of columns show; an earlier plan has those of columns with one alone. */
  units?: ShownUnit[];
  /** Rows that hold nothing but what was filled down: how many, the first and the last; absent for none. */
  filledDown?: { count: number; readonly first: number; last: number };
  /** The row after which it was not read, as too many rows can't be sent; absent where it was read whole. */
  unreadAfter?: number;
}

/** A unit that number formats of a column show, and the first number with it. */
interface ShownUnit extends Unit {
  readonly number: number;
  readonly column: number;
  readonly field: string;
}

/** A reading that has seen nothing yet. */
export function newReading(): SheetReading {
  return { lastColumn: 0, lastRow: 0, hidden: 0, passedOver: {}, filled: {} };
}

/** A row that is no record, and why. */
export interface PassedOver {
  readonly row: number;
  /** How many records of the sheet stand above it. */
  readonly after: number;
  readonly why: NoRecord;
}

/** Rows as they were read, each list in the order of the file. */
export interface ReadBatch {
  readonly records: readonly MappedRow[];
  readonly passedOver: readonly PassedOver[];
}

const SHOWN_ROWS = 5;

/** Maps the rows below a sheet's header and tells which are no records, in batches as the file gives them. */
export async function* readRows(
  sheet: Sheet,
  mapping: SheetMapping,
  options: MapOptions,
  reading: SheetReading,
): AsyncGenerator<ReadBatch> {
  const judge = createRowJudge(mapping, sheet.layout);
  const tableOf = createTableWatch(mapping);
  const isFilledDown = createFilledDown(mapping);
  const showsUnits = sheet.layout?.formats.some((format) => unitsIn(format).length > 0) === true;
  let read = 0;
  let records: MappedRow[] = [];
  let passedOver: PassedOver[] = [];
  const take = (row: Row): void => {
    const last = row.cells.at(-1)?.column ?? 0;
    if (last > reading.lastColumn) reading.lastColumn = last;
    if (row.number > reading.lastRow) reading.lastRow = row.number;
    // What stands further down is still looked at for where the result's own columns find room.
    if (row.number <= mapping.headerRow || reading.unreadAfter !== undefined) return;
    if (isFilledDown(row)) {
      noteFilledDown(reading, row.number);
      return;
    }
    const broken = brokenRow(row, mapping);
    const table = broken === undefined ? tableOf(row) : null;
    const other = typeof table === 'number' ? strayRow(row, mapping, table) : broken;
    const record = other ?? mapRow(row, mapping, options);
    if (record === undefined) {
      if (bareCell(row, mapping) !== undefined)
        passedOver.push({ row: row.number, after: read, why: 'beside' });
      return;
    }
    const why = other === undefined ? judge(row, record, table === 'header') : null;
    if (why !== null) {
      passedOver.push({ row: record.row, after: read, why });
      return;
    }
    read++;
    records.push(record);
    if (other === undefined && mapping.fills.length > 0) {
      record.filled = fillEmpty(row, record, mapping, options);
      noteFilled(reading, record.filled);
    }
    if (row.hidden === true) reading.hidden++;
    if (showsUnits && other === undefined && record.action !== 'skip') noteUnits(reading, row, mapping);
  };
  const taken = (): ReadBatch => {
    const batch = { records, passedOver };
    for (const { row, why } of passedOver) {
      const seen = reading.passedOver[why] ?? { count: 0, rows: [] };
      reading.passedOver[why] = seen;
      if (++seen.count <= SHOWN_ROWS) seen.rows.push(row);
    }
    [records, passedOver] = [[], []];
    return batch;
  };
  for await (const batch of piecesOf(sheet.batches)) {
    for (const row of batch) take(row);
    if (records.length + passedOver.length > 0) yield taken();
  }
  reading.lastColumn = Math.max(reading.lastColumn, otherwiseUsed(sheet, mapping));
  reading.lastDrawn = sheet.layout?.lastDrawn ?? 0;
}

/** So many rows are worked on together: a batch of a CSV may be a hundred thousand short ones. */
const MOST_TOGETHER = 2000;

async function* piecesOf(batches: Sheet['batches']): AsyncGenerator<readonly Row[]> {
  for await (const batch of batches)
    for (let at = 0; at < batch.length; at += MOST_TOGETHER)
      yield batch.length <= MOST_TOGETHER ? batch : batch.slice(at, at + MOST_TOGETHER);
}

function noteFilledDown(reading: SheetReading, row: number): void {
  reading.filledDown ??= { count: 0, first: row, last: row };
  reading.filledDown.count++;
  reading.filledDown.last = row;
}

function noteFilled({ filled = {} }: SheetReading, fields: readonly string[]): void {
  for (const field of fields) filled[field] = (filled[field] ?? 0) + 1;
}

/** Notes the units that the numbers of a record are shown in. */
function noteUnits(reading: SheetReading, { cells }: Row, { readers }: SheetMapping): void {
  for (const { type, column, format, value } of cells) {
    if (type !== 'number' || format === undefined) continue;
    const { field = null, name = '' } = readers[column] ?? {};
    if (field === null || !holdsNumber(field)) continue;
    for (const unit of unitsIn(format)) {
      reading.units ??= [];
      if (!reading.units.some((one) => one.column === column && one.name === unit.name))
        reading.units.push({ ...unit, number: value, column, field: name });
    }
  }
}

/** The last column in use without a value; of merged cells those below the titles count. */
function otherwiseUsed({ layout }: Sheet, { headerRow }: SheetMapping): number {
  const { merges = [], lastTaken = 0 } = layout ?? {};
  return merges.reduce(
    (last, { right, bottom }) => (bottom >= headerRow ? Math.max(last, right) : last),
    lastTaken,
  );
}
