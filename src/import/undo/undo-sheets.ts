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

/** The sheets of an undo: one a resource, the list of what can't be taken back, and the hidden baseline. */
export function undoSheets(
  resources: readonly Resource[],
  rows: readonly UndoRow[],
  cannot: readonly NotUndone[],
  stamp: BaselineStamp,
  language: Language,
): ResultSheet[] {
  const sheets = resources.flatMap((resource) => {
    const own = rows.filter((row) => row.resource.name === resource.name);
    return own.length === 0 ? [] : [resourceSheet(resource, own)];
  });
  const listed = cannot.map(({ sheet, row, why }): Value[] => [sheet, row, why[language]]);
  const left: (readonly Value[])[] = [UNDONE_HEADERS[language], ...listed];
  const baseline = [
    ...encodeBaselineStamp(stamp),
    ...rows.flatMap(({ base }) => (base ? [encodeBaselineRecord(base)] : [])),
  ];
  return [
    ...sheets,
    ...(cannot.length === 0 ? [] : [sheetOf(OWN_SHEETS.undone[language], left, 1)]),
    { ...sheetOf(BASELINE_SHEET, baseline, null), hidden: true },
  ];
}

function resourceSheet(resource: Resource, rows: readonly UndoRow[]): ResultSheet {
  const used = new Set(rows.flatMap(({ cells }) => Object.keys(cells)));
  const headers = [...INPUT_MARKS, ...Object.keys(resource.fields)].filter((name) => used.has(name));
  const values = rows.map(({ cells }) => headers.map((header) => cells[header] ?? null));
  const isMoment = headers.map((name) => resource.fields[name]?.codec.type === 'datetime');
  return sheetOf(resource.sheet, [headers, ...values], 1, isMoment);
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
