import type { Cell, Row } from '../../core/cell.ts';
import { INPUT_MARKS } from '../../core/header.ts';
import type { Language } from '../../core/language.ts';
import { OWN_SHEETS, UNDONE_HEADERS } from '../../core/own-sheets.ts';
import type { Value } from '../../core/value.ts';
import {
  BASELINE_SHEET,
  type BaselineStamp,
  encodeBaselineRecord,
  encodeBaselineStamp,
} from '../../files/baseline-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import type { UndoRow } from '../../records/undo.ts';
import type { Resource } from '../../schema/resource.ts';
import type { NotUndone } from './history.ts';

/** The rows of one resource, to be imported. */
export function resourceSheet(resource: Resource, rows: readonly UndoRow[]): ResultSheet {
  const used = new Set(rows.flatMap(({ cells }) => Object.keys(cells)));
  const headers = [...INPUT_MARKS, ...Object.keys(resource.fields), '#message'].filter((name) =>
    used.has(name),
  );
  const values = rows.map(({ cells }) => headers.map((header) => cells[header] ?? null));
  const isMoment = headers.map((name) => resource.fields[name]?.codec.type === 'datetime');
  return sheetOf(resource.sheet, [headers, ...values], 1, isMoment);
}

/** The list of what can't be taken back. */
export function undoneSheet(cannot: readonly NotUndone[], language: Language): ResultSheet {
  const listed = cannot.map(({ sheet, row, why }) => [sheet, row, why[language]]);
  return sheetOf(OWN_SHEETS.undone[language], [UNDONE_HEADERS[language], ...listed], 1);
}

/** The hidden baseline: what the run left. */
export function baselineSheet(rows: readonly UndoRow[], stamp: BaselineStamp): ResultSheet {
  const records = rows.flatMap(({ base }) => (base ? [encodeBaselineRecord(base)] : []));
  return { ...sheetOf(BASELINE_SHEET, [...encodeBaselineStamp(stamp), ...records], null), hidden: true };
}

function sheetOf(
  name: string,
  rows: readonly (readonly Value[])[],
  headerRow: number | null,
  isMoment: readonly boolean[] = [],
): ResultSheet {
  return { name, hidden: false, headerRow, added: null, rows: toRows(rows, isMoment) };
}

async function* toRows(
  rows: readonly (readonly Value[])[],
  isMoment: readonly boolean[],
): AsyncGenerator<{ readonly row: Row }> {
  for (const [at, values] of rows.entries()) {
    const cells = values.flatMap((value, index) =>
      toCell(value, index + 1, at > 0 && isMoment[index] === true),
    );
    yield { row: { number: at + 1, cells } };
  }
}

/** To the second, which a date cell holds exactly. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

function toCell(value: Value, column: number, isMoment: boolean): Cell[] {
  if (value === null || value === '') return [];
  if (typeof value === 'number') return [{ column, type: 'number', value }];
  if (typeof value === 'boolean') return [{ column, type: 'boolean', value }];
  return [{ column, type: isMoment && MOMENT.test(value) ? 'date' : 'text', value }];
}
