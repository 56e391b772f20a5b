import { type Cell, cellAddress, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { unitsIn } from '../../core/codecs/shown-cell.ts';
import { issueAt } from '../../core/issue.ts';
import { ISSUES } from '../../core/issue-catalogue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { SheetLayout } from '../../files/sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { holdsNumber } from '../../schema/field.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { isBlank, isReadable, noValue } from './cell-sense.ts';
import { emptyRow, fillEmpty, type MapOptions, mapRow, noteFinding } from './map-row.ts';
import { bareCell, type SheetMapping } from './sheet-mapping.ts';

/** Why a row is no record, in words. */
export const NO_RECORD = {
  header: t('the headers once more, no record', 'nog eens de koppen, geen record'),
  totals: t('the totals row of the table, no record', 'de totaalrij van de tabel, geen record'),
  beside: t('nothing under a header, no record', 'niets onder een kop, geen record'),
} as const;

/** Why a row is no record. */
type NoRecord = keyof typeof NO_RECORD;

const SAID: ReadonlySet<string> = new Set(Object.values(NO_RECORD).map(({ en }) => en));

/** Whether what is said of a row is that it is no record. */
export const isNoRecord = (message: Bilingual | null): boolean => message !== null && SAID.has(message.en);

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
  /** Rules that could not be told of rows, as a field is not known: of how many, and the field; absent for none. */
  unheld?: Record<string, { readonly count: number; readonly field: string }>;
  /** The row after which it was not read, as too many rows can't be sent; absent where it was read whole. */
  unreadAfter?: number;
}

/** A unit that number formats of a column show, and the first number with it. */
type ShownUnit = ReturnType<typeof unitsIn>[number] & {
  readonly number: number;
  readonly column: number;
  readonly field: string;
};

/** A reading that has seen nothing yet. */
export function newReading(): SheetReading {
  return { lastColumn: 0, lastRow: 0, hidden: 0, passedOver: {}, filled: {} };
}

const SHOWN_ROWS = 5;

/**
 * Maps the rows below a sheet's header, in batches as the file gives them. Rows that are no records are among them, as
 * rows to skip that say why; blank ones are not.
 */
export async function* readRows(
  sheet: Sheet,
  mapping: SheetMapping,
  options: MapOptions,
  reading: SheetReading,
): AsyncGenerator<readonly MappedRow[]> {
  const { filled = {}, passedOver } = reading;
  const isTotals = createTotals(mapping, sheet.layout);
  const tableOf = createTableWatch(mapping);
  const isFilledDown = createFilledDown(mapping);
  const showsUnits = sheet.layout?.formats.some((format) => unitsIn(format).length > 0) === true;
  const passOver = (row: Row, why: NoRecord): MappedRow => {
    const seen = passedOver[why] ?? { count: 0, rows: [] };
    passedOver[why] = seen;
    if (++seen.count <= SHOWN_ROWS) seen.rows.push(row.number);
    return { ...emptyRow(row, mapping), action: 'skip', message: NO_RECORD[why] };
  };
  const read = (row: Row): MappedRow | undefined => {
    const { finding } = row;
    if (finding !== undefined && ISSUES[finding.code].severity === 'error') {
      const broken = emptyRow(row, mapping);
      noteFinding(finding, broken);
      return broken;
    }
    const table = tableOf(row);
    if (typeof table === 'number') return strayRow(row, mapping, table);
    if (table === 'header') return passOver(row, 'header');
    const record = mapRow(row, mapping, options);
    if (record === undefined)
      return bareCell(row, mapping) === undefined ? undefined : passOver(row, 'beside');
    if (isTotals(row, record)) return passOver(row, 'totals');
    if (mapping.fills.length > 0) {
      record.filled = fillEmpty(row, record, mapping, options);
      for (const field of record.filled) filled[field] = (filled[field] ?? 0) + 1;
    }
    if (row.hidden === true) reading.hidden++;
    if (showsUnits && record.action !== 'skip') noteUnits(reading, row, mapping);
    return record;
  };
  for await (const batch of piecesOf(sheet.batches)) {
    const records: MappedRow[] = [];
    for (const row of batch) {
      const last = row.cells.at(-1)?.column ?? 0;
      if (last > reading.lastColumn) reading.lastColumn = last;
      if (row.number > reading.lastRow) reading.lastRow = row.number;
      // What stands further down is still looked at for where the result's own columns find room.
      if (row.number <= mapping.headerRow || reading.unreadAfter !== undefined) continue;
      if (isFilledDown(row)) {
        reading.filledDown ??= { count: 0, first: row.number, last: row.number };
        reading.filledDown.count++;
        reading.filledDown.last = row.number;
        continue;
      }
      const record = read(row);
      if (record !== undefined) records.push(record);
    }
    if (records.length > 0) yield records;
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

/** A text that begins or ends with a word for a total: `Subtotaal 12`, `Soepen Totaal`, `Som van Aantal`. */
const TOTAL =
  /^\s*(?:(?:sub|eind|grand|generaal|algemeen)[\s-]?)?(?:totaal|totalen|totals?)(?![\p{L}\p{N}-])|\s(?:totaal|totals?)\s*:?\s*$|^\s*(?:som|sum|aantal|count|gemiddelde|average) (?:van|of) \S/iu;

const isTotal = (cell: Cell): boolean => cell.type === 'text' && TOTAL.test(cell.value);

/**
 * Tells, row by row, which is the totals row of the sheet's own table. A row that has no `#action` and looks like a
 * total gets an issue that says so: the only one where it names no record.
 */
function createTotals(
  { readers, resource, outputColumns, columnOf, set }: SheetMapping,
  layout: Pick<SheetLayout, 'totals'> | undefined,
): (row: Row, mapped: MappedRow) => boolean {
  // A value for all rows names no record.
  const keys = resource.keys.filter((key) => !set.some(({ field }) => field === key));
  const label = columnOf.get('label' in resource ? resource.label : '');
  const namesRecord = ({ values, names }: MappedRow): boolean => {
    for (const key of keys) if (values[key] !== undefined) return true;
    return names.some(({ field, name }) => keys.includes(field) && !TOTAL.test(name));
  };
  // With a key the label is one that has no other word.
  const isBare = (cell: Cell): boolean =>
    cell.column === label && isTotal(cell) && !/\p{L}/u.test(String(cell.value).replace(TOTAL, ''));
  return ({ number, cells }, mapped) => {
    if (mapped.action !== 'auto' || mapped.reference !== null) return false;
    const isOfTable = layout?.totals.some(
      ({ bottom, left, right }) =>
        bottom === number &&
        cells.every(({ column }) => readers[column] === undefined || (column >= left && column <= right)),
    );
    if (isOfTable === true) return true;
    const isNamed = namesRecord(mapped);
    const total = cells.find(isNamed ? isBare : (cell) => !outputColumns.has(cell.column) && isTotal(cell));
    if (total === undefined) return false;
    if (!isNamed) mapped.names.length = mapped.issues.length = 0;
    const place = {
      field: readers[total.column]?.name ?? null,
      address: cellAddress(total.column, number),
    };
    mapped.issues.push(issueAt({ code: 'total-or-record', found: String(total.value).trim() }, place));
    return false;
  };
}

/**
 * Tells the rows that are the headers once more, as printed lists have them on every page, and those of another table,
 * by the row of its header: they would be read under the wrong headers.
 */
function createTableWatch({ names, readers, headers }: SheetMapping): (row: Row) => 'header' | number | null {
  const texts = new Map(headers.map(({ column, header }) => [column, header]));
  let other: number | null = null;
  // A quick look, as every cell of a sheet passes here.
  const shapes = new Set([...names.keys()].map(shapeOf));
  const nameIn = ({ value }: Cell): string | undefined =>
    typeof value === 'string' && shapes.has(shapeOf(value)) ? names.get(value.toLowerCase()) : undefined;
  const isOther = (cell: Cell): boolean => {
    const name = nameIn(cell);
    const isOwn = readers[cell.column]?.name === name || texts.get(cell.column) === cell.value;
    return name !== undefined && !isOwn;
  };
  const isValue = (cell: Cell): boolean => {
    const field = readers[cell.column]?.field;
    return field != null && field.codec.type !== 'text' && !isBlank(cell) && isReadable(cell, field);
  };
  return ({ number, cells }) => {
    if (other !== null) return cells.every(isBlank) ? null : other;
    let named = 0;
    for (const cell of cells) if (nameIn(cell) !== undefined) named++;
    if (named < 2 || cells.some(isValue)) return null;
    if (!cells.some(isOther)) return 'header';
    other = number;
    return other;
  };
}

/** The first letter of a text, whatever its case, with its length. */
const shapeOf = (text: string): number => (text.charCodeAt(0) | 32) * 1024 + text.length;

/** A row of another table, with the issue that stops it. `header` is the row of that table's headers. */
function strayRow(row: Row, mapping: SheetMapping, header: number): MappedRow {
  const mapped = emptyRow(row, mapping);
  const first = row.cells.find((cell) => !isBlank(cell));
  const address = first === undefined ? null : cellAddress(first.column, mapped.row);
  const found = first === undefined ? '' : cellText(first);
  mapped.issues.push(issueAt({ code: 'second-header', found, hint: `${header}` }, { field: null, address }));
  return mapped;
}

/** Zero, or a checkbox that is off, as a text, which formulas make of empty cells. */
const NOTHING = /^\s*(?:0(?:[.,]0+)?|onwaar|false)\s*$/i;

/** Whether a cell says nothing of its own: blank, zero, or a checkbox that is off. */
const saysNothing = (cell: Cell): boolean =>
  cell.value === 0 ||
  cell.value === false ||
  isBlank(cell) ||
  (cell.type === 'text' && NOTHING.test(cell.value));

/**
 * Tells, row by row, which hold nothing but what was filled down: without a key, a name and an amount, and with nothing
 * but zeros, checkboxes that are off, and what stands above too. The first row of errors is one that can't be read.
 */
function createFilledDown({ resource, readers, headed }: SheetMapping): (row: Row) => boolean {
  const label = 'label' in resource ? [resource.label] : [];
  const amounts = kindOf(resource).amounts?.(resource).columns ?? [];
  const names: ReadonlySet<string> = new Set([...resource.keys, ...label, ...amounts, '#key', '#action']);
  const tells = readers.map((reader) => reader !== undefined && names.has(reader.name));
  const isTold = (cell: Cell): boolean => tells[cell.column] === true && !saysNothing(cell);
  const counts = (cell: Cell): boolean =>
    (readers[cell.column] !== undefined || headed[cell.column] !== true) && !isBlank(cell);
  let above: readonly Cell[] = [];
  return ({ cells }) => {
    if (cells.some((cell) => isTold(cell) && noValue(cell) === undefined)) {
      above = cells;
      return false;
    }
    const isOfAbove = (cell: Cell): boolean =>
      above.some((one) => one.column === cell.column && cellText(one) === cellText(cell));
    const counted = cells.filter(counts);
    if (counted.length > 0 && counted.every((cell) => saysNothing(cell) || isOfAbove(cell))) return true;
    above = cells.some(isTold) ? cells : [];
    return false;
  };
}
