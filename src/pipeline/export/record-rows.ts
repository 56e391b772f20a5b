import type { AnswerRecord } from '../../schema/answer.ts';
import { cellAddress } from '../../schema/cell.ts';
import type { WrittenRow } from '../../workbook/write/written-sheet.ts';
import type { CellLosses } from './cell-losses.ts';
import type { ExportColumn, NestedList } from './export-columns.ts';
import type { ExportedRecord } from './lists/exporter.ts';
import { type CellOptions, safeCell } from './safe-cell.ts';

/** How rows are made, and who counts what their cells could not say. */
export interface RowOptions extends CellOptions {
  readonly losses: CellLosses;
}

/** Makes rows of a resource's records, one after the other from the first below the header on. */
export function recordRows(
  columns: readonly ExportColumn[],
  options: RowOptions,
): (record: AnswerRecord, known: ExportedRecord) => WrittenRow {
  const cellsOf = rowMaker(columns, options);
  return (record, { values }) =>
    cellsOf(({ field, header, path }) => {
      if (field === null) return memberAt(record, path);
      const value = values[header] ?? null;
      return value === null ? null : field.codec.encode(value);
    });
}

/** Makes rows of the records that are nested in a member of a resource's records: none, one or several. */
export function nestedRows(
  { path: place, columns }: NestedList,
  options: RowOptions,
): (record: AnswerRecord) => WrittenRow[] {
  const cellsOf = rowMaker(columns, options);
  return (record) =>
    listOf(memberAt(record, place)).map((nested) =>
      cellsOf(({ header, path }) => (path.length === 0 ? record[header] : memberAt(nested, path))),
    );
}

function rowMaker(
  columns: readonly ExportColumn[],
  options: RowOptions,
): (read: (column: ExportColumn) => unknown) => WrittenRow {
  let row = 1;
  return (read) => {
    row++;
    return columns.map((column, at) =>
      safeCell(read(column), column, options, (why) =>
        options.losses.lose(why, column.header, () => cellAddress(at + 1, row)),
      ),
    );
  };
}

/** One record, a list of them, or nothing. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** What is in a record; of a list that is passed on the way, in the first of it. */
export function memberAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (let at = 0; at < path.length; at++) {
    if (Array.isArray(value)) value = value[0];
    if (typeof value !== 'object' || value === null) return null;
    value = (value as AnswerRecord)[path[at] as string];
  }
  return value;
}
